"""What customers say: 5 when the parcel is early, 1 when it is late or never comes."""

import numpy as np
import pyarrow as pa

from warebench.worlds.synthetic.columns import glue, hashes, take
from warebench.worlds.synthetic.draw import Floats, Ints, lognormal, whole
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns
from warebench.worlds.twins.ecommerce.delivery import Delivery
from warebench.worlds.twins.ecommerce.goods import Goods
from warebench.worlds.twins.ecommerce.orders import DAY, Orders

REVIEWED = 0.9923
"""Share of orders with a review; none has two (of the real ones, a few do)."""
SCORES = np.array(
    [
        [7.0, 2.7, 8.0, 20.4, 61.9],  # early
        [17.5, 4.0, 12.0, 21.5, 45.0],  # up to three days late
        [58.0, 9.0, 11.5, 8.0, 13.5],  # later
        [64.0, 9.0, 9.0, 6.0, 12.0],  # not delivered
    ]
)
"""Scores 1 to 5 (%)."""
QUALITY = 0.045
"""How much a good seller shifts scores, in quantiles."""

WITH_TITLE, WITH_MESSAGE = 0.12, 0.42
MOODS = np.array([0, 0, 1, 2, 2])
"""Which words go with scores 1 to 5."""


def make_reviews(plan: Plan, orders: Orders, delivery: Delivery, goods: Goods) -> Columns:
    """Draw one review for nearly every order."""
    lists = plan.lists
    rng = plan.generator("reviews")
    chosen = np.flatnonzero(rng.random(len(orders.purchase)) < REVIEWED)
    score = _scores(rng, delivery, goods)[chosen]
    asked = _asked(rng, delivery)[chosen]
    answer = lognormal(rng.standard_normal(len(chosen)), 1.65, 0.75, 0.1, 120)
    return {
        "review_id": hashes(rng, len(chosen)),
        "order_id": take(orders.order_id, chosen),
        "review_score": score,
        "review_comment_title": _say(rng, score, WITH_TITLE, lists["titles"]),
        "review_comment_message": _say(rng, score, WITH_MESSAGE, lists["openings"], lists["closings"]),
        "review_creation_date": asked * DAY,
        "review_answer_timestamp": asked * DAY + whole(answer * DAY),
    }


def _scores(rng: np.random.Generator, delivery: Delivery, goods: Goods) -> Ints:
    days = (delivery.delivered - delivery.estimated) / DAY
    late = np.where(days <= 0, 0, np.where(days <= 3, 1, 2))
    outcome = np.where(delivery.has_delivered, late, 3)
    quality = np.where(delivery.seller < 0, 0.0, goods.seller_quality[delivery.seller])
    mood: Floats = np.clip(rng.random(len(days)) + QUALITY * quality, 0.0, 0.9999) * 100
    bounds = np.cumsum(SCORES, axis=1)[outcome]
    found: Ints = 1 + (mood[:, None] >= bounds[:, :4]).sum(axis=1)
    return found


def _asked(rng: np.random.Generator, delivery: Delivery) -> Ints:
    """Return the day of the survey: after delivery, or a while after the promised day."""
    promised = delivery.estimated // DAY + 2 + rng.integers(0, 16, size=len(delivery.estimated))
    arrived = delivery.delivered // DAY + 1
    return np.where(delivery.has_delivered, np.minimum(arrived, promised), promised)


def _say(
    rng: np.random.Generator, score: Ints, share: float, *parts: tuple[tuple[str, ...], ...]
) -> pa.Array:
    """Return texts that suit the scores, null for those who say nothing."""
    silent = rng.random(len(score)) >= share
    spoken = []
    for part in parts:
        start = np.cumsum([0, *(len(texts) for texts in part)])[:-1]
        sizes = np.array([len(texts) for texts in part])
        mood = MOODS[score - 1]
        position = start[mood] + (rng.random(len(score)) * sizes[mood]).astype(np.int64)
        spoken.append(take([text for texts in part for text in texts], np.ma.MaskedArray(position, silent)))
    return glue(*spoken, between=", ")

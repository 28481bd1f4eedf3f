"""music_tracker: shared releases and their tags; BIRD's names and shape."""

from collections.abc import Mapping

import numpy as np

from warebench.worlds.synthetic.columns import take
from warebench.worlds.synthetic.draw import (
    Ints,
    correlated,
    distinct,
    distinct_pairs,
    lognormal,
    popularity,
    weighted,
    whole,
    zipf,
)
from warebench.worlds.synthetic.names import unique
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns, Maker


def make_torrents(plan: Plan) -> Columns:
    """Draw the releases: old ones have been fetched more often."""
    words = plan.words
    rng, size = plan.generator("torrents"), plan.rows["torrents"]
    artists = unique(rng, max(20, size // 6), words["beats"], words["loops"], words["crews"])
    age = np.abs(rng.standard_normal(size))
    kinds = zipf(rng, size, len(words["types"]), 1.2)
    worth = correlated(rng, rng.standard_normal(len(words["types"])), 0.3)[kinds]
    fetched = 0.65 * (age - 0.8) + 0.3 * worth + 0.6 * rng.standard_normal(size)
    return {
        "groupName": unique(rng, size, words["beats"], words["loops"], words["suffixes"]),
        "totalSnatched": whole(lognormal(fetched, 90.0, 0.8, 0, 9_000)),
        "artist": take(artists, zipf(rng, size, len(artists), plan.exponent)),
        "groupYear": np.clip(2017 - whole(14 * age), 1963, 2017),
        "releaseType": take(words["types"], kinds),
        "groupId": 700_000 + distinct(rng, size, 3 * size),
        "id": _ids(plan),
    }


def _ids(plan: Plan) -> Ints:
    return np.arange(plan.rows["torrents"])


def make_tags(plan: Plan) -> Columns:
    """Draw the tags: no release has one twice."""
    words = plan.words
    rng, size = plan.generator("tags"), plan.rows["tags"]
    labels = [
        *words["genres"],
        *words["scenes"],
        *(f"{genre}.{scene}" for genre in words["genres"] for scene in words["scenes"]),
    ]
    shape = plan.rows["torrents"], len(labels)

    known, used = popularity(rng, shape[0], plan.exponent / 3), popularity(rng, shape[1], 1.1)

    def propose(count: int) -> tuple[Ints, Ints]:
        return weighted(rng, count, known), weighted(rng, count, used)

    release, word = distinct_pairs(rng, size, shape, propose)
    return {"index": np.arange(size), "id": _ids(plan)[release], "tag": take(labels, word)}


MAKERS: Mapping[str, Maker] = {
    "torrents": make_torrents,
    "tags": make_tags,
}

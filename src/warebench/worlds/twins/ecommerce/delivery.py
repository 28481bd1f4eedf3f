"""From approval to the customer's door: promised, usually early, sometimes late, rarely months late."""

from dataclasses import dataclass

import numpy as np

from warebench.worlds.synthetic.columns import day, take
from warebench.worlds.synthetic.draw import Floats, Ints, lognormal, whole
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns
from warebench.worlds.twins.ecommerce.goods import Goods
from warebench.worlds.twins.ecommerce.items import Items
from warebench.worlds.twins.ecommerce.orders import CODES, DAY, HOUR, LAST_DAY, Orders
from warebench.worlds.twins.ecommerce.payments import CODES as TYPES
from warebench.worlds.twins.ecommerce.payments import Payments
from warebench.worlds.twins.ecommerce.places import Places, kilometres, states

SLOW = (
    ("2017-11-20", "2017-12-20", 1.35),
    ("2018-02-10", "2018-04-01", 1.4),
    ("2018-06-15", "2018-09-01", 0.8),
)
"""Purchases from, before, and how much longer parcels take then."""
LOST_FOR_WEEKS, LAST_LOST = 0.0045, day("2018-03-01")
"""Share of parcels that take weeks longer, none of them sent later than that day."""
OUT_OF_ORDER = 0.012
"""Share of delivered orders that were approved after the carrier had them."""
MISSING = 8e-5
"""Share of delivered orders of which approval or delivery is not recorded."""
DELIVERED_ANYWAY = 0.01
"""Share of canceled orders that are delivered nevertheless."""
NEAR = 600.0
"""Kilometres, where there is no seller to count from."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Delivery:
    """Moments of each order in seconds, and which of them are recorded."""

    approved: Ints
    carrier: Ints
    delivered: Ints
    estimated: Ints
    has_approved: np.ndarray
    has_carrier: np.ndarray
    has_delivered: np.ndarray
    seller: Ints
    """First seller of the order; -1 when it has no items."""


def make_delivery(
    plan: Plan, orders: Orders, items: Items, payments: Payments, goods: Goods, places: Places
) -> Delivery:
    """Draw the moments of all orders, then which of them came to pass."""
    rng = plan.generator("delivery")
    seller = np.full(len(orders.purchase), -1)
    seller[items.order[::-1]] = items.seller[::-1]
    usual = _usual_days(orders, seller, goods, places)
    quality = np.where(seller < 0, 0.0, goods.seller_quality[seller])
    approved = orders.purchase + _approval(rng, payments.main)
    handling = lognormal(rng.standard_normal(len(seller)), 1.85 * np.exp(-0.25 * quality), 0.85, 0.1, 30)
    carrier = approved + whole(handling * DAY)
    delivered = np.minimum(carrier + whole(_transit(rng, orders, usual) * DAY), _closing(rng, len(seller)))
    quoted = np.maximum(13.4 + 1.3 * usual + 4.2 * rng.standard_normal(len(usual)), 4 + usual)
    estimated = (orders.purchase + whole(quoted * DAY)) // DAY * DAY
    approved = _out_of_order(rng, approved, carrier, delivered)
    return Delivery(
        approved=approved,
        carrier=carrier,
        delivered=delivered,
        estimated=estimated,
        seller=seller,
        **_recorded(rng, orders),
    )


def _usual_days(orders: Orders, seller: Ints, goods: Goods, places: Places) -> Floats:
    """Return days a parcel usually is on its way: by distance, and longer to remote states."""
    distance = np.where(seller < 0, NEAR, kilometres(places, orders.place, goods.seller_place[seller]))
    remote = np.array([state.remote for state in states()])[places.state[orders.place]]
    usual: Floats = 3.6 + 0.0042 * distance + 0.9 * remote
    return usual


def _approval(rng: np.random.Generator, main: Ints) -> Ints:
    """Return seconds until a payment is approved: minutes for cards, a day or two for boletos."""
    z = rng.standard_normal(len(main))
    minutes = lognormal(z, 18.0, 0.5, 3, 600) * 60
    checked = lognormal(z, 16.0, 0.6, 1, 90) * HOUR
    boleto = lognormal(z, 30.0, 0.55, 1, 200) * HOUR
    card = np.where(rng.random(len(main)) < 0.13, checked, minutes)
    return whole(np.where(main == TYPES.index("boleto"), boleto, card))


def _transit(rng: np.random.Generator, orders: Orders, usual: Floats) -> Floats:
    """Return days from carrier to customer."""
    size, date = len(usual), orders.purchase // DAY
    season = np.ones(size)
    for first, last, factor in SLOW:
        season[(date >= day(first)) & (date < day(last))] = factor
    days = lognormal(rng.standard_normal(size), usual * season, 0.46, 0.4, 75)
    weeks = (rng.random(size) < LOST_FOR_WEEKS) & (date < LAST_LOST)
    return np.where(weeks, days + np.minimum(42 + rng.exponential(35.0, size=size), 190), days)


def _closing(rng: np.random.Generator, size: int) -> Ints:
    """Return moments of the last day, when the data were taken."""
    return (LAST_DAY + 1) * DAY - 1 - rng.integers(DAY // 2, size=size)


def _out_of_order(rng: np.random.Generator, approved: Ints, carrier: Ints, delivered: Ints) -> Ints:
    """Move a few approvals behind the handing over to the carrier."""
    moved = carrier + ((delivered - carrier) * 0.8 * rng.random(len(carrier))).astype(np.int64)
    return np.where(rng.random(len(carrier)) < OUT_OF_ORDER, moved, approved)


def _recorded(rng: np.random.Generator, orders: Orders) -> dict[str, np.ndarray]:
    """Return which moments are recorded, by status, with the gaps the real data have."""
    done, gone, size = orders.are("delivered"), orders.are("canceled"), len(orders.status)
    approved = ~orders.are("created") & ~(gone & (rng.random(size) < 0.22))
    carrier = done | orders.are("shipped") | (gone & (rng.random(size) < 0.12))
    delivered = done.copy()
    approved[_some(rng, done, MISSING)] = False
    delivered[_some(rng, done, MISSING)] = False
    anyway = _some(rng, gone, DELIVERED_ANYWAY)
    for moment in (approved, carrier, delivered):
        moment[anyway] = True
    return {"has_approved": approved, "has_carrier": carrier, "has_delivered": delivered}


def _some(rng: np.random.Generator, those: np.ndarray, share: float) -> Ints:
    """Return a share of the orders, one at least."""
    found = np.flatnonzero(those)
    return rng.permutation(found)[: max(1, round(share * len(found)))]


def order_columns(orders: Orders, delivery: Delivery, customer_id: object) -> Columns:
    """Return the columns of the orders."""
    moments = {
        "order_approved_at": (delivery.approved, delivery.has_approved),
        "order_delivered_carrier_date": (delivery.carrier, delivery.has_carrier),
        "order_delivered_customer_date": (delivery.delivered, delivery.has_delivered),
    }
    return {
        "order_id": orders.order_id,
        "customer_id": customer_id,
        "order_status": take(CODES, orders.status),
        "order_purchase_timestamp": orders.purchase,
        **{name: np.ma.MaskedArray(moment, ~known) for name, (moment, known) in moments.items()},
        "order_estimated_delivery_date": delivery.estimated,
    }

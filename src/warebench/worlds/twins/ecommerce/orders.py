"""Who orders when, and what became of it."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from warebench.worlds.synthetic.columns import day, hashes, take
from warebench.worlds.synthetic.draw import Floats, Ints, apportioned, lognormal, weighted
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns
from warebench.worlds.twins.ecommerce.places import Places, locate, settle, states

DAY, HOUR = 86_400, 3_600
"""Seconds."""

FIRST_DAY = day("2016-09-04")
LAST_DAY = day("2018-10-17")
LAST_SALE = day("2018-09-01")
"""From then on the shop takes orders and cancels them."""

MONTHLY = {
    "2016-09": 4, "2016-10": 324, "2016-11": 0, "2016-12": 1,
    "2017-01": 800, "2017-02": 1780, "2017-03": 2680, "2017-04": 2400, "2017-05": 3700, "2017-06": 3250,
    "2017-07": 4030, "2017-08": 4330, "2017-09": 4290, "2017-10": 4630, "2017-11": 7540, "2017-12": 5670,
    "2018-01": 7270, "2018-02": 6730, "2018-03": 7210, "2018-04": 6940, "2018-05": 6870, "2018-06": 6170,
    "2018-07": 6290, "2018-08": 6510, "2018-09": 16, "2018-10": 4,
}  # fmt: skip
"""Orders by month, as the real marketplace grew."""
WEEKDAYS = np.array([1.13, 1.13, 1.09, 1.03, 0.98, 0.76, 0.84])
"""Of orders, Monday first."""
BLACK_FRIDAY = {"2017-11-23": 1.3, "2017-11-24": 6.0, "2017-11-25": 2.4, "2017-11-26": 1.9, "2017-11-27": 1.9}
HOURS = np.array(
    [24, 12, 5, 3, 2, 2, 5, 12, 30, 48, 62, 66, 60, 65, 66, 65, 67, 62, 58, 60, 62, 62, 58, 41], dtype=float
)
"""Of orders, from midnight."""

STATUSES = {
    "delivered": 97.02, "shipped": 1.11, "canceled": 0.63, "unavailable": 0.61, "invoiced": 0.32,
    "processing": 0.30, "created": 0.005, "approved": 0.002,
}  # fmt: skip
"""Shares (%)."""
CODES = tuple(STATUSES)

PERSONS = 0.9664
"""Persons per order: few come back."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Orders:
    """Orders in the order of purchase, parallel."""

    order_id: pa.Array
    purchase: Ints
    """Seconds since 1970, as all moments here."""
    status: Ints
    """Position in `CODES`."""
    place: Ints
    """Of the customer."""

    def are(self, *codes: str) -> np.ndarray:
        """Return which orders have one of some statuses."""
        return np.isin(self.status, [CODES.index(code) for code in codes])


def make_orders(plan: Plan, places: Places) -> tuple[Orders, Columns]:
    """Draw the orders, and the columns of the customers who made them."""
    rng, size = plan.generator("orders"), plan.rows["orders"]
    purchase = np.sort(_days(rng, size) * DAY + _clock(rng, size))
    status = apportioned(rng, size, list(STATUSES.values()))
    late = (purchase >= LAST_SALE * DAY) & (status == CODES.index("delivered"))
    person, home = _persons(rng, places, size)
    orders = Orders(
        order_id=hashes(rng, size),
        purchase=purchase,
        status=np.where(late, CODES.index("canceled"), status),
        place=home[person],
    )
    customers = {
        "customer_id": hashes(rng, size),
        "customer_unique_id": take(hashes(rng, len(home)), person),
        **locate(places, "customer", orders.place),
    }
    return orders, customers


def _days(rng: np.random.Generator, size: int) -> Ints:
    """Return days of purchase: growth, weekdays and Black Friday."""
    days = np.arange(FIRST_DAY, LAST_DAY + 1)
    dates = days.astype("datetime64[D]")
    month = (dates.astype("datetime64[M]") - np.datetime64("2016-09")).astype(np.int64)
    weight = WEEKDAYS[(days + 3) % 7].copy()  # 1 January 1970 was a Thursday
    for date, factor in BLACK_FRIDAY.items():
        weight[day(date) - FIRST_DAY] *= factor
    volume = np.array(list(MONTHLY.values())) * np.exp(0.03 * rng.standard_normal(len(MONTHLY)))
    weight *= volume[month] / np.bincount(month, weight)[month]
    return FIRST_DAY + weighted(rng, size, weight)


def _clock(rng: np.random.Generator, size: int) -> Ints:
    return weighted(rng, size, HOURS) * HOUR + rng.integers(HOUR, size=size)


def _persons(rng: np.random.Generator, places: Places, size: int) -> tuple[Ints, Ints]:
    """Return who makes each order, and where persons live: all states have some."""
    persons = round(size * PERSONS)
    loyalty: Floats = lognormal(rng.standard_normal(persons), 1.0, 1.6, 0, 300)
    person = rng.permutation(np.r_[np.arange(persons), weighted(rng, size - persons, loyalty)])
    home = settle(rng, places, [state.orders for state in states()], persons)
    first = np.searchsorted(places.state, np.arange(len(states())))
    home[rng.permutation(persons)[: len(states())]] = first
    return person, home

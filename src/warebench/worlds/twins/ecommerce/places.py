"""Where customers and sellers are: 27 states, their cities, zip prefixes and coordinates."""

from dataclasses import dataclass
from functools import cache

import numpy as np
import pyarrow as pa

from warebench.worlds.declare import declare
from warebench.worlds.synthetic.columns import take, text
from warebench.worlds.synthetic.draw import Floats, Ints, apportioned, distinct, popularity, weighted
from warebench.worlds.synthetic.names import unique
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns


@dataclass(frozen=True, slots=True)
class State:
    """What differs by state; shares are those of the real marketplace, rounded."""

    code: str
    orders: float
    """Share of the orders (%)."""
    sellers: float
    """Share of the sellers (%)."""
    remote: float
    """Days a parcel needs beyond what its distance asks for."""
    latitude: float
    longitude: float
    """Of the capital (degrees)."""
    zips: tuple[int, int]
    """Zip prefixes from, to (exclusive)."""
    capital: str


@cache
def states() -> tuple[State, ...]:
    """Return the states, those that order most first."""
    return tuple(_state(*cells) for cells in declare("ecommerce").lists["states"])


def _state(code: str, *cells: str) -> State:
    orders, sellers, remote, latitude, longitude = map(float, cells[:5])
    first, last, capital = cells[5:]
    return State(code, orders, sellers, remote, latitude, longitude, (int(first), int(last)), capital)


CITIES, ZIPS, FEWEST_ZIPS = 800, 15_000, 1_600
"""Cities; zip prefixes at scale 1 and above; zip prefixes at any scale."""
CAPITAL = 0.3
"""Share of a state's people who live in its capital."""
SPREAD, JITTER = 1.4, 0.04
"""Degrees between a capital and the other cities, and within a city."""
KILOMETRES = 111.2
"""Of one degree."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Places:
    """Zip prefixes, parallel."""

    state: Ints
    city: pa.Array
    code: pa.Array
    latitude: Floats
    longitude: Floats
    weight: Floats
    """How many people of its state live there; adds up to 1 in each state."""


def make_places(plan: Plan) -> Places:
    """Draw the cities of each state and their zip prefixes."""
    words = plan.words
    rng = plan.generator("places")
    names = unique(rng, CITIES + 3 * len(states()), words["firsts"], words["seconds"])
    size = min(ZIPS, max(FEWEST_ZIPS, plan.rows["zips"]))
    parts, used = [], 0
    for number, state in enumerate(states()):
        others = max(2, round(CITIES * state.orders / 100))
        zips = min(max(others + 4, round(size * state.orders / 100)), state.zips[1] - state.zips[0])
        cities = pa.concat_arrays([pa.array([state.capital]), names.slice(used, others)])
        used += others
        parts.append(_make_state(rng, number, cities, zips))
    return Places(
        state=np.concatenate([part.state for part in parts]),
        city=pa.concat_arrays([part.city for part in parts]),
        code=pa.concat_arrays([part.code for part in parts]),
        latitude=np.concatenate([part.latitude for part in parts]),
        longitude=np.concatenate([part.longitude for part in parts]),
        weight=np.concatenate([part.weight for part in parts]),
    )


def _make_state(rng: np.random.Generator, number: int, cities: pa.Array, zips: int) -> Places:
    state, count = states()[number], len(cities)
    people = popularity(rng, count - 1, 1.0)
    share = np.r_[CAPITAL, (1 - CAPITAL) * people / people.sum()]
    city = apportioned(rng, zips, share.tolist())
    offset = SPREAD * rng.standard_normal((2, count))
    offset[:, 0] = 0.0
    jitter = JITTER * rng.standard_normal((2, zips))
    popular = popularity(rng, zips, 0.5)
    weight = popular / np.bincount(city, popular)[city] * share[city]
    first, last = state.zips
    return Places(
        state=np.full(zips, number),
        city=take(cities, city),
        code=text(first + np.sort(distinct(rng, zips, last - first)), 5),
        latitude=state.latitude + offset[0][city] + jitter[0],
        longitude=state.longitude + offset[1][city] + jitter[1],
        weight=weight,
    )


def settle(rng: np.random.Generator, places: Places, shares: list[float], size: int) -> Ints:
    """Return where `size` people live, as positions of `places`, by the shares of the states."""
    share = np.array(shares)[places.state] * places.weight
    return weighted(rng, size, share)


def kilometres(places: Places, one: Ints, other: Ints) -> Floats:
    """Return the distances between zip prefixes, near enough for a parcel."""
    middle = np.radians((places.latitude[one] + places.latitude[other]) / 2)
    east = (places.longitude[one] - places.longitude[other]) * np.cos(middle)
    distance: Floats = KILOMETRES * np.hypot(east, places.latitude[one] - places.latitude[other])
    return distance


def locate(places: Places, prefix: str, position: Ints) -> Columns:
    """Return the columns zip prefix, city and state of some rows."""
    return {
        f"{prefix}_zip_code_prefix": take(places.code, position),
        f"{prefix}_city": take(places.city, position),
        f"{prefix}_state": take([state.code for state in states()], places.state[position]),
    }


def make_geolocation(plan: Plan, places: Places) -> Columns:
    """Draw points within zip prefixes; a few prefixes have none, and one point may come twice."""
    rng, size = plan.generator("geolocation"), plan.rows["geolocation"]
    known = np.flatnonzero(rng.random(len(places.state)) >= 0.004)
    position = known[rng.integers(len(known), size=size)]
    repeated = rng.random(size) < 0.2
    place = 0.008 * rng.standard_normal((2, size)) * ~repeated
    return {
        **locate(places, "geolocation", position),
        "geolocation_lat": np.round(places.latitude[position] + place[0], 6),
        "geolocation_lng": np.round(places.longitude[position] + place[1], 6),
    }

"""Where customers and sellers are: 27 states, their cities, zip prefixes and coordinates."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from warebench.engine.synthetic.columns import take, text
from warebench.engine.synthetic.draw import Floats, Ints, apportioned, distinct, popularity, weighted
from warebench.engine.synthetic.names import unique, words
from warebench.engine.synthetic.plan import Plan
from warebench.engine.synthetic.schema import Columns


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


LINES = """
SP 41.98 59.74 0.0 -23.55 -46.63 1000 20000 sao paulo
RJ 12.92 5.53 5.0 -22.91 -43.20 20000 29000 rio de janeiro
MG 11.70 7.88 1.5 -19.92 -43.94 30000 40000 belo horizonte
RS 5.50 4.17 2.5 -30.03 -51.23 90000 100000 porto alegre
PR 5.07 11.28 1.5 -25.43 -49.27 80000 88000 curitiba
SC 3.66 6.14 3.5 -27.60 -48.55 88000 90000 florianopolis
BA 3.40 0.61 5.0 -12.97 -38.50 40000 49000 salvador
DF 2.15 0.97 1.5 -15.79 -47.88 70000 72800 brasilia
ES 2.04 0.74 4.5 -20.32 -40.34 29000 30000 vitoria
GO 2.03 1.29 3.0 -16.69 -49.26 72800 76800 goiania
PE 1.66 0.29 2.0 -8.05 -34.88 50000 57000 recife
CE 1.34 0.42 4.0 -3.73 -38.53 60000 64000 fortaleza
PA 0.98 0.03 6.0 -1.46 -48.50 66000 68900 belem
MT 0.91 0.13 4.0 -15.60 -56.10 78000 78900 cuiaba
MA 0.75 0.03 5.0 -2.53 -44.30 65000 66000 sao luis
MS 0.72 0.16 3.0 -20.44 -54.65 79000 80000 campo grande
PB 0.54 0.19 3.5 -7.12 -34.86 58000 59000 joao pessoa
PI 0.50 0.03 3.5 -5.09 -42.80 64000 65000 teresina
RN 0.49 0.16 2.5 -5.79 -35.21 59000 60000 natal
AL 0.42 0.03 7.0 -9.67 -35.74 57000 58000 maceio
SE 0.35 0.06 5.0 -10.91 -37.07 49000 50000 aracaju
TO 0.28 0.03 4.0 -10.18 -48.33 77000 78000 palmas
RO 0.25 0.06 4.0 -8.76 -63.90 76800 77000 porto velho
AM 0.15 0.03 7.0 -3.12 -60.02 69000 69300 manaus
AC 0.08 0.03 4.0 -9.97 -67.81 69900 70000 rio branco
AP 0.07 0.01 8.0 0.03 -51.07 68900 69000 macapa
RR 0.05 0.01 9.0 2.82 -60.67 69300 69400 boa vista
"""


def _state(line: str) -> State:
    code, orders, sellers, remote, latitude, longitude, first, last, capital = line.split(maxsplit=8)
    place = float(latitude), float(longitude)
    zips = int(first), int(last)
    return State(code, float(orders), float(sellers), float(remote), *place, zips, capital)


STATES = tuple(_state(line) for line in LINES.strip().splitlines())

CITIES, ZIPS, FEWEST_ZIPS = 800, 15_000, 1_600
"""Cities; zip prefixes at scale 1 and above; zip prefixes at any scale."""
CAPITAL = 0.3
"""Share of a state's people who live in its capital."""
SPREAD, JITTER = 1.4, 0.04
"""Degrees between a capital and the other cities, and within a city."""
KILOMETRES = 111.2
"""Of one degree."""

FIRSTS = words(
    """
    alto barra bela boa bom campo cruz feira ilha lagoa monte morro nova pedra porto rio santa santo
    serra sitio terra vale varzea vila
    """
)
SECONDS = words(
    """
    alegre amparo araras bela branca cachoeira caldas cedro clara coqueiro dourada esperanca estrela flores
    formosa gaivota horizonte ipe jatoba laranjeira lua marfim mirante nascente oliveira palmeira paraiso
    pinhal pitanga primavera rosa sabia salgada serena sol tamoio uva verde vicosa xingu
    """
)


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
    rng = plan.generator("places")
    names = unique(rng, CITIES + 3 * len(STATES), FIRSTS, SECONDS)
    size = min(ZIPS, max(FEWEST_ZIPS, plan.rows["zips"]))
    parts, used = [], 0
    for number, state in enumerate(STATES):
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
    state, count = STATES[number], len(cities)
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
        f"{prefix}_state": take([state.code for state in STATES], places.state[position]),
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

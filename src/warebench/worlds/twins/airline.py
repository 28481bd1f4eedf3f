"""airline: a month of flights between airports; BIRD's names and shape."""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from warebench.worlds.synthetic.columns import day, glue, take, text
from warebench.worlds.synthetic.draw import Floats, Ints, correlated, distinct, ranks, whole, zipf
from warebench.worlds.synthetic.names import STATES, SURNAMES, TOWNS, unique, unique_parts, words
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns, Maker

DAY = 24 * 60
"""Minutes."""
LATE = 15
"""Minutes of delay from which causes are recorded."""
ROTATIONS = 40
"""Aircraft a carrier flies."""


def make_carriers(plan: Plan) -> Columns:
    """Draw the carriers."""
    rng, size = plan.generator("Air Carriers"), plan.rows["Air Carriers"]
    hues = words(
        """
        Amber Azure Blue Cobalt Coral Crimson Golden Green Indigo Ivory Jade Pearl Red Silver Teal White
        """
    )
    birds = words(
        """
        Albatross Arrow Comet Condor Crane Falcon Gull Heron Horizon Lark Meridian Monsoon Petrel Plover
        Polaris Raven Skua Solstice Sparrow Starling Swift Tern Vesper Wren Zephyr
        """
    )
    forms = words("Airlines Airways Aviation Charter Express Connection")
    letters = _letters(rng.integers(26**3, size=size), 3)
    return {
        "Code": _carrier_codes(plan),
        "Description": glue(unique(rng, size, hues, birds, forms), ": ", letters),
    }


def _carrier_codes(plan: Plan) -> Ints:
    size = plan.rows["Air Carriers"]
    return 19031 + np.sort(distinct(plan.generator("Air Carriers", "codes"), size, 3 * size))


def make_airports(plan: Plan) -> Columns:
    """Draw the airports."""
    rng, size = plan.generator("Airports"), plan.rows["Airports"]
    kinds = words("International Regional Municipal County Field Airpark")
    town, state, person, kind = unique_parts(rng, size, TOWNS, STATES, SURNAMES, kinds)
    return {"Code": _airport_codes(plan), "Description": glue(town, ", ", state, ": ", person, " ", kind)}


def _airport_codes(plan: Plan) -> pa.Array:
    size = plan.rows["Airports"]
    letters = 3 if size <= 26**3 else 5
    return _letters(np.sort(distinct(plan.generator("Airports", "codes"), size, 26**letters)), letters)


def _letters(numbers: Ints, width: int) -> pa.Array:
    alphabet = [chr(65 + position) for position in range(26)]
    return glue(*(take(alphabet, numbers // 26**place % 26) for place in reversed(range(width))))


def make_flights(plan: Plan) -> Columns:
    """Draw the flights: delays hang together, cancelled flights have none."""
    rng, size = plan.generator("Airlines"), plan.rows["Airlines"]
    flown = min(plan.rows["Air Carriers"], max(16, plan.rows["Air Carriers"] // 95))
    carrier = zipf(rng, size, flown, plan.exponent)
    date = np.sort(rng.integers(31, size=size))
    origin, dest, minutes = _routes(plan, rng, size)
    cancelled = rng.random(size) < 0.02
    codes, airports = _spread(plan, "Air Carriers", flown), _airport_codes(plan)
    return {
        "FL_DATE": day("2018-08-01") + date,
        "OP_CARRIER_AIRLINE_ID": _narrow(_carrier_codes(plan)[codes][carrier]),
        "TAIL_NUM": _tails(rng, carrier),
        "OP_CARRIER_FL_NUM": _narrow(_flight_numbers(rng, date * flown + carrier)),
        "CANCELLED": cancelled.astype(np.int32),
        "CANCELLATION_CODE": pa.array(
            take("ABC", rng.integers(3, size=size)).to_numpy(False), mask=~cancelled
        ),
        **_place("ORIGIN", origin, airports),
        **_place("DEST", dest, airports),
        **_times(rng, carrier, minutes, cancelled),
    }


def _spread(plan: Plan, table_name: str, used: int) -> Ints:
    """Return the row numbers of the parents that have any children."""
    return distinct(plan.generator(table_name, "used"), used, plan.rows[table_name])


def _routes(plan: Plan, rng: np.random.Generator, size: int) -> tuple[Ints, Ints, Ints]:
    """Return airports of departure and arrival, never the same, and the minutes between them."""
    served = min(plan.rows["Airports"], max(80, plan.rows["Airports"] // 18))
    origin, dest = (zipf(rng, size, served, plan.exponent) for _ in range(2))
    dest = np.where(origin == dest, (dest + 1) % served, dest)
    places = rng.random((served, 2)) * (2400, 1100)
    miles = np.hypot(*(places[origin] - places[dest]).T)
    used = _spread(plan, "Airports", served)
    return used[origin], used[dest], whole(38 + miles / 7.5)


def _narrow(numbers: Ints | Floats) -> NDArray[np.int32]:
    """Return integers as wide as their column is: all columns lie in memory until the last is made."""
    return numbers.astype(np.int32)


def _place(role: str, airport: Ints, codes: pa.Array) -> Columns:
    return {
        role: take(codes, airport),
        f"{role}_AIRPORT_ID": _narrow(10001 + airport),
        f"{role}_AIRPORT_SEQ_ID": _narrow((10001 + airport) * 100 + airport % 6 + 1),
        f"{role}_CITY_MARKET_ID": _narrow(30001 + airport // 2),
    }


def _tails(rng: np.random.Generator, carrier: Ints) -> pa.Array:
    aircraft = carrier * ROTATIONS + rng.integers(ROTATIONS, size=len(carrier))
    fleet = int(aircraft.max()) + 1
    numbers = text(100 + distinct(rng, fleet, max(900, 2 * fleet)))
    return take(glue("N", numbers, _letters(rng.integers(26**2, size=fleet), 2)), aircraft)


def _flight_numbers(rng: np.random.Generator, of_day: Ints) -> Ints:
    """Return numbers no carrier gives twice a day: each flight has a slot of its own."""
    order = ranks(of_day)
    slots = int(order.max()) + 1
    width = max(1, 8_000 // slots)
    return 1 + rng.permutation(slots)[order] * width + rng.integers(width, size=len(order))


def _times(rng: np.random.Generator, carrier: Ints, minutes: Ints, cancelled: np.ndarray) -> Columns:
    """Return clock times and delays in minutes: arrival = departure + elapsed, delay = actual - scheduled."""
    size = len(carrier)
    scheduled = 300 + 5 * rng.integers(0, 216, size=size)
    departure = _departure_delay(rng, carrier, scheduled)
    gained = whole(-4 + 9 * rng.standard_normal(size) + 0.06 * np.maximum(departure, 0))
    gained = np.maximum(gained, 20 - minutes)
    arrival = departure + gained
    known = {
        "DEP_TIME": _narrow((scheduled + departure) % DAY),
        "DEP_DELAY": _narrow(departure),
        "DEP_DELAY_NEW": _narrow(np.maximum(departure, 0)),
        "ARR_TIME": _narrow((scheduled + departure + minutes + gained) % DAY),
        "ARR_DELAY": _narrow(arrival),
        "ARR_DELAY_NEW": _narrow(np.maximum(arrival, 0)),
        "ACTUAL_ELAPSED_TIME": _narrow(minutes + gained),
    }
    return {
        "CRS_DEP_TIME": _narrow(scheduled % DAY),
        "CRS_ELAPSED_TIME": _narrow(minutes),
        **{name: np.ma.MaskedArray(values, cancelled) for name, values in known.items()},
        **_causes(rng, arrival, cancelled | (arrival < LATE)),
    }


def _departure_delay(rng: np.random.Generator, carrier: Ints, scheduled: Ints) -> Ints:
    """Return minutes: most leave a little early, some much too late, more so of bad carriers and at night."""
    habit = correlated(rng, rng.standard_normal(int(carrier.max()) + 1), 0.5)
    pressure = 0.5 * habit[carrier] + (scheduled - 800) / 500
    late = rng.random(len(carrier)) < 1 / (1 + np.exp(0.9 - 0.6 * pressure))
    wait = rng.exponential(32.0, size=len(carrier)) * (1 + 0.2 * np.clip(pressure, -1, 2))
    return whole(np.where(late, np.minimum(wait, 900.0), -3 + 3 * rng.standard_normal(len(carrier))))


def _causes(rng: np.random.Generator, arrival: Ints, unknown: np.ndarray) -> Columns:
    """Return the arrival delay split by cause: the five add up to it."""
    shares: Floats = rng.dirichlet((0.9, 0.12, 0.7, 0.02), size=len(arrival))
    shares *= rng.random((len(arrival), 1))
    shares *= np.maximum(arrival, 0)[:, None]
    parts = _narrow(np.floor(shares, out=shares))
    causes = ("CARRIER_DELAY", "WEATHER_DELAY", "NAS_DELAY", "SECURITY_DELAY")
    minutes = {cause: parts[:, position] for position, cause in enumerate(causes)}
    minutes["LATE_AIRCRAFT_DELAY"] = _narrow(arrival - parts.sum(axis=1))
    return {cause: np.ma.MaskedArray(values, unknown) for cause, values in minutes.items()}


MAKERS: Mapping[str, Maker] = {
    "Air Carriers": make_carriers,
    "Airports": make_airports,
    "Airlines": make_flights,
}

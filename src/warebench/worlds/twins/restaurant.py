"""restaurant: restaurants, where they stand and what county that is; BIRD's names and shape."""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from warebench.worlds.synthetic.columns import glue, take
from warebench.worlds.synthetic.draw import (
    Floats,
    Ints,
    cents,
    correlated,
    distinct,
    lognormal,
    whole,
    zipf,
)
from warebench.worlds.synthetic.names import (
    ROADS,
    STREETS,
    SURNAMES,
    TOWNS,
    phrases,
    towns,
    unique,
)
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns, Maker

COUNTIES = 30


def make_geographic(plan: Plan) -> Columns:
    """Draw the cities: a county lies in one region."""
    words = plan.words
    rng, size = plan.generator("geographic"), plan.rows["geographic"]
    county = zipf(rng, size, COUNTIES, 0.7)
    names = glue(unique(rng, COUNTIES, TOWNS), "county", between=" ")
    region = rng.integers(len(words["regions"]), size=COUNTIES)
    return {
        "city": _cities(plan),
        "county": take(names, county),
        "region": take(words["regions"], region[county]),
    }


def _cities(plan: Plan) -> pa.Array:
    return towns(plan.generator("geographic", "cities"), plan.rows["geographic"])


def make_general(plan: Plan) -> Columns:
    """Draw the restaurants: tastes differ by city, and those near the centre please more."""
    words = plan.words
    rng, size = plan.generator("generalinfo"), plan.rows["generalinfo"]
    kinds = correlated(rng, rng.standard_normal(len(words["foods"])), 0.5)
    food = zipf(rng, size, len(words["foods"]), plan.exponent)
    liked = -0.45 * _remoteness(plan) + 0.25 * kinds[food] + 0.8 * rng.standard_normal(size)
    return {
        "id_restaurant": _ids(plan),
        "label": unique(rng, size, words["adjectives"], SURNAMES, words["kinds"]),
        "food_type": take(words["foods"], food),
        "city": take(_cities(plan), _city(plan)),
        "review": np.clip(cents(2.9 + 0.6 * liked, 1), 1.0, 5.0),
    }


def _ids(plan: Plan) -> Ints:
    return np.arange(1, plan.rows["generalinfo"] + 1)


def _city(plan: Plan) -> Ints:
    rng = plan.generator("generalinfo", "city")
    return zipf(rng, plan.rows["generalinfo"], plan.rows["geographic"], plan.exponent)


def _remoteness(plan: Plan) -> Floats:
    """Return how far from the centre each restaurant is, in standard deviations."""
    return plan.generator("generalinfo", "remoteness").standard_normal(plan.rows["generalinfo"])


def make_location(plan: Plan) -> Columns:
    """Draw the addresses of all restaurants but a few: house numbers grow with the distance."""
    rng = plan.generator("location")
    size = min(plan.rows["location"], plan.rows["generalinfo"])
    chosen = np.sort(distinct(rng, size, plan.rows["generalinfo"]))
    return {
        "id_restaurant": _ids(plan)[chosen],
        "street_num": whole(lognormal(_remoteness(plan)[chosen], 1_100.0, 0.7, 1, 29_999)),
        "street_name": phrases(rng, size, STREETS, ROADS),
        "city": take(_cities(plan), _city(plan)[chosen]),
    }


MAKERS: Mapping[str, Maker] = {
    "geographic": make_geographic,
    "generalinfo": make_general,
    "location": make_location,
}

"""restaurant: restaurants, where they stand and what county that is; BIRD's names and shape."""

import numpy as np
import pyarrow as pa

from warebench.engine.synthetic.columns import glue, take
from warebench.engine.synthetic.draw import (
    Floats,
    Ints,
    cents,
    correlated,
    distinct,
    lognormal,
    whole,
    zipf,
)
from warebench.engine.synthetic.names import (
    ROADS,
    STREETS,
    SURNAMES,
    TOWNS,
    phrases,
    towns,
    unique,
    words,
)
from warebench.engine.synthetic.plan import Plan
from warebench.engine.synthetic.schema import Columns, table
from warebench.tracks.multitable.twins.schema import declare

GEOGRAPHIC = table(
    "geographic",
    key="city",
    columns="""
    city: VARCHAR
    county: VARCHAR?
    region: VARCHAR?
    """,
)
GENERAL = table(
    "generalinfo",
    key="id_restaurant",
    columns="""
    id_restaurant: INTEGER
    label: VARCHAR name
    food_type: VARCHAR?
    city: VARCHAR?
    review: DOUBLE? measure
    """,
)
LOCATION = table(
    "location",
    key="id_restaurant",
    columns="""
    id_restaurant: INTEGER
    street_num: INTEGER? measure
    street_name: VARCHAR?
    city: VARCHAR?
    """,
)

KINDS = words(
    """
    Bakery Barbecue Bistro Brasserie Cafe Diner Grill Grotto Inn Kitchen Parlor Pizzeria Tavern
    Trattoria
    """
)
ADJECTIVES = words(
    "Blue Copper Gilded Green Happy Hungry Jolly Lucky Merry Old Plain Red Royal Sunny Tiny Wandering"
)
FOODS = words(
    """
    american mexican italian chinese japanese indian thai french greek vietnamese korean mediterranean
    seafood barbeque bakery coffeehouse deli pizza vegetarian burgers cajun ethiopian persian spanish
    """
)
REGIONS = (
    "bay area",
    "central coast",
    "north valley",
    "lake country",
    "desert rim",
    "high sierra",
    "redwood shore",
)
COUNTIES = 30


def make_geographic(plan: Plan) -> Columns:
    """Draw the cities: a county lies in one region."""
    rng, size = plan.generator("geographic"), plan.rows["geographic"]
    county = zipf(rng, size, COUNTIES, 0.7)
    names = glue(unique(rng, COUNTIES, TOWNS), "county", between=" ")
    region = rng.integers(len(REGIONS), size=COUNTIES)
    return {"city": _cities(plan), "county": take(names, county), "region": take(REGIONS, region[county])}


def _cities(plan: Plan) -> pa.Array:
    return towns(plan.generator("geographic", "cities"), plan.rows["geographic"])


def make_general(plan: Plan) -> Columns:
    """Draw the restaurants: tastes differ by city, and those near the centre please more."""
    rng, size = plan.generator("generalinfo"), plan.rows["generalinfo"]
    kinds = correlated(rng, rng.standard_normal(len(FOODS)), 0.5)
    food = zipf(rng, size, len(FOODS), plan.exponent)
    liked = -0.45 * _remoteness(plan) + 0.25 * kinds[food] + 0.8 * rng.standard_normal(size)
    return {
        "id_restaurant": _ids(plan),
        "label": unique(rng, size, ADJECTIVES, SURNAMES, KINDS),
        "food_type": take(FOODS, food),
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


RESTAURANT = declare(
    "restaurant",
    "restaurants, addresses and counties",
    (
        (GEOGRAPHIC, 168, make_geographic),
        (GENERAL, 9_590, make_general),
        (LOCATION, 9_539, make_location),
    ),
    (
        "generalinfo(city) -> geographic(city)",
        "location(id_restaurant) -> generalinfo(id_restaurant)",
        "location(city) -> geographic(city)",
    ),
    1.0,
)

"""food_facility_inspections: food facilities of a county, inspections and violations; DataGov's domain."""

import numpy as np

from warebench.engine.synthetic.columns import day, glue, take, text
from warebench.engine.synthetic.draw import (
    Floats,
    Ints,
    cents,
    correlated,
    distinct,
    lognormal,
    weighted,
    whole,
    zipf,
)
from warebench.engine.synthetic.names import ROADS, STREETS, SURNAMES, phrases, towns, unique, words
from warebench.engine.synthetic.plan import Plan
from warebench.engine.synthetic.schema import Columns, table
from warebench.tracks.multitable.twins.schema import declare

FACILITIES = table(
    "Geocoded_Food_Facilities",
    key="id",
    columns="""
    id: BIGINT
    facility_name: VARCHAR name
    num: INTEGER?
    street: VARCHAR?
    city: VARCHAR?
    state: VARCHAR?
    zip: VARCHAR?
    municipal: VARCHAR?
    district: INTEGER?
    category_cd: INTEGER
    description: VARCHAR?
    p_code: INTEGER?
    fdo: VARCHAR?
    bus_st_date: DATE?
    bus_cl_date: DATE?
    seat_count: INTEGER? measure
    noroom: BOOLEAN
    sq_feet: INTEGER? measure
    status: INTEGER
    placard_st: VARCHAR?
    address: VARCHAR?
    x: DOUBLE?
    y: DOUBLE?
    """,
)
INSPECTIONS = table(
    "Food_Facility_Inspections",
    key="encounter",
    columns="""
    encounter: BIGINT
    id: BIGINT?
    inspect_dt: DATE
    start_time: TIME?
    end_time: TIME?
    duration_min: INTEGER? measure
    purpose: VARCHAR?
    abrv: VARCHAR?
    placard_st: VARCHAR?
    placard_desc: VARCHAR?
    """,
)
VIOLATIONS = table(
    "Food_Facility_Inspection_Violations",
    key="violation_id",
    columns="""
    violation_id: BIGINT
    id: BIGINT?
    inspect_dt: DATE
    description: VARCHAR prose
    rating: VARCHAR?
    low: VARCHAR?
    medium: VARCHAR?
    high: VARCHAR?
    """,
)

SIGNS = words(
    """
    Anvil Barrel Beehive Bell Bobbin Bramble Buckle Candle Cobbler Cricket Crown Drum Feather Fiddle Fox
    Goose Hammer Hare Hinge Kettle Ladle Lark Magpie Mitten Otter Owl Pail Pigeon Plough Quill Rooster
    Saddle Shovel Spade Spindle Spoon Thimble Thistle Trumpet Wagon Whistle Windmill
    """
)
KINDS = (
    "Chain Restaurant",
    "Restaurant",
    "Retail Market",
    "School Kitchen",
    "Mobile Vendor",
    "Caterer",
    "Bakery Shop",
)
TITLES = ("Diner", "Grocery", "Canteen", "Pantry", "Snack Bar", "Commissary", "Food Hall")
PURPOSES = (
    "Initial Inspection",
    "Reinspection",
    "Complaint",
    "Service Request",
    "New Facility",
    "Consultation",
    "Closure",
)
PLACARDS = ("Inspected & Permitted", "Consumer Alert", "Ordered to Close")
TOPICS = (
    "Cold holding",
    "Hot holding",
    "Hand washing",
    "Pest control",
    "Floors and walls",
    "Date marking",
    "Cross-contamination",
    "Sanitizing",
    "Thermometers",
    "Employee health",
    "Water supply",
    "Toilet rooms",
    "Refuse",
    "Labelling",
    "Lighting",
)


def make_facilities(plan: Plan) -> Columns:
    """Draw the facilities: large ones have many seats."""
    rng, size = plan.generator("Geocoded_Food_Facilities"), plan.rows["Geocoded_Food_Facilities"]
    bulk = _bulk(plan)
    kind = zipf(rng, size, len(KINDS), 0.9)
    cities = towns(rng, 90)
    number, street = rng.integers(1, 6_000, size=size), phrases(rng, size, STREETS, ROADS)
    north = rng.standard_normal(size)
    opened = rng.integers(day("1985-01-01"), day("2016-01-01"), size=size)
    open_ = rng.random(size) < 0.85
    place = zipf(rng, size, 90, plan.exponent)
    return {
        "id": _ids(plan),
        "facility_name": unique(rng, size, SURNAMES, SIGNS, TITLES),
        "num": number,
        "street": street,
        "city": take(cities, place),
        "state": take(("PA",), np.zeros(size, dtype=np.int64)),
        "zip": text(15_001 + place),
        "municipal": glue(take(cities, place), take(("Borough", "Township", "City"), place % 3), between=" "),
        "district": 1 + place % 13,
        "category_cd": 101 + 10 * kind,
        "description": take(KINDS, kind),
        "p_code": 10 + kind,
        "fdo": take(SURNAMES, zipf(rng, size, 40, 0.5)),
        "bus_st_date": opened,
        "bus_cl_date": np.ma.MaskedArray(opened + rng.integers(90, 2_900, size=size), open_),
        "seat_count": whole(lognormal(correlated(rng, bulk, 0.75), 48.0, 0.8, 0, 2_000)),
        "noroom": rng.random(size) < 0.1,
        "sq_feet": 10 * whole(lognormal(bulk, 180.0, 0.7, 8, 9_000)),
        "status": np.where(open_, 1, 7),
        "placard_st": take("123", zipf(rng, size, 3, 2.0)),
        "address": glue(text(number), street, between=" "),
        "x": cents(-79.98 + 0.12 * correlated(rng, north, -0.35), 4),
        "y": cents(40.44 + 0.08 * north, 4),
    }


def _ids(plan: Plan) -> Ints:
    size = plan.rows["Geocoded_Food_Facilities"]
    return 198_501_040_001 + np.sort(
        distinct(plan.generator("Geocoded_Food_Facilities", "ids"), size, 40 * size)
    )


def _bulk(plan: Plan) -> Floats:
    """Return how large each facility is, in standard deviations."""
    return plan.generator("Geocoded_Food_Facilities", "bulk").standard_normal(
        plan.rows["Geocoded_Food_Facilities"]
    )


def make_inspections(plan: Plan) -> Columns:
    """Draw the inspections: large facilities take longer."""
    rng, size = plan.generator("Food_Facility_Inspections"), plan.rows["Food_Facility_Inspections"]
    facility = zipf(rng, size, plan.rows["Geocoded_Food_Facilities"], plan.exponent * 0.6)
    minutes = whole(lognormal(correlated(rng, _bulk(plan)[facility], 0.55), 55.0, 0.5, 5, 420))
    start = 5 * rng.integers(96, 180, size=size)
    purpose, placard = zipf(rng, size, len(PURPOSES), 1.5), weighted(rng, size, np.array([0.9, 0.07, 0.03]))
    return {
        "encounter": 201_401_010_000 + np.arange(size),
        "id": _ids(plan)[facility],
        "inspect_dt": np.sort(rng.integers(day("2014-01-02"), day("2023-06-30"), size=size)),
        "start_time": start,
        "end_time": start + minutes,
        "duration_min": minutes,
        "purpose": take(PURPOSES, purpose),
        "abrv": take([name[:4].upper().strip() for name in PURPOSES], purpose),
        "placard_st": take("123", placard),
        "placard_desc": take(PLACARDS, placard),
    }


def make_violations(plan: Plan) -> Columns:
    """Draw the violations, more of them in large facilities; a grave one is seldom a light one too."""
    name = "Food_Facility_Inspection_Violations"
    rng, size = plan.generator(name), plan.rows[name]
    facilities = plan.rows["Geocoded_Food_Facilities"]
    chosen = zipf(rng, facilities, facilities, plan.exponent * 0.6)
    prone = np.exp(0.4 * _bulk(plan)) * (0.2 + np.bincount(chosen, minlength=facilities))
    grave = rng.random(size) < 0.22
    middling = rng.random(size) < np.where(grave, 0.3, 0.45)
    light = rng.random(size) < np.where(grave | middling, 0.25, 0.95)
    return {
        "violation_id": 1 + np.arange(size),
        "id": _ids(plan)[weighted(rng, size, prone)],
        "inspect_dt": rng.integers(day("2014-01-02"), day("2023-06-30"), size=size),
        "description": phrases(
            rng, size, TOPICS, ("not maintained", "not monitored", "found deficient", "improper")
        ),
        "rating": take(("V", "U"), zipf(rng, size, 2, 2.0)),
        "low": take("FT", light.astype(np.int64)),
        "medium": take("FT", middling.astype(np.int64)),
        "high": take("FT", grave.astype(np.int64)),
    }


FOOD_FACILITY_INSPECTIONS = declare(
    "food_facility_inspections",
    "food facilities of a county and their inspections",
    (
        (FACILITIES, 25_000, make_facilities),
        (INSPECTIONS, 194_500, make_inspections),
        (VIOLATIONS, 287_500, make_violations),
    ),
    (
        "Food_Facility_Inspections(id) -> Geocoded_Food_Facilities(id)",
        "Food_Facility_Inspection_Violations(id) -> Geocoded_Food_Facilities(id)",
    ),
    0.05,
)

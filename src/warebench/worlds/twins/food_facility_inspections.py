"""food_facility_inspections: food facilities of a county, inspections and violations; DataGov's domain."""

from collections.abc import Mapping

import numpy as np

from warebench.worlds.synthetic.columns import day, glue, take, text
from warebench.worlds.synthetic.draw import (
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
from warebench.worlds.synthetic.names import ROADS, STREETS, SURNAMES, phrases, towns, unique
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns, Maker


def make_facilities(plan: Plan) -> Columns:
    """Draw the facilities: large ones have many seats."""
    words = plan.words
    rng, size = plan.generator("Geocoded_Food_Facilities"), plan.rows["Geocoded_Food_Facilities"]
    bulk = _bulk(plan)
    kind = zipf(rng, size, len(words["kinds"]), 0.9)
    cities = towns(rng, 90)
    number, street = rng.integers(1, 6_000, size=size), phrases(rng, size, STREETS, ROADS)
    north = rng.standard_normal(size)
    opened = rng.integers(day("1985-01-01"), day("2016-01-01"), size=size)
    open_ = rng.random(size) < 0.85
    place = zipf(rng, size, 90, plan.exponent)
    return {
        "id": _ids(plan),
        "facility_name": unique(rng, size, SURNAMES, words["signs"], words["titles"]),
        "num": number,
        "street": street,
        "city": take(cities, place),
        "state": take(("PA",), np.zeros(size, dtype=np.int64)),
        "zip": text(15_001 + place),
        "municipal": glue(take(cities, place), take(("Borough", "Township", "City"), place % 3), between=" "),
        "district": 1 + place % 13,
        "category_cd": 101 + 10 * kind,
        "description": take(words["kinds"], kind),
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
    words = plan.words
    rng, size = plan.generator("Food_Facility_Inspections"), plan.rows["Food_Facility_Inspections"]
    facility = zipf(rng, size, plan.rows["Geocoded_Food_Facilities"], plan.exponent * 0.6)
    minutes = whole(lognormal(correlated(rng, _bulk(plan)[facility], 0.55), 55.0, 0.5, 5, 420))
    start = 5 * rng.integers(96, 180, size=size)
    purpose, placard = (
        zipf(rng, size, len(words["purposes"]), 1.5),
        weighted(rng, size, np.array([0.9, 0.07, 0.03])),
    )
    return {
        "encounter": 201_401_010_000 + np.arange(size),
        "id": _ids(plan)[facility],
        "inspect_dt": np.sort(rng.integers(day("2014-01-02"), day("2023-06-30"), size=size)),
        "start_time": start,
        "end_time": start + minutes,
        "duration_min": minutes,
        "purpose": take(words["purposes"], purpose),
        "abrv": take([name[:4].upper().strip() for name in words["purposes"]], purpose),
        "placard_st": take("123", placard),
        "placard_desc": take(words["placards"], placard),
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
            rng,
            size,
            plan.words["topics"],
            ("not maintained", "not monitored", "found deficient", "improper"),
        ),
        "rating": take(("V", "U"), zipf(rng, size, 2, 2.0)),
        "low": take("FT", light.astype(np.int64)),
        "medium": take("FT", middling.astype(np.int64)),
        "high": take("FT", grave.astype(np.int64)),
    }


MAKERS: Mapping[str, Maker] = {
    "Geocoded_Food_Facilities": make_facilities,
    "Food_Facility_Inspections": make_inspections,
    "Food_Facility_Inspection_Violations": make_violations,
}

"""university: universities, their years and their places in rankings; BIRD's names and shape."""

from collections.abc import Mapping

import numpy as np

from warebench.worlds.synthetic.columns import glue, take
from warebench.worlds.synthetic.draw import (
    Floats,
    Ints,
    cents,
    correlated,
    distinct_pairs,
    lognormal,
    popularity,
    weighted,
    whole,
    zipf,
)
from warebench.worlds.synthetic.names import SURNAMES, TOWNS, unique
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns, Maker

FIRST_YEAR, YEARS, RANKED_YEARS = 2011, 6, 12


def make_country(plan: Plan) -> Columns:
    """Draw the countries."""
    rng, size = plan.generator("country"), plan.rows["country"]
    return {"id": np.arange(1, size + 1), "country_name": unique(rng, size, plan.words["countries"])}


def make_system(plan: Plan) -> Columns:
    """Name the ranking systems."""
    size = plan.rows["ranking_system"]
    publisher = unique(plan.generator("ranking_system"), size, SURNAMES)
    return {
        "id": np.arange(1, size + 1),
        "system_name": glue(publisher, take(plan.words["systems"], np.arange(size)), between=" "),
    }


def make_criteria(plan: Plan) -> Columns:
    """List the criteria: each system has its own of each name."""
    words = plan.words
    number = np.arange(plan.rows["ranking_criteria"])
    system, kind = np.divmod(number, len(words["criteria_names"]))
    return {
        "id": 1 + number,
        "ranking_system_id": 1 + system,
        "criteria_name": take(words["criteria_names"], kind),
    }


def make_universities(plan: Plan) -> Columns:
    """Draw the universities."""
    rng, size = plan.generator("university"), plan.rows["university"]
    return {
        "id": np.arange(1, size + 1),
        "country_id": 1 + zipf(rng, size, plan.rows["country"], plan.exponent),
        "university_name": unique(rng, size, TOWNS, plan.words["kinds"]),
    }


def _standing(plan: Plan) -> Floats:
    """Return how good each university is, in standard deviations."""
    return plan.generator("university", "standing").standard_normal(plan.rows["university"])


def make_ranking_year(plan: Plan) -> Columns:
    """Draw the scores: a good university is good at most things, most years."""
    rng, size = plan.generator("university_ranking_year"), plan.rows["university_ranking_year"]
    criteria = plan.rows["ranking_criteria"]
    shape = plan.rows["university"], criteria * RANKED_YEARS
    known = popularity(rng, shape[0], plan.exponent / 2)

    def propose(count: int) -> tuple[Ints, Ints]:
        return weighted(rng, count, known), rng.integers(shape[1], size=count)

    university, cell = distinct_pairs(rng, size, shape, propose)
    year, criterion = np.divmod(cell, criteria)
    hardness = rng.standard_normal(criteria)
    z = 0.75 * _standing(plan)[university] + 0.3 * hardness[criterion] + 0.5 * rng.standard_normal(size)
    return {
        "university_id": 1 + university,
        "ranking_criteria_id": 1 + criterion,
        "year": 2005 + year,
        "score": np.clip(whole(52 + 19 * z), 0, 100),
    }


def make_year(plan: Plan) -> Columns:
    """Draw the student figures: crowded universities draw fewer foreigners, good ones more."""
    rng, size = plan.generator("university_year"), plan.rows["university_year"]
    shape = plan.rows["university"], YEARS
    known = popularity(rng, shape[0], plan.exponent / 2)

    def propose(count: int) -> tuple[Ints, Ints]:
        return weighted(rng, count, known), rng.integers(YEARS, size=count)

    university, year = distinct_pairs(rng, size, shape, propose)
    bulk = rng.standard_normal(shape[0])[university]
    crowded = correlated(rng, bulk, 0.45)
    foreign = 0.55 * _standing(plan)[university] - 0.45 * crowded + 0.5 * rng.standard_normal(size)
    women = 0.5 * foreign + 0.8 * rng.standard_normal(size)
    return {
        "university_id": 1 + university,
        "year": FIRST_YEAR + year,
        "num_students": whole(lognormal(bulk, 21_000.0, 0.6, 900, 190_000) * (1 + 0.02 * year)),
        "student_staff_ratio": cents(lognormal(crowded, 16.5, 0.4, 2.5, 90)),
        "pct_international_students": np.clip(whole(16 + 9 * foreign), 0, 82),
        "pct_female_students": np.clip(whole(49 + 8 * women), 5, 85),
    }


MAKERS: Mapping[str, Maker] = {
    "country": make_country,
    "ranking_system": make_system,
    "ranking_criteria": make_criteria,
    "university": make_universities,
    "university_ranking_year": make_ranking_year,
    "university_year": make_year,
}

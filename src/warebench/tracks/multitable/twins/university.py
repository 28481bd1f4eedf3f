"""university: universities, their years and their places in rankings; BIRD's names and shape."""

import numpy as np

from warebench.engine.synthetic.columns import glue, take
from warebench.engine.synthetic.draw import (
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
from warebench.engine.synthetic.names import SURNAMES, TOWNS, compounds, unique
from warebench.engine.synthetic.plan import Plan
from warebench.engine.synthetic.schema import Columns, table
from warebench.tracks.multitable.twins.schema import declare

COUNTRY = table(
    "country",
    key="id",
    columns="""
    id: INTEGER
    country_name: VARCHAR name
    """,
)
SYSTEM = table(
    "ranking_system",
    key="id",
    columns="""
    id: INTEGER
    system_name: VARCHAR name
    """,
)
CRITERIA = table(
    "ranking_criteria",
    key="id",
    columns="""
    id: INTEGER
    ranking_system_id: INTEGER
    criteria_name: VARCHAR
    """,
)
UNIVERSITIES = table(
    "university",
    key="id",
    columns="""
    id: INTEGER
    country_id: INTEGER?
    university_name: VARCHAR name
    """,
)
RANKING_YEAR = table(
    "university_ranking_year",
    key="university_id, ranking_criteria_id, year",
    columns="""
    university_id: INTEGER
    ranking_criteria_id: INTEGER
    year: INTEGER
    score: INTEGER? measure
    """,
)
YEAR = table(
    "university_year",
    key="university_id, year",
    columns="""
    university_id: INTEGER
    year: INTEGER
    num_students: INTEGER? measure
    student_staff_ratio: DECIMAL(6,2)? measure
    pct_international_students: INTEGER? measure
    pct_female_students: INTEGER? measure
    """,
)

KINDS = ("Institute of Technology", "State University", "Polytechnic", "Medical College", "School of Mines")
COUNTRIES = compounds(
    "Alb Ard Bel Bor Car Dal Dor Esk Fal Gar Hel Ist Jor Kal Lor Mar Mor Nar Ost Pal Ral Sar Tor Val Vor Zan",
    "andia ania aria avia elia enia eria esia istan land mark onia oria ova uria",
)
CRITERIA_NAMES = ("Teaching", "Research", "Citations", "Outlook", "Income", "Alumni Employment", "Total")
SYSTEMS = ("Compass World Ranking", "Meridian Index", "Laurel Table")
FIRST_YEAR, YEARS, RANKED_YEARS = 2011, 6, 12


def make_country(plan: Plan) -> Columns:
    """Draw the countries."""
    rng, size = plan.generator("country"), plan.rows["country"]
    return {"id": np.arange(1, size + 1), "country_name": unique(rng, size, COUNTRIES)}


def make_system(plan: Plan) -> Columns:
    """Name the ranking systems."""
    size = plan.rows["ranking_system"]
    publisher = unique(plan.generator("ranking_system"), size, SURNAMES)
    return {
        "id": np.arange(1, size + 1),
        "system_name": glue(publisher, take(SYSTEMS, np.arange(size)), between=" "),
    }


def make_criteria(plan: Plan) -> Columns:
    """List the criteria: each system has its own of each name."""
    number = np.arange(plan.rows["ranking_criteria"])
    system, kind = np.divmod(number, len(CRITERIA_NAMES))
    return {"id": 1 + number, "ranking_system_id": 1 + system, "criteria_name": take(CRITERIA_NAMES, kind)}


def make_universities(plan: Plan) -> Columns:
    """Draw the universities."""
    rng, size = plan.generator("university"), plan.rows["university"]
    return {
        "id": np.arange(1, size + 1),
        "country_id": 1 + zipf(rng, size, plan.rows["country"], plan.exponent),
        "university_name": unique(rng, size, TOWNS, KINDS),
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


UNIVERSITY = declare(
    "university",
    "universities and their rankings",
    (
        (COUNTRY, 74, make_country),
        (SYSTEM, 3, make_system),
        (CRITERIA, 21, make_criteria),
        (UNIVERSITIES, 1_247, make_universities),
        (RANKING_YEAR, 29_612, make_ranking_year),
        (YEAR, 1_085, make_year),
    ),
    (
        "ranking_criteria(ranking_system_id) -> ranking_system(id)",
        "university(country_id) -> country(id)",
        "university_ranking_year(ranking_criteria_id) -> ranking_criteria(id)",
        "university_ranking_year(university_id) -> university(id)",
        "university_year(university_id) -> university(id)",
    ),
    1.0,
)

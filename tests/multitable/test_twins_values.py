"""Rows of twins behave: measures hang together, children are skewed, figures print short."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from tests.multitable.twin_samples import ask, sample

from warebench.engine.database import quote
from warebench.worlds import make_world
from warebench.worlds.questions import DATABASES

CORRELATIONS = json.loads(
    (Path(__file__).parents[1] / "fixtures" / "multitable" / "correlations.json").read_text()
)
SMALL = {"movie", "university", "cookbook", "restaurant", "food_inspection"}
"""Twins that at the shared scale have too few rows for a stable correlation."""


@pytest.fixture(scope="module")
def small():
    return {name: make_world(name, scale=0.5, seed=7).connect() for name in sorted(SMALL)}


@pytest.mark.parametrize(("name", "query", "low", "high"), CORRELATIONS)
def test_correlations_are_clear(name, query, low, high, small):
    r = small[name].execute(query).fetchone()[0] if name in SMALL else ask(name, query)
    assert low <= r <= high


def test_every_twin_has_a_correlation_to_ask_about():
    assert {name for name, *_ in CORRELATIONS} == set(DATABASES)


IDENTITIES = {
    "arrival is departure plus what the flight gained": (
        "airline",
        "Airlines WHERE ARR_DELAY - DEP_DELAY <> ACTUAL_ELAPSED_TIME - CRS_ELAPSED_TIME",
    ),
    "causes add up to a late arrival": (
        "airline",
        "Airlines WHERE ARR_DELAY >= 15 AND ARR_DELAY IS DISTINCT FROM "
        "CARRIER_DELAY + WEATHER_DELAY + NAS_DELAY + SECURITY_DELAY + LATE_AIRCRAFT_DELAY",
    ),
    "clock times agree with delays": (
        "airline",
        "Airlines WHERE (epoch(DEP_TIME) - epoch(CRS_DEP_TIME) - 60 * DEP_DELAY) % 86400 <> 0",
    ),
    "nobody flies to where he is": ("airline", "Airlines WHERE ORIGIN = DEST"),
    "airport ids follow the codes": (
        "airline",
        "(SELECT ORIGIN FROM Airlines GROUP BY 1 HAVING count(DISTINCT ORIGIN_AIRPORT_ID) > 1)",
    ),
    "violations are found at inspections": (
        "food_inspection",
        "violations ANTI JOIN inspections USING (business_id, date)",
    ),
    "credits count up in each film": (
        "movie",
        "(SELECT MovieID FROM characters GROUP BY 1 HAVING max(creditOrder) <> count(*))",
    ),
    "no torrent has a tag twice": (
        "music_tracker",
        "(SELECT id, tag FROM tags GROUP BY ALL HAVING count(*) > 1)",
    ),
    "both tables tell the same city": (
        "restaurant",
        "generalinfo g JOIN location l USING (id_restaurant) WHERE g.city <> l.city",
    ),
    "saturated fat is part of the fat": ("cookbook", "Nutrition WHERE sat_fat > total_fat"),
    "calories follow from what is eaten": (
        "cookbook",
        "Nutrition WHERE abs(calories - 4 * protein - 4 * carbo - 7 * alcohol - 9 * total_fat) > 0.02",
    ),
    "inspections last as long as they last": (
        "food_facility_inspections",
        "Food_Facility_Inspections WHERE epoch(end_time) - epoch(start_time) <> 60 * duration_min",
    ),
    "a violation has a grade": (
        "food_facility_inspections",
        "Food_Facility_Inspection_Violations WHERE low NOT IN ('T', 'F') OR high NOT IN ('T', 'F')",
    ),
    "a sample is drawn at one station on one day": (
        "water_quality",
        "(SELECT sample_code FROM lab_results GROUP BY 1 "
        "HAVING count(DISTINCT (station_id, sample_date, sample_depth)) > 1)",
    ),
    "a pH is a pH": (
        "water_quality",
        "field_results WHERE parameter = 'pH' AND NOT fdr_result BETWEEN 4 AND 12",
    ),
    "records start before they end": ("water_quality", "stations WHERE sample_date_min > sample_date_max"),
    "a genus has one order": (
        "global_biodiversity",
        '(SELECT genus FROM occ_endemism GROUP BY 1 HAVING count(DISTINCT "order") > 1)',
    ),
    "species are called by their genus": (
        "global_biodiversity",
        "occ_endemism WHERE NOT starts_with(species, genus || ' ')",
    ),
    "levels follow the threat": (
        "global_biodiversity",
        "(SELECT lcat, min(pthreat) low, max(pthreat) high FROM extinction_risks GROUP BY 1) a "
        "JOIN (SELECT lcat, min(pthreat) low FROM extinction_risks GROUP BY 1) b "
        "ON a.lcat < b.lcat AND a.low < b.low AND a.high >= b.low",
    ),
}


@pytest.mark.parametrize("what", IDENTITIES)
def test_rows_do_not_contradict_each_other(what):
    name, contradicting = IDENTITIES[what]
    assert ask(name, f"SELECT count(*) FROM {contradicting}") == 0  # noqa: S608


@pytest.mark.parametrize(
    ("name", "child", "column"),
    [
        ("airline", "Airlines", "ORIGIN"),
        ("airline", "Airlines", "OP_CARRIER_AIRLINE_ID"),
        ("movie", "characters", "ActorID"),
        ("music_tracker", "tags", "tag"),
        ("restaurant", "generalinfo", "city"),
        ("food_facility_inspections", "Food_Facility_Inspections", "id"),
        ("water_quality", "lab_results", "station_id"),
        ("global_biodiversity", "occ_endemism", "order"),
    ],
)
def test_children_are_skewed(name, child, column):
    """The most frequent value has more than twice its even share."""
    counted = f"SELECT count(*) AS n FROM {quote(child)} GROUP BY {quote(column)}"  # noqa: S608
    assert ask(name, f"SELECT max(n) / avg(n) FROM ({counted})") > 2  # noqa: S608


@pytest.mark.parametrize("name", list(DATABASES))
def test_figures_print_in_full_with_few_decimals(name):
    for rows in sample(name).tables.values():
        for field in rows.schema:
            if str(field.type) != "double":
                continue
            for value in rows[field.name].drop_null().slice(0, 300).to_pylist():
                assert Decimal(repr(value)).as_tuple().exponent >= -4
                assert repr(value) != "-0.0"

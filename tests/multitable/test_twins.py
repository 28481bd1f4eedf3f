"""Twins have the paper's shapes, and what their catalogs declare is true of their rows."""

import json
import math
from itertools import combinations
from pathlib import Path

import pyarrow as pa
import pytest
from tests.multitable.twin_samples import ask, connection, sample

from warebench.catalog.validate import validate
from warebench.engine.database import quote
from warebench.errors import BuildError
from warebench.worlds import find_world, make_world
from warebench.worlds.declare import LEAST, LOOKUP
from warebench.worlds.questions import DATABASES

PAPER = json.loads((Path(__file__).parents[1] / "fixtures" / "multitable" / "table2.json").read_text())
NAMES = list(DATABASES)
TABLES = [(name, table.name) for name in NAMES for table in find_world(name).catalog.tables]
KEYS = [(name, key) for name in NAMES for key in find_world(name).catalog.foreign_keys]


def three_digits(number: float) -> float:
    return round(number, 2 - math.floor(math.log10(number)))


def test_the_papers_ten_in_its_order():
    assert list(PAPER) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_shape_is_that_of_table_2(name):
    twin, paper = find_world(name), PAPER[name]
    widths = {table.name: len(table.columns) for table in twin.catalog.tables}
    rows = twin.rows
    assert len(widths) == paper["tables"]
    assert round(sum(widths.values()) / len(widths), 2) == paper["columns"]
    assert three_digits(sum(rows.values()) / len(rows)) == paper["rows"]
    assert three_digits(sum(rows[table] * widths[table] for table in widths)) == paper["cells"]


@pytest.mark.parametrize("name", NAMES)
def test_every_table_is_connected_and_the_catalog_valid(name):
    catalog = validate(sample(name).catalog)
    assert catalog.name == name
    touched = {table for key in catalog.foreign_keys for table in (key.child, key.parent)}
    assert touched == set(catalog.table_names)


@pytest.mark.parametrize("name", NAMES)
def test_rows_are_the_papers_times_the_scale(name):
    made = sample(name)
    for table, rows in find_world(name).rows.items():
        expected = rows if rows <= LOOKUP else max(LEAST, round(rows * 0.02))
        assert made.tables[table].num_rows == expected


def test_scale_arithmetic():
    for name in NAMES:
        world = find_world(name)
        assert world.scaled(1.0) == world.rows
    assert find_world("airline").scaled(0.01) == {"Air Carriers": LEAST, "Airports": LEAST, "Airlines": 7_014}
    assert find_world("university").scaled(2.5)["ranking_criteria"] == 21


def test_the_default_scale_is_the_twins_own():
    assert make_world("restaurant", seed=1).tables["generalinfo"].num_rows == 9_590


@pytest.mark.parametrize("mess", [False, True])
@pytest.mark.parametrize(("name", "table"), TABLES)
def test_primary_keys_identify_rows(name, table, mess):
    spec = next(spec for spec in find_world(name).catalog.tables if spec.name == table)
    columns = ", ".join(map(quote, spec.primary_key))
    assert spec.primary_key
    repeated = f"SELECT count(*) - count(DISTINCT ({columns})) FROM {quote(table)}"  # noqa: S608
    assert ask(name, repeated, mess=mess) == 0
    assert not any(
        ask(name, f"SELECT count(*) FROM {quote(table)} WHERE {quote(column)} IS NULL", mess=mess)  # noqa: S608
        for column in spec.primary_key
    )


@pytest.mark.parametrize("mess", [False, True])
@pytest.mark.parametrize(("name", "key"), KEYS)
def test_foreign_keys_hold(name, key, mess):
    parent = next(table for table in find_world(name).catalog.tables if table.name == key.parent)
    assert key.parent_columns == parent.primary_key
    child, column = quote(key.child), quote(key.child_columns[0])
    orphans = f"""SELECT count(*) FROM {child} ANTI JOIN {quote(key.parent)}
        ON {child}.{column} = {quote(key.parent)}.{quote(key.parent_columns[0])} WHERE {column} IS NOT NULL"""  # noqa: S608
    assert ask(name, orphans, mess=mess) == 0


@pytest.mark.parametrize("name", NAMES)
def test_duckdb_sees_the_declared_types(name):
    for table in find_world(name).catalog.tables:
        described = connection(name).execute(f"DESCRIBE {quote(table.name)}").fetchall()
        assert [(row[0], row[1]) for row in described] == [(c.name, c.type) for c in table.columns]


@pytest.mark.parametrize("mess", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_columns_that_are_not_nullable_hold_no_null(name, mess):
    for table in find_world(name).catalog.tables:
        rows = sample(name, mess=mess).tables[table.name]
        rows.validate(full=True)
        for column in table.columns:
            assert column.nullable or rows[column.name].null_count == 0


def test_types_people_expect():
    flights = sample("airline").tables["Airlines"].schema
    assert flights.field("FL_DATE").type == pa.date32()
    assert flights.field("DEP_TIME").type == pa.time32("s")
    assert sample("cookbook").tables["Nutrition"].schema.field("calories").type == pa.decimal128(8, 2)


@pytest.mark.parametrize("name", NAMES)
def test_names_are_unique_and_trimmed(name):
    for table, marks in find_world(name).marks.items():
        for column in (column for column, mark in marks.items() if mark == "name"):
            found = sample(name).tables[table][column].to_pylist()
            assert len(set(found)) == len(found)
            assert all(value == " ".join(value.split()) and "|" not in value for value in found)


def test_names_stay_unique_when_the_words_run_out():
    universities = make_world("university", scale=20, seed=1).tables["university"]["university_name"]
    assert len(universities.unique()) == 24_940


@pytest.mark.parametrize("name", NAMES)
def test_clean_nulls_mean_that_nothing_happened(name):
    nulls = {
        (table, column.name)
        for table, rows in sample(name).tables.items()
        for column in rows.schema
        if rows[column.name].null_count
    }
    if name == "airline":
        known = ask(name, "SELECT count(*) FROM Airlines WHERE (CANCELLED = 1) <> (ARR_DELAY IS NULL)")
        assert known == 0
        assert ("Airlines", "CRS_ELAPSED_TIME") not in nulls
    elif name == "food_facility_inspections":
        assert nulls == {("Geocoded_Food_Facilities", "bus_cl_date")}
    else:
        assert nulls == set()


def entity_names(name: str, seed: int = 7) -> set[str]:
    return {
        value
        for table, marks in find_world(name).marks.items()
        for column, mark in marks.items()
        if mark == "name"
        for value in sample(name, seed=seed).tables[table][column].to_pylist()
    }


def test_no_two_twins_share_an_entity():
    found = {name: entity_names(name) for name in NAMES}
    for one, other in combinations(NAMES, 2):
        assert not found[one] & found[other]


def test_an_unknown_twin_is_refused_with_a_suggestion():
    with pytest.raises(BuildError, match="Did you mean `airline`"):
        make_world("airlines", seed=1)


@pytest.mark.parametrize("scale", [0, -1, math.nan, math.inf])
def test_a_senseless_scale_is_refused(scale):
    with pytest.raises(BuildError, match="scale"):
        make_world("movie", scale=scale, seed=1)

"""The mess switch adds what real tables hold; keys hold all the same (see test_twins)."""

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from tests.multitable.twin_samples import ask, sample

from warebench.engine.database import quote
from warebench.worlds import find_world
from warebench.worlds.questions import DATABASES

NAMES = list(DATABASES)


def marked(name: str, mark: str):
    """Yield table and column of the columns with a mark that are not part of a primary key."""
    for spec in find_world(name).catalog.tables:
        for column, found in find_world(name).marks[spec.name].items():
            if found == mark and column not in spec.primary_key:
                yield spec.name, column


@pytest.mark.parametrize("name", NAMES)
def test_same_catalog_and_size(name):
    clean, mess = sample(name), sample(name, mess=True)
    assert clean.catalog == mess.catalog
    assert {t: r.num_rows for t, r in clean.tables.items()} == {t: r.num_rows for t, r in mess.tables.items()}
    assert {t: r.schema for t, r in clean.tables.items()} == {t: r.schema for t, r in mess.tables.items()}


@pytest.mark.parametrize("name", NAMES)
def test_nullable_columns_hold_nulls(name):
    for spec in find_world(name).catalog.tables:
        rows = sample(name, mess=True).tables[spec.name]
        for column in spec.columns:
            if column.nullable and column.name not in spec.primary_key:
                assert rows[column.name].null_count > 0.04 * rows.num_rows


def test_optional_parents_are_missing():
    optional = [
        (name, key.child, key.child_columns[0])
        for name in DATABASES
        for key in find_world(name).catalog.foreign_keys
        for spec in find_world(name).catalog.tables
        if spec.name == key.child and next(c for c in spec.columns if c.name == key.child_columns[0]).nullable
    ]
    assert {name for name, *_ in optional} >= {
        "airline",
        "music_tracker",
        "restaurant",
        "university",
        "cookbook",
    }
    for name, table, column in optional:
        assert sample(name, mess=True).tables[table][column].null_count > 0
        assert sample(name).tables[table][column].null_count == 0


@pytest.mark.parametrize("name", NAMES)
def test_names_repeat(name):
    for table, column in marked(name, "name"):
        values = sample(name, mess=True).tables[table][column]
        if len(values) >= 100:
            assert len(values.unique()) < len(values)


@pytest.mark.parametrize("name", NAMES)
def test_maxima_are_tied(name):
    for table, column in marked(name, "measure"):
        values = sample(name, mess=True).tables[table][column]
        assert pc.sum(pc.equal(values, pc.max(values))).as_py() >= 4


@pytest.mark.parametrize("name", NAMES)
def test_some_values_are_extreme(name):
    stretched = 0
    for table, column in marked(name, "measure"):
        tops = [pc.max(sample(name, mess=mess).tables[table][column]).as_py() for mess in (False, True)]
        stretched += tops[1] > 3 * tops[0]
    assert stretched > 0 or not list(marked(name, "measure"))


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"global_biodiversity"}))
def test_cells_hold_pipes_and_line_breaks(name):
    found = "".join(text for text in texts(name, mess=True) if "|" in text or "\n" in text)
    assert "|" in found
    assert "\n" in found
    assert not any("|" in text or "\n" in text for text in texts(name, mess=False))


@pytest.mark.parametrize("name", NAMES)
def test_blanks_and_case_vary(name):
    noisy = texts(name, mess=True)
    assert any(text != text.strip() for text in noisy)
    assert any("  " in text.strip() for text in noisy) or name == "global_biodiversity"
    assert not any(text != " ".join(text.split()) for text in texts(name, mess=False))


def texts(name: str, *, mess: bool) -> list[str]:
    return [
        text
        for rows in sample(name, mess=mess).tables.values()
        for field in rows.schema
        if field.type == pa.string()
        for text in rows[field.name].drop_null().slice(0, 4_000).to_pylist()
    ]


@pytest.mark.parametrize(
    ("name", "child", "column"),
    [
        ("airline", "Airlines", "ORIGIN"),
        ("restaurant", "generalinfo", "city"),
        ("food_facility_inspections", "Food_Facility_Inspections", "id"),
        ("water_quality", "lab_results", "station_id"),
    ],
)
def test_skew_is_steeper(name, child, column):
    counted = f"SELECT count({quote(column)}) AS n FROM {quote(child)} GROUP BY {quote(column)}"  # noqa: S608
    share = f"SELECT max(n) / sum(n) FROM ({counted})"  # noqa: S608
    assert ask(name, share, mess=True) > 1.3 * ask(name, share)

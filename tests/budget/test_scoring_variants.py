"""Perturbed databases: seeded, with every key whole and every value in its column."""

import sqlite3
from collections import Counter
from contextlib import closing

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.budget.mini import CATALOGS, ROWS, database, sqlite_bytes

from warebench.catalog.model import Catalog, Column, ForeignKey, Table
from warebench.tracks.budget.scoring import variants
from warebench.tracks.budget.scoring.perturb import plan
from warebench.tracks.budget.scoring.variants import vary_database, vary_file

CLINIC = next(catalog for catalog in CATALOGS if catalog.name == "clinic")
SHOP = next(catalog for catalog in CATALOGS if catalog.name == "shop")


def make(dialect, catalog, number, folder):
    folder.mkdir(exist_ok=True)
    if dialect == "duckdb":
        return vary_database(database(catalog, ROWS[catalog.name]), number, folder)
    source = folder / "source.sqlite"
    source.write_bytes(sqlite_bytes(catalog, ROWS[catalog.name]))
    return vary_file(source, catalog, number, folder)


def read(path, table):
    sql = f'SELECT * FROM "{table}"'  # noqa: S608
    if path.suffix == ".sqlite":
        with closing(sqlite3.connect(path)) as connection:
            return connection.execute(sql).fetchall()
    with closing(duckdb.connect(str(path), read_only=True)) as connection:
        return connection.execute(sql).fetchall()


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_a_variant_keeps_keys_and_values(tmp_path, dialect):
    variant = make(dialect, SHOP, 0, tmp_path)
    customers, lines = read(variant.straight, "customers"), read(variant.straight, "order lines")
    whole = ROWS["shop"]
    before = {name: {row[0]: row for row in rows} for name, rows in whole.items()}
    # Rows go, and no order line stays without its customer; whose it is does not change.
    kept = {row[0] for row in customers}
    assert len(before["customers"]) / 2 < len(kept) < len(before["customers"])
    assert {row[1] for row in lines} <= kept
    assert {row[:2] for row in lines} < {row[:2] for row in whole["order lines"]}
    # No column gains a value. One whose values all differ keeps that; others change their counts.
    names, amounts = [row[1] for row in customers], [row[2] for row in lines]
    assert len(set(names)) == len(names)
    assert len(set(amounts)) == len(amounts)
    assert {row[2] for row in customers} <= {row[2] for row in whole["customers"]}
    assert Counter(row[2] for row in customers) != Counter(before["customers"][key][2] for key in kept)
    # Each column is drawn by itself.
    assert sum(row[2:] == before["order lines"][row[0]][2:] for row in lines) < len(lines) / 2


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_both_files_hold_the_same_rows(tmp_path, dialect):
    variant = make(dialect, CLINIC, 0, tmp_path)
    for table in CLINIC.table_names:
        assert read(variant.backward, table) == read(variant.straight, table)[::-1]


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_variants_are_seeded_and_differ(tmp_path, dialect):
    first, again = (make(dialect, CLINIC, 0, tmp_path / name) for name in ("a", "b"))
    other = make(dialect, CLINIC, 1, tmp_path / "c")
    rows = [read(variant.straight, "visits") for variant in (first, again, other)]
    assert rows[0] == rows[1] != rows[2]


def test_both_dialects_have_the_same_variants(tmp_path):
    made = [make(dialect, CLINIC, 0, tmp_path / dialect) for dialect in ("sqlite", "duckdb")]
    assert read(made[0].straight, "visits") == read(made[1].straight, "visits")


def test_large_databases_have_none(tmp_path, monkeypatch):
    monkeypatch.setattr(variants, "MOST_ROWS", 100)
    assert make("sqlite", SHOP, 0, tmp_path) is None
    assert make("duckdb", SHOP, 0, tmp_path) is None
    assert make("sqlite", CLINIC, 0, tmp_path) is not None


def test_a_file_that_cannot_be_read_has_none(tmp_path):
    torn = tmp_path / "torn.sqlite"
    torn.write_bytes(sqlite_bytes(SHOP, ROWS["shop"])[:4096])
    assert vary_file(torn, SHOP, 0, tmp_path) is None


def test_small_tables_keep_a_row():
    cells = {
        "customers": {"id": [], "insurance": []},
        "visits": {"patient_id": [1], "day": [1], "diagnosis": ["a"]},
    }
    for number in range(20):
        made = plan(CLINIC, cells, str(number))
        assert [len(places) for places in made["visits"].values()] == [1, 1, 1]
        assert [len(places) for places in made["customers"].values()] == [0, 0]


@given(st.data())
def test_declared_keys_always_hold(data):
    number = st.integers(0, 5)
    catalog = Catalog(
        name="x",
        tables=tuple(Table(name=name, columns=(Column(name="a"), Column(name="b"))) for name in "pqr"),
        foreign_keys=(
            ForeignKey(child="q", parent="p", child_columns=("a",), parent_columns=("a",)),
            ForeignKey(child="r", parent="q", child_columns=("a", "b"), parent_columns=("a", "b")),
            ForeignKey(child="p", parent="r", child_columns=("b",), parent_columns=("b",)),
        ),
    )
    cells = {
        name: dict(zip("ab", zip(*rows, strict=True), strict=True)) if rows else {"a": (), "b": ()}
        for name in "pqr"
        for rows in [data.draw(st.lists(st.tuples(st.none() | number, st.none() | number), max_size=12))]
    }
    made = plan(catalog, cells, data.draw(st.sampled_from("uvwxyz")))
    for key in catalog.foreign_keys:
        assert orphans(key, cells, None) >= orphans(key, cells, made)


def orphans(key, cells, made):
    """Return the keys that name no parent, before or after."""

    def rows(table, columns):
        places = [range(len(cells[table]["a"])) if made is None else made[table][name] for name in columns]
        return {
            tuple(cells[table][name][at] for name, at in zip(columns, row, strict=True))
            for row in zip(*places, strict=True)
        }

    children = {row for row in rows(key.child, key.child_columns) if None not in row}
    return children - rows(key.parent, key.parent_columns)

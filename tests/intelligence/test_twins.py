"""Both twins: what their catalogs declare is true, and seed and scale decide every byte."""

import json
import os
import subprocess
import sys

import pytest
from tests.intelligence.twin_samples import NAMES, ask, connection, sample

from warebench.catalog.validate import validate
from warebench.engine.database import quote
from warebench.errors import BuildError
from warebench.worlds import find_world, make_world
from warebench.worlds.synthetic.columns import to_schema

CATALOGS = {name: find_world(name).catalog for name in NAMES}
TABLES = [(name, table) for name in NAMES for table in CATALOGS[name].tables]
KEYS = [(name, key) for name in NAMES for key in CATALOGS[name].foreign_keys]


@pytest.mark.parametrize("name", NAMES)
def test_catalogs_are_valid_and_shared(name):
    assert validate(CATALOGS[name]) == sample(name).catalog
    assert len(CATALOGS["ecommerce"].tables) == 9
    assert len(CATALOGS["banking"].tables) == 8


@pytest.mark.parametrize(("name", "table"), TABLES)
def test_rows_have_the_declared_types_and_nulls(name, table):
    rows = sample(name).tables[table.name]
    assert rows.schema == to_schema(table)
    rows.validate(full=True)
    for column in table.columns:
        assert column.nullable == bool(rows[column.name].null_count), column.name


@pytest.mark.parametrize(("name", "table"), [pair for pair in TABLES if pair[1].primary_key])
def test_primary_keys_identify_rows(name, table):
    columns = ", ".join(map(quote, table.primary_key))
    assert ask(name, f"SELECT count(*) - count(DISTINCT ({columns})) FROM {quote(table.name)}") == 0  # noqa: S608


def test_only_points_have_no_key():
    assert [table.name for _, table in TABLES if not table.primary_key] == ["geolocation"]


@pytest.mark.parametrize(("name", "key"), KEYS)
def test_foreign_keys_hold(name, key):
    child, column = quote(key.child), quote(key.child_columns[0])
    parent, parent_column = quote(key.parent), quote(key.parent_columns[0])
    orphans = f"""SELECT count(*) FROM {child} ANTI JOIN {parent}
        ON {child}.{column} = {parent}.{parent_column} WHERE {child}.{column} IS NOT NULL"""  # noqa: S608
    assert ask(name, orphans) == 0


@pytest.mark.parametrize("name", NAMES)
def test_duckdb_sees_the_declared_types(name):
    for table in CATALOGS[name].tables:
        described = connection(name).execute(f"DESCRIBE {quote(table.name)}").fetchall()
        assert [(row[0], row[1]) for row in described] == [(c.name, c.type) for c in table.columns]


PRINT_FINGERPRINTS = """
import json, sys
from warebench.worlds import make_world
found = [make_world(name, seed=3, scale=0.01).fingerprint for name in ("ecommerce", "banking")]
json.dump(found, sys.stdout)
"""


def test_every_process_makes_the_same_bytes():
    runs = [
        subprocess.run(
            [sys.executable, "-c", PRINT_FINGERPRINTS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "4242")
    ]
    assert runs[0] == runs[1]
    assert json.loads(runs[0]) == [make_world(name, seed=3, scale=0.01).fingerprint for name in NAMES]


CODE_LISTS = {"product_category_name_translation"}
"""Tables without anything random."""


@pytest.mark.parametrize("name", NAMES)
def test_another_seed_makes_other_rows(name):
    one, other = (make_world(name, seed=seed, scale=0.01).tables for seed in (3, 4))
    same = {table for table in one if one[table].equals(other[table])}
    assert same == CODE_LISTS & set(one)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", NAMES)
def test_any_seed_makes_a_database_at_the_smallest_scale(name, seed):
    made = make_world(name, seed=seed, scale=1e-6)
    main, least = {"ecommerce": ("orders", 500), "banking": ("account", 100)}[name]
    assert made.tables[main].num_rows == least
    for rows in made.tables.values():
        rows.validate(full=True)


def test_rows_follow_the_scale():
    assert sample("ecommerce").tables["orders"].num_rows == round(99_441 * 0.2)
    assert sample("banking").tables["account"].num_rows == 450
    assert sample("banking").tables["district"].num_rows == 77
    assert sample("ecommerce").tables["order_items"].num_rows == pytest.approx(0.2 * 112_650, rel=0.02)
    assert sample("banking").tables["trans"].num_rows == pytest.approx(0.1 * 1_056_320, rel=0.06)


@pytest.mark.parametrize("scale", [0, -1, float("nan"), float("inf")])
@pytest.mark.parametrize("name", NAMES)
def test_a_senseless_scale_is_refused(name, scale):
    with pytest.raises(BuildError, match="scale"):
        make_world(name, seed=1, scale=scale)

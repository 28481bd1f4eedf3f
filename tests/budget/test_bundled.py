"""The bundled pool as a whole: sizes, names in common, keys, gold, and the same bytes in every process."""

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

import duckdb
import pyarrow.compute as pc
import pytest

from warebench.catalog.validate import validate
from warebench.engine.collection import Collection
from warebench.engine.database import Database
from warebench.errors import BuildError
from warebench.sql.lint import lint
from warebench.tracks.budget.bundled.pool import make_pool
from warebench.worlds.organisations.grammar import DOMAINS
from warebench.worlds.organisations.make import PLACES, _outlines, make_schemas
from warebench.worlds.organisations.rows import FEWEST, MOST
from warebench.worlds.synthetic.names import TOWNS

WORD = re.compile(r"[a-z]+")


@pytest.fixture(scope="module")
def pool() -> Collection:
    return make_pool(0)


def loaded(collection: Collection) -> dict[str, Database]:
    return {item.catalog.name: item for item in collection.databases if isinstance(item, Database)}


def connect(database: Database) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    for name, table in database.tables.items():
        connection.register(name, table)
    return connection


def subtype(sql: str) -> str:
    if sql.count("SELECT") > 1:
        return "nested"
    return ("lookup", "join", "multi_join")[min(2, sql.count(" JOIN "))]


def test_sizes(pool: Collection) -> None:
    databases = loaded(pool)
    assert len(databases) == 80
    assert sum(len(item.catalog.tables) for item in databases.values()) >= 480
    assert 800 <= len(pool.examples) <= 1_100
    asked = Counter(example.database for example in pool.examples)
    assert asked.keys() == databases.keys()
    assert min(asked.values()) >= 6
    assert pool.dialect == "duckdb"
    assert not pool.troubles


def test_subtypes_are_mixed(pool: Collection) -> None:
    counts = Counter(subtype(example.sql) for example in pool.examples)
    assert set(counts) == {"lookup", "join", "multi_join", "nested"}
    assert min(counts.values()) >= 100


def test_table_names_collide(pool: Collection) -> None:
    names = Counter(name.casefold() for catalog in pool.catalogs for name in catalog.table_names)
    assert sum(1 for count in names.values() if count > 1) >= 100
    assert sum(1 for count in names.values() if count == 1) >= 100


def test_no_two_databases_have_one_schema(pool: Collection) -> None:
    shapes = {tuple((t.name, t.columns) for t in catalog.tables) for catalog in pool.catalogs}
    assert len(shapes) == 80


def test_ids_and_texts_differ(pool: Collection) -> None:
    assert len({example.id for example in pool.examples}) == len(pool.examples)
    assert len({example.question.casefold() for example in pool.examples}) == len(pool.examples)


def test_a_question_fits_the_name_of_one_database(pool: Collection) -> None:
    places = {name.split("_")[0]: name for name in loaded(pool)}
    assert len(places) == 80
    for example in pool.examples:
        said = set(WORD.findall(example.question.casefold()))
        assert [places[word] for word in sorted(said & places.keys())] == [example.database], example.question


def test_no_row_names_a_place_of_an_organisation() -> None:
    assert not {place.casefold() for place in PLACES} & {town.casefold() for town in TOWNS}


def test_rows_are_within_bounds_and_keys_hold(pool: Collection) -> None:
    for database in loaded(pool).values():
        for table in database.catalog.tables:
            rows = database.tables[table.name]
            assert FEWEST <= rows.num_rows <= MOST
            assert tuple(rows.column_names) == tuple(column.name for column in table.columns)
            assert pc.count_distinct(rows[table.primary_key[0]]).as_py() == rows.num_rows
            for column in table.columns:
                assert column.nullable or rows[column.name].null_count == 0
        for key in database.catalog.foreign_keys:
            children = database.tables[key.child][key.child_columns[0]].drop_null()
            parents = database.tables[key.parent][key.parent_columns[0]].combine_chunks()
            assert pc.all(pc.is_in(children, parents)).as_py()


def test_values_are_missing_and_repeated(pool: Collection) -> None:
    for database in loaded(pool).values():
        columns = [table[name] for table in database.tables.values() for name in table.column_names]
        assert any(column.null_count for column in columns)
        assert any(pc.count_distinct(column).as_py() < len(column) / 4 for column in columns)


def rows_of(connection: duckdb.DuckDBPyConnection, sql: str) -> Sequence[tuple[Any, ...]]:
    return connection.execute(sql).fetchall()


def test_gold_gives_rows_and_no_accident(pool: Collection) -> None:
    databases = loaded(pool)
    for name in sorted(databases)[::4]:
        with connect(databases[name]) as connection:
            execute = partial(_executed, connection)
            for example in (item for item in pool.examples if item.database == name):
                found = execute(example.sql)
                assert found, example.sql
                assert all(cell is not None for row in found for cell in row), example.sql
                faults = lint(example.sql, databases[name].catalog, execute, "duckdb")
                assert not faults, (example.sql, faults)


@pytest.mark.parametrize(
    ("kind", "forgotten", "instead"),
    [("COUNT(DISTINCT ", r"COUNT\(DISTINCT ", "COUNT("), ("LIMIT 1", r"\S+ = '(?:[^']|'')*' AND ", "")],
)
def test_a_slip_changes_most_answers(pool: Collection, kind: str, forgotten: str, instead: str) -> None:
    told: list[bool] = []
    for name, database in list(loaded(pool).items())[::4]:
        with connect(database) as connection:
            for sql in (item.sql for item in pool.examples if item.database == name and kind in item.sql):
                slipped = re.sub(forgotten, instead, sql)
                if slipped != sql and " AS answer" not in sql:  # composed ones are not chosen for it
                    told.append(_executed(connection, sql) != _executed(connection, slipped))
    assert len(told) >= 8
    assert sum(told) / len(told) >= 0.75, told


def _executed(connection: duckdb.DuckDBPyConnection, sql: str) -> Any:
    try:
        return [tuple(row) for row in rows_of(connection, sql)]
    except duckdb.Error as error:
        return str(error)


def test_wrong_databases_can_give_right_results(pool: Collection) -> None:
    databases = loaded(pool)
    names = [outline.name for outline in _outlines(0, 2 * len(DOMAINS))]
    fooled: list[str] = []
    for home, other in zip(names, names[len(DOMAINS) :], strict=False):
        with connect(databases[home]) as one, connect(databases[other]) as two:
            mine = [example for example in pool.examples if example.database == home]
            fooled += [item.id for item in mine if _executed(one, item.sql) == _executed(two, item.sql)]
    assert len(fooled) >= 16


DIGEST = """
import hashlib
import msgspec
from warebench.tracks.budget.bundled.pool import make_pool
from warebench.worlds.organisations.make import make_schemas
pool = make_pool(5, databases=5, scale=0.3)
parts = [msgspec.json.encode(example) for example in pool.examples]
parts += [database.fingerprint.encode() for database in pool.databases]
parts += [catalog.fingerprint.encode() for catalog in make_schemas(5, 200)]
print(hashlib.sha256(b"".join(parts)).hexdigest())
"""


def test_processes_agree() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1
    assert len(digests.pop().strip()) == 64


def test_seeds_differ() -> None:
    one, other = (make_pool(seed, databases=2, scale=0.3) for seed in (1, 2))
    assert [item.catalog.name for item in loaded(one).values()] != [
        item.catalog.name for item in loaded(other).values()
    ]


def test_schemas_reach_a_hundred_thousand_tables() -> None:
    catalogs = make_schemas(0, 100_000)
    assert sum(len(catalog.tables) for catalog in catalogs) == 100_000
    names = [catalog.name for catalog in catalogs]
    assert names == sorted(set(names))
    for catalog in catalogs[::500]:
        assert validate(catalog) == catalog


@pytest.mark.parametrize("tables", [1, 3, 50])
def test_schemas_have_as_many_tables_as_asked(tables: int) -> None:
    catalogs = make_schemas(4, tables)
    assert sum(len(catalog.tables) for catalog in catalogs) == tables
    assert all(validate(catalog) == catalog for catalog in catalogs)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: make_pool(0, databases=0), "0 databases"),
        (lambda: make_pool(0, databases=100_000), "100000 databases"),
        (lambda: make_pool(0, scale=0.0), "scale 0.0"),
        (lambda: make_pool(0, scale=float("nan")), "scale nan"),
        (lambda: make_schemas(0, 0), "0 tables"),
    ],
)
def test_impossible_wishes(call: Any, said: str) -> None:
    with pytest.raises(BuildError, match=said):
        call()

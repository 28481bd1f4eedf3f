"""Random queries: under pool names, and back at home, they give what they gave."""

import sqlite3

import pytest
from hypothesis import assume, given, settings
from tests.sql.labels_schema import CATALOG, queries, run, write_database

from warebench.catalog.model import Catalog, Table
from warebench.sql.labels import label
from warebench.sql.namespace import (
    bare_names,
    build_pool,
    from_bare,
    invariant,
    read_prediction,
    to_bare,
    to_home,
    to_pool,
)

OTHER = Catalog(name="other", tables=(Table(name="singer"), Table(name="concert_1"), Table(name="concert")))
POOL = build_pool([CATALOG, OTHER])
NAMES = bare_names([CATALOG, OTHER])


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    path = write_database(tmp_path_factory.mktemp("namespace"))
    connection = sqlite3.connect(path)
    yield connection
    connection.close()


@pytest.fixture(scope="module")
def pool(tmp_path_factory):
    path = write_database(tmp_path_factory.mktemp("pool"))
    connection = sqlite3.connect(":memory:")
    connection.execute("ATTACH ? AS music", [str(path)])
    yield connection
    connection.close()


@settings(max_examples=150, deadline=None, derandomize=True)
@given(sql=queries())
def test_rewritten_queries_give_the_same_rows(home, pool, sql):
    rows = run(home, sql)
    assume(not isinstance(rows, str))
    pooled = to_pool(sql, CATALOG, "sqlite")
    assert run(pool, pooled) == rows
    assert invariant(rows, run(pool, pooled))
    assert run(home, to_home(pooled, "music", "sqlite")) == rows
    bare = to_bare(pooled, NAMES, "sqlite")
    assert run(pool, from_bare(bare, NAMES, "sqlite")) == rows
    read = read_prediction(pooled, POOL, "sqlite")
    assert read.kind == "query"
    assert {pooled.table for pooled in read.tables} >= set(label(sql, CATALOG, "sqlite").tables)
    assert read_prediction(from_bare(bare, NAMES, "sqlite"), POOL, "sqlite") == read

"""Random queries: what `label` finds is what SQLite says it reads."""

import sqlite3

import pytest
from hypothesis import assume, given, settings
from tests.sql.labels_schema import CATALOG, queries, write_database

from warebench.sql.labels import Labels, label, observe


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return write_database(tmp_path_factory.mktemp("labels"))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(sql=queries())
def test_labels_are_what_sqlite_reads(path, sql):
    try:
        seen = observe(path, sql)
    except sqlite3.Error:
        assume(False)
    found = label(sql, CATALOG, "sqlite")
    assert isinstance(found, Labels), found
    assert set(found.tables) == seen.tables
    assert found.column_names == seen.columns
    assert all(column.roles for column in found.columns)

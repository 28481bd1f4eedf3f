"""Each query has a connection of its own, to the files it names, with the limits it has."""

from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from warebench.catalog.model import Catalog, Column, Table
from warebench.engine.database import Database
from warebench.engine.query_process import DUCKDB_REFUSED, DUCKDB_VOLATILE
from warebench.engine.run import Failure, QueryLimits, Rows, run_pool, write_file

CATALOG = Catalog(name="d", tables=(Table(name="t", columns=(Column(name="a"),)),))


def write(path: Path, *values: int) -> Path:
    path.unlink(missing_ok=True)
    write_file(Database(catalog=CATALOG, tables={"t": pa.table({"a": list(values)})}), path)
    return path


def ask(files: dict[str, Path], sql: str = "SELECT sum(a) FROM t"):
    found = run_pool(files, sql, "duckdb")
    return found.rows[0][0] if isinstance(found, Rows) else found.kind


def test_file_that_took_the_place_of_another_is_read(tmp_path):
    path = write(tmp_path / "a.duckdb", 1, 2)
    assert ask({"d": path}) == 3
    assert ask({"d": write(path, 5, 6)}) == 11


def test_files_and_names_tell_connections_apart(tmp_path):
    one, two = write(tmp_path / "a.duckdb", 1), write(tmp_path / "b.duckdb", 2)
    for files, expected in [({"x": one}, 1), ({"y": two}, 2), ({"y": two, "x": one}, 2), ({"x": one}, 1)]:
        assert ask(files) == expected
    assert ask({"y": one}, "SELECT a FROM x.t") == "execution"


def test_a_failure_leaves_nothing_behind(tmp_path):
    files = {"d": write(tmp_path / "a.duckdb", 1)}
    for sql in ("SELECT nothing FROM t", "CREATE TEMP TABLE t AS SELECT 9 AS a", "SELECT FROM"):
        assert isinstance(run_pool(files, sql, "duckdb"), Failure)
        assert ask(files) == 1


def test_the_last_file_may_go_away(tmp_path):
    path = write(tmp_path / "a.duckdb", 1)
    assert ask({"d": path}) == 1
    path.unlink()
    assert ask({"d": path}) == "execution"


@pytest.mark.parametrize("rows", [1, 3])
def test_limits_of_each_query_hold(tmp_path, rows):
    files = {"d": write(tmp_path / "a.duckdb", 1, 2, 3)}
    ask(files)
    found = run_pool(files, "FROM t", "duckdb", QueryLimits(rows=rows))
    assert isinstance(found, Rows if rows == 3 else Failure)


def test_every_function_with_an_effect_is_known():
    """A new DuckDB may bring functions that change something: decide on each."""
    found = duckdb.sql("SELECT DISTINCT function_name FROM duckdb_functions() WHERE stability = 'VOLATILE'")
    assert {name for (name,) in found.fetchall()} <= DUCKDB_REFUSED | DUCKDB_VOLATILE

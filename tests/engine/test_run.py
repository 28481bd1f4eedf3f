"""Model-written SQL: what runs, what is refused, what is stopped, and that nothing changes."""

import subprocess
import sys
from datetime import date, datetime
from decimal import Decimal

import pyarrow as pa
import pytest

from warebench.catalog.model import Catalog, Column, Table
from warebench.engine.database import Database
from warebench.engine.run import Failure, QueryLimits, Rows, check_query, database_file, run_query

NUMBERS = Database(
    catalog=Catalog(
        name="n", tables=(Table(name="odd name", columns=(Column(name="n"), Column(name="day"))),)
    ),
    tables={"odd name": pa.table({"n": [1, 2, 3], "day": [date(2024, 1, 1), None, date(2024, 1, 3)]})},
)
SHORT = QueryLimits(seconds=3.0, memory_bytes=64 * 1024 * 1024, rows=5, result_bytes=2000)


@pytest.fixture(scope="module")
def file():
    with database_file(NUMBERS) as path:
        yield path


def test_rows_come_typed(file):
    sql = """SELECT count(*), sum(n) / 2, max(day), NULL, true, 1.50,
        TIMESTAMP '2024-01-01 10:00:00', [1, 2], 'é'
        FROM "odd name" -- a comment; with a semicolon"""
    found = run_query(file, sql)
    assert isinstance(found, Rows)
    moment = datetime.fromisoformat("2024-01-01T10:00:00")
    assert found.rows == ((3, 3.0, date(2024, 1, 3), None, True, Decimal("1.50"), moment, "[1, 2]", "é"),)
    assert found.types[2] == "DATE"


def test_a_database_will_do_and_order_is_kept():
    found = run_query(NUMBERS, 'WITH x AS (SELECT n FROM "odd name") SELECT n FROM x ORDER BY n DESC;')
    assert isinstance(found, Rows)
    assert (found.columns, found.rows) == (("n",), ((3,), (2,), (1,)))


FORBIDDEN = [
    'DROP TABLE "odd name"',
    'DELETE FROM "odd name"',
    'INSERT INTO "odd name" VALUES (4, NULL)',
    'UPDATE "odd name" SET n = 0',
    "CREATE TABLE t AS SELECT 1",
    "CREATE TEMP TABLE t AS SELECT 1",
    "ATTACH 'other.duckdb'",
    "COPY \"odd name\" TO 'out.csv'",
    "EXPORT DATABASE 'out'",
    "PRAGMA database_list",
    "SET threads = 1",
    "INSTALL httpfs",
    "LOAD httpfs",
    "CALL pragma_version()",
    "EXPLAIN SELECT 1",
    'DESCRIBE "odd name"',
    "SELECT 1; SELECT 2",
    'SELECT 1; DROP TABLE "odd name"',
    'WITH x AS (DELETE FROM "odd name" RETURNING *) SELECT * FROM x',
    "",
    "SELECT * FROM read_csv('/etc/hostname')",
    "SELECT * FROM read_text('/etc/hostname')",
    "SELECT * FROM 'data.csv'",
    "SELECT * FROM glob('/*')",
]


@pytest.mark.parametrize("sql", FORBIDDEN)
def test_what_does_more_than_read_the_rows_is_refused(file, sql):
    before = file.read_bytes()
    found = run_query(file, sql)
    assert isinstance(found, Failure)
    assert found.kind == "forbidden", found.message
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize(
    "sql", [sql for sql in FORBIDDEN if sql and "read_" not in sql and "FROM" not in sql]
)
def test_the_process_refuses_it_too(file, sql, monkeypatch):
    monkeypatch.setattr("warebench.engine.run.check_query", lambda sql: None)
    before = file.read_bytes()
    assert isinstance(run_query(file, sql), Failure) or sql.startswith(("PRAGMA", "DESCRIBE"))
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("SELEC 1", "forbidden"),
        ("SELECT FROM WHERE", "parse"),
        ("SELECT 1 \0 UNION SELECT 2", "parse"),
        ("SELECT nothing FROM nowhere", "execution"),
        ("SELECT n + day || 'x' FROM \"odd name\"", "execution"),
        ("SELECT 1 / $x", "execution"),
        ("SELECT " + "1 + " * 9000 + "1", "parse"),
        ("SELECT * FROM range(1000000000000)", "too many rows"),
        ("SELECT repeat('x', 5000)", "too large"),
        ("SELECT len(repeat('x', 2000000000))", "memory"),
        ("SELECT list(i) FROM range(100000000) x(i)", "memory"),
    ],
)
def test_failures_say_what_they_are(file, sql, kind):
    found = run_query(file, sql, SHORT)
    assert isinstance(found, Failure)
    assert found.kind == kind, found.message
    assert found.message


def test_a_query_without_end_is_killed_and_memory_stays_bounded(file):
    endless = "WITH RECURSIVE r AS (SELECT 1 AS i UNION ALL SELECT i FROM r) SELECT count(*) FROM r"
    found = run_query(file, endless, QueryLimits(seconds=1.0))
    assert isinstance(found, Failure)
    assert found.kind == "timeout"


def test_memory_stays_bounded(file):
    # In a process of its own: the largest child of this one may have been another test's.
    script = (
        "import resource, sys; from pathlib import Path; from warebench.engine.run import *\n"
        "sql = 'SELECT i FROM range(1000000000) x(i) ORDER BY hash(i)'\n"
        "found = run_query(Path(sys.argv[1]), sql, QueryLimits(seconds=5.0))\n"
        "assert isinstance(found, Failure), found\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, str(file)], capture_output=True, text=True, check=True
    )
    assert int(run.stdout) < 1024 * 1024  # KiB


@pytest.mark.parametrize("depth", [10, 500, 5000])
def test_deep_nesting_brings_nothing_down(file, depth):
    assert isinstance(run_query(file, f"SELECT {'(' * depth}1{')' * depth}"), (Rows, Failure))


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
@pytest.mark.parametrize("call", ["DATE(", "CHAR(1, ", "x.DATE(", "JSON("])
def test_a_query_that_parses_for_ever_is_refused(dialect, call):
    # Each level doubles the parser's time: sixty would outlast the sun.
    refused = check_query(f"SELECT {call * 60}1{')' * 60}", dialect)
    assert refused is not None
    assert refused.kind == "parse"
    assert check_query(f"SELECT {call * 5}1{')' * 5}", dialect) is None


ENDS = [
    ";",
    ";;",
    "; ;\n",
    "; -- done",
    ";\n-- it's done\n",
    "; /* done; */",
    "-- half; done\n; -- done;",
    "; /* a */ ; -- b",
    "-- done",
    "/* done */",
]


@pytest.mark.parametrize("end", ENDS)
def test_what_stands_behind_the_statement_is_none(file, end):
    found = run_query(file, f"SELECT 'é;--' AS \"ü\" {end}")
    assert isinstance(found, Rows), found
    assert (found.columns, found.rows) == (("ü",), (("é;--",),))


@pytest.mark.parametrize("sql", ["-- done", "/* SELECT 1 */", ";", "; -- done", "SELECT 1; SELECT 2 -- done"])
def test_a_comment_is_no_query(file, sql):
    found = run_query(file, sql)
    assert isinstance(found, Failure)
    assert found.kind == "forbidden"


def test_host_environment_and_variables_are_out_of_reach(file, monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_HOST", "x")
    assert isinstance(run_query(file, "SELECT getenv('SECRET_OF_THE_HOST')"), Failure)
    assert isinstance(run_query(file, "SELECT * FROM request"), Failure)


@pytest.mark.parametrize(
    "sql", ["SELECT 1", "  with a as (select 1) select * from a", 'FROM "odd name"', "(SELECT 1)"]
)
def test_what_only_reads_passes(sql):
    assert check_query(sql) is None

"""Statements that reach for more than rows, and queries that do not, on both engines that run model SQL.

DuckDB: the SQL tool and answers of multitable and intelligence (`run_query`) and budget's pool (`run_pool`).
SQLite: budget's pool over collections. No model SQL runs on a server.
"""

import hashlib
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from warebench.engine import query_process, worker
from warebench.engine import run as run_module
from warebench.engine.run import Failure, QueryLimits, Rows, run_pool, run_query, run_sqlite
from warebench.engine.worker import end_workers

LISTS = Path(__file__).parents[1] / "fixtures" / "hostile"
LIMITS = QueryLimits(seconds=20.0, memory_bytes=96 * 1024 * 1024, threads=1)
SECRET = "secret-of-the-host"  # noqa: S105
BROKEN = re.compile(f"{SECRET}|no readable answer|process ended")
ROWS = "(a INTEGER, b TEXT)"
FILL = "INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'x')"
PATHS = ["query", "pool", "sqlite"]


def read_list(name: str) -> list[str]:
    lines = (LISTS / f"{name}.sql").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("--")]


class Host:
    """A folder with a secret and one database for each engine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "secret.csv").write_text(f"x\n{SECRET}\n")
        self.duckdb, self.sqlite = folder / "d.duckdb", folder / "d.sqlite"
        with duckdb.connect(str(self.duckdb)) as made:
            made.execute(f"CREATE TABLE t {ROWS}")
            made.execute(FILL)
        with closing(sqlite3.connect(self.sqlite)) as kept, kept:
            kept.execute(f"CREATE TABLE t {ROWS}")
            kept.execute(FILL)

    def ask(self, path: str, sql: str) -> Rows | Failure:
        if path == "query":
            return run_query(self.duckdb, sql, LIMITS)
        if path == "pool":
            return run_pool({"d": self.duckdb}, sql, "duckdb", LIMITS)
        return run_sqlite({"d": self.sqlite}, sql, LIMITS)

    def look(self) -> dict[str, str]:
        return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in self.folder.iterdir()}


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    yield Host(tmp_path_factory.mktemp("host"))
    end_workers()


@pytest.mark.parametrize(
    ("path", "checked"), [("query", False), ("pool", True), ("sqlite", True), ("sqlite", False)]
)
def test_hostile_statements_fail_and_change_nothing(
    host: Host, path: str, checked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the check before the process, and without it: then the process itself must hold."""
    if not checked:
        monkeypatch.setattr(run_module, "check_query", lambda *_: None)
    statements = read_list("sqlite" if path == "sqlite" else "duckdb")
    assert len(statements) >= 100
    before = host.look()
    passed = []
    for number, line in enumerate(statements):
        if not checked and path == "sqlite" and line.startswith("EXPLAIN"):
            continue  # by itself SQLite explains a query that only reads
        sql = line.replace("{host}", str(host.folder))
        found = host.ask(path, sql)
        if isinstance(found, Rows) or BROKEN.search(found.message):
            passed.append((sql, found))
        elif number % 10 == 0:
            after = host.ask(path, "SELECT count(*), sum(a) FROM t")
            assert isinstance(after, Rows), (sql, after)
            assert after.rows == ((3, 6),), sql
    assert passed == []
    assert host.look() == before


@pytest.mark.parametrize("path", PATHS)
def test_innocent_queries_pass(host: Host, path: str) -> None:
    queries = read_list("innocent_sqlite" if path == "sqlite" else "innocent_duckdb")
    assert len(queries) >= 60
    found = {sql: host.ask(path, sql) for sql in queries}
    assert {sql: failure for sql, failure in found.items() if isinstance(failure, Failure)} == {}


@pytest.mark.parametrize("path", ["query", "pool"])
def test_no_query_sees_another(host: Host, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where the list of functions is open: the connection is another one."""
    source = Path(query_process.__file__).read_text()
    program = host.folder.parent / f"open-{path}.py"
    opened = source.replace(
        "def _refuse_node(node: Answer) -> str:", "def _refuse_node(node: Answer) -> str:\n    return ''"
    )
    assert opened != source
    program.write_text(opened)
    end_workers()
    monkeypatch.setattr(worker, "PROGRAM", program)
    try:
        assert isinstance(host.ask(path, "SELECT * FROM enable_logging(storage='stdout')"), (Rows, Failure))
        assert isinstance(host.ask(path, "SELECT 4711 AS mark"), Rows)
        host.ask(path, "SELECT * FROM enable_logging('QueryLog')")
        host.ask(path, "SELECT 4711 AS mark")
        seen = host.ask(path, "SELECT count(*) FROM duckdb_logs() WHERE message LIKE '%mark%'")
        assert isinstance(seen, Rows)
        assert seen.rows == ((0,),)
        seeds = []
        for _ in range(2):
            host.ask(path, "SELECT setseed(0.5)")
            found = host.ask(path, "SELECT random()")
            assert isinstance(found, Rows)
            seeds.append(found.rows)
        assert seeds[0] != seeds[1]
    finally:
        end_workers()

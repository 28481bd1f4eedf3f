"""Model-written SQL over several DuckDB files at once."""

from pathlib import Path

import pyarrow as pa
import pytest

from warebench.catalog.model import Catalog, Column, Table
from warebench.engine.database import Database
from warebench.engine.run import Failure, QueryLimits, Rows, run_pool, write_file

SHORT = QueryLimits(seconds=1.0, memory_bytes=64 * 1024 * 1024, rows=5)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("duckdb")
    paths = {}
    for name, table, count in (("shop", "orders", 3), ("it's a zoo", "animals", 2)):
        columns = {"id": list(range(count))}
        catalog = Catalog(name=name, tables=(Table(name=table, columns=(Column(name="id"),)),))
        paths[name] = folder / f"{name}.duckdb"
        write_file(Database(catalog=catalog, tables={table: pa.table(columns)}), paths[name])
    return paths


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT max(id) FROM shop.orders", ((2,),)),
        ("SELECT max(id) FROM shop.main.orders", ((2,),)),
        ('SELECT count(*) FROM shop.orders JOIN "it\'s a zoo".animals USING (id)', ((2,),)),
        ("SELECT count(*) FROM animals, orders", ((6,),)),
    ],
)
def test_rows(files: dict[str, Path], sql: str, rows: object) -> None:
    found = run_pool(files, sql, "duckdb")
    assert isinstance(found, Rows), found
    assert found.rows == rows


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("DROP TABLE shop.orders", "forbidden"),
        ("ATTACH 'x.duckdb'", "forbidden"),
        ("SELECT * FROM read_text('/etc/hostname')", "forbidden"),
        ("SELECT * FROM glob('/*')", "forbidden"),
        ("SELECT * FROM elsewhere.orders", "execution"),
        ("WITH RECURSIVE r AS (SELECT 1 AS i UNION ALL SELECT i FROM r) SELECT count(*) FROM r", "timeout"),
        ("SELECT list(i) FROM range(100000000) x(i)", "memory"),
    ],
)
def test_failures_change_nothing(files: dict[str, Path], sql: str, kind: str) -> None:
    before = {path: path.read_bytes() for path in files["shop"].parent.iterdir()}
    found = run_pool(files, sql, "duckdb", SHORT)
    assert isinstance(found, Failure), found
    assert found.kind == kind, found
    assert {path: path.read_bytes() for path in files["shop"].parent.iterdir()} == before


@pytest.mark.parametrize(
    "sql", ["DROP TABLE shop.orders", "SET threads = 1", "DETACH shop", "CREATE TABLE t (a INT)"]
)
def test_the_process_refuses_it_too(
    files: dict[str, Path], sql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warebench.engine.run.check_query", lambda sql: None)
    before = files["shop"].read_bytes()
    found = run_pool(files, sql, "duckdb", SHORT)
    assert isinstance(found, Failure)
    assert found.kind == "forbidden"
    assert files["shop"].read_bytes() == before


def test_a_file_that_is_missing(tmp_path: Path) -> None:
    found = run_pool({"x": tmp_path / "x.duckdb"}, "SELECT 1", "duckdb", SHORT)
    assert isinstance(found, Failure)
    assert found.kind == "execution"
    assert not list(tmp_path.iterdir())

"""Model-written SQL over SQLite files: what runs, what is refused, what is stopped; nothing changes."""

import hashlib
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warebench.engine.database import quote
from warebench.engine.run import MOST_ATTACHED, Failure, QueryLimits, Rows, run_pool, run_sqlite

SHORT = QueryLimits(seconds=1.0, memory_bytes=32 * 1024 * 1024, rows=5, result_bytes=2000)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("sqlite")
    shop, zoo = folder / "shop?#%.sqlite", folder / "zoo.sqlite"
    with closing(sqlite3.connect(shop)) as database:
        database.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, raw BLOB, score REAL)")
        rows = [(1, "Ann", b"\x00\xff", 1.5), (2, None, None, None), (3, "é", b"", 1e400)]
        database.executemany("INSERT INTO customers VALUES (?, ?, ?, ?)", rows)
        database.execute("INSERT INTO customers (id, name) VALUES (4, CAST(x'41ff42' AS TEXT))")
        database.execute("CREATE VIEW named AS SELECT name FROM customers WHERE name IS NOT NULL")
        database.execute("CREATE VIRTUAL TABLE notes USING fts5(body)")
        database.execute("INSERT INTO notes VALUES ('hello world')")
        database.commit()
    with closing(sqlite3.connect(zoo)) as database:
        database.execute("CREATE TABLE animals (id INTEGER, owner INTEGER)")
        database.executemany("INSERT INTO animals VALUES (?, ?)", [(n, n % 3) for n in range(3000)])
        database.commit()
    return {"shop": shop, "my zoo": zoo}


@pytest.fixture(autouse=True)
def unchanged(files: dict[str, Path]):
    def look() -> dict[str, str]:
        folder = files["shop"].parent
        return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}

    before = look()
    yield
    assert look() == before


@pytest.mark.parametrize(
    ("sql", "columns", "types", "rows"),
    [
        ("SELECT id, name FROM shop.customers WHERE id < 2", "id name", "INTEGER TEXT", ((1, "Ann"),)),
        ('SELECT count(*) AS n FROM "my zoo".animals', "n", "INTEGER", ((3000,),)),
        ("SELECT count(*) AS n FROM animals", "n", "INTEGER", ((3000,),)),
        (
            'SELECT a.id FROM shop.customers c JOIN "my zoo".animals a ON a.owner = c.id WHERE a.id < 3',
            "id",
            "INTEGER",
            ((1,), (2,)),
        ),
        ("SELECT raw, score FROM customers LIMIT 2", "raw score", "BLOB REAL", (("00ff", 1.5), (None, None))),
        ("SELECT score FROM customers WHERE id = 3", "score", "REAL", ((float("inf"),),)),
        ("SELECT name FROM customers WHERE id = 4", "name", "TEXT", (("A\\xffB",),)),
        ("SELECT name FROM named WHERE name = 'é'", "name", "TEXT", (("é",),)),
        ('SELECT id FROM customers WHERE name = "Ann"', "id", "INTEGER", ((1,),)),
        ("WITH x AS (SELECT 1 AS a UNION ALL SELECT 'b') SELECT a FROM x;", "a", "ANY", ((1,), ("b",))),
        ("SELECT id AS a FROM customers WHERE 0", "a", "", ()),
        ("SELECT 1 AS a; -- done", "a", "INTEGER", ((1,),)),
        ("SELECT 1 AS a; ; /* x */ ; -- done", "a", "INTEGER", ((1,),)),
        ("SELECT 1 AS a;;\n;", "a", "INTEGER", ((1,),)),
        ("SELECT value AS v FROM json_each('[7]')", "v", "INTEGER", ((7,),)),
        ("SELECT body FROM shop.notes WHERE notes MATCH 'hello'", "body", "TEXT", (("hello world",),)),
    ],
)  # fmt: skip
def test_rows(files: dict[str, Path], sql: str, columns: str, types: str, rows: object) -> None:
    found = run_pool(files, sql, "sqlite")
    assert isinstance(found, Rows), found
    assert found == Rows(columns=tuple(columns.split()), types=tuple(types.split(" ")), rows=found.rows)
    assert found.rows == rows


@pytest.mark.parametrize("check", [True, False], ids=["with the check", "SQLite alone"])
@pytest.mark.parametrize(
    "sql",
    [
        "DROP TABLE customers",
        "DELETE FROM shop.customers",
        "INSERT INTO customers (id) VALUES (9)",
        "UPDATE customers SET name = 'x'",
        "REPLACE INTO customers (id) VALUES (1)",
        "CREATE TABLE t AS SELECT 1",
        "CREATE TEMP TABLE t AS SELECT 1",
        "ATTACH 'other.sqlite' AS other",
        "DETACH shop",
        "PRAGMA table_info(customers)",
        "PRAGMA shop.journal_mode = DELETE",
        "VACUUM INTO 'copy.sqlite'",
        "SELECT 1; SELECT 2",
        "WITH x AS (SELECT 1) DELETE FROM customers",
        "BEGIN",
        "SELECT * FROM sqlite_master",
        "SELECT count(*) FROM shop.sqlite_schema",
        "SELECT rowid FROM shop.sqlite_master",
        "SELECT * FROM pragma_database_list",
        "SELECT * FROM pragma_table_info('customers')",
        "SELECT load_extension('x')",
        "SELECT LOAD_EXTENSION('x', 'y')",
    ],
)
def test_what_does_more_than_read_the_rows_is_refused(
    files: dict[str, Path], sql: str, check: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not check:
        monkeypatch.setattr("warebench.engine.run.check_query", lambda sql, dialect: None)
    found = run_sqlite(files, sql)
    assert isinstance(found, Failure), found
    assert found.kind == "forbidden", found


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("", "forbidden"),
        ("EXPLAIN SELECT 1", "forbidden"),
        ("SELEC 1", "forbidden"),
        ("SELECT FROM WHERE", "parse"),
        ("SELECT 'open", "parse"),
        ("SELECT (1", "parse"),
        ("SELECT \ud800 x y", "parse"),
        ("SELECT " + "1 + " * 9000 + "1", "parse"),
        ("SELECT x FROM nowhere", "execution"),
        ("SELECT x FROM customers", "execution"),
        ("SELECT readfile('/etc/hostname')", "execution"),
        ("SELECT writefile('x', 'y')", "execution"),
        ("SELECT ?", "execution"),
        ("SELECT * FROM animals", "too many rows"),
        ("SELECT hex(zeroblob(2000))", "too large"),
        ("SELECT length(randomblob(500000000))", "memory"),
        ("SELECT hex(zeroblob(2000000000))", "memory"),
        (
            "WITH RECURSIVE r(x) AS (SELECT randomblob(99999) UNION SELECT randomblob(99999) FROM r) "
            "SELECT count(*) FROM r",
            "memory",
        ),
    ],
)
def test_failures_say_what_they_are(files: dict[str, Path], sql: str, kind: str) -> None:
    found = run_sqlite(files, sql, SHORT)
    assert isinstance(found, Failure), found
    assert found.kind == kind, found
    assert found.message


ENDLESS = [
    "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r",
    "SELECT count(*) FROM animals a, animals b, animals c",
    # One long step of SQLite's machine: no handler of its own would be called.
    "SELECT instr(hex(zeroblob(2000000)), hex(zeroblob(900000)) || '1')",
]


@pytest.mark.parametrize("sql", ENDLESS)
def test_a_query_without_end_is_killed_in_time(files: dict[str, Path], sql: str) -> None:
    run_sqlite(files, "SELECT 1", SHORT)
    start = monotonic()
    found = run_sqlite(files, sql, SHORT)
    assert isinstance(found, Failure)
    assert found.kind == "timeout"
    assert monotonic() - start < SHORT.seconds + 2
    assert isinstance(run_sqlite(files, "SELECT 1", SHORT), Rows)


def test_queries_at_once_do_not_meet(files: dict[str, Path]) -> None:
    queries = [
        ENDLESS[0],
        *(f"SELECT {n}" for n in range(40)),
        ENDLESS[1],
        *(f"SELECT {n}" for n in range(40)),
    ]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda sql: run_sqlite(files, sql, SHORT), queries))
    for sql, outcome in zip(queries, found, strict=True):
        if sql in ENDLESS:
            assert isinstance(outcome, Failure)
        else:
            assert isinstance(outcome, Rows)
            assert outcome.rows == ((int(sql.split()[1]),),)


def test_nothing_is_left_of_a_query(files: dict[str, Path]) -> None:
    assert isinstance(run_sqlite(files, "SELECT id FROM customers LIMIT 1"), Rows)
    only = {"my zoo": files["my zoo"]}
    found = run_sqlite(only, "SELECT id FROM customers LIMIT 1")
    assert isinstance(found, Failure)
    assert "no such table" in found.message


def test_files_that_cannot_be_opened(files: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "torn.sqlite").write_bytes(files["shop"].read_bytes()[:5000])
    (tmp_path / "text.sqlite").write_text("no database")
    for name in ("torn", "text", "missing"):
        found = run_sqlite({"x": tmp_path / f"{name}.sqlite"}, "SELECT * FROM x.customers")
        assert isinstance(found, Failure)
        assert found.kind == "execution"
    assert not (tmp_path / "missing.sqlite").exists()


@pytest.mark.parametrize("name", ["main", "Main", "temp table", "select", 'a"b', "a.b"])
def test_any_name_of_a_namespace(files: dict[str, Path], name: str) -> None:
    named = {"other": files["my zoo"], name: files["shop"]}
    found = run_sqlite(named, f"SELECT max(c.id), max(a.id) FROM {quote(name)}.customers c, other.animals a")  # noqa: S608 - quoted
    assert isinstance(found, Rows), found
    assert found.rows == ((4, 2999),)


def test_more_files_than_sqlite_attaches(files: dict[str, Path]) -> None:
    many = {f"n{number}": files["shop"] for number in range(MOST_ATTACHED + 1)}
    found = run_sqlite(many, "SELECT 1")
    assert isinstance(found, Failure)
    assert found.kind == "forbidden"
    assert "10" in found.message
    del many["n0"]
    assert isinstance(run_sqlite(many, "SELECT count(*) FROM n10.customers"), Rows)


CELLS = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
)


@given(
    cells=st.lists(st.tuples(CELLS, CELLS), max_size=9),
    name=st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=9),
)
@settings(max_examples=60, deadline=None)
def test_any_cell_comes_back_as_it_is_stored(cells: list[tuple[object, object]], name: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "any.sqlite"
        with closing(sqlite3.connect(path)) as database:
            database.execute("CREATE TABLE t (a, b)")
            database.executemany("INSERT INTO t VALUES (?, ?)", cells)
            database.commit()
        sql = f"SELECT a, b FROM {quote('n' + name)}.t ORDER BY rowid"  # noqa: S608 - quoted
        found = run_sqlite({f"n{name}": path}, sql)
    assert isinstance(found, Rows), found
    assert found.rows == tuple(cells)
    assert [[type(cell) for cell in row] for row in found.rows] == [
        [type(cell) for cell in row] for row in cells
    ]

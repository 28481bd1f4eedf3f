"""Files and folders to databases."""

import json
import sqlite3
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from warebench.engine.load import read_database
from warebench.errors import CatalogError, SourceError, UserError

stamp = datetime.fromisoformat
DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"


def make_sqlite(path: Path, script: str) -> Path:
    with sqlite3.connect(path) as connection:
        connection.executescript(script)
    connection.close()
    return path


def make_duckdb(path: Path, script: str) -> Path:
    with duckdb.connect(str(path)) as connection:
        connection.execute(script)
    return path


SHOP = """
CREATE TABLE "group" (id INTEGER PRIMARY KEY, "the name" TEXT);
CREATE TABLE item (
    id INTEGER PRIMARY KEY, g INTEGER REFERENCES "group" (id), price DECIMAL(8,2), made DATE, odd
);
INSERT INTO "group" VALUES (1, 'a'), (2, 'b'), (3, NULL);
INSERT INTO item VALUES
    (10, 3, 0.99, '2020-01-02', 1), (11, 1, 2, NULL, 'x'), (12, NULL, 3.5, '2020-02-29', x'00ff');
"""


def test_sqlite(tmp_path):
    database = read_database(make_sqlite(tmp_path / "shop.sqlite", SHOP))
    assert database.catalog.name == "shop"
    assert database.catalog.table_names == ("group", "item")
    item = database.tables["item"]
    assert item.column("price").to_pylist() == [Decimal("0.99"), Decimal("2.00"), Decimal("3.50")]
    assert item.column("made").to_pylist() == [date(2020, 1, 2), None, date(2020, 2, 29)]
    assert item.column("odd").to_pylist() == ["1", "x", "00ff"]
    assert database.catalog.tables[1].columns[4].type == "VARCHAR"
    assert "`item`.`odd`: read as text (1 x bytes and 1 x int and 1 x str)" in database.catalog.remarks
    assert database.connect().execute('SELECT count(*) FROM "group"').fetchall() == [(3,)]


def test_tables_and_names_are_chosen(tmp_path):
    path = make_sqlite(tmp_path / "shop.sqlite", SHOP)
    database = read_database(path, name="mine", tables=["ITEM"])
    assert database.catalog.name == "mine"
    assert list(database.tables) == ["item"]
    assert database.catalog.foreign_keys == ()
    with pytest.raises(SourceError, match="no table `itm`") as caught:
        read_database(path, tables=["itm"])
    assert "item" in caught.value.fix
    with pytest.raises(SourceError, match="no table is wanted"):
        read_database(path, tables=[])


def test_cut_off_parents_take_their_children_along(tmp_path):
    path = make_sqlite(tmp_path / "shop.sqlite", SHOP)
    database = read_database(path, max_rows=2)
    assert database.tables["group"].column("id").to_pylist() == [1, 2]
    assert database.tables["item"].column("id").to_pylist() == [11]
    assert [str(item) for item in database.catalog.left_out] == [
        "group: rows left out, more exist than were to be read",
        "item: rows left out, more exist than were to be read",
        "item: 1 rows left out, their parents were not read",
    ]
    assert read_database(path, max_rows=3).catalog.remarks == read_database(path).catalog.remarks
    with pytest.raises(SourceError, match="max_rows is 0"):
        read_database(path, max_rows=0)


def test_sqlite_keeps_odd_bytes_and_changes_nothing(tmp_path):
    path = make_sqlite(
        tmp_path / "odd.db", "CREATE TABLE t (a TEXT); INSERT INTO t VALUES (CAST(x'636166e9' AS TEXT))"
    )
    before = path.read_bytes()
    database = read_database(path)
    assert database.tables["t"].column("a").to_pylist() == ["caf\\xe9"]
    assert "1 texts are not UTF-8" in database.catalog.remarks[0]
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["odd.db"]


def test_sqlite_without_rows_and_with_every_kind_of_name(tmp_path):
    script = 'CREATE TABLE "a ""b"" `c` {d}|e" ("select" INTEGER, "x.y" REAL, "" TEXT)'
    (item,) = read_database(make_sqlite(tmp_path / "one.db", script)).catalog.left_out
    assert (item.what, item.why) == ("column ''", "its name is empty")
    script = 'CREATE TABLE "a ""b"" `c` {d}|e" ("select" INTEGER, "x.y" REAL)'
    database = read_database(make_sqlite(tmp_path / "two.db", script))
    (table,) = database.tables.values()
    assert table.num_rows == 0
    assert [str(kind) for kind in table.schema.types] == ["int64", "double"]
    assert database.connect().execute('SELECT "select", "x.y" FROM "a ""b"" `c` {d}|e"').fetchall() == []


def test_sqlite_that_is_torn_inside(tmp_path):
    path = make_sqlite(tmp_path / "torn.db", "CREATE TABLE t (a TEXT)")
    with sqlite3.connect(path) as connection:
        connection.executemany("INSERT INTO t VALUES (?)", [("x" * 500,)] * 500)
    connection.close()
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(SourceError, match="no table can be read; of `t`: SQLite cannot read it"):
        read_database(path)


def test_a_table_that_is_torn_does_not_stop_the_others(tmp_path):
    path = make_sqlite(tmp_path / "torn.db", "PRAGMA page_size = 4096; CREATE TABLE whole (a TEXT);")
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO whole VALUES ('x')")
        connection.execute("CREATE TABLE t (a TEXT, b TEXT REFERENCES whole (a))")
        connection.executemany("INSERT INTO t VALUES (?, 'x')", [("x" * 500,)] * 500)
    connection.close()
    content = bytearray(path.read_bytes())
    content[3 * 4096 :] = b"\xff" * (len(content) - 3 * 4096)
    path.write_bytes(content)
    database = read_database(path)
    assert database.tables["whole"].to_pylist() == [{"a": "x"}]
    (item,) = database.catalog.left_out
    assert (item.where, item.touches) == ("t", ("whole",))
    assert item.why.startswith("SQLite cannot read it: ")


KINDS = """
CREATE SCHEMA other;
CREATE TABLE t (a HUGEINT, b UUID, c INTERVAL, d INTEGER[], e TIMESTAMPTZ, f TIMESTAMP_NS, g DATE,
                h DECIMAL(10,3), i BLOB, j DOUBLE, k UBIGINT, l TIME, m BOOLEAN, n TIMETZ, o JSON);
INSERT INTO t VALUES (12345678901234567890123, '00000000-0000-0000-0000-000000000001', INTERVAL 1 DAY, [1, 2],
    '2020-01-01 02:00:00+02', '2020-01-01 00:00:00.000001001', '2020-02-29', 1.125, '\\xFF'::BLOB, 'nan',
    18446744073709551615, '23:59:59.999999', true, '01:02:03+02', '{"a": 1}');
CREATE TABLE other.t (a HUGEINT, g DATE);
INSERT INTO other.t VALUES (170141183460469231731687303715884105727, 'infinity');
"""


def test_duckdb(tmp_path):
    database = read_database(make_duckdb(tmp_path / "kinds.duckdb", KINDS))
    assert set(database.tables) == {"main.t", "other.t"}
    (row,) = database.tables["main.t"].to_pylist()
    assert row["a"] == Decimal(12345678901234567890123)
    assert row["b"] == "00000000-0000-0000-0000-000000000001"
    assert (row["c"], row["d"], row["o"]) == ("1 day", "[1, 2]", '{"a": 1}')
    assert row["e"] == stamp("2020-01-01 00:00")
    assert row["f"] == "2020-01-01 00:00:00.000001001"
    assert (row["g"], row["h"], row["i"]) == (date(2020, 2, 29), Decimal("1.125"), b"\xff")
    assert row["j"] != row["j"]
    assert (row["k"], str(row["l"]), row["m"]) == (2**64 - 1, "23:59:59.999999", True)
    assert row["n"] == "01:02:03+02"
    (row,) = database.tables["other.t"].to_pylist()
    assert row == {"a": "170141183460469231731687303715884105727", "g": "infinity"}
    assert "`other.t`.`g`: DATE read as text: out of range" in database.catalog.remarks
    assert "`main.t`.`e`: times are given in UTC" in database.catalog.remarks
    database.connect().close()


def test_duckdb_rows_are_cut(tmp_path):
    path = make_duckdb(tmp_path / "n.duckdb", "CREATE TABLE n AS SELECT range AS i FROM range(5)")
    database = read_database(path, max_rows=2)
    assert database.tables["n"].column("i").to_pylist() == [0, 1]
    assert "more exist than were to be read" in str(database.catalog.left_out[0])


def make_folder(folder: Path, files: dict[str, str | bytes]) -> Path:
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


CELLS = [
    ("1\n2\n", "int64", [1, 2]),
    ("01\n2\n", "string", ["01", "2"]),
    ("1.50\n2.25\n", "double", [1.5, 2.25]),
    ("-23.54562128115268\n1\n", "double", [-23.54562128115268, 1.0]),
    ("12345678901234567890\n1\n", "string", ["12345678901234567890", "1"]),
    ("0.12345678901234567891\n1\n", "string", ["0.12345678901234567891", "1"]),
    ("2020-01-02\n2020-02-29\n", "date32[day]", [date(2020, 1, 2), date(2020, 2, 29)]),
    ("3/4/2020\n4/3/2020\n", "string", ["3/4/2020", "4/3/2020"]),
    ("2020-01-02 03:04:05\n2020-01-02 03:04:05.5\n", "timestamp[us]",
     [stamp("2020-01-02 03:04:05"), stamp("2020-01-02 03:04:05.5")]),
    ("true\nfalse\n", "bool", [True, False]),
    ('""\nx\n', "string", ["", "x"]),
    ("1\n\n", "int64", [1, None]),
    ('"a\nb, c ""d"""\né|\n', "string", ['a\nb, c "d"', "é|"]),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "kind", "cells"), CELLS)
def test_csv_cells(tmp_path, lines, kind, cells):
    number = iter(range(9))
    # A second column keeps the empty line of one column from being no line.
    body = lines if '"' in lines else "".join(f"{line},{next(number)}\n" for line in lines.splitlines())
    header = "a\n" if '"' in lines else "a,n\n"
    column = read_database(make_folder(tmp_path / "f", {"t.csv": header + body})).tables["t"].column("a")
    assert str(column.type) == kind
    assert column.to_pylist() == cells


def test_csv_folder_with_keys(tmp_path):
    catalog = {
        "name": "keyed",
        "tables": [
            {"name": "p", "primary_key": ["id"], "columns": [{"name": "id"}, {"name": "n"}]},
            {"name": "c"},
        ],
        "foreign_keys": [{"child": "c", "parent": "p", "child_columns": ["p"], "parent_columns": ["id"]}],
    }
    files = {
        "p.csv": "id,n\n1,x\n2,y\n",
        "c.csv": "p;v\n1;2\n1;3\n",
        "catalog.json": json.dumps(catalog),
        "x.txt": "",
    }
    database = read_database(make_folder(tmp_path / "f", files))
    assert database.catalog.name == "keyed"
    assert database.catalog.foreign_keys[0].parent == "p"
    assert database.tables["c"].to_pylist() == [{"p": 1, "v": 2}, {"p": 1, "v": 3}]
    assert [column.type for column in database.catalog.tables[1].columns] == ["BIGINT", "VARCHAR"]
    (tmp_path / "f" / "p.csv").write_text("id,m\n1,x\n")
    with pytest.raises(CatalogError, match="differ in the columns of table 'p'"):
        read_database(tmp_path / "f")
    (tmp_path / "f" / "p.csv").unlink()
    with pytest.raises(CatalogError, match=r"there is no file p\.csv"):
        read_database(tmp_path / "f")


BAD_FOLDERS = [
    ({}, "holds no CSV file"),
    ({"a.csv": ""}, "this file is empty"),
    ({"a.csv": "a,b\n1,2\n3\n4,5,6\n"}, "does not name the columns of all lines"),
    ({"a.csv": "1,2\n3,4\n"}, "does not name the columns of all lines"),
    ({"a.csv": "Report of May\n\na,b\n1,2\n"}, "does not name the columns of all lines"),
    ({"a.csv": "a,a\n1,2\n"}, "two have the same"),
    ({"a.csv": "a,,c\n1,2,3\n"}, "has no name"),
    ({"a.csv": b"a,b\n1,caf\xe9\n"}, "cannot be read as CSV"),
    ({"a.csv": "id,ID\n1,2\n"}, "the same but for case"),
    ({"a.csv": "a,b\n1,2\n", "catalog.json": "{"}, "not whole JSON"),
]


@pytest.mark.parametrize(("files", "what"), BAD_FOLDERS)
def test_bad_folders(tmp_path, files, what):
    with pytest.raises(UserError, match=what) as caught:
        read_database(make_folder(tmp_path / "f", files))
    assert caught.value.where
    assert caught.value.fix


def test_a_statement_of_ours_that_is_wrong_is_not_the_file_s_fault(tmp_path, monkeypatch):
    monkeypatch.setattr("warebench.engine.readers.csv.READ", "read_csv(?, no_such_option=1, all_varchar={})")
    with pytest.raises(duckdb.BinderException):
        read_database(make_folder(tmp_path / "f", {"a.csv": "a,b\n1,2\n"}))


BAD_FILES = [
    ("missing.sqlite", None, "no such file"),
    ("script.sql", b"CREATE TABLE t (a INT);", "holds no rows"),
    ("catalog.json", b'{"name": "x", "tables": []}', "holds no rows"),
    ("empty.db", b"", "empty"),
    ("note.txt", b"hello", "no reader knows"),
    ("torn.db", b"SQLite format 3\x00" + b"\x00" * 20, "torn"),
]


@pytest.mark.parametrize(("name", "content", "what"), BAD_FILES)
def test_bad_files(tmp_path, name, content, what):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(UserError, match=what):
        read_database(tmp_path / name)


def test_addresses_of_files(tmp_path):
    path = make_sqlite(tmp_path / "shop.sqlite", SHOP)
    assert read_database(f"sqlite:///{path}").fingerprint == read_database(path).fingerprint


REAL = [
    ("sqlite/chinook.sqlite", 15607, "Invoice", "Total", "decimal128(10, 2)"),
    ("sqlite/sakila.sqlite", 46273, "staff", "picture", "binary"),
    ("sqlite/olist_3000_orders.sqlite", 27961, "order_items", "price", "double"),
    (
        "olist/sample_3000_orders",
        27961,
        "olist_order_reviews_dataset",
        "review_creation_date",
        "timestamp[us]",
    ),
]


@pytest.mark.parametrize(("source", "rows", "table", "column", "kind"), REAL)
def test_real_databases(source, rows, table, column, kind):
    if not DATA.exists():
        pytest.skip("the real data at ../shared/data is absent")
    database = read_database(DATA / source)
    assert database.rows == rows
    assert str(database.tables[table].schema.field(column).type) == kind
    database.connect().close()

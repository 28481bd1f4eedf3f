"""Rows of database servers: exact values, order, what is left out."""

import sys
from datetime import date, datetime, time
from decimal import Decimal

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine
from tests.engine.servers import POSTGRES, run, said

from warebench.catalog.read import read_catalog
from warebench.catalog.select import Selection
from warebench.engine.load import read_database
from warebench.errors import MissingExtra, SourceError

stamp = datetime.fromisoformat


POSTGRES_TABLES = (
    'CREATE TABLE "Parent Table" (a INT, b TEXT, "order" NUMERIC(12,3), PRIMARY KEY (b, a))',
    'CREATE TABLE child (id BIGINT PRIMARY KEY, pa INT, pb TEXT, d DATE, t TIME, ts TIMESTAMP,'
    ' tz TIMESTAMPTZ,'
    ' f DOUBLE PRECISION, n NUMERIC, ok BOOLEAN, raw BYTEA, u UUID, j JSONB, arr INT[], span INTERVAL,'
    ' FOREIGN KEY (pa, pb) REFERENCES "Parent Table" (a, b))',
    'CREATE TABLE nothing ()',
    """INSERT INTO "Parent Table" VALUES (2, 'z', 1.5), (1, 'é', 123456789.125)""",
    "INSERT INTO child VALUES (9, 2, 'z', '0001-01-01', '23:59:59.999999', '2020-02-29 01:02:03.000004',"
    " '2020-01-01 00:00:00+02', 0.1, 12345678901234567890.5, true, '\\x00ff',"
    " '00000000-0000-0000-0000-000000000001', '{\"a\": [1]}', '{1,2}', '1 day'),"
    " (3, NULL, NULL, NULL, NULL, NULL, NULL, 'NaN', NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
)  # fmt: skip


def test_postgres(postgres):
    address, schema = postgres
    run(POSTGRES, *(f"SET search_path = {schema}", *POSTGRES_TABLES))
    database = read_database(address)
    assert database.catalog.name == "test"
    assert database.catalog.table_names == ("Parent Table", "child")
    (key,) = database.catalog.foreign_keys
    assert (key.child_columns, key.parent_columns) == (("pa", "pb"), ("a", "b"))
    assert database.catalog.tables[0].primary_key == ("b", "a")
    parents = database.tables["Parent Table"].to_pylist()
    assert [row["b"] for row in parents] == sorted(["z", "é"])
    assert {row["order"] for row in parents} == {Decimal("1.500"), Decimal("123456789.125")}
    empty, row = database.tables["child"].to_pylist()
    assert (row["d"], row["t"]) == (date(1, 1, 1), time(23, 59, 59, 999999))
    assert row["ts"] == stamp("2020-02-29 01:02:03.000004")
    assert row["tz"] == stamp("2019-12-31 22:00")
    assert (row["f"], row["n"], row["ok"], row["raw"]) == (
        0.1,
        Decimal("12345678901234567890.5"),
        True,
        b"\x00\xff",
    )
    assert (row["u"], row["j"], row["arr"]) == (
        "00000000-0000-0000-0000-000000000001",
        '{"a": [1]}',
        "[1, 2]",
    )
    assert row["span"] == "1 day, 0:00:00"
    assert empty["f"] != empty["f"]
    assert said(database.catalog) == ["nothing: table left out, it has no columns"]
    assert "`child`.`tz`: times are given in UTC" in database.catalog.remarks
    assert read_database(address).fingerprint == database.fingerprint
    assert read_database(address, tables=["child"], max_rows=1).tables["child"].column("id").to_pylist() == [
        3
    ]


def test_a_catalog_alone_of_postgres(postgres):
    address, schema = postgres
    comment = "COMMENT ON COLUMN \"Parent Table\".b IS 'the name'"
    run(POSTGRES, *(f"SET search_path = {schema}", *POSTGRES_TABLES, comment))
    catalog, whole = read_catalog(address, name="mine"), read_database(address, name="mine").catalog
    assert catalog.name == "mine"
    assert catalog.foreign_keys == whole.foreign_keys
    assert [table.primary_key for table in catalog.tables] == [table.primary_key for table in whole.tables]
    assert [column.description for column in catalog.tables[0].columns] == ["", "the name", ""]
    assert {column.name: column.type for column in catalog.tables[1].columns}["j"] == "JSONB"
    assert said(catalog) == ["nothing: table left out, it has no columns"]


def test_a_catalog_alone_of_mariadb(mariadb):
    address, schema = mariadb
    run(address, *MARIADB_TABLES)
    catalog = read_catalog(address.replace("+pymysql", ""))
    assert (catalog.name, catalog.table_names) == (schema, ("child", "select"))
    assert catalog.foreign_keys == read_database(address).catalog.foreign_keys


def test_postgres_keys_to_other_schemas_and_names_that_differ_in_case(postgres):
    address, schema = postgres
    other = f"{schema}_o"
    run(
        POSTGRES,
        f"CREATE SCHEMA {other}",
        f"CREATE TABLE {other}.p (id INT PRIMARY KEY)",
        f"CREATE TABLE {schema}.c (id INT REFERENCES {other}.p (id))",
    )
    try:
        run(POSTGRES, f'CREATE TABLE {schema}.e ("Id" INT, id INT)')
        catalog = read_database(address).catalog
        assert said(catalog) == [
            f"{schema}.c: foreign key (id) -> {other}.p left out, that table is not read",
            "e: column `id` left out, its name differs from 'Id' in case only",
        ]
        assert catalog.left_out[0].touches == ("c",)
        # The other way round: the parent is read, and not the child.
        (item,) = read_catalog(POSTGRES, selection=Selection(schemas=(other,))).left_out
        assert (item.where, item.touches) == (f"{schema}.c", ("p",))
    finally:
        run(POSTGRES, f"DROP SCHEMA {other} CASCADE")


def test_postgres_is_only_read(postgres):
    address, schema = postgres
    run(POSTGRES, f"CREATE TABLE {schema}.t (a INT)")
    seen = []

    def note(connection, cursor, statement, parameters, context, executemany):
        seen.append((statement.strip(), cursor.connection.info.transaction_status.name))

    sa.event.listen(Engine, "before_cursor_execute", note)
    try:
        read_database(address)
    finally:
        sa.event.remove(Engine, "before_cursor_execute", note)
    statements = [statement for statement, _ in seen]
    locked = statements.index("SET TRANSACTION READ ONLY")
    assert len(statements) > locked + 1
    allowed = ("SELECT", "SAVEPOINT", "RELEASE SAVEPOINT")
    assert all(statement.startswith(allowed) for statement in statements[locked + 1 :])
    # One transaction from there on: it stays read-only.
    assert {status for _, status in seen[locked + 1 :]} == {"INTRANS"}


MARIADB_TABLES = (
    "CREATE TABLE `select` (id INT PRIMARY KEY, `a b` VARCHAR(20))",
    "CREATE TABLE child (id BIGINT UNSIGNED PRIMARY KEY, s INT, price DECIMAL(10,2), d DATE, t TIME,"
    " dt DATETIME(6),"
    " f DOUBLE, yes BOOLEAN, raw BLOB, y YEAR, e ENUM('x','y'), FOREIGN KEY (s) REFERENCES `select` (id))",
    "INSERT INTO `select` VALUES (1, 'é|'), (2, NULL)",
    "INSERT INTO child VALUES (18446744073709551615, 1, 0.99, '2020-02-29', '23:59:59',"
    " '2020-01-02 03:04:05.000006',"
    " 0.1, 1, x'00ff', 2020, 'x'), (1, NULL, 2, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL)",
)


def test_mariadb(mariadb):
    address, schema = mariadb
    run(address, *MARIADB_TABLES)
    database = read_database(address.replace("+pymysql", ""))
    assert database.catalog.name == schema
    assert database.catalog.table_names == ("child", "select")
    assert database.catalog.foreign_keys[0].parent_columns == ("id",)
    empty, row = database.tables["child"].to_pylist()
    assert (int(row["id"]), row["price"], row["d"]) == (2**64 - 1, Decimal("0.99"), date(2020, 2, 29))
    assert (row["t"], row["dt"]) == (time(23, 59, 59), stamp("2020-01-02 03:04:05.000006"))
    assert (row["f"], row["yes"], row["raw"], row["y"], row["e"]) == (0.1, 1, b"\x00\xff", 2020, "x")
    assert empty["t"] is None
    assert database.tables["select"].column("a b").to_pylist() == ["é|", None]


def test_postgres_moments_that_python_lacks_come_as_text(postgres):
    address, schema = postgres
    run(
        POSTGRES,
        f"CREATE TABLE {schema}.t (id INT PRIMARY KEY, d DATE, ts TIMESTAMP, t TIME, plain DATE)",
        f"INSERT INTO {schema}.t"  # noqa: S608
        " VALUES (1, 'infinity', '0044-03-15 BC', '24:00', '2020-02-29'),"
        " (2, '2020-01-02', '2020-01-02', '12:00', NULL)",
    )
    database = read_database(address)
    one, two = database.tables["t"].to_pylist()
    assert (one["d"], one["ts"], one["t"]) == ("infinity", "0044-03-15 00:00:00 BC", "24:00:00")
    assert (two["d"], two["ts"], two["t"]) == ("2020-01-02", "2020-01-02 00:00:00", "12:00:00")
    assert one["plain"] == date(2020, 2, 29)
    assert "`t`.`d`: DATE read as text: out of range" in database.catalog.remarks
    assert "plain" not in str(database.catalog.remarks)
    assert [column.type for column in database.catalog.tables[0].columns] == [
        "INTEGER", "VARCHAR", "VARCHAR", "VARCHAR", "DATE",
    ]  # fmt: skip


def test_postgres_blanks_that_fill_up_a_char_are_none_of_its_text(postgres):
    address, schema = postgres
    run(POSTGRES, f"CREATE TABLE {schema}.t (a CHAR(9), b VARCHAR(9))")
    run(POSTGRES, f"INSERT INTO {schema}.t VALUES ('SP', 'SP  ')")  # noqa: S608
    assert read_database(address).tables["t"].to_pylist() == [{"a": "SP", "b": "SP  "}]


WORDS = ("b", "B", "a", "Z", "é", "z", "_", "😀")


def test_both_servers_give_rows_in_one_order_whatever_their_collation(postgres, mariadb):
    found = []
    for address, where, kind in (
        (postgres[0], POSTGRES, 'VARCHAR(9) COLLATE "en-x-icu"'),
        (mariadb[0], mariadb[0], "VARCHAR(9) COLLATE utf8mb4_unicode_ci"),
    ):
        place = f"{postgres[1]}." if where == POSTGRES else ""
        run(where, f"CREATE TABLE {place}t (a {kind}, b INT)")
        rows = [*((word, 1) for word in WORDS), ("b", None)]
        cells = ", ".join(f"('{word}', {'NULL' if number is None else number})" for word, number in rows)
        run(where, f"INSERT INTO {place}t VALUES {cells}, (NULL, 2)")  # noqa: S608
        found.append([tuple(row.values()) for row in read_database(address).tables["t"].to_pylist()])
    expected = sorted([(word, 1) for word in WORDS] + [("b", 0)])
    assert found[0] == found[1]
    assert found[0] == [(None, 2), *((word, number or None) for word, number in expected)]


def test_mariadb_singles_keep_their_digits_and_timestamps_are_in_utc(mariadb):
    address, _ = mariadb
    run(
        address,
        "CREATE TABLE t (id INT PRIMARY KEY, f FLOAT, ts TIMESTAMP NULL, dt DATETIME)",
        "SET time_zone = '+05:00'",
        "INSERT INTO t VALUES (1, 16777217, '2020-01-01 00:00:00', '2020-01-01'), (2, 0.1, NULL, NULL)",
    )
    database = read_database(address)
    one, two = database.tables["t"].to_pylist()
    assert (one["f"], two["f"]) == (16777216.0, 0.1)
    assert (one["ts"], one["dt"]) == (stamp("2019-12-31 19:00"), stamp("2020-01-01"))
    assert "`t`.`ts`: times are given in UTC" in database.catalog.remarks


def test_mariadb_zero_dates_and_nul_characters(mariadb):
    address, _ = mariadb
    run(
        address,
        "SET sql_mode = ''",
        "CREATE TABLE t (id INT PRIMARY KEY, d DATE, s VARCHAR(9), b BIT(1), u BIGINT UNSIGNED)",
        "INSERT INTO t VALUES (1, '0000-00-00', 'a\\0b', b'1', 18446744073709551615),"
        " (2, '2020-01-01', '', b'0', 1)",
    )
    database = read_database(address)
    one, two = database.tables["t"].to_pylist()
    assert (one["d"], two["d"]) == ("0000-00-00", "2020-01-01")
    assert (one["s"], one["b"], int(one["u"])) == ("a\0b", b"\x01", 2**64 - 1)
    assert "`t`.`d`: read as text (1 x date and 1 x str)" in database.catalog.remarks


BAD_ADDRESSES = [
    ("postgresql://root@127.0.0.1:1/test", "the database refuses"),
    ("nosuch://root:secret@host/x", "no SQLAlchemy dialect `nosuch`"),
    ("postgresql://root:secret@host:port/x", "this is not a database address"),
    ("oracle://root:secret@host/x", "driver"),
]


@pytest.mark.parametrize(("address", "what"), BAD_ADDRESSES)
def test_bad_addresses_keep_the_password(address, what):
    with pytest.raises(SourceError, match=what) as caught:
        read_database(address)
    assert "secret" not in str(caught.value)


def test_a_schema_without_tables(postgres):
    with pytest.raises(SourceError, match="there is no table to read"):
        read_database(postgres[0])


def test_a_driver_that_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pymysql", None)
    with pytest.raises(MissingExtra, match="pymysql") as caught:
        read_database("mysql://root@127.0.0.1/test")
    assert "warebench[sql]" in caught.value.fix


def test_sqlalchemy_that_is_missing(monkeypatch):
    monkeypatch.delitem(sys.modules, "warebench.engine.readers.address", raising=False)
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    monkeypatch.delattr("warebench.engine.readers.address", raising=False)
    with pytest.raises(MissingExtra, match="sqlalchemy"):
        read_database("postgresql://root@127.0.0.1/test")

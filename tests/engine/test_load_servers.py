"""Real database servers, each test in a schema of its own that is dropped afterwards."""

import os
import sys
import uuid
from datetime import date, datetime, time
from decimal import Decimal

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine, make_url

from warebench.catalog.read import read_catalog
from warebench.catalog.select import Selection
from warebench.engine.load import read_database
from warebench.errors import MissingExtra, SourceError

stamp = datetime.fromisoformat
POSTGRES = os.environ.get("WAREBENCH_TEST_POSTGRES", "postgresql+psycopg://root@127.0.0.1:5432/test")
MARIADB = os.environ.get("WAREBENCH_TEST_MARIADB", "mysql+pymysql://root@127.0.0.1:3306/test")


def run(address: str, *statements: str) -> None:
    engine = sa.create_engine(address, connect_args={"connect_timeout": 5}, isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            for statement in statements:
                connection.execute(sa.text(statement))
    except sa.exc.OperationalError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"no server answers: {str(error).splitlines()[0]}")
    finally:
        engine.dispose()


@pytest.fixture
def postgres():
    schema = f"warebench_{uuid.uuid4().hex}"
    run(POSTGRES, f'CREATE SCHEMA "{schema}"')
    yield POSTGRES.replace("+psycopg", "") + f"?options=-csearch_path%3D{schema}", schema
    run(POSTGRES, f'DROP SCHEMA "{schema}" CASCADE')


@pytest.fixture
def mariadb():
    schema = f"warebench_{uuid.uuid4().hex}"
    run(MARIADB, f"CREATE DATABASE `{schema}` CHARACTER SET utf8mb4")
    yield make_url(MARIADB).set(database=schema).render_as_string(hide_password=False), schema
    run(MARIADB, f"DROP DATABASE `{schema}`")


def said(catalog) -> list[str]:
    return [str(item) for item in catalog.left_out]


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


@pytest.fixture
def warehouse():
    """A PostgreSQL database of its own."""
    name = f"warebench_{uuid.uuid4().hex}"
    run(POSTGRES, f"CREATE DATABASE {name}")
    yield make_url(POSTGRES).set(drivername="postgresql", database=name).render_as_string(hide_password=False)
    run(POSTGRES, f"DROP DATABASE {name} WITH (FORCE)")


def fill(address: str, *statements: str) -> None:
    run(address.replace("postgresql:", "postgresql+psycopg:"), *statements)


SCHEMAS = (
    "CREATE SCHEMA raw",
    "CREATE TABLE raw.orders (id INT PRIMARY KEY)",
    "CREATE TABLE raw.fx (id INT)",
    "CREATE TABLE fx (order_id INT REFERENCES raw.orders (id))",
    "CREATE TABLE config (id INT PRIMARY KEY)",
    "CREATE TABLE setting (config_id INT REFERENCES config (id))",
    "INSERT INTO raw.fx VALUES (1), (2)",
)


def edges(catalog) -> list[tuple[str, str]]:
    return sorted((key.child, key.parent) for key in catalog.foreign_keys)


@pytest.mark.parametrize(
    "query", ["", "?options=-csearch_path%3Draw,public", "?options=-csearch_path%3Dpublic,raw"]
)
def test_postgres_is_read_with_all_its_schemas(warehouse, query):
    fill(warehouse, *SCHEMAS)
    database = read_database(warehouse + query)
    assert set(database.catalog.table_names) == {
        "public.config", "public.fx", "public.setting", "raw.fx", "raw.orders",
    }  # fmt: skip
    assert edges(database.catalog) == [("public.fx", "raw.orders"), ("public.setting", "public.config")]
    assert (database.tables["raw.fx"].num_rows, database.tables["public.fx"].num_rows) == (2, 0)
    assert database.catalog.left_out == ()
    assert read_catalog(warehouse + query).foreign_keys == database.catalog.foreign_keys


def test_postgres_schemas_that_are_asked_for(warehouse):
    fill(warehouse, *SCHEMAS)
    one = read_catalog(warehouse, selection=Selection(schemas=("raw",)))
    assert one.table_names == ("fx", "orders")
    assert [item.touches for item in one.left_out] == [("orders",)]
    with pytest.raises(SourceError, match="no schema `rav`") as caught:
        read_catalog(warehouse, selection=Selection(schemas=("rav",)))
    assert "raw" in caught.value.fix


PARTITIONS = (
    "CREATE TABLE customers (id INT PRIMARY KEY)",
    "CREATE TABLE sales (id INT, day DATE, customer_id INT REFERENCES customers (id), PRIMARY KEY (id, day))"
    " PARTITION BY RANGE (day)",
    "CREATE TABLE sales_1 PARTITION OF sales FOR VALUES FROM ('2020-01-01') TO ('2021-01-01')",
    "CREATE TABLE sales_2 (id INT, day DATE NOT NULL, customer_id INT, PRIMARY KEY (id, day))",
    "ALTER TABLE sales ATTACH PARTITION sales_2 FOR VALUES FROM ('2021-01-01') TO ('2022-01-01')",
    "CREATE TABLE returns (id INT, day DATE, FOREIGN KEY (id, day) REFERENCES sales (id, day))",
    "CREATE TABLE base (id INT PRIMARY KEY)",
    "CREATE TABLE special (more INT, of INT REFERENCES customers (id)) INHERITS (base)",
    "INSERT INTO customers VALUES (1)",
    "INSERT INTO sales VALUES (1, '2020-05-01', 1), (2, '2021-05-01', 1)",
    "INSERT INTO special VALUES (7, 8, 1)",
)


def test_postgres_partitions_are_one_table_with_their_parent(warehouse):
    fill(warehouse, *PARTITIONS)
    database = read_database(warehouse)
    assert database.catalog.table_names == ("base", "customers", "returns", "sales")
    assert edges(database.catalog) == [("returns", "sales"), ("sales", "customers")]
    assert database.tables["sales"].column("id").to_pylist() == [1, 2]
    assert database.tables["base"].column("id").to_pylist() == [7]
    key, columns = database.catalog.left_out
    assert (str(key), key.touches) == (
        "public.special: foreign key (of) -> public.customers left out, only a part of the table has it",
        ("base", "customers"),
    )
    assert (
        str(columns) == "public.special: columns `more`, `of` left out, its rows are read as those of `base`"
    )


def test_postgres_tables_and_schemas_that_the_role_may_not_read(warehouse):
    role = f"warebench_{uuid.uuid4().hex}"
    fill(
        warehouse,
        *SCHEMAS,
        "CREATE SCHEMA hidden",
        "CREATE TABLE hidden.h (id INT PRIMARY KEY, o INT REFERENCES raw.orders (id))",
        f"CREATE ROLE {role} LOGIN",
        f"GRANT USAGE ON SCHEMA raw, public TO {role}",
        f"GRANT SELECT ON raw.orders, raw.fx, fx, setting TO {role}",
    )
    try:
        address = make_url(warehouse).set(username=role).render_as_string()
        database = read_database(address)
        catalog = read_catalog(address)
        assert catalog.table_names == ("public.fx", "public.setting", "raw.fx", "raw.orders")
        assert edges(catalog) == edges(database.catalog) == [("public.fx", "raw.orders")]
        assert [(str(item), item.touches) for item in catalog.left_out] == [
            ("hidden.h: table left out, this role may not read it", ("raw.orders",)),
            ("public.config: table left out, this role may not read it", ()),
            (
                "public.setting: foreign key (config_id) -> public.config left out,"
                " table 'public.config' is left out",
                ("public.setting",),
            ),
        ]
        assert catalog.left_out == database.catalog.left_out
    finally:
        fill(warehouse, f"DROP OWNED BY {role}", f"DROP ROLE {role}")


def test_postgres_views_are_tables_that_derive_from_others(warehouse):
    fill(
        warehouse,
        "CREATE TABLE t (a INT)",
        "INSERT INTO t VALUES (1), (2)",
        "CREATE VIEW v AS SELECT a + 1 AS b FROM t",
        "CREATE MATERIALIZED VIEW m AS SELECT b FROM v",
        "CREATE VIEW broken AS SELECT 1 / (a - 1) AS c FROM t",
    )
    database = read_database(warehouse)
    assert {table.name: table.kind for table in database.catalog.tables} == {
        "m": "view",
        "t": "",
        "v": "view",
    }
    assert [(edge.downstream, edge.upstream) for edge in database.catalog.lineage] == [("m", "v"), ("v", "t")]
    assert database.tables["m"].column("b").to_pylist() == [2, 3]
    (item,) = database.catalog.left_out
    assert (str(item), item.touches) == (
        "broken: view left out, the server refuses: division by zero",
        ("t",),
    )


def test_an_odd_name_on_a_server_does_not_stop_the_rest(warehouse):
    fill(warehouse, *SCHEMAS[4:6], 'CREATE TABLE "a\nb" (id INT)', 'CREATE TABLE n (x INT, "c\n" INT)')
    database = read_database(warehouse)
    assert database.catalog.table_names == ("config", "n", "setting")
    assert said(database.catalog) == [
        "n: column 'c\\n' left out, its name holds a control character",
        "'a\\nb': table left out, its name holds a control character",
    ]


def test_mariadb_keys_into_another_database_stay(mariadb):
    address, schema = mariadb
    other = f"{schema}_o"
    run(
        address,
        f"CREATE DATABASE {other}",
        f"CREATE TABLE {other}.p (id INT PRIMARY KEY)",
        f"CREATE TABLE c (id INT, FOREIGN KEY (id) REFERENCES {other}.p (id))",
        "CREATE VIEW v AS SELECT id FROM c",
        f"INSERT INTO {other}.p VALUES (1)",  # noqa: S608
    )
    try:
        database = read_database(address)
        assert edges(database.catalog) == [(f"{schema}.c", f"{other}.p")]
        assert database.tables[f"{other}.p"].num_rows == 1
        view = next(table for table in database.catalog.tables if table.kind == "view")
        assert view.name == f"{schema}.v"
        alone = read_catalog(address, selection=Selection(schemas=(schema,)))
        assert (alone.table_names, alone.left_out[0].touches) == (("c", "v"), ("c",))
        without = make_url(address).set(database="").render_as_string()
        chosen = read_catalog(without, selection=Selection(schemas=(schema, other)))
        assert edges(chosen) == edges(database.catalog)
    finally:
        run(address, f"DROP TABLE {schema}.c", f"DROP DATABASE {other}")


def test_a_server_without_a_database_in_its_address():
    run(MARIADB, "SELECT 1")
    bare = make_url(MARIADB).set(database="").render_as_string()
    with pytest.raises(SourceError, match="no schema `nowhere`"):
        read_catalog(bare, selection=Selection(schemas=("nowhere",)))
    run(POSTGRES, "SELECT 1")
    with pytest.raises(SourceError) as caught:
        read_catalog(make_url(POSTGRES).set(database="nowhere").render_as_string())
    assert 'database "nowhere" does not exist' in str(caught.value)

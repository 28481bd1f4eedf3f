"""What a server holds: schemas, partitions, views, rights."""

import uuid

import pytest
from sqlalchemy.engine import make_url
from tests.engine.servers import MARIADB, POSTGRES, fill, run, said

from warebench.catalog.read import read_catalog
from warebench.catalog.select import Selection
from warebench.engine.load import read_database
from warebench.errors import SourceError

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
        assert [(edge.downstream, edge.upstream) for edge in database.catalog.lineage] == [
            (f"{schema}.v", f"{schema}.c")
        ]
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

"""A small pool and questions about it, in both dialects, made without the track's own builder.

`shop` and `store` have the same tables and rows under two names, `clinic` shares a table's name with them,
and `archive` has no rows.
"""

import sqlite3
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import msgspec

from warebench.catalog.model import Catalog, Column, ForeignKey, Table
from warebench.engine.database import Database
from warebench.engine.run import Rows, database_file, run_pool
from warebench.questions.assemble import assemble, identify
from warebench.questions.model import Certificate, Question, QuestionSet, digest
from warebench.sql.labels import Labels, label
from warebench.sql.namespace import to_pool
from warebench.tracks.budget.comparison import derive_comparison
from warebench.tracks.budget.files import sqlite_file
from warebench.tracks.budget.gold import to_table
from warebench.tracks.budget.labelled import LABELS, QuestionLabels, encode_labels

CUSTOMERS = Table(
    name="customers",
    columns=(
        Column(name="id", type="INTEGER", nullable=False),
        Column(name="name", type="VARCHAR", description="full name\nof the customer"),
        Column(name="city", type="VARCHAR"),
    ),
    primary_key=("id",),
)
ORDERS = Table(
    name="order lines",
    columns=(
        Column(name="id", type="INTEGER", nullable=False),
        Column(name="customer_id", type="INTEGER"),
        Column(name="amount", type="DOUBLE"),
        Column(name="product", type="VARCHAR"),
    ),
    primary_key=("id",),
)
VISITS = Table(
    name="visits",
    columns=(
        Column(name="patient_id", type="INTEGER"),
        Column(name="day", type="INTEGER"),
        Column(name="diagnosis", type="VARCHAR"),
    ),
    primary_key=("patient_id", "day"),
)
PATIENTS = Table(
    name="customers",  # a clinic that says customer: a name that collides
    columns=(Column(name="id", type="INTEGER"), Column(name="insurance", type="VARCHAR")),
    primary_key=("id",),
)
KEY = ForeignKey(
    child="order lines", parent="customers", child_columns=("customer_id",), parent_columns=("id",)
)
CATALOGS = (
    Catalog(name="shop", tables=(CUSTOMERS, ORDERS), foreign_keys=(KEY,)),
    Catalog(name="store", tables=(CUSTOMERS, ORDERS), foreign_keys=(KEY,)),
    Catalog(
        name="clinic",
        tables=(PATIENTS, VISITS),
        foreign_keys=(
            ForeignKey(
                child="visits", parent="customers", child_columns=("patient_id",), parent_columns=("id",)
            ),
        ),
    ),
    Catalog(
        name="archive",
        tables=tuple(
            Table(name=f"box_{number}", columns=(Column(name="shelf"), Column(name=f"label_{number}")))
            for number in range(20)
        ),
    ),
)

CITIES = ("Rome", "Oslo", "Lima")
PRODUCTS = ("tea", "mug", "jar", "pan")
SHOP_ROWS = {
    "customers": [(number, f"N{number}", CITIES[number % 3]) for number in range(1, 31)],
    "order lines": [
        (number, 1 + number * 7 % 30, number * 1.5, PRODUCTS[number * number % 4]) for number in range(1, 91)
    ],
}
ROWS = {
    "shop": SHOP_ROWS,
    "store": SHOP_ROWS,
    "clinic": {
        "customers": [(number, f"I{number % 4}") for number in range(1, 21)],
        "visits": [(1 + number % 20, number, f"D{number % 5}") for number in range(60)],
    },
}

ASKED = (
    (
        "lookup",
        "shop",
        "How many customers live in Oslo?",
        "SELECT count(*) FROM customers WHERE city = 'Oslo'",
    ),
    (
        "lookup",
        "shop",
        "Which cities do the customers live in, in alphabetical order?",
        "SELECT DISTINCT city FROM customers ORDER BY city",
    ),
    (
        "join",
        "shop",
        "What is the total amount of the order lines of each city?",
        'SELECT c.city, sum(o.amount) FROM customers c JOIN "order lines" o ON o.customer_id = c.id'
        " GROUP BY c.city",
    ),
    (
        "nested",
        "clinic",
        "Which insurance do the customers with diagnosis D3 have?",
        "SELECT DISTINCT insurance FROM customers WHERE id IN"
        " (SELECT patient_id FROM visits WHERE diagnosis = 'D3')",
    ),
)


def sqlite_bytes(catalog, rows):
    """Return a SQLite file of some rows."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "made.sqlite"
        connection = sqlite3.connect(path)
        for table in catalog.tables:
            columns = ", ".join(f'"{column.name}" {column.type}' for column in table.columns)
            connection.execute(f'CREATE TABLE "{table.name}" ({columns})')
            marks = ", ".join("?" * len(table.columns))
            connection.executemany(f'INSERT INTO "{table.name}" VALUES ({marks})', rows[table.name])  # noqa: S608
        connection.commit()
        connection.close()
        return path.read_bytes()


def database(catalog, rows):
    """Return a database in memory of some rows."""
    connection = duckdb.connect()
    tables = {}
    for table in catalog.tables:
        columns = ", ".join(f'"{column.name}" {column.type}' for column in table.columns)
        connection.execute(f'CREATE TABLE "{table.name}" ({columns})')
        marks = ", ".join("?" * len(table.columns))
        connection.executemany(f'INSERT INTO "{table.name}" VALUES ({marks})', rows[table.name])  # noqa: S608
        tables[table.name] = connection.sql(f'FROM "{table.name}"').to_arrow_table()
    connection.close()
    return Database(catalog=catalog, tables=tables)


@cache
def mini_set(dialect="sqlite", asked=ASKED) -> QuestionSet:
    """Return the set."""
    by_name = {catalog.name: catalog for catalog in CATALOGS}
    databases = {name: database(by_name[name], rows) for name, rows in ROWS.items()}
    files = {sqlite_file(name): sqlite_bytes(by_name[name], rows) for name, rows in ROWS.items()}
    questions, labels = [], []
    with TemporaryDirectory() as folder:
        for name in ROWS:
            path = Path(folder) / name
            if dialect == "sqlite":
                path.write_bytes(files[sqlite_file(name)])
        for subtype, home, text, sql in asked:
            question, labelled = ask(subtype, by_name[home], text, sql, dialect, folder, databases)
            questions.append(question)
            labels.append(labelled)
    return assemble(
        track="budget",
        profile="mini",
        seed=0,
        parameters={"dialect": dialect},
        catalogs=CATALOGS,
        questions=questions,
        databases=databases if dialect == "duckdb" else {},
        files={LABELS: encode_labels(labels), **(files if dialect == "sqlite" else {})},
    )


def ask(subtype, catalog, text, sql, dialect, folder, databases):
    """Return a question with the executed gold, and its labels."""
    pooled = to_pool(sql, catalog, dialect)
    if dialect == "sqlite":
        rows = run_pool({catalog.name: Path(folder) / catalog.name}, pooled, dialect)
    else:
        with database_file(databases[catalog.name]) as path:
            rows = run_pool({catalog.name: path}, pooled, dialect)
    assert isinstance(rows, Rows), rows
    found = label(sql, catalog, dialect)
    assert isinstance(found, Labels), found
    gold = to_table(rows, ordered="ORDER BY" in sql)
    facets = {"tables": len(found.tables), "collisions": 1, "ordered": gold.ordered}
    question = make_question(subtype, catalog.name, text, gold, (sql, pooled), facets)
    comparison = derive_comparison(gold, sql, dialect)
    question = identify(msgspec.structs.replace(question, comparison=comparison))
    columns = tuple(
        msgspec.structs.replace(column, table=f"{catalog.name}.{column.table}") for column in found.columns
    )
    tables = tuple(f"{catalog.name}.{table}" for table in found.tables)
    return question, QuestionLabels(question=question.id, tables=tables, columns=columns)


def make_question(subtype, home, text, gold, queries, facets):
    """Return a question without its id; the queries are gold under its own names and those of the pool."""
    return Question(
        id="",
        pair_id="",
        track="budget",
        subtype=subtype,
        catalog=home,
        context=home,
        text=text,
        gold=gold,
        certificate=Certificate(
            method="mini",
            second_method="mini",
            parameters={"pool_sql": queries[1]},
            sql=queries[0],
            digest=digest(gold),
        ),
        difficulty="easy",
        path_difficulty="easy",
        fact=text,
        facets=facets,
    )

"""Small schemas the tests of composition share, and how composed templates are checked."""

import random

import pyarrow as pa

from warebench.catalog.model import Catalog, Column, ForeignKey, Table
from warebench.catalog.validate import validate
from warebench.engine.database import Database
from warebench.queries.bind import bind
from warebench.queries.prove import agree, prove
from warebench.queries.solve import join_rows


def database_of(tables: dict[str, dict], keys: list[tuple], name: str = "tiny") -> Database:
    """Return a database of columns by table; the first column is the primary key."""
    arrow = {table: pa.table(columns) for table, columns in tables.items()}
    catalog = Catalog(
        name=name,
        tables=tuple(
            Table(
                name=table,
                columns=tuple(Column(name=column) for column in columns),
                primary_key=tuple(columns)[:1],
            )
            for table, columns in tables.items()
        ),
        foreign_keys=tuple(
            ForeignKey(child=child, parent=parent, child_columns=tuple(own), parent_columns=tuple(other))
            for child, own, parent, other in keys
        ),
    )
    return Database(catalog=validate(catalog), tables=arrow)


def shop(parents: str = "customer", children: str = "order", label: str = "country") -> Database:
    """Return customers of six countries and their orders, under any names."""
    rng = chance(5)
    countries = ["Chile", "Ghana", "India", "Japan", "Kenya", "Malta"]
    return database_of(
        {
            parents: {
                "id": list(range(1, 31)),
                label: [countries[number % 6] for number in range(30)],
                "since": [1990 + number % 20 for number in range(30)],
                "age": [20 + number * 7 % 50 for number in range(30)],
            },
            children: {
                "id": list(range(1, 201)),
                "customer_id": [rng.choice([None, *range(1, 31)]) for _ in range(200)],
                "total": [round(rng.uniform(5, 90), 2) for _ in range(200)],
                "weight": [rng.choice([None, *range(1, 60)]) for _ in range(200)],
                "zip_code": [10000 + rng.randrange(900) for _ in range(200)],
                "status": [rng.choice(["open", "paid", "sent"]) for _ in range(200)],
                "constant": [1] * 200,
                "note": [f"the parcel was left at door {number} of the house" * 3 for number in range(200)],
            },
        },
        [(children, ["customer_id"], parents, ["id"])],
    )


def chance(seed: int = 1) -> random.Random:
    return random.Random(seed)  # noqa: S311 - repeatable


def check(database: Database, templates) -> int:
    """Return how many questions the templates bind; both interpreters answer each of them alike."""
    connection = database.connect()
    bounds = [
        bound
        for template in templates
        for bound in bind(template, join_rows(database, template.query), 4, chance())
    ]
    for bound in bounds:
        second = prove(connection, bound.template.query, bound.bindings)
        assert agree(bound.outcome, second), (bound.text, bound.outcome, second)
    connection.close()
    return len(bounds)

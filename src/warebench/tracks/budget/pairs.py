"""Questions with gold SQL about databases that come without: composed along their foreign keys."""

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import duckdb
import sqlglot
from msgspec.structs import replace
from sqlglot import exp

from warebench.catalog.model import Catalog
from warebench.engine.collection import Collection, Example, SqliteFile, Trouble, refuse_reserved
from warebench.engine.database import Database
from warebench.errors import GoldDisagreement, SourceError
from warebench.queries.bind import bind
from warebench.queries.compose import compose_set
from warebench.queries.fill import fill_sql
from warebench.queries.project import narrow
from warebench.queries.prove import agree
from warebench.queries.solve import join_rows
from warebench.queries.sql import to_sql
from warebench.queries.template import Template
from warebench.questions.model import Shortfall

Number = Literal[1, 2]


@dataclass(frozen=True, kw_only=True, slots=True)
class Pairs:
    """Examples of one database, and which subcategories lack some."""

    examples: tuple[Example, ...]
    shortfalls: tuple[Shortfall, ...]


def compose_pool(collection: Collection, seed: int) -> tuple[Collection, tuple[Shortfall, ...]]:
    """Return a collection with composed examples, and which kinds of them are missing.

    Its dialect is DuckDB, in which the operators are written: SQLite files are read into memory. A question
    names its database where another one has tables of the same names, and could be meant.

    Args:
        collection: Databases; examples of its own are dropped.
        seed: Of every random choice.

    Raises:
        GoldDisagreement: The two interpreters disagree on any answer.
        SourceError: A database has a name that DuckDB keeps for itself.
    """
    refuse_reserved((item.catalog.name for item in collection.databases), "duckdb")
    databases: list[Database] = []
    schemas: list[Catalog] = [*collection.schemas]
    troubles: list[Trouble] = [*collection.troubles]
    for item in collection.databases:
        try:
            databases.append(item.read() if isinstance(item, SqliteFile) else item)
        except SourceError as error:
            schemas.append(item.catalog)
            troubles.append(Trouble(where=item.catalog.name, kind="unreadable", reason=error.what))
    made = [compose_pairs(database, seed=seed) for database in databases]
    names = {item.catalog.name: _lower(item.catalog.table_names) for item in databases}
    names |= {schema.name: _lower(schema.table_names) for schema in schemas}
    composed = Collection(
        name=collection.name,
        dialect="duckdb",
        databases=tuple(databases),
        schemas=tuple(schemas),
        examples=tuple(_placed(example, names) for pairs in made for example in pairs.examples),
        troubles=tuple(troubles),
    )
    return composed, tuple(shortfall for pairs in made for shortfall in pairs.shortfalls)


def _placed(example: Example, tables: Mapping[str, frozenset[str]]) -> Example:
    """Return an example whose question says its database where another one has tables of the same names."""
    query = sqlglot.parse_one(example.sql, dialect="duckdb")
    read = _lower(table.name for table in query.find_all(exp.Table))
    if not any(read <= names for name, names in tables.items() if name != example.database):
        return example
    return replace(example, question=f"In the database `{example.database}`: {example.question}")


def _lower(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.lower() for name in names)


def compose_examples(
    database: Database, *, seed: int, per_subcategory: Number = 2, each: int = 1
) -> list[Example]:
    """Return the examples of `compose_pairs` for the bundled pool, whose numbers are told by their names."""
    return list(
        compose_pairs(database, seed=seed, per_subcategory=per_subcategory, each=each, by_name=True).examples
    )


def compose_pairs(
    database: Database, *, seed: int, per_subcategory: Number = 2, each: int = 1, by_name: bool = False
) -> Pairs:
    """Return questions with gold SQL about a database, in DuckDB's dialect.

    Every SQL is executed on the rows and gives what the Python interpreter finds.

    Args:
        database: Catalog and rows.
        seed: Of every random choice; equal arguments give equal examples.
        per_subcategory: Templates of each of the seven subcategories.
        each: Questions of each template.
        by_name: As for `compose_set`.

    Raises:
        GoldDisagreement: The two interpreters disagree on any answer.

    Source: TQA-Bench (arXiv 2411.19504), section II, the seven subcategories.
    """
    composed = compose_set(database, seed=seed, per_subcategory=per_subcategory, by_name=by_name)
    connection = database.connect()
    try:
        examples = [
            example
            for template in composed.templates
            for example in _examples(database, template, connection, seed, each)
        ]
    finally:
        connection.close()
    return Pairs(examples=tuple(examples), shortfalls=composed.shortfalls)


def _examples(
    database: Database, template: Template, connection: duckdb.DuckDBPyConnection, seed: int, each: int
) -> Iterator[Example]:
    rows = join_rows(narrow(database, template.query), template.query)
    rng = random.Random(f"{seed}:{template.name}")  # noqa: S311 - repeatable
    for number, bound in enumerate(bind(template, rows, each, rng), start=1):
        sql = fill_sql(to_sql(template.query), bound.bindings)
        found = connection.execute(sql).fetchall()
        if len(found) != 1 or not agree(bound.outcome, found[0][0]):
            raise GoldDisagreement(
                f"two methods disagree on {template.name}\n  question: {bound.text}\n"
                f"  python: {bound.outcome!r}\n  sql: {found!r}"
            )
        name = f"{template.name}-{number}" if each > 1 else template.name
        yield Example(id=name, database=database.catalog.name, question=bound.text, sql=sql)

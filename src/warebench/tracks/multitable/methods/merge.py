"""The tables a question needs as one: joined as the query that proves its answer joins them."""

from collections.abc import Mapping

import pyarrow as pa
import sqlglot
from sqlglot import exp

from warebench.catalog.model import Catalog, Column, Table
from warebench.engine.database import Database, quote
from warebench.errors import InternalError
from warebench.questions.model import Question


def merge(database: Database, question: Question) -> Database:
    """Return a database of one table, named after roles: `Airlines AS flight, Airports AS origin`.

    Its rows are the joined rows of the question's query before any filter, in the order of the tables, the
    first one's first; so the question has the same answer on it. Its columns are named `role.column`, so that
    none collide, and are of the same types: they are written as they are in the separate tables.

    Args:
        database: The instance the question is about.
        question: Its certificate holds the query.

    Reference: TQA-Bench, section IV-A (Experiment 1).
    """
    tree = sqlglot.parse_one(question.certificate.sql, dialect="duckdb")
    sources = _sources(tree)
    rows = _row_numbers(database, tree, tuple(sources))
    columns: dict[str, pa.ChunkedArray] = {}
    described: list[Column] = []
    tables = {table.name: table for table in database.catalog.tables}
    for role, numbers in rows.items():
        data = database.tables[sources[role]].take(numbers)
        for column in tables[sources[role]].columns:
            columns[f"{role}.{column.name}"] = data.column(column.name)
            described.append(Column(name=f"{role}.{column.name}", type=column.type))
    name = ", ".join(f"{table} AS {role}" for role, table in sources.items())
    catalog = Catalog(name=database.catalog.name, tables=(Table(name=name, columns=tuple(described)),))
    return Database(catalog=catalog, tables={name: pa.table(columns)})


def _sources(tree: exp.Expr) -> dict[str, str]:
    """Return table by role, in the order of the joins."""
    beginning = tree.find(exp.From)
    if beginning is None:
        raise InternalError(f"the certificate's query reads no table: {tree.sql('duckdb')}")
    joined = [beginning.this, *(join.this for join in tree.args.get("joins") or [])]
    return {table.alias_or_name: table.name for table in joined}


def _row_numbers(database: Database, tree: exp.Expr, roles: tuple[str, ...]) -> Mapping[str, pa.Array]:
    """Return for each role the numbers of its table's rows, parallel to the joined rows."""
    beginning = tree.find(exp.From)
    joins = [join.sql("duckdb") for join in tree.args.get("joins") or []]
    wanted = ", ".join(f"{quote(role)}.rowid AS {quote(role)}" for role in roles)
    order = ", ".join(f"{quote(role)}.rowid" for role in roles)
    body = " ".join([beginning.sql("duckdb") if beginning else "", *joins])
    connection = database.connect()
    try:
        found = connection.sql(f"SELECT {wanted} {body} ORDER BY {order}").to_arrow_table()
    finally:
        connection.close()
    return {role: found.column(number) for number, role in enumerate(roles)}

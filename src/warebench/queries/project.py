"""The part of a database that a query reads: joined rows copy every column many times."""

from collections.abc import Mapping

from warebench.engine.database import Database
from warebench.queries.model import Query


def narrow(database: Database, query: Query) -> Database:
    """Return the tables of a query with the columns that it reads."""
    return project(database, needed(query))


def project(database: Database, columns: Mapping[str, set[str]]) -> Database:
    """Return the tables with some of their columns; other tables are left out.

    Args:
        database: Catalog and rows.
        columns: Columns by table. Of a table without any its first stays, so that its rows can be counted.
    """
    tables = {}
    for name, wanted in columns.items():
        names = database.tables[name].column_names
        tables[name] = database.tables[name].select([c for c in names if c in wanted] or names[:1])
    return Database(catalog=database.catalog, tables=tables)


def needed(query: Query) -> dict[str, set[str]]:
    """Return the columns a query reads, by table."""
    sources = query.sources
    found: dict[str, set[str]] = {table: set() for table in sources.values()}
    for join in query.joins:
        found[join.table].update(right for _, right in join.on)
    for column in (*(left for join in query.joins for left, _ in join.on), *query.columns):
        alias, _, name = column.partition(".")
        found[sources[alias]].add(name)
    return found

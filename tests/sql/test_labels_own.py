"""Labels of our own DuckDB gold: what the SQL was made from is known without reading it."""

import pytest

from warebench.catalog.model import Catalog, Column, Table
from warebench.queries.model import Query, wanted_columns
from warebench.queries.sql import to_sql
from warebench.sql.labels import Labels, label
from warebench.sql.namespace import build_pool, read_prediction, to_home, to_pool
from warebench.worlds.questions import library

QUERIES = [(name, template.query) for name, templates in library().items() for template in templates]


def columns_by_role(query: Query) -> dict[str, set[tuple[str, str]]]:
    joins = [
        pair for join in query.joins for own, other in join.on for pair in (own, f"{join.alias}.{other}")
    ]
    filters = [item.column for item in query.filters]
    return {
        "join": {stored(query, column) for column in joins},
        "filter": {stored(query, column) for column in filters},
        "all": {stored(query, column) for column in [*joins, *filters, *wanted_columns(query.want)]},
    }


def stored(query: Query, column: str) -> tuple[str, str]:
    alias, _, name = column.partition(".")
    return query.sources[alias], name


def catalog_of(name: str) -> Catalog:
    """Return a catalog of all that the database's templates use, with a column more in each table."""
    tables: dict[str, set[str]] = {}
    for database, query in QUERIES:
        if database == name:
            for table in query.sources.values():
                tables.setdefault(table, {"not used"})
            for table, column in columns_by_role(query)["all"]:
                tables[table].add(column)
    return Catalog(
        name=name,
        tables=tuple(
            Table(name=table, columns=tuple(Column(name=column) for column in sorted(columns)))
            for table, columns in sorted(tables.items())
        ),
    )


@pytest.mark.parametrize("name", list(library()))
def test_labels_are_what_the_sql_was_made_from(name):
    catalog = catalog_of(name)
    pool = build_pool([catalog])
    for query in (query for database, query in QUERIES if database == name):
        sql = to_sql(query)
        labels = label(sql, catalog, "duckdb")
        assert isinstance(labels, Labels), labels
        known = columns_by_role(query)
        assert set(labels.tables) == set(query.sources.values())
        assert labels.column_names == known["all"]
        assert {(c.table, c.column) for c in labels.columns if "join" in c.roles} == known["join"]
        assert {(c.table, c.column) for c in labels.columns if "filter" in c.roles} >= known["filter"]
        pooled = to_pool(sql, catalog, "duckdb")
        assert tuple(table.table for table in read_prediction(pooled, pool, "duckdb").tables) == labels.tables
        assert label(to_home(pooled, name, "duckdb"), catalog, "duckdb") == labels

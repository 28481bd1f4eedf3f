"""Whether the templates written for a database of the paper fit a database."""

from warebench.catalog.model import Catalog
from warebench.engine.database import Database
from warebench.queries.model import Count, Join, Query, Top, Value, wanted_columns
from warebench.queries.template import Template
from warebench.tracks.multitable.serialise.cells import is_number
from warebench.worlds.questions import library


def find_templates(database: Database) -> tuple[Template, ...]:
    """Return the hand-written templates of a database of the paper, or none where they do not fit.

    They fit a database of the same name with every table and column they read, spelled alike, every foreign
    key they follow, to a primary key, and numbers in every column they add up.
    """
    templates = library().get(database.catalog.name, ())
    return templates if all(_fits(database, template.query) for template in templates) else ()


def _fits(database: Database, query: Query) -> bool:
    if not set(query.sources.values()) <= set(database.catalog.table_names):
        return False
    kinds = {
        f"{alias}.{field.name}": field.type
        for alias, table in query.sources.items()
        for field in database.tables[table].schema
    }
    want = query.want.by if isinstance(query.want, Top) else query.want
    measured = () if isinstance(want, Value | Count) else wanted_columns(want)
    return (
        set(query.columns) <= set(kinds)
        and all(is_number(kinds[column]) for column in measured)
        and all(_follows_key(database.catalog, query, join) for join in query.joins)
    )


def _follows_key(catalog: Catalog, query: Query, join: Join) -> bool:
    lefts = [left.partition(".") for left, _ in join.on]
    pairs = {(column, right) for (_, _, column), (_, right) in zip(lefts, join.on, strict=True)}
    primary = next(table.primary_key for table in catalog.tables if table.name == join.table)
    return {right for _, right in pairs} == set(primary) and any(
        key.child == query.sources[lefts[0][0]]
        and key.parent == join.table
        and set(zip(key.child_columns, key.parent_columns, strict=True)) == pairs
        for key in catalog.foreign_keys
    )

"""Labels of one query, and how many of many queries can be labelled."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec
from sqlglot import exp

from warebench.catalog.model import Catalog
from warebench.sql.labels.index import CatalogIndex
from warebench.sql.labels.lookup import Unresolved
from warebench.sql.labels.model import ROLES, ColumnLabel, Dialect, Labels, Unlabelled
from warebench.sql.labels.parse import parse_query
from warebench.sql.labels.resolve import resolve_query
from warebench.sql.labels.walk import Walk


def label(sql: str, catalog: Catalog, dialect: Dialect) -> Labels | Unlabelled:
    """Return the tables and columns a query reads, with roles.

    Roles are read through derived tables: a filter on a column of a subquery is a filter on the stored
    columns that column is made of. HAVING filters. A comparison in ON that ties two relations joins, and so
    do USING, NATURAL and an equality of two columns of different relations in WHERE (a comma join or a
    correlated subquery); a condition on one relation filters wherever it stands. PARTITION BY groups.
    Common table expressions that nothing reads do not count, and `rowid` is the integer primary key where
    there is one, else no column.

    Args:
        sql: One query.
        catalog: The one database it is asked of.
        dialect: Whose rules resolve names.

    Source: BudgetSchemaBench (arXiv 2610.00092), section 3, relevance labels.
    """
    query = parse_query(sql, dialect)
    if isinstance(query, Unlabelled):
        return query
    walk = resolve_parsed(query, CatalogIndex(catalog), dialect)
    return walk if isinstance(walk, Unlabelled) else _labels(walk)


def resolve_parsed(query: exp.Expr, index: CatalogIndex, dialect: Dialect) -> Walk | Unlabelled:
    """Return all that one pass over a parsed query finds, or why there is nothing."""
    walk = Walk(index=index, dialect=dialect)
    try:
        resolve_query(query, None, walk)
    except Unresolved as error:
        return error.why
    except RecursionError:
        return Unlabelled(reason="unsupported", detail="nested too deeply")
    return walk


def _labels(walk: Walk) -> Labels:
    roles: dict[tuple[str, str], set[str]] = {}
    for base, role in walk.uses:
        roles.setdefault(base, set()).add(role)
    columns = (
        ColumnLabel(table=table, column=column, roles=tuple(role for role in ROLES if role in found))
        for (table, column), found in roles.items()
    )
    return Labels(tables=tuple(sorted(walk.tables)), columns=tuple(sorted(columns)))


class Example(NamedTuple):
    """A gold query and the database it is for."""

    name: str
    database: str
    sql: str


class Gap(msgspec.Struct, frozen=True, kw_only=True):
    """A gold query without labels."""

    example: str
    why: Unlabelled


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """How many gold queries could be labelled."""

    examples: int
    gaps: tuple[Gap, ...]

    @property
    def share(self) -> float:
        """Share of examples with labels; NaN without examples."""
        return 1 - len(self.gaps) / self.examples if self.examples else float("nan")


def coverage(
    examples: Iterable[Example], catalogs: Mapping[str, Catalog], dialect: Dialect = "sqlite"
) -> Coverage:
    """Return how many gold queries could be labelled, and why the others could not.

    Args:
        examples: Gold queries.
        catalogs: Catalogs by database; an example of a database without catalog is a gap.
        dialect: Whose rules resolve names.

    Source: BudgetSchemaBench (arXiv 2610.00092), section 3, the parser-coverage gate.
    """
    count, gaps = 0, []
    for example in examples:
        count += 1
        catalog = catalogs.get(example.database)
        found = (
            Unlabelled(reason="unknown_table", detail=f"no catalog of database {example.database}")
            if catalog is None
            else label(example.sql, catalog, dialect)
        )
        if isinstance(found, Unlabelled):
            gaps.append(Gap(example=example.name, why=found))
    return Coverage(examples=count, gaps=tuple(gaps))

"""SQL moved between a database's own file, the pool, and the pool without prefixes."""

from sqlglot import exp

from warebench.catalog.model import Catalog
from warebench.engine.database import quote
from warebench.errors import BuildError
from warebench.sql.labels.index import CatalogIndex
from warebench.sql.labels.model import Dialect, Unlabelled
from warebench.sql.labels.parse import parse_query
from warebench.sql.labels.sources import base_tables
from warebench.sql.namespace.edit import Edit, rename, splice, unqualify
from warebench.sql.namespace.pool import BareNames, PooledTable


def to_pool(sql: str, catalog: Catalog, dialect: Dialect) -> str:
    """Return gold with each stored table under its pool name `"database"."table"`, nothing else changed.

    Args:
        sql: Gold of one database.
        catalog: That database; its name is the database of the pool.
        dialect: Whose rules read the query.

    Raises:
        BuildError: The query cannot be read, or names a table the catalog lacks.
    """
    query = _parsed(sql, dialect, catalog.name)
    index = CatalogIndex(catalog)
    references = base_tables(query, dialect)
    edits = unqualify(query, ["main", catalog.name, *(reference.text("db") for reference in references)])
    for reference in references:
        table = index.find(reference.text("db"), reference.name)
        if table is None:
            raise BuildError(
                f"gold reads a table the catalog lacks: {reference.sql(dialect=dialect)}",
                where=f"database {catalog.name}: {sql}",
                fix="leave this question out, or give the catalog of its database",
            )
        edits += rename(reference, pool_name(PooledTable(catalog.name, table.name)), keep=True)
    return splice(sql, edits)


def to_home(sql: str, database: str, dialect: Dialect) -> str:
    """Return a query of the pool without the name of one database: it then runs on that database's own file.

    Other databases keep their names; text that is no query comes back as it is. Where a common table
    expression has a stored table's name, the table is called `"main"."table"`.

    Args:
        sql: A query with pool names.
        database: The one whose name is taken off.
        dialect: Whose rules read the query.
    """
    query = parse_query(sql, dialect)
    if isinstance(query, Unlabelled):
        return sql
    hidden = {cte.alias.lower() for cte in query.find_all(exp.CTE)}
    edits: list[Edit] = []
    for reference in base_tables(query, dialect):
        if database_of(reference).lower() == database.lower():
            main = '"main".' if reference.name.lower() in hidden else ""
            edits += rename(reference, main + quote(reference.name), keep=False)
    return splice(sql, [*edits, *unqualify(query, [database])])


def from_bare(sql: str, names: BareNames, dialect: Dialect) -> str:
    """Return a query of the unprefixed mode with pool names; names the mode does not know stay as they are.

    Args:
        sql: A prediction; text that is no query comes back as it is.
        names: The names of the mode.
        dialect: Whose rules read the query.

    Source: BudgetSchemaBench (arXiv 2610.00092), appendix A: predictions are translated back before scoring.
    """
    query = parse_query(sql, dialect)
    if isinstance(query, Unlabelled):
        return sql
    edits = [
        edit
        for reference in base_tables(query, dialect)
        if not reference.text("db") and (pooled := names.by_name.get(reference.name.lower()))
        for edit in rename(reference, pool_name(pooled), keep=True)
    ]
    return splice(sql, edits)


def to_bare(sql: str, names: BareNames, dialect: Dialect) -> str:
    """Return gold as `to_pool` gives it in the names of the unprefixed mode; `from_bare` takes it back.

    Raises:
        BuildError: The query cannot be read, or reads a table that has no bare name.
    """
    query = _parsed(sql, dialect, "the pool")
    references = base_tables(query, dialect)
    edits = unqualify(query, map(database_of, references))
    for reference in references:
        pooled = PooledTable(database_of(reference), reference.name)
        if pooled not in names.by_table:
            raise BuildError(
                f"no bare name for {'.'.join(pooled)}", where=sql, fix="rewrite gold by `to_pool`"
            )
        edits += rename(reference, quote(names.by_table[pooled]), keep=True)
    return splice(sql, edits)


def pool_name(pooled: PooledTable) -> str:
    """Return `"database"."table"`."""
    return f"{quote(pooled.database)}.{quote(pooled.table)}"


def database_of(reference: exp.Table) -> str:
    """Return the database a table reference names: `d.t`, and DuckDB's `d.main.t`; empty for a bare name."""
    schema, catalog = reference.text("db"), reference.text("catalog")
    if catalog:
        return catalog if schema.lower() == "main" else ""
    return schema


def _parsed(sql: str, dialect: Dialect, where: str) -> exp.Expr:
    query = parse_query(sql, dialect)
    if isinstance(query, Unlabelled):
        raise BuildError(
            f"gold is not one readable query ({query.reason}: {query.detail})",
            where=f"database {where}: {sql}",
            fix="leave this question out",
        )
    return query

"""Read catalog and rows of a DuckDB database file."""

from collections.abc import Sequence
from pathlib import Path

import duckdb

from warebench.catalog.model import Column, Table
from warebench.catalog.read import read_catalog
from warebench.catalog.readers.duckdb import LOCKED, TABLES
from warebench.engine.database import quote
from warebench.engine.readers.cells import IN_UTC
from warebench.engine.readers.model import Cells, Reading, Wanted, keep_readable, select_tables

PLAIN = (
    "BIGINT",
    "BLOB",
    "BOOLEAN",
    "DOUBLE",
    "FLOAT",
    "INTEGER",
    "SMALLINT",
    "TIME",
    "TINYINT",
    "UBIGINT",
    "UINTEGER",
    "USMALLINT",
    "UTINYINT",
    "VARCHAR",
)
"""Types that Arrow and Python hold as they are, DECIMAL besides."""

CALENDAR = "{0} IS NULL OR (isfinite({0}) AND year({0}) BETWEEN 1 AND 9999)"
NARROWER: dict[str, tuple[str, str]] = {
    "HUGEINT": ("DECIMAL(38,0)", "{0} IS NULL OR TRY_CAST({0} AS DECIMAL(38,0)) IS NOT NULL"),
    "UHUGEINT": ("DECIMAL(38,0)", "{0} IS NULL OR TRY_CAST({0} AS DECIMAL(38,0)) IS NOT NULL"),
    "DATE": ("DATE", CALENDAR),
    "TIMESTAMP": ("TIMESTAMP", CALENDAR),
    "TIMESTAMP_S": ("TIMESTAMP", CALENDAR),
    "TIMESTAMP_MS": ("TIMESTAMP", CALENDAR),
    "TIMESTAMP_NS": ("TIMESTAMP", "{0} IS NULL OR (isfinite({0}) AND epoch_ns({0}) % 1000 = 0)"),
    "TIMESTAMP WITH TIME ZONE": ("TIMESTAMP", CALENDAR),
}
"""Type -> the type it is read as, and what must hold of every cell; text where it does not hold."""


def read(source: Path, wanted: Wanted) -> Reading:
    """Return the tables of every schema of a DuckDB file, rows in the order they are stored.

    Numbers, text, booleans, blobs, dates and times keep their type. HUGEINT becomes DECIMAL(38,0), times with
    a zone are given in UTC, and what Arrow or Python cannot hold exactly (nested values, intervals, UUID,
    dates outside the years 1 to 9999) becomes DuckDB's own text; a remark says so.

    Args:
        source: The file, opened read-only.
        wanted: Name, tables, rows.

    Raises:
        SourceError: The file is missing, torn, encrypted or locked.
        CatalogError: The catalog contradicts itself.
    """
    catalog = select_tables(
        read_catalog(source, reader="duckdb", name=wanted.name or None), wanted, source.name
    )
    columns: dict[str, Sequence[Cells]] = {}
    cut: set[str] = set()
    lost: dict[str, str] = {}
    with duckdb.connect(str(source), read_only=True, config=LOCKED) as database:
        places = _places(database)
        for table in catalog.tables:
            origin = places[table.name]
            try:
                columns[table.name] = _columns(database, table, origin, wanted.max_rows)
            except duckdb.Error as error:
                lost[table.name] = f"DuckDB cannot read it: {str(error).splitlines()[0]}"
                continue
            if wanted.max_rows is not None and _count(database, origin) > wanted.max_rows:
                cut.add(table.name)
    return Reading(catalog=keep_readable(catalog, lost, source.name), columns=columns, cut=frozenset(cut))


def _places(database: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return each table's quoted place by its catalog name, which holds the schema if there are several."""
    found = database.execute(TABLES).fetchall()
    several = len({schema for schema, _ in found}) > 1
    return {
        f"{schema}.{table}" if several else table: f"{quote(schema)}.{quote(table)}"
        for schema, table in found
    }


def _count(database: duckdb.DuckDBPyConnection, origin: str) -> int:
    ((count,),) = database.execute(f"SELECT count(*) FROM {origin}").fetchall()  # noqa: S608 - quoted
    return int(count)


def _columns(database: duckdb.DuckDBPyConnection, table: Table, origin: str, most: int | None) -> list[Cells]:
    limit = "" if most is None else f" LIMIT {most:d}"
    chosen = [_choose(database, column, origin) for column in table.columns]
    casts = ", ".join(expression for expression, _, _ in chosen)
    rows = database.sql(f"SELECT {casts} FROM {origin}{limit}").to_arrow_table()  # noqa: S608 - quoted
    return [
        Cells(values=values, type=kind, remark=remark)
        for values, (_, kind, remark) in zip(rows.columns, chosen, strict=True)
    ]


def _choose(database: duckdb.DuckDBPyConnection, column: Column, origin: str) -> tuple[str, str, str]:
    """Return how to select a column, the type it gets where that is another, and the remark."""
    name, declared = quote(column.name), column.type.upper()
    if declared in PLAIN or declared.startswith("DECIMAL("):
        return name, "", ""
    if declared not in NARROWER:
        return f"CAST({name} AS VARCHAR)", "VARCHAR", f"{column.type} read as text"
    narrower, condition = NARROWER[declared]
    test = f"SELECT coalesce(bool_and({condition.format(name)}), true) FROM {origin}"  # noqa: S608 - quoted
    ((fits,),) = database.execute(test).fetchall()
    if not fits:
        return f"CAST({name} AS VARCHAR)", "VARCHAR", f"{column.type} read as text: out of range"
    changed = "" if narrower == declared else narrower
    if declared.endswith("ZONE"):
        return f"timezone('UTC', {name})", changed, IN_UTC
    return f"CAST({name} AS {narrower})", changed, ""

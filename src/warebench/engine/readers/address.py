"""Read catalog and rows of a database server at a SQLAlchemy address."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.sql.elements import quoted_name

from warebench.catalog.model import Column, Table
from warebench.catalog.readers.address import Place, open_address, reflect, refusals
from warebench.engine.readers.cells import fit
from warebench.engine.readers.model import Cells, Reading, Remark, Wanted, select_tables


def read(source: str, wanted: Wanted) -> Reading:
    """Return the tables of the default schema of a database server, rows in the order of their primary key.

    Tables without a primary key come in the order of all their columns, so that the same data give the same
    database. Views are not tables. Cells are fitted like any others (`cells.fit`): arrays, JSON, UUID and
    intervals become text, and a remark says so.

    Args:
        source: A SQLAlchemy address, see `warebench.catalog.readers.address.read`.
        wanted: Name, tables, rows.

    Raises:
        SourceError: The address is wrong, the server does not answer or refuses, or there is no table.
        MissingExtra: The driver is not installed.
        CatalogError: The catalog contradicts itself.
    """
    with open_address(source) as place:
        return _read(place, wanted)


def _read(place: Place, wanted: Wanted) -> Reading:
    catalog, left = reflect(place, wanted.name)
    catalog = select_tables(catalog, wanted, place.words)
    columns: dict[str, Sequence[Cells]] = {}
    cut: set[str] = set()
    for table in catalog.tables:
        with refusals(f"{place.words}, table {table.name}"):
            rows = _rows(place.connection, table, wanted.max_rows)
        if wanted.max_rows is not None and len(rows) > wanted.max_rows:
            cut.add(table.name)
            rows = rows[:-1]
        values = zip(*rows, strict=True) if rows else [()] * len(table.columns)
        columns[table.name] = [
            fit(cells, column.type) for column, cells in zip(table.columns, values, strict=True)
        ]
    # A whole schema's remarks also name the tables that had to be left out.
    kept = tuple(
        Remark(table=item.table, what=item.what)
        for item in left
        if wanted.tables is None or item.table in catalog.table_names
    )
    return Reading(catalog=catalog, columns=columns, cut=frozenset(cut), remarks=kept)


def _rows(connection: Connection, table: Table, most: int | None) -> Sequence[Sequence[Any]]:
    columns: dict[str, sa.ColumnClause[Any]] = {
        column.name: sa.column(quoted_name(column.name, quote=True)) for column in table.columns
    }
    statement = sa.select(*columns.values()).select_from(sa.table(quoted_name(table.name, quote=True)))
    order = table.primary_key or tuple(column.name for column in table.columns if _sortable(column))
    statement = statement.order_by(*(columns[name] for name in order))
    if most is not None:
        statement = statement.limit(most + 1)
    return connection.execute(statement).fetchall()


def _sortable(column: Column) -> bool:
    """Return whether any server can order by a column of this type."""
    known = ("INT", "NUM", "DEC", "REAL", "FLOAT", "DOUBLE", "CHAR", "TEXT", "DATE", "TIME", "BOOL")
    return any(word in column.type.upper() for word in known)

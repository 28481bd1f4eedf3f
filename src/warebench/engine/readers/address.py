"""Read catalog and rows of a database server at a SQLAlchemy address."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.sql.elements import quoted_name

from warebench.catalog.model import Column, Table
from warebench.catalog.readers.address import Place, open_address, reflect, refusals
from warebench.engine.readers.cells import IN_UTC, fit
from warebench.engine.readers.model import Cells, Reading, Remark, Wanted, select_tables

MARIADB = ("mysql", "mariadb")


def read(source: str, wanted: Wanted) -> Reading:
    """Return the tables of the default schema of a database server, rows in the order of their primary key.

    Tables without a primary key come in the order of all their columns. Texts are ordered byte by byte, and
    what is missing comes first, so that the same data give the same database whatever the server's collation.
    Views are not tables. PostgreSQL's CHAR loses the blanks that fill it up, which mean nothing there.
    Cells are fitted like any others (`cells.fit`): arrays, JSON, UUID and intervals become text, and so do
    moments outside the years 1 to 9999; times with a zone, and MariaDB's TIMESTAMP, are given in UTC.
    A remark says so.

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
            rows, spelled = _read_rows(place.connection, table, wanted.max_rows)
        if wanted.max_rows is not None and len(rows) > wanted.max_rows:
            cut.add(table.name)
            rows = rows[:-1]
        values = zip(*rows, strict=True) if rows else [()] * len(table.columns)
        columns[table.name] = [
            _fit(cells, column, place.connection.dialect.name, spelled)
            for column, cells in zip(table.columns, values, strict=True)
        ]
    # A whole schema's remarks also name the tables that had to be left out.
    kept = tuple(
        Remark(table=item.table, what=item.what)
        for item in left
        if wanted.tables is None or item.table in catalog.table_names
    )
    return Reading(catalog=catalog, columns=columns, cut=frozenset(cut), remarks=kept)


def _fit(values: Sequence[Any], column: Column, dialect: str, spelled: frozenset[str]) -> Cells:
    kind = column.type.upper()
    if dialect in MARIADB and kind.startswith("FLOAT"):
        # The shortest number that reads as the server's single, as PostgreSQL gives it.
        values = [float(str(np.float32(value))) if type(value) is float else value for value in values]
    cells = fit(values, column.type)
    if column.name in spelled and pa.types.is_string(cells.values.type):
        return replace(cells, type="VARCHAR", remark=f"{column.type} read as text: out of range")
    if dialect in MARIADB and kind.startswith("TIMESTAMP") and not cells.remark:
        return replace(cells, remark=IN_UTC)
    return cells


def _read_rows(
    connection: Connection, table: Table, most: int | None
) -> tuple[Sequence[Sequence[Any]], frozenset[str]]:
    """Return the rows, and the columns that come as the server spells them: some moment of them is too far.

    PostgreSQL knows infinity, years before 1 and beyond 9999, and 24:00; Python does not.
    """
    try:
        return _rows(connection, table, most, frozenset()), frozenset()
    except sa.exc.DataError:
        moments = frozenset(
            column.name
            for column in table.columns
            if any(word in column.type.upper() for word in ("DATE", "TIME", "INTERVAL"))
        )
        return _rows(connection, table, most, moments), moments


def _rows(
    connection: Connection, table: Table, most: int | None, spelled: frozenset[str]
) -> Sequence[Sequence[Any]]:
    dialect = connection.dialect.name
    statement = sa.select(*(_cell(column, dialect, spelled) for column in table.columns))
    statement = statement.select_from(sa.table(quoted_name(table.name, quote=True)))
    order = table.primary_key or tuple(column.name for column in table.columns if _sortable(column))
    columns = {column.name: column for column in table.columns}
    statement = statement.order_by(*(_place(columns[name], dialect) for name in order))
    if most is not None:
        statement = statement.limit(most + 1)
    return connection.execute(statement).fetchall()


def _cell(column: Column, dialect: str, spelled: frozenset[str]) -> sa.ColumnElement[Any]:
    cell: sa.ColumnElement[Any] = sa.column(quoted_name(column.name, quote=True))
    if dialect in MARIADB and column.type.upper().startswith("FLOAT"):
        return sa.cast(cell, sa.Double).label(column.name)  # as it is, FLOAT comes with six digits
    padded = dialect == "postgresql" and column.type.upper().startswith(("CHAR", "BPCHAR"))
    return sa.cast(cell, sa.Text).label(column.name) if padded or column.name in spelled else cell


def _place(column: Column, dialect: str) -> sa.ColumnElement[Any]:
    """Return what rows are ordered by: texts byte by byte, what is missing first."""
    cell: sa.ColumnElement[Any] = sa.column(quoted_name(column.name, quote=True))
    text = any(word in column.type.upper() for word in ("CHAR", "TEXT"))
    if dialect == "postgresql":
        return (sa.cast(cell, sa.Text).collate("C") if text else cell).nulls_first()
    if dialect in MARIADB and text:
        return sa.cast(cell, sa.BINARY)
    return cell


def _sortable(column: Column) -> bool:
    """Return whether any server can order by a column of this type."""
    if column.type.upper().endswith("POINT"):
        return False
    known = ("INT", "NUM", "DEC", "REAL", "FLOAT", "DOUBLE", "CHAR", "TEXT", "DATE", "TIME", "BOOL")
    return any(word in column.type.upper() for word in known)

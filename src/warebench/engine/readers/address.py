"""Read catalog and rows of a database server at a SQLAlchemy address."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.sql.elements import quoted_name

from warebench.catalog.model import Column, Table
from warebench.catalog.readers.address import Place, first_line, guard, open_address, reflect
from warebench.catalog.readers.server import Owner
from warebench.engine.readers.cells import IN_UTC, fit, join
from warebench.engine.readers.model import Cells, Reading, Wanted, keep_readable, select_tables

MARIADB = ("mysql", "mariadb")
BATCH = 20_000
"""Rows fetched at a time."""


def read(source: str, wanted: Wanted) -> Reading:
    """Return the tables and views of a database server, rows in the order of their primary key.

    Tables without a primary key come in the order of all their columns. Texts are ordered byte by byte, and
    what is missing comes first, so that the same data give the same database whatever the server's collation.
    A table that may not be read is left out. PostgreSQL's CHAR loses the blanks that fill it up, which mean
    nothing there.
    Cells are fitted like any others (`cells.fit`): arrays, JSON, UUID and intervals become text, and so do
    moments outside the years 1 to 9999; times with a zone, and MariaDB's TIMESTAMP, are given in UTC.
    A remark says so.

    Args:
        source: A SQLAlchemy address, see `warebench.catalog.readers.address.read`.
        wanted: Name, tables, rows.

    Raises:
        SourceError: The address is wrong, the server does not answer or refuses, or there is no table.
        MissingExtra: The driver is not installed.
    """
    with open_address(source) as place:
        return _read(place, wanted)


def _read(place: Place, wanted: Wanted) -> Reading:
    reflection = reflect(place, wanted.name, wanted.selection.schemas)
    chosen = replace(wanted, selection=msgspec.structs.replace(wanted.selection, schemas=()))
    catalog = select_tables(reflection.catalog, chosen, place.words)
    columns: dict[str, Sequence[Cells]] = {}
    cut: set[str] = set()
    lost: dict[str, str] = {}
    for table in catalog.tables:
        try:
            cells = _read_table(place.connection, table, reflection.places[table.name], wanted.max_rows)
        except sa.exc.SQLAlchemyError as error:
            lost[table.name] = f"the server refuses: {first_line(error)}"
            continue
        if wanted.max_rows is not None and len(cells[0].values) > wanted.max_rows:
            cut.add(table.name)
            cells = [replace(each, values=each.values.slice(0, wanted.max_rows)) for each in cells]
        columns[table.name] = cells
    return Reading(catalog=keep_readable(catalog, lost, place.words), columns=columns, cut=frozenset(cut))


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


def _read_table(connection: Connection, table: Table, owner: Owner, most: int | None) -> list[Cells]:
    """Return the cells of every column; moments come as the server spells them where one is too far.

    PostgreSQL knows infinity, years before 1 and beyond 9999, and 24:00; Python does not.
    """
    try:
        with guard(connection):
            return _fetch(
                connection, table, _select(connection, table, owner, most, frozenset()), frozenset()
            )
    except sa.exc.DataError:
        moments = frozenset(
            column.name
            for column in table.columns
            if any(word in column.type.upper() for word in ("DATE", "TIME", "INTERVAL"))
        )
        if not moments:
            raise
        with guard(connection):
            return _fetch(connection, table, _select(connection, table, owner, most, moments), moments)


def _fetch(
    connection: Connection, table: Table, statement: sa.Select[Any], spelled: frozenset[str]
) -> list[Cells]:
    """Return the cells, fetched in batches: as Python objects a table takes many times its size.

    Where batches alone do not tell the type of a column, the table is fetched again at once.
    """
    dialect = connection.dialect.name
    batches: list[list[Cells]] = [[] for _ in table.columns]
    for rows in connection.execute(statement, execution_options={"yield_per": BATCH}).partitions():
        for column, cells, values in zip(table.columns, batches, zip(*rows, strict=True), strict=True):
            cells.append(_fit(values, column, dialect, spelled))
    if not batches[0]:
        return [fit((), column.type) for column in table.columns]
    joined = [join(cells) for cells in batches]
    known = [cells for cells in joined if cells is not None]
    if len(known) == len(joined):
        return known
    every = zip(*connection.execute(statement).fetchall(), strict=True)
    return [
        _fit(values, column, dialect, spelled) for column, values in zip(table.columns, every, strict=True)
    ]


def _select(
    connection: Connection, table: Table, owner: Owner, most: int | None, spelled: frozenset[str]
) -> sa.Select[Any]:
    dialect = connection.dialect.name
    statement = sa.select(*(_cell(column, dialect, spelled) for column in table.columns))
    statement = statement.select_from(_quoted(owner))
    order = table.primary_key or tuple(column.name for column in table.columns if _sortable(column))
    columns = {column.name: column for column in table.columns}
    statement = statement.order_by(*(_place(columns[name], dialect) for name in order))
    if most is not None:
        statement = statement.limit(most + 1)
    return statement


def _quoted(owner: Owner) -> sa.TableClause:
    schema, table = (quoted_name(part, quote=True) for part in owner)
    return sa.table(table, schema=schema)


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

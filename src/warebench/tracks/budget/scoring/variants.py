"""Perturbed databases: a query that is right for a reason is right on them too.

Each variant is written in two orders of rows: a gold query whose answer depends on it is tied there.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from warebench.catalog.model import Catalog, Table
from warebench.engine.database import Database, quote
from warebench.engine.run import write_file
from warebench.tracks.budget.pack import Numbers
from warebench.tracks.budget.scoring.perturb import Cells, plan

MOST_ROWS = 500_000
"""Of a database, all tables together; a larger one has no variants."""
ORDERS = ((1, "straight"), (-1, "backward"))


@dataclass(frozen=True, kw_only=True, slots=True)
class Variant:
    """One perturbed database, as two files."""

    straight: Path
    backward: Path
    """The same rows, each table's last one first."""


def vary_database(database: Database, number: int, folder: Path) -> Variant | None:
    """Return a variant of a database in memory, as DuckDB files; None where it is too large.

    Args:
        database: Catalog and rows.
        number: Which variant.
        folder: Where its files go.
    """
    if database.rows > MOST_ROWS:
        return None
    read = {
        name: {column: rows[column].to_pylist() for column in rows.column_names}
        for name, rows in database.tables.items()
    }
    cells = plan(database.catalog, read, _seed(database.catalog, number))
    paths = []
    for step, suffix in ORDERS:
        tables = {
            name: pa.Table.from_arrays(
                [rows[column].take(pa.array(cells[name][column][::step])) for column in rows.column_names],
                schema=rows.schema,
            )
            for name, rows in database.tables.items()
        }
        paths.append(folder / f"{number}-{suffix}.duckdb")
        write_file(Database(catalog=database.catalog, tables=tables), paths[-1])
    return Variant(straight=paths[0], backward=paths[1])


def vary_file(source: Path, catalog: Catalog, number: int, folder: Path) -> Variant | None:
    """Return a variant of a SQLite file; None where it is too large, or cannot be read.

    Types are declared as in the source; keys, collations and indexes are not.

    Args:
        source: The file; its bytes stay.
        catalog: Its tables.
        number: Which variant.
        folder: Where the variant's files go.
    """
    try:
        cells = _read(source, catalog)
        return None if cells is None else _write_both(catalog, cells, number, folder)
    except sqlite3.Error:
        return None


def _write_both(catalog: Catalog, cells: Cells, number: int, folder: Path) -> Variant:
    places = plan(catalog, cells, _seed(catalog, number))
    paths = []
    for step, suffix in ORDERS:
        paths.append(folder / f"{number}-{suffix}.sqlite")
        with closing(sqlite3.connect(paths[-1])) as connection, connection:
            for table in catalog.tables:
                _write(connection, table, cells[table.name], places[table.name], step)
    return Variant(straight=paths[0], backward=paths[1])


def _seed(catalog: Catalog, number: int) -> str:
    return f"{catalog.name}:{number}"


def _read(source: Path, catalog: Catalog) -> Cells | None:
    """Return the cells of each table; None where its rows are more than may be varied."""
    uri = f"{source.absolute().as_uri()}?mode=ro&immutable=1"
    left = MOST_ROWS
    found: dict[str, dict[str, Sequence[Any]]] = {}
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        connection.text_factory = lambda raw: raw.decode(errors="backslashreplace")
        for table in catalog.tables:
            columns = ", ".join(quote(column.name) for column in table.columns) or "1"
            statement = f"SELECT {columns} FROM main.{quote(table.name)} NOT INDEXED LIMIT ?"  # noqa: S608
            rows = connection.execute(statement, (left + 1,)).fetchall()
            left -= len(rows)
            if left < 0:
                return None
            cells = zip(*rows, strict=True) if rows else [()] * len(table.columns)
            found[table.name] = {
                column.name: cell for column, cell in zip(table.columns, cells, strict=False)
            }
    return found


def _write(
    connection: sqlite3.Connection,
    table: Table,
    cells: Mapping[str, Sequence[Any]],
    places: Mapping[str, Numbers],
    step: int,
) -> None:
    declared = ", ".join(f"{quote(column.name)} {column.type}" for column in table.columns)
    connection.execute(f"CREATE TABLE {quote(table.name)} ({declared})")
    columns = [[cells[name][at] for at in taken[::step].tolist()] for name, taken in places.items()]
    marks = ", ".join("?" * len(columns))
    connection.executemany(
        f"INSERT INTO {quote(table.name)} VALUES ({marks})",  # noqa: S608 - quoted
        zip(*columns, strict=True),
    )

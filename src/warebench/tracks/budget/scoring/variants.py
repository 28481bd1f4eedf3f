"""Perturbed databases: a query that is right for a reason is right on them too.

Rows are dropped, with all that refer to them, and the cells of each column that is no key are drawn anew out
of the column's own, each column by itself; where all cells of a column differ, they change places instead. So
declared keys hold, every value stays in its column, a column that names rows still does, and filters, joins,
groups and constants that are right by accident of the rows give something else.

Each variant is written in two orders of rows: a gold query whose answer depends on it is tied there.
"""

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from warebench.catalog.model import Catalog, ForeignKey, Table
from warebench.engine.database import Database
from warebench.engine.run import write_file
from warebench.tracks.budget.namespace.edit import quote
from warebench.tracks.budget.pack import Numbers

DROPPED = 0.1
"""Share of the rows of each table that go by themselves; those that refer to them follow."""
MOST_ROWS = 500_000
"""Of a database, all tables together; a larger one has no variants."""
ORDERS = ((1, "straight"), (-1, "backward"))


@dataclass(frozen=True, kw_only=True, slots=True)
class Variant:
    """One perturbed database, as two files."""

    straight: Path
    backward: Path
    """The same rows, each table's last one first."""


Cells = Mapping[str, Mapping[str, Sequence[Any]]]
"""By table and column: the cells of all rows."""
Plan = Mapping[str, Mapping[str, Numbers]]
"""By table and column: the row that each new row's cell is taken from."""


def plan(catalog: Catalog, cells: Cells, seed: str) -> Plan:
    """Return where the cells of a variant come from; equal arguments give equal plans.

    Args:
        catalog: The database.
        cells: Its rows.
        seed: Tells variants of one database apart.

    Complexity:
        O(cells), times the length of the longest chain of foreign keys.
    """
    stays = {table.name: _draw_stays(table, cells[table.name], seed) for table in catalog.tables}
    while any(_follow(key, cells, stays) for key in catalog.foreign_keys if key.child_columns):
        pass
    return {
        table.name: _plan_table(
            table, _keys(table, catalog), cells[table.name], np.flatnonzero(stays[table.name]), seed
        )
        for table in catalog.tables
    }


def _draw_stays(table: Table, cells: Mapping[str, Sequence[Any]], seed: str) -> NDArray[np.bool_]:
    size = len(next(iter(cells.values()), ()))
    stays: NDArray[np.bool_] = _generator(seed, table.name).random(size) >= DROPPED
    stays[:1] = True  # an empty table tells nothing
    return stays


def _follow(key: ForeignKey, cells: Cells, stays: dict[str, NDArray[np.bool_]]) -> bool:
    """Drop the rows whose parent went, and tell whether there were any; dangling rows stay."""
    parents = list(zip(*(cells[key.parent][column] for column in key.parent_columns), strict=True))
    gone = {parents[at] for at in np.flatnonzero(~stays[key.parent]) if None not in parents[at]}
    gone -= {parents[at] for at in np.flatnonzero(stays[key.parent])}
    children = zip(*(cells[key.child][column] for column in key.child_columns), strict=True)
    orphan = np.array([child in gone for child in children], dtype=bool) & stays[key.child]
    stays[key.child] &= ~orphan
    return bool(orphan.any())


def _plan_table(
    table: Table, keys: frozenset[str], cells: Mapping[str, Sequence[Any]], kept: Numbers, seed: str
) -> dict[str, Numbers]:
    return {
        column.name: kept
        if column.name in keys
        else _draw(_generator(seed, table.name, column.name), cells[column.name], kept)
        for column in table.columns
    }


def _draw(generator: np.random.Generator, cells: Sequence[Any], kept: Numbers) -> Numbers:
    if not len(kept):
        return kept
    if len({repr(cell) for cell in cells}) == len(cells):
        return generator.permutation(kept)
    return generator.choice(kept, len(kept))


def _keys(table: Table, catalog: Catalog) -> frozenset[str]:
    """Return the columns that rows are found by: they keep their places, as one."""
    found = set(table.primary_key)
    for key in catalog.foreign_keys:
        if key.child == table.name:
            found |= set(key.child_columns)
        if key.parent == table.name:
            found |= set(key.parent_columns)
    return frozenset(found)


def _generator(*words: str) -> np.random.Generator:
    mark = hashlib.sha256("\0".join(words).encode()).digest()
    return np.random.default_rng(int.from_bytes(mark[:8]))


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

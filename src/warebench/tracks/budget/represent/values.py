"""A few values of each column, for the rich catalog."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path

from warebench.catalog.model import Catalog, Table
from warebench.engine.database import Database, quote
from warebench.questions.model import QuestionSet
from warebench.tracks.budget.files import PoolFiles

Values = Mapping[str, Mapping[str, tuple[str, ...]]]
"""By pool name and column: values as they are written; a table without rows is missing."""

MOST_VALUES = 3
ROWS_LOOKED_AT = 100
LONGEST_VALUE = 40
"""Characters; a longer text says little by its beginning, and costs much."""


def sample_values(question_set: QuestionSet, files: PoolFiles) -> Values:
    """Return the first distinct values of each column of each table with rows, in stored order.

    Looked at are the first `ROWS_LOOKED_AT` rows; no value (NULL), bytes, long texts and texts of several
    lines are left out. A table that cannot be read has no values to show.

    Args:
        question_set: A set of this track.
        files: Its SQLite files; DuckDB's rows lie in memory.
    """
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for name, catalog in question_set.catalogs.items():
        if files.dialect == "duckdb":
            tables = _from_memory(question_set.databases.get(name))
        else:
            tables = _from_sqlite(files.find(name), catalog)
        found |= {f"{name}.{table}": values for table, values in tables.items()}
    return found


def _from_memory(database: Database | None) -> dict[str, dict[str, tuple[str, ...]]]:
    if database is None:
        return {}
    return {
        name: {column: _first(part[column].to_pylist()) for column in part.column_names}
        for name, part in ((name, rows.slice(0, ROWS_LOOKED_AT)) for name, rows in database.tables.items())
    }


def _from_sqlite(path: Path | None, catalog: Catalog) -> dict[str, dict[str, tuple[str, ...]]]:
    if path is None:
        return {}
    uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        connection.text_factory = lambda raw: raw.decode(errors="backslashreplace")
        read = {table.name: _rows(connection, table) for table in catalog.tables}
    return {
        table.name: {
            column.name: _first([row[place] for row in read[table.name]])
            for place, column in enumerate(table.columns)
        }
        for table in catalog.tables
        if read[table.name]
    }


def _rows(connection: sqlite3.Connection, table: Table) -> list[Sequence[object]]:
    columns = ", ".join(quote(column.name) for column in table.columns) or "1"
    statement = f"SELECT {columns} FROM main.{quote(table.name)} NOT INDEXED LIMIT ?"  # noqa: S608 - quoted
    try:
        return connection.execute(statement, (ROWS_LOOKED_AT,)).fetchall()
    except sqlite3.Error:
        return []


def _first(cells: Iterable[object]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for cell in cells:
        written = _written(cell)
        if written:
            found[written] = None
        if len(found) == MOST_VALUES:
            break
    return tuple(found)


def _written(cell: object) -> str:
    """Return a value as a literal, or nothing where it is not worth showing."""
    match cell:
        case bool():
            return str(cell).upper()
        case int() | float() | Decimal():
            return str(cell)
        case datetime():
            return f"'{cell.isoformat(' ')}'"
        case date() | time():
            return f"'{cell.isoformat()}'"
        case str() if cell.isprintable() and 0 < len(cell) <= LONGEST_VALUE:
            return "'" + cell.replace("'", "''") + "'"
        case _:
            return ""

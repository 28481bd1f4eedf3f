"""Read catalog and rows of a SQLite database file."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote as quote_path

from warebench.catalog.model import Catalog, Table
from warebench.catalog.read import read_catalog
from warebench.engine.database import quote
from warebench.engine.readers.cells import fit
from warebench.engine.readers.model import Cells, Reading, Remark, Wanted, keep_readable, select_tables


def read(source: Path, wanted: Wanted) -> Reading:
    r"""Return the tables of a SQLite file, rows in the order they are stored.

    SQLite keeps any value in any column: a column's type is found from the declared type and from every cell
    (`cells.fit`). Text that is not UTF-8 keeps its odd bytes as `\xNN`, and the remark says so.

    Args:
        source: The file; it is opened read-only and nothing is created beside it.
        wanted: Name, tables, rows.

    Raises:
        SourceError: The file is missing, torn, encrypted, or cannot be read.
        CatalogError: The catalog contradicts itself.
    """
    return read_rows(source, read_catalog(source, reader="sqlite", name=wanted.name or None), wanted)


def read_rows(source: Path, whole: Catalog, wanted: Wanted) -> Reading:
    """Return the rows of a SQLite file whose catalog is known.

    Args:
        source: The file; it is opened read-only and nothing is created beside it.
        whole: Its catalog.
        wanted: Tables, rows.

    Raises:
        SourceError: No table can be read, or the catalog has no such table.
    """
    catalog = select_tables(whole, wanted, source.name)
    columns: dict[str, Sequence[Cells]] = {}
    cut: set[str] = set()
    remarks: list[Remark] = []
    lost: dict[str, str] = {}
    with closing(sqlite3.connect(_uri(source), uri=True)) as database:
        for table in catalog.tables:
            broken: list[bytes] = []
            database.text_factory = lambda raw, broken=broken: _decode(raw, broken)
            try:
                rows = _rows(database, table, wanted.max_rows)
            except sqlite3.Error as error:
                lost[table.name] = f"SQLite cannot read it: {error}"
                continue
            if wanted.max_rows is not None and len(rows) > wanted.max_rows:
                cut.add(table.name)
                rows.pop()
            if broken:
                what = f"{len(broken)} texts are not UTF-8, their odd bytes are written as \\xNN"
                remarks.append(Remark(table=table.name, what=what))
            columns[table.name] = _columns(table, rows)
    return Reading(
        catalog=keep_readable(catalog, lost, source.name),
        columns=columns,
        cut=frozenset(cut),
        remarks=tuple(remarks),
    )


def _columns(table: Table, rows: Sequence[Sequence[Any]]) -> list[Cells]:
    values = zip(*rows, strict=True) if rows else [()] * len(table.columns)
    return [fit(cells, column.type) for column, cells in zip(table.columns, values, strict=True)]


def _rows(database: sqlite3.Connection, table: Table, most: int | None) -> list[tuple[Any, ...]]:
    names = ", ".join(quote(column.name) for column in table.columns)
    # An index that covers the columns would give the rows in its own order.
    statement = f"SELECT {names} FROM main.{quote(table.name)} NOT INDEXED LIMIT ?"  # noqa: S608 - quoted
    return database.execute(statement, (-1 if most is None else most + 1,)).fetchall()


def _decode(raw: bytes, broken: list[bytes]) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        broken.append(raw)
        return raw.decode(errors="backslashreplace")


def _uri(source: Path) -> str:
    # Without a journal the file is complete: `immutable` then keeps SQLite from creating files beside it.
    journals = (source.with_name(source.name + suffix) for suffix in ("-wal", "-journal"))
    immutable = "" if any(journal.exists() for journal in journals) else "&immutable=1"
    return f"file:{quote_path(str(source.absolute()))}?mode=ro{immutable}"

"""From a source to a database: catalog and rows of files, folders and servers."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
import pyarrow as pa

from warebench.catalog.model import Catalog, ForeignKey, LeftOut, Table
from warebench.catalog.read import check_place, detect_reader, split_address
from warebench.catalog.select import EVERYTHING, Selection, drop_columns
from warebench.engine.database import Database
from warebench.engine.readers import asc, csv, duckdb, sqlite
from warebench.engine.readers.model import Cells, Reading, Remark, Wanted
from warebench.errors import MissingExtra, SourceError

READERS: dict[str, Callable[[Path, Wanted], Reading]] = {
    "sqlite": sqlite.read,
    "duckdb": duckdb.read,
    "csv": csv.read,
    "asc": asc.read,
}
"""Reader name -> `read(source, wanted)` for files and folders; addresses of servers have their own."""


def read_database(
    source: str | Path,
    *,
    name: str | None = None,
    tables: Sequence[str] | None = None,
    max_rows: int | None = None,
    selection: Selection = EVERYTHING,
) -> Database:
    """Return a source's tables with their rows.

    Nothing is changed in the source. Cells keep their exact values; where a column could not be taken as it
    stands (mixed types, times with a zone, nested values, text that is not UTF-8) the catalog's `remarks` say
    what was done, and the column's type is the one it was read as. Blobs stay blobs, NaN stays NaN.

    Args:
        source: A SQLite or DuckDB file, a folder of CSV or `.asc` files, or a SQLAlchemy address such as
            `postgresql://user@host/database`.
        name: Name of the catalog; the file's, folder's or database's when left out.
        tables: Tables to read; all when left out.
        max_rows: Most rows to read of each table, the first in stored order (files) or by primary key
            (servers). Where that cuts off parents, the children that refer to them are left out too.
        selection: What else to read or to leave out, by patterns.

    Raises:
        SourceError: The source is missing, unreadable, of a kind no reader knows, or holds no such table.
        CatalogError: The source contradicts itself.
        MissingExtra: An address needs the extra `sql`.
    """
    if max_rows is not None and max_rows < 1:
        raise SourceError(f"max_rows is {max_rows}", fix="give a number of at least 1, or leave it out")
    wanted = Wanted(
        name=name or "",
        tables=None if tables is None else tuple(tables),
        max_rows=max_rows,
        selection=selection,
    )
    return assemble_database(_read(source, wanted))


def _read(source: str | Path, wanted: Wanted) -> Reading:
    address, path = split_address(source)
    if address:
        return _read_address(address, wanted)
    return READERS[_find_reader(path)](path, wanted)


def _find_reader(path: Path) -> str:
    if os.path.isdir(path):  # unlike Path's, never raises
        check_place(path)
        suffixes = {name[-4:].lower() for name in os.listdir(path)}
        return "asc" if asc.SUFFIX in suffixes and csv.SUFFIX not in suffixes else "csv"
    kind = detect_reader(path)
    if kind not in READERS:
        raise SourceError(
            "this file describes tables and holds no rows",
            where=str(path),
            fix="give a SQLite or DuckDB file, a folder of CSV or .asc files, or a database address",
        )
    return kind


def _read_address(source: str, wanted: Wanted) -> Reading:
    try:
        from warebench.engine.readers import address  # noqa: PLC0415 - optional extra
    except ImportError as error:
        raise MissingExtra("sqlalchemy", "sql") from error
    return address.read(source, wanted)


def assemble_database(reading: Reading) -> Database:
    """Return the database of what a reader found; its catalog says what was left out or read otherwise.

    Args:
        reading: Catalog, cells, and which tables were cut off.
    """
    typed = tuple(_retype(table, reading.columns[table.name]) for table in reading.catalog.tables)
    whole = msgspec.structs.replace(reading.catalog, tables=typed)
    catalog = drop_columns(whole, _twins(whole))
    tables = {
        table.name: _table(before, after, reading.columns[table.name])
        for before, after, table in zip(whole.tables, catalog.tables, whole.tables, strict=True)
    }
    tables, orphans = _drop_orphans(tables, catalog.foreign_keys, reading.cut)
    cut = [
        LeftOut(kind="rows", what="rows", where=name, why="more exist than were to be read", touches=(name,))
        for name in sorted(reading.cut)
    ]
    catalog = msgspec.structs.replace(
        catalog,
        left_out=(*catalog.left_out, *cut, *orphans),
        remarks=(*catalog.remarks, *map(str, (*reading.remarks, *_remarks(reading)))),
    )
    return Database(catalog=catalog, tables=tables)


def _twins(catalog: Catalog) -> dict[tuple[str, str], str]:
    """Return the columns whose names DuckDB cannot tell from that of a column before them."""
    found = {}
    for table in catalog.tables:
        seen: dict[str, str] = {}
        for column in table.columns:
            other = seen.setdefault(column.name.casefold(), column.name)
            if other != column.name:
                found[table.name, column.name] = f"its name differs from {other!r} in case only"
    return found


def _table(before: Table, after: Table, columns: Sequence[Cells]) -> pa.Table:
    kept = {column.name for column in after.columns}
    pairs = [
        (column.name, cells.values)
        for column, cells in zip(before.columns, columns, strict=True)
        if column.name in kept
    ]
    return pa.table([values for _, values in pairs], names=[name for name, _ in pairs])


def _retype(table: Table, columns: Sequence[Cells]) -> Table:
    pairs = zip(table.columns, columns, strict=True)
    typed = tuple(msgspec.structs.replace(column, type=cells.type or column.type) for column, cells in pairs)
    return msgspec.structs.replace(table, columns=typed)


def _remarks(reading: Reading) -> Iterable[Remark]:
    for table in reading.catalog.tables:
        for column, cells in zip(table.columns, reading.columns[table.name], strict=True):
            if cells.remark:
                yield Remark(table=table.name, column=column.name, what=cells.remark)


def _drop_orphans(
    tables: Mapping[str, pa.Table], keys: Sequence[ForeignKey], cut: frozenset[str]
) -> tuple[dict[str, pa.Table], list[LeftOut]]:
    """Leave out rows whose parent was cut off, until every key that held holds again."""
    kept, shrunk = dict(tables), set(cut)
    changed = bool(shrunk)
    while changed:
        changed = False
        for key in keys:
            if key.parent not in shrunk or not key.child_columns:
                continue
            whole = _with_parent(kept[key.child], kept[key.parent], key)
            if whole.num_rows < kept[key.child].num_rows:
                kept[key.child] = whole
                shrunk.add(key.child)
                changed = True
    return kept, [
        LeftOut(
            kind="rows",
            what=f"{lost} rows",
            where=name,
            why="their parents were not read",
            touches=(name,),
        )
        for name in tables
        if (lost := tables[name].num_rows - kept[name].num_rows)
    ]


def _with_parent(child: pa.Table, parent: pa.Table, key: ForeignKey) -> pa.Table:
    known = set(_tuples(parent, key.parent_columns))
    mask = [None in cells or cells in known for cells in _tuples(child, key.child_columns)]
    return child.filter(pa.array(mask, pa.bool_()))


def _tuples(table: pa.Table, columns: Sequence[str]) -> list[tuple[object, ...]]:
    return list(zip(*(table.column(name).to_pylist() for name in columns), strict=True))

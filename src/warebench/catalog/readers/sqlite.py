"""Read the tables and keys of a SQLite database file."""

import sqlite3
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from warebench.catalog.assemble import KeyDraft, TableDraft, TableName, assemble
from warebench.catalog.model import Catalog, Column
from warebench.errors import SourceError

MAGIC = b"SQLite format 3\x00"
HIDDEN = 1
"""`table_xinfo` marks the hidden columns of virtual tables with 1 (2 and 3 are generated columns)."""


def read(source: Path, *, name: str = "") -> Catalog:
    """Return the tables of the main schema with their declared keys.

    A key that names no parent column means the parent's primary key. Views, SQLite's own tables and
    the shadow tables of full-text indexes are left out; a virtual table itself counts as a table.

    Args:
        source: The database file; it is opened read-only and nothing is created beside it.
        name: Name of the catalog; the file's name without suffix when empty.

    Raises:
        SourceError: The file is missing, empty, torn, encrypted, not SQLite, or holds no table.
        CatalogError: The database breaks its own foreign keys: the error names table and column.
    """
    drafts = read_drafts(source)
    if not drafts:
        raise SourceError("this database holds no table", where=str(source), fix="give another file")
    return assemble(drafts, name=name or source.stem, source=f"SQLite file {source.name}")


def read_drafts(source: Path) -> list[TableDraft]:
    """Return the tables as the file declares them, whether their keys hold or not; none where it has none.

    Args:
        source: The database file; it is opened read-only and nothing is created beside it.

    Raises:
        SourceError: The file is missing, empty, torn, encrypted or not SQLite.
    """
    _check_file(source)
    try:
        with closing(sqlite3.connect(_uri(source), uri=True)) as database:
            return _drafts(database, source.name)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise SourceError(
            f"SQLite cannot read this file: {error}", where=str(source), fix="restore it from a copy"
        ) from error


def _check_file(source: Path) -> None:
    """Refuse what SQLite would take for an empty database or read without noticing the tear."""
    try:
        size = source.stat().st_size
        with source.open("rb") as file:
            header = file.read(100)
    except OSError as error:
        raise SourceError(
            f"cannot read the file: {error.strerror}",
            where=str(source),
            fix="get the right to read it, or give another file",
        ) from error
    if not header:
        raise SourceError("this file is empty", where=str(source), fix="write the database again")
    if not header.startswith(MAGIC):
        raise SourceError(
            "this is not a SQLite file, or it is encrypted",
            where=str(source),
            fix="give a SQLite 3 file; decrypt it first if it has a password",
        )
    if size < _expected_size(header):
        raise SourceError(
            f"this SQLite file is torn: {size} bytes of {_expected_size(header)}",
            where=str(source),
            fix="copy it again",
        )


def _expected_size(header: bytes) -> int:
    """Return the size in bytes a header promises (SQLite file format, section 1.3)."""
    if len(header) < 100:
        return 100
    page_size = int.from_bytes(header[16:18], "big")
    pages_are_valid = header[24:28] == header[92:96]
    pages = int.from_bytes(header[28:32], "big") if pages_are_valid else 1
    return pages * (65536 if page_size == 1 else page_size)


def _uri(source: Path) -> str:
    # Without a journal the file is complete: `immutable` then keeps SQLite from creating files beside it.
    journals = [source.with_name(source.name + suffix) for suffix in ("-wal", "-journal")]
    immutable = "" if any(journal.exists() for journal in journals) else "&immutable=1"
    return f"file:{quote(str(source.absolute()))}?mode=ro{immutable}"


def _drafts(database: sqlite3.Connection, where: str) -> list[TableDraft]:
    kinds = {name: kind for _, name, kind, *_ in database.execute("pragma main.table_list")}
    names = database.execute("select name from sqlite_master where type = 'table' order by rowid")
    tables = [name for (name,) in names.fetchall() if not name.lower().startswith("sqlite_")]
    return [_draft(database, table, where) for table in tables if kinds.get(table) != "shadow"]


def _draft(database: sqlite3.Connection, table: str, where: str) -> TableDraft:
    rows = database.execute("select * from pragma_table_xinfo(?)", (table,)).fetchall()
    keys = [(position, name) for _, name, _, _, _, position, _ in rows if position]
    return TableDraft(
        name=TableName("", "", table),
        columns=tuple(
            Column(name=name, type=kind, nullable=not (required or position))
            for _, name, kind, required, _, position, hidden in rows
            if hidden != HIDDEN
        ),
        primary_key=tuple(name for _, name in sorted(keys)),
        keys=_keys(database, table),
        where=where,
    )


def _keys(database: sqlite3.Connection, table: str) -> tuple[KeyDraft, ...]:
    """Return a table's foreign keys in the order of their declaration."""
    rows = database.execute("select * from pragma_foreign_key_list(?)", (table,)).fetchall()
    pairs: dict[int, list[tuple[str, str, str | None]]] = defaultdict(list)
    for number, _, parent, column, parent_column, *_ in sorted(rows, key=lambda row: row[:2]):
        pairs[number].append((parent, column, parent_column))
    return tuple(
        KeyDraft(
            columns=tuple(column for _, column, _ in group),
            parent=TableName("", "", group[0][0]),
            parent_columns=tuple(column for _, _, column in group if column is not None),
        )
        # SQLite numbers keys from the last declared to the first.
        for _, group in sorted(pairs.items(), reverse=True)
    )

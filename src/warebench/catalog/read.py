"""Which readers exist, and which one a source needs."""

import os
from collections.abc import Callable
from pathlib import Path

from warebench.catalog.model import Catalog
from warebench.catalog.readers import ddl, duckdb, json, sqlite
from warebench.errors import SourceError, did_you_mean

READERS: dict[str, Callable[..., Catalog]] = {
    "duckdb": duckdb.read,
    "sqlite": sqlite.read,
    "ddl": ddl.read,
    "json": json.read,
}
"""Reader name -> `read(source, *, name)`; `ddl` also takes a dialect."""

SQL_SUFFIXES = (".sql", ".ddl")
HEAD_BYTES = 4096


def read_catalog(
    source: str | Path, *, reader: str | None = None, name: str | None = None, dialect: str | None = None
) -> Catalog:
    """Return the catalog of a database file, a SQL script, a folder of SQL scripts, or a catalog JSON.

    Args:
        source: Path of the file or folder.
        reader: A key of `READERS`; found from the content when left out.
        name: Name of the catalog; the file's or folder's name when left out.
        dialect: SQL dialect of a script; found from the text when left out.

    Raises:
        SourceError: The source is missing, unreadable, or of a kind no reader knows.
        CatalogError: The source contradicts itself; the error names file, table and column.
    """
    path = Path(source)
    if not os.path.exists(path):  # unlike Path.exists, never raises
        raise SourceError(_missing(str(source)), where=str(source), fix=_nearby(path))
    chosen = detect_reader(path) if reader is None else reader
    if chosen not in READERS:
        raise SourceError(f"unknown reader {chosen!r}", fix=did_you_mean(chosen, READERS))
    if path.is_dir() and chosen != "ddl":
        raise SourceError(f"the {chosen} reader takes a file", where=str(path), fix="name the file")
    if dialect is None:
        return READERS[chosen](path, name=name or "")
    if chosen != "ddl":
        raise SourceError(
            f"a dialect is for SQL scripts, and this source needs the {chosen} reader",
            where=str(path),
            fix="leave the dialect out",
        )
    return ddl.read(path, name=name or "", dialect=dialect)


def detect_reader(path: Path) -> str:
    """Return the name of the reader a source needs, by its content first and its suffix last.

    Raises:
        SourceError: No reader knows this kind of source.
    """
    if path.is_dir():
        return "ddl"
    head = _head(path)
    if head.startswith(sqlite.MAGIC):
        return "sqlite"
    if head[8:12] == b"DUCK":
        return "duckdb"
    if head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{":
        return "json"
    if path.suffix.lower() in SQL_SUFFIXES:
        return "ddl"
    if not head:
        raise SourceError("this file is empty", where=str(path), fix="write the database again")
    raise SourceError(
        "no reader knows this kind of file",
        where=str(path),
        fix=f"give a DuckDB or SQLite file (decrypted), a script ending in {' or '.join(SQL_SUFFIXES)},"
        " a folder of scripts, or a catalog JSON; or name the reader",
    )


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(HEAD_BYTES)
    except OSError as error:
        raise SourceError(f"cannot read the file: {error.strerror}", where=str(path)) from error


def _missing(source: str) -> str:
    if "://" in source:
        return "this looks like an address, and only files and folders are read"
    return "no such file or folder"


def _nearby(path: Path) -> str:
    """Return a hint at a file of a like name in the same folder."""
    folder = path.parent
    names = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
    return did_you_mean(path.name, names) or "check the path"

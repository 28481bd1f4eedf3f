"""Which readers exist, and which one a source needs."""

import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from warebench.catalog.model import Catalog
from warebench.catalog.readers import dbt, ddl, duckdb, json, openlineage, sqlite
from warebench.catalog.select import EVERYTHING, Selection, select
from warebench.errors import MissingExtra, SourceError, did_you_mean

READERS: dict[str, Callable[..., Catalog]] = {
    "duckdb": duckdb.read,
    "sqlite": sqlite.read,
    "ddl": ddl.read,
    "json": json.read,
    "dbt": dbt.read,
    "openlineage": openlineage.read,
}
"""Reader name -> `read(source, *, name)`; `ddl` also takes a dialect."""

TAKE_FOLDERS = ("ddl", "dbt", "openlineage")
NAMED = ("dbt", "openlineage")
"""Readers that a source may name before its path, as in dbt:PATH."""

FILE_ADDRESSES = ("sqlite", "duckdb")
"""Dialects whose addresses, as in sqlite:///shop.db, name a file."""

SQL_SUFFIXES = (".sql", ".ddl")
HEAD_BYTES = 4096


def read_catalog(
    source: str | Path,
    *,
    reader: str | None = None,
    name: str | None = None,
    dialect: str | None = None,
    selection: Selection = EVERYTHING,
) -> Catalog:
    """Return the catalog of a database file or server, of SQL scripts, or of a catalog JSON.

    Args:
        source: Path of a file or folder, dbt:PATH of a dbt project, openlineage:PATH of events, or a
            SQLAlchemy address such as `postgresql://user@host/database`.
        reader: A key of `READERS`; found from the content when left out. Servers have one of their own.
        name: Name of the catalog; the file's, folder's or database's name when left out.
        dialect: SQL dialect of a script; found from the text when left out.
        selection: What to read of it; what is excluded is in the catalog's `left_out`.

    Raises:
        SourceError: The source is missing, unreadable, or of a kind no reader knows.
        CatalogError: The source contradicts itself; the error names file, table and column.
        MissingExtra: An address needs the extra `sql`.
    """
    named, mark, place = str(source).partition(":")
    if mark and named in NAMED and not os.path.lexists(source):
        source, reader = place, reader or named
    address, path = split_address(source)
    if address:
        whole = _read_address(address, reader or dialect, name or "", selection.schemas)
        return select(whole, replace(selection, schemas=()), str(address))
    return select(_read_path(path, reader, name, dialect), selection, str(path))


def _read_path(path: Path, reader: str | None, name: str | None, dialect: str | None) -> Catalog:
    check_place(path)
    chosen = detect_reader(path) if reader is None else reader
    if chosen not in READERS:
        raise SourceError(f"unknown reader {chosen!r}", fix=did_you_mean(chosen, READERS))
    if os.path.isdir(path) and chosen not in TAKE_FOLDERS:
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


def split_address(source: str | Path) -> tuple[str, Path]:
    """Return the address of a server and no path, or no address and the path of a file or folder.

    Args:
        source: What a user names; an address of a file, as in sqlite:///shop.db, is its path.
    """
    text = str(source)
    scheme, mark, rest = text.partition("://")
    if not mark or isinstance(source, Path):
        return "", Path(source)
    if scheme.partition("+")[0] in FILE_ADDRESSES:
        return "", Path(rest.removeprefix("/"))
    return text, Path()


def _read_address(source: str, refused: str | None, name: str, schemas: Sequence[str]) -> Catalog:
    if refused:
        raise SourceError(f"an address takes no reader or dialect, not {refused!r}", fix="leave it out")
    try:
        from warebench.catalog.readers import address  # noqa: PLC0415 - optional extra
    except ImportError as error:
        raise MissingExtra("sqlalchemy", "sql") from error
    return address.read(source, name=name, schemas=schemas)


def check_place(path: Path) -> None:
    """Refuse what is no file or folder, before anything opens it: a pipe or a device can be read for ever.

    Raises:
        SourceError: There is nothing, it is neither a file nor a folder, or it may not be read.
    """
    try:
        mode = path.stat().st_mode
    except OSError as error:
        if os.path.islink(path):
            raise SourceError(
                f"this link leads nowhere: {error.strerror}", where=str(path), fix="give the file itself"
            ) from error
        if isinstance(error, PermissionError):
            raise SourceError(
                "a folder on the way may not be entered", where=str(path), fix=_RIGHTS
            ) from error
        raise SourceError("no such file or folder", where=str(path), fix=_nearby(path)) from error
    except ValueError as error:  # a null byte
        raise SourceError("no such file or folder", where=str(path), fix=_nearby(path)) from error
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise SourceError(
            "this is a pipe, a socket or a device, not a file",
            where=str(path),
            fix="write its content to a file and give that",
        )
    rights = os.R_OK | os.X_OK if stat.S_ISDIR(mode) else os.R_OK
    if not os.access(path, rights):
        kind = "folder" if stat.S_ISDIR(mode) else "file"
        raise SourceError(f"cannot read the {kind}: Permission denied", where=str(path), fix=_RIGHTS)


_RIGHTS = "get the right to read it, or copy it to where you have it"


def detect_reader(path: Path) -> str:
    """Return the name of the reader a source needs, by its content first and its suffix last.

    Raises:
        SourceError: No reader knows this kind of source, or it cannot be read.
    """
    check_place(path)
    if os.path.isdir(path):
        manifest = dbt.find_manifest(path)
        return "dbt" if manifest and dbt.MARK in _head(manifest) else "ddl"
    head = _head(path)
    if head.startswith(sqlite.MAGIC):
        return "sqlite"
    if head[8:12] == b"DUCK":
        return "duckdb"
    if head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{":
        if openlineage.looks_like(head):
            return "openlineage"
        return "dbt" if dbt.MARK in head else "json"
    if openlineage.looks_like(head):
        return "openlineage"
    if path.suffix.lower() in SQL_SUFFIXES:
        return "ddl"
    if not head:
        raise SourceError("this file is empty", where=str(path), fix="write the database again")
    raise SourceError(
        "no reader knows this kind of file",
        where=str(path),
        fix=f"give a DuckDB or SQLite file (decrypted), a script ending in {' or '.join(SQL_SUFFIXES)},"
        " a folder of scripts, a catalog JSON, a dbt project or manifest, or OpenLineage events;"
        " or name the reader",
    )


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(HEAD_BYTES)
    except OSError as error:
        raise SourceError(f"cannot read the file: {error.strerror}", where=str(path), fix=_RIGHTS) from error


def _nearby(path: Path) -> str:
    """Return a hint at a file of a like name in the same folder."""
    try:
        names = os.listdir(path.parent)
    except (OSError, ValueError):
        names = []
    return did_you_mean(path.name, names) or "check the path"

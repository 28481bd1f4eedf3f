"""One SQLite file of a collection: its catalog with every key that holds, or why there is none."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from warebench.catalog.assemble import assemble
from warebench.catalog.model import Catalog
from warebench.catalog.readers.sqlite import read_drafts
from warebench.engine.collections.model import Found, SqliteFile, Trouble, TroubleKind
from warebench.engine.collections.schema import Schema, add_keys, to_catalog
from warebench.engine.database import quote
from warebench.errors import CatalogError, SourceError

JOURNALS = ("-wal", "-journal")

CHECK_STEPS = 20_000_000
"""Of SQLite's machine to spend on the keys of one file, about a second; its rows are not ours to mend."""


def read_file(path: Path, name: str, schema: Schema | None = None) -> Found:
    """Return a SQLite file as a database of a collection. Never raises for what is in it.

    Keys that name a table or column the file does not have are dropped, and said to be; a key that rows break
    stays, and is said to be broken. A file that cannot be read leaves its schema, where that is known.

    Args:
        path: The file; it is opened as immutable and nothing is created beside it.
        name: Name of the catalog.
        schema: What is known of it besides.
    """
    try:
        if reason := _unfinished(path):
            return without_file(name, schema, Trouble(where=name, kind="unfinished", reason=reason))
        drafts = read_drafts(path)
        if not drafts:
            return without_file(name, schema, Trouble(where=name, kind="no tables", reason="it has no table"))
        catalog = assemble(drafts, name=name, source=f"SQLite file {path.name}")
        broken = [str(item) for item in catalog.left_out]
        filled = _has_rows(path, catalog)
        broken = broken or _broken_rows(path)
        if schema:
            catalog, unknown = add_keys(catalog, schema)
            broken += [f"{key}, which the file does not have" for key in unknown]
    except SourceError as error:
        return without_file(name, schema, Trouble(where=name, kind=what_ails(path), reason=error.what))
    except CatalogError as error:
        return without_file(name, schema, Trouble(where=name, kind="invalid", reason=error.what))
    except sqlite3.Error as error:
        return without_file(name, schema, Trouble(where=name, kind="corrupt", reason=str(error)))
    troubles = [Trouble(where=name, kind="broken key", reason=what) for what in broken]
    if not filled:
        troubles.append(Trouble(where=name, kind="no rows", reason="every table is empty"))
    return Found(database=SqliteFile(catalog=catalog, path=path), troubles=tuple(troubles))


def without_file(name: str, schema: Schema | None, trouble: Trouble) -> Found:
    """Return what is left of a database that has no file, or one that cannot be read.

    Args:
        name: Of the database.
        schema: What is known of it besides.
        trouble: Why there is no file.
    """
    if schema is None:
        return Found(troubles=(trouble,))
    try:
        catalog = to_catalog(schema, f"schema of {name}, without its file")
    except CatalogError as error:
        return Found(troubles=(trouble, Trouble(where=name, kind="invalid", reason=error.what)))
    return Found(schema=catalog, troubles=(trouble,))


def _unfinished(path: Path) -> str:
    """Return why a file is not complete: as an immutable one it would be read without its journal."""
    for suffix in JOURNALS:
        journal = f"{path}{suffix}"
        if os.path.exists(journal) and os.path.getsize(journal):
            return f"{os.path.basename(journal)} beside it holds changes that are not in the file"
    return ""


def what_ails(path: Path) -> TroubleKind:
    """Return what is wrong with a file that no reader could read."""
    try:
        return "empty" if os.path.getsize(path) == 0 else "corrupt" if os.path.isfile(path) else "unreadable"
    except OSError:
        return "missing file"


def _open(path: Path) -> "closing[sqlite3.Connection]":
    return closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True))


def _has_rows(path: Path, catalog: Catalog) -> bool:
    with _open(path) as database:
        return any(
            database.execute(f"SELECT 1 FROM main.{quote(table.name)} LIMIT 1").fetchone()  # noqa: S608 - quoted
            for table in catalog.tables
        )


def _broken_rows(path: Path) -> list[str]:
    """Return the first foreign key that rows of the file break, as far as `CHECK_STEPS` lead."""
    with _open(path) as database:
        database.set_progress_handler(lambda: 1, CHECK_STEPS)
        try:
            found = database.execute("PRAGMA main.foreign_key_check").fetchone()
        except sqlite3.OperationalError as error:
            return [] if getattr(error, "sqlite_errorname", "") == "SQLITE_INTERRUPT" else [str(error)]
    return [f"table {found[0]}: row {found[1]} names no row of {found[2]}"] if found else []

"""From what a user calls a source to a collection: databases, examples in gold SQL, and troubles."""

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec.structs import replace

from warebench.catalog.read import split_address
from warebench.catalog.select import EVERYTHING, Selection
from warebench.engine.collections.examples import add_examples
from warebench.engine.collections.layouts import (
    SPLITS,
    SUFFIXES,
    find_files,
    read_any,
    read_bird,
    read_folder,
    read_spider,
)
from warebench.engine.collections.model import (
    Collection,
    Example,
    Found,
    SqliteFile,
    Trouble,
    TroubleKind,
    refuse_reserved,
    unite,
)
from warebench.engine.database import Database
from warebench.engine.load import read_database
from warebench.errors import SourceError, did_you_mean

__all__ = [
    "Collection",
    "Example",
    "SqliteFile",
    "Trouble",
    "TroubleKind",
    "add_examples",
    "collect",
    "is_collection",
    "merge",
    "read_collection",
    "refuse_reserved",
]

LAYOUTS: dict[str, Callable[[Path, str], Collection]] = {"spider": read_spider, "bird": read_bird}
"""Prefix of a source -> `read(folder, split)`."""


def read_collection(source: str, selection: Selection = EVERYTHING) -> Collection:
    """Return the collection of a source. Troubles inside it are listed, not raised.

    SQLite files stay closed but for their schema, and unchanged. The rows of all other databases are read.

    Args:
        source: `spider:PATH` or `bird:PATH`, with the examples of dev, or of train after `?split=train`; a
            folder of SQLite and DuckDB files; one such file; a folder of CSV files; the address of a server.
        selection: What to read of it, where it is one database; a SQLite file is then read, not attached.

    Raises:
        SourceError: There is no such source, a list of it is missing or torn, or no database can be read.
        CatalogError: One database given alone contradicts itself.
        MissingExtra: An address needs the extra `sql`.

    Example:
        >>> read_collection("spider:nowhere")
        Traceback (most recent call last):
        warebench.errors.SourceError: no such folder
          where: nowhere
          fix: check the path
    """
    made = _read(source, selection)
    if not made.databases and not made.schemas:
        listed = "; ".join(f"{item.where}: {item.reason}" for item in made.troubles[:3])
        raise SourceError(
            f"no database can be read: {listed}" if listed else "no database is here",
            where=source,
            fix="give SQLite or DuckDB files that are whole",
        )
    return made


def is_collection(source: str) -> bool:
    """Return whether a source is several databases: a layout with a prefix, or a folder of database files."""
    if source.partition(":")[0] in LAYOUTS:
        return True
    address, path = split_address(source)
    return not address and os.path.isdir(path) and bool(find_files(path))


def collect(name: str, databases: Sequence[SqliteFile | Database]) -> Collection:
    """Return a collection of databases from several sources, without examples.

    Args:
        name: Its name.
        databases: Where not all are SQLite files, the rows of those that are get read.

    Raises:
        SourceError: Two have one name.
    """
    _refuse_twice(database.catalog.name for database in databases)
    return unite(name, [Found(database=database) for database in databases])


def merge(name: str, collections: Sequence[Collection]) -> Collection:
    """Return one collection of several; the ids of examples get the name of their collection before them.

    Args:
        name: Its name.
        collections: Their databases have distinct names.

    Raises:
        SourceError: Two databases have one name, or examples in SQLite's SQL would meet other databases.
    """
    _refuse_twice(catalog.name for collection in collections for catalog in collection.catalogs)
    found = [Found(database=database) for collection in collections for database in collection.databases]
    found += [Found(schema=schema) for collection in collections for schema in collection.schemas]
    asking = [collection for collection in collections if collection.examples]
    if asking and len({collection.dialect for collection in collections}) > 1:
        raise SourceError(
            f"the examples of `{asking[0].name}` are {asking[0].dialect} SQL, and not all databases are",
            fix="build one set of them, and another of the other sources",
        )
    return unite(
        name,
        found,
        (replace(item, id=f"{whole.name}-{item.id}") for whole in collections for item in whole.examples),
        (item for whole in collections for item in whole.troubles),
    )


def _read(source: str, selection: Selection) -> Collection:
    if selection != EVERYTHING and is_collection(source):
        raise SourceError(
            "patterns are for one database, and this is a collection",
            where=source,
            fix="give one file of it, or leave --schema, --include and --exclude out",
        )
    layout, _, rest = source.partition(":")
    if layout in LAYOUTS:
        place, _, query = rest.partition("?")
        split = query.removeprefix("split=") if query else SPLITS[0]
        if split not in SPLITS:
            raise SourceError(f"unknown part `{query}`", where=source, fix=did_you_mean(split, SPLITS))
        if not os.path.isdir(place):
            raise SourceError("no such folder", where=place, fix="check the path")
        return LAYOUTS[layout](Path(place), split)
    address, path = split_address(source)
    if not address and os.path.isdir(path) and find_files(path):
        return read_folder(path)
    if not address and os.path.isfile(path) and selection == EVERYTHING:
        return unite(path.stem, [read_any(path, path.stem)])
    if not address and os.path.isdir(path) and not any(path.glob("*.[cC][sS][vV]")):
        raise SourceError(
            "this folder holds no database",
            where=source,
            fix=f"give one with SQLite or DuckDB files ({', '.join(SUFFIXES)}), or with CSV files",
        )
    database = read_database(source, selection=selection)
    return unite(database.catalog.name, [Found(database=database)])


def _refuse_twice(names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name.casefold() in seen:  # SQL does not tell the case of a namespace
            raise SourceError(
                f"two databases are called `{name}`", fix="rename a file, or leave one of them out"
            )
        seen.add(name.casefold())

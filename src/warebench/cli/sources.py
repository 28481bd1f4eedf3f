"""From what a user calls a source to its catalog, or to its rows."""

from pathlib import Path

from warebench.catalog.bundled import BUNDLED, load_bundled
from warebench.catalog.model import Catalog
from warebench.catalog.read import read_catalog
from warebench.cli.command import settings
from warebench.engine.database import Database
from warebench.engine.load import read_database
from warebench.errors import SourceError, did_you_mean


def find_catalog(
    source: str,
    *,
    reader: str | None = None,
    name: str | None = None,
    dialect: str | None = None,
    preset: str = "default",
) -> Catalog:
    """Return the catalog of a source: one named in the settings file, a bundled one, or a path.

    Args:
        source: Its name or path; `./adventureworks` is the path where both exist.
        reader: Reader to use, found from the content when left out.
        name: Name to give the catalog.
        dialect: SQL dialect of a script.
        preset: Which of the synthetic catalogs `syn_logistics` is.

    Raises:
        SourceError: There is no such source or it cannot be read.
        CatalogError: It contradicts itself.
    """
    known = settings().sources
    if source in known:
        entry = known[source]
        return read_catalog(
            entry.resolve(source),
            reader=reader or entry.reader,
            name=name or source,
            dialect=dialect or entry.dialect,
        )
    if source in BUNDLED:
        if reader or name or dialect:
            raise SourceError(
                f"`{source}` is bundled and takes no reader, name or dialect",
                fix=f"leave them out, or write ./{source} for the path",
            )
        return load_bundled(source, preset=preset)
    if not Path(source).exists():
        close = did_you_mean(source, [*known, *BUNDLED])
        if close.startswith("Did"):
            raise SourceError("no such source", where=source, fix=close)
    return read_catalog(source, reader=reader, name=name, dialect=dialect)


def find_database(source: str) -> Database:
    """Return the rows of a source: one named in the settings file, a path, or the address of a server.

    Args:
        source: Its name, path or address.

    Raises:
        SourceError: There is no such source, it cannot be read, or it has no rows.
        CatalogError: It contradicts itself.
    """
    known = settings().sources
    if source in known:
        return read_database(known[source].resolve(source), name=source)
    if "://" not in source and not Path(source).exists():
        raise SourceError(
            "no such source",
            where=source,
            fix=did_you_mean(source, known)
            or "Give a SQLite or DuckDB file, a folder of CSV files, or an address.",
        )
    return read_database(source)

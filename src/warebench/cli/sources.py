"""From what a user calls a source to its catalog, its rows, or a collection."""

import os
from collections import Counter
from pathlib import Path
from typing import Any

from warebench.catalog.bundled import BUNDLED, load_bundled
from warebench.catalog.model import Catalog
from warebench.catalog.read import read_catalog
from warebench.catalog.select import EVERYTHING, Selection, select
from warebench.cli.command import settings
from warebench.cli.output import say
from warebench.engine.collection import Collection, add_examples, read_collection
from warebench.engine.database import Database
from warebench.engine.load import read_database
from warebench.errors import SourceError, did_you_mean
from warebench.questions.track import Source, Track
from warebench.tracks.dispatch import kind_of_source


def find_catalog(
    source: str,
    *,
    reader: str | None = None,
    name: str | None = None,
    dialect: str | None = None,
    preset: str = "default",
    selection: Selection = EVERYTHING,
) -> Catalog:
    """Return the catalog of a source: one named in the settings file, a bundled one, a path or an address.

    Args:
        source: Its name, path or address; `./adventureworks` is the path where both exist.
        reader: Reader to use, found from the content when left out.
        name: Name to give the catalog.
        dialect: SQL dialect of a script.
        preset: Which of the synthetic catalogs `syn_logistics` is.
        selection: What to read of it.

    Raises:
        SourceError: There is no such source or it cannot be read.
        CatalogError: It contradicts itself.
    """
    asked = {"reader": reader, "name": name, "dialect": dialect}
    found = _read_catalog(source, asked, preset, _merge(source, selection))
    tell(found)
    return found


def _read_catalog(source: str, asked: dict[str, str | None], preset: str, selection: Selection) -> Catalog:
    known = settings().sources
    if source in known:
        entry = known[source]
        return read_catalog(
            entry.resolve(source),
            reader=asked["reader"] or entry.reader,
            name=asked["name"] or source,
            dialect=asked["dialect"] or entry.dialect,
            selection=selection,
        )
    if source in BUNDLED:
        if any(asked.values()):
            raise SourceError(
                f"`{source}` is bundled and takes no reader, name or dialect",
                fix=f"leave them out, or write ./{source} for the path",
            )
        return select(load_bundled(source, preset=preset), selection, source)
    if not os.path.exists(source):  # unlike Path's, never raises
        close = did_you_mean(source, [*known, *BUNDLED])
        if close.startswith("Did"):
            raise SourceError("no such source", where=source, fix=close)
    return read_catalog(source, **asked, selection=selection)


def _merge(source: str, asked: Selection) -> Selection:
    """Return what to read of a source: what is asked for, else what the settings file says of it."""
    entry = settings().sources.get(source)
    if entry is None:
        return asked
    return Selection(
        schemas=asked.schemas or tuple(entry.schema),
        include=asked.include or tuple(entry.include),
        exclude=(*entry.exclude, *asked.exclude),
    )


MOST_TOLD = 10
"""Lines about one source on stderr; the catalog holds all."""


def tell(catalog: Catalog) -> None:
    """Say what of a source is not in its catalog, and what was read otherwise than it stands.

    Args:
        catalog: As a reader gave it.
    """
    said = [*map(str, catalog.left_out), *catalog.remarks]
    for line in said[:MOST_TOLD]:
        say(f"{catalog.name}: {line}")
    if len(said) > MOST_TOLD:
        say(f"{catalog.name}: and {len(said) - MOST_TOLD} more, see `left_out` and `remarks` of its catalog")


def find_database(source: str, selection: Selection = EVERYTHING) -> Database:
    """Return the rows of a source: one named in the settings file, a path, or the address of a server.

    What was read otherwise than it stands there is said.

    Args:
        source: Its name, path or address.
        selection: What to read of it.

    Raises:
        SourceError: There is no such source, it cannot be read, or it has no rows.
        CatalogError: It contradicts itself.
    """
    place = _place(source)
    name = source if source in settings().sources else None
    found = read_database(place, name=name, selection=_merge(source, selection))
    tell(found.catalog)
    return found


def find_collection(source: str, selection: Selection = EVERYTHING) -> Collection:
    """Return the databases of a source, and what is asked about them; what is wrong with them is said.

    Args:
        source: Its name in the settings file, or anything that `warebench.engine.collection` reads.
        selection: What to read of it, where it is one database.

    Raises:
        SourceError: There is no such source, or no database of it can be read.
        CatalogError: It is one database, and that contradicts itself.
    """
    found = read_collection(_place(source), _merge(source, selection))
    for catalog in found.catalogs if len(found.catalogs) == 1 else ():
        tell(catalog)
    kinds = Counter(trouble.kind for trouble in found.troubles)
    if kinds:
        counts = ", ".join(f"{count} x {kind}" for kind, count in sorted(kinds.items()))
        say(f"{source}: {len(found.databases)} databases, {len(found.examples)} examples; {counts}")
    return found


def find_examined(source: str, examples: Path | None) -> Collection:
    """Return the databases of a source with examples about them; what cannot be read is said.

    Args:
        source: As for `find_collection`.
        examples: A file of them; None for those that come with the source.

    Raises:
        SourceError: There is no such source or file, or no example at all.
    """
    found = find_collection(source)
    if examples is not None:
        found = attach(found, examples)
    if not found.examples and not any(item.kind == "malformed" for item in found.troubles):
        raise SourceError("there is no example", where=source, fix="give --examples FILE")
    return found


def attach(found: Collection, examples: Path) -> Collection:
    """Return a collection with the examples of a file, after saying which cannot be asked."""
    made = add_examples(found, examples)
    for trouble in made.troubles[len(found.troubles) :]:
        say(f"{examples.name}: {trouble.where}: {trouble.kind}: {trouble.reason}")
    return made


def find_source(source: str, track: Track[Any], preset: str, selection: Selection = EVERYTHING) -> Source:
    """Return a source in the form a track takes it.

    Args:
        source: What the user calls it.
        track: Whether it asks about catalogs, rows or collections.
        preset: Which of the synthetic catalogs `syn_logistics` is.
        selection: What to read of it.

    Raises:
        SourceError: There is no such source, or it cannot be read.
        CatalogError: It contradicts itself.
    """
    known = settings().sources
    place = known[source].resolve(source) if source in known else source
    match kind_of_source(place, track):
        case "collection":
            return find_collection(source, selection)
        case "database":
            return find_database(source, selection)
        case "catalog":
            return find_catalog(source, preset=preset, selection=selection)


def _place(source: str) -> str:
    """Return the path or address of a source.

    Raises:
        SourceError: There is none.
    """
    known = settings().sources
    if source in known:
        return known[source].resolve(source)
    if ":" not in source and not os.path.lexists(source):  # a broken link has an error of its own
        raise SourceError(
            "no such source",
            where=source,
            fix=did_you_mean(source, known)
            or "Give a SQLite or DuckDB file, a folder of them or of CSV files, or an address.",
        )
    return source

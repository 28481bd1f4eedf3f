"""Read our own format: the JSON of a `Catalog`, as `write_catalog` writes it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from warebench.bounds import read_whole
from warebench.catalog.model import Catalog, Column, ForeignKey, LeftOut, LineageEdge, Table
from warebench.catalog.validate import validate
from warebench.errors import CatalogError, SourceError, did_you_mean

Fields = type[Catalog] | type[Table] | type[Column] | type[ForeignKey] | type[LineageEdge] | type[LeftOut]

PARTS: dict[Fields, dict[str, Fields]] = {
    Catalog: {
        "tables": Table,
        "foreign_keys": ForeignKey,
        "lineage": LineageEdge,
        "left_out": LeftOut,
    },
    Table: {"columns": Column},
}
"""Which field of which object holds a list of which objects."""


def read(source: Path, *, name: str = "") -> Catalog:
    """Return the catalog in a JSON file.

    Args:
        source: The file.
        name: Renames the catalog when given.

    Raises:
        SourceError: The file is missing, torn or not JSON.
        CatalogError: The JSON is not a catalog (the error names the JSON path), or the catalog
            contradicts itself.
    """
    tree = read_tree(source)
    for problem in _unknown_fields(tree, Catalog, "$"):
        raise CatalogError(problem[0], where=f"{source.name}, {problem[1]}", fix=problem[2])
    try:
        catalog = msgspec.convert(tree, Catalog)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at ")
        raise CatalogError(
            f"this JSON is not a warebench catalog: {what}",
            where=f"{source.name}, {path.strip('`') or '$'}",
            fix="write it with `warebench catalog SOURCE --format json`",
        ) from error
    if name:
        catalog = msgspec.structs.replace(catalog, name=name)
    return validate(catalog, where=source.name)


def read_tree(source: Path) -> Any:
    """Return the value of a JSON file.

    Raises:
        SourceError: The file cannot be read, is torn or not JSON.
    """
    try:
        return msgspec.json.decode(read_whole(source, SourceError))
    except OSError as error:
        raise SourceError(
            f"cannot read the file: {error.strerror}",
            where=str(source),
            fix="get the right to read it, or give another file",
        ) from error
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise SourceError(
            f"this file is not whole JSON: {error}",
            where=source.name,
            fix="write it again, or restore it from a copy",
        ) from error


def _unknown_fields(tree: object, kind: Fields, path: str) -> Iterator[tuple[str, str, str]]:
    """Yield (what, JSON path, fix) for fields we do not know: a typing error must not pass in silence."""
    if not isinstance(tree, dict):
        return
    known = kind.__struct_fields__
    for field in tree:
        if field not in known:
            yield f"unknown field {field!r}", f"{path}.{field}", did_you_mean(field, known) or "remove it"
    for field, part in PARTS.get(kind, {}).items():
        items = tree.get(field, ())
        for position, item in enumerate(items if isinstance(items, list) else ()):
            yield from _unknown_fields(item, part, f"{path}.{field}[{position}]")

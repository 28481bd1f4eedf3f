"""Schemas beside the data: the `tables.json` of Spider and BIRD, and what it adds to a file's own schema."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from warebench.catalog.assemble import TableDraft, TableName, assemble
from warebench.catalog.model import Catalog, Column, ForeignKey, Table
from warebench.catalog.validate import validate
from warebench.engine.collections.model import Trouble
from warebench.errors import CatalogError, SourceError


class Schema(msgspec.Struct, frozen=True, kw_only=True):
    """One database as `tables.json` has it; columns are counted from 0, which is `*`."""

    db_id: str
    table_names_original: list[str]
    column_names_original: list[tuple[int, str]]
    """Number of the table and name of the column."""
    column_types: list[str] = []
    primary_keys: list[int | list[int]] = []
    foreign_keys: list[tuple[int, int]] = []
    """Child column and parent column."""


def load_json(path: Path) -> object:
    """Return the content of a JSON file.

    Raises:
        SourceError: It is missing, unreadable or torn.
    """
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise SourceError(
            f"cannot read the file: {error.strerror}", where=str(path), fix="give the folder that holds it"
        ) from error
    except (ValueError, RecursionError) as error:
        raise SourceError(
            f"this file is not whole JSON: {error}", where=str(path), fix="fetch it again"
        ) from error


def read_schemas(path: Path) -> tuple[dict[str, Schema], list[Trouble]]:
    """Return the schemas of a `tables.json` by name, and the entries that are none.

    Raises:
        SourceError: The file is missing, torn or not a list.
    """
    content = load_json(path)
    if not isinstance(content, list):
        raise SourceError("this file is not a list of schemas", where=str(path), fix="fetch it again")
    schemas: dict[str, Schema] = {}
    troubles: list[Trouble] = []
    for position, entry in enumerate(content):
        try:
            schema = msgspec.convert(entry, Schema)
            schemas[schema.db_id] = schema
        except msgspec.ValidationError as error:
            troubles.append(Trouble(where=f"{path.name} [{position}]", kind="malformed", reason=str(error)))
    return schemas, troubles


def to_catalog(schema: Schema, source: str) -> Catalog:
    """Return the catalog of a schema.

    Args:
        schema: One entry of a `tables.json`.
        source: Where it was read from, in words.

    Raises:
        CatalogError: The schema contradicts itself.
    """
    try:
        drafts = [_draft(schema, number, source) for number in range(len(schema.table_names_original))]
    except IndexError as error:
        raise CatalogError(
            "a key names a column that does not exist", where=source, fix="correct or restore that file"
        ) from error
    catalog = assemble(drafts, name=schema.db_id, source=source)
    return add_keys(catalog, schema)[0]


def _draft(schema: Schema, number: int, where: str) -> TableDraft:
    columns = [
        (name, schema.column_types[position] if position < len(schema.column_types) else "")
        for position, (table, name) in enumerate(schema.column_names_original)
        if table == number
    ]
    keys = [key if isinstance(key, list) else [key] for key in schema.primary_keys]
    primary = [key for key in keys if schema.column_names_original[key[0]][0] == number]
    return TableDraft(
        name=TableName("", "", schema.table_names_original[number]),
        columns=tuple(Column(name=name, type=kind) for name, kind in columns),
        primary_key=tuple(schema.column_names_original[column][1] for column in primary[0])
        if primary
        else (),
        where=where,
    )


def add_keys(catalog: Catalog, schema: Schema) -> tuple[Catalog, list[str]]:
    """Return a catalog with the foreign keys of its schema besides its own, as documented.

    Args:
        catalog: As the file declares it.
        schema: The entry for the same database.

    Returns:
        The catalog, and the keys of the schema that name no column of it, in words.

    Raises:
        CatalogError: The keys contradict the catalog.
    """
    tables = {table.name.casefold(): table for table in catalog.tables}
    known = {pair for key in catalog.foreign_keys for pair in _pairs(key)}
    added: dict[ForeignKey, None] = {}
    broken = []
    for child, parent in schema.foreign_keys:
        ends = [_place(schema, tables, number) for number in (child, parent)]
        if not ends[0] or not ends[1]:
            broken.append(f"{_spell(schema, child)} -> {_spell(schema, parent)}")
            continue
        key = ForeignKey(
            child=ends[0][0],
            parent=ends[1][0],
            child_columns=(ends[0][1],),
            parent_columns=(ends[1][1],),
            evidence="documented",
        )
        if not known.intersection(_pairs(key)):
            added[key] = None
    keys = (*catalog.foreign_keys, *added)
    return validate(msgspec.structs.replace(catalog, foreign_keys=keys), where=catalog.source), broken


def _pairs(key: ForeignKey) -> Iterator[tuple[str, str, str, str]]:
    for child_column, parent_column in zip(key.child_columns, key.parent_columns, strict=True):
        yield key.child, child_column, key.parent, parent_column


def _place(schema: Schema, tables: Mapping[str, Table], number: int) -> tuple[str, str] | None:
    """Return table and column that a number means, as the catalog spells them."""
    if not 0 <= number < len(schema.column_names_original):
        return None
    table_number, column = schema.column_names_original[number]
    if not 0 <= table_number < len(schema.table_names_original):
        return None
    table = tables.get(schema.table_names_original[table_number].casefold())
    if table is None:
        return None
    for known in table.columns:
        if known.name.casefold() == column.casefold():
            return table.name, known.name
    return None


def _spell(schema: Schema, number: int) -> str:
    if not 0 <= number < len(schema.column_names_original):
        return f"column {number}"
    table, column = schema.column_names_original[number]
    names: Sequence[str] = schema.table_names_original
    return f"{names[table]}.{column}" if 0 <= table < len(names) else column

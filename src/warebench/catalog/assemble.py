"""Turn what a reader found into a catalog: resolve references, qualify names as far as needed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from warebench.catalog.model import Catalog, Column, ForeignKey, Table
from warebench.catalog.validate import validate
from warebench.errors import CatalogError, did_you_mean

DEFAULT_SCHEMAS = ("main", "public", "dbo")
"""Where DuckDB and SQLite, Postgres, and SQL Server put a table that names no schema."""


class TableName(NamedTuple):
    """A table's name in the source; a part is empty where the source leaves it out."""

    database: str
    schema: str
    table: str


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyDraft:
    """A foreign key as the source spells it; no parent columns means the parent's primary key."""

    columns: tuple[str, ...]
    parent: TableName
    parent_columns: tuple[str, ...] = ()
    name: str = ""
    where: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class TableDraft:
    """A table as the source spells it."""

    name: TableName
    columns: tuple[Column, ...] = ()
    primary_key: tuple[str, ...] = ()
    keys: tuple[KeyDraft, ...] = ()
    where: str = ""


Index = Mapping[str, Sequence[TableDraft]]
"""Casefolded table name -> the tables of that name, one per schema."""


def assemble(drafts: Sequence[TableDraft], *, name: str, source: str) -> Catalog:
    """Return a valid catalog of the drafts.

    Names are matched exactly first and then without regard to case. They are qualified with their
    schema when more than one schema holds tables, and with their database when there are several.

    Args:
        drafts: The tables in source order.
        name: Name of the catalog.
        source: Where it was read from, in words.

    Raises:
        CatalogError: A key names an unknown or ambiguous table or column, or the result contradicts
            itself.
    """
    drafts = _unify_schemas(drafts)
    index: dict[str, list[TableDraft]] = defaultdict(list)
    for draft in drafts:
        index[draft.name.table.casefold()].append(draft)
    labels = _labels(drafts)
    keys = [_resolve_key(key, draft, index, labels) for draft in drafts for key in draft.keys]
    tables = tuple(
        Table(
            name=labels[draft.name],
            database=draft.name.database,
            columns=draft.columns,
            primary_key=tuple(_column(column, draft, draft.where) for column in draft.primary_key),
        )
        for draft in drafts
    )
    # The same unnamed key declared twice is one key: SQLite, for one, reports each declaration.
    catalog = Catalog(name=name, tables=tables, foreign_keys=tuple(dict.fromkeys(keys)), source=source)
    return validate(catalog, where=source)


def _unify_schemas(drafts: Sequence[TableDraft]) -> list[TableDraft]:
    """Spell each schema as it is spelled first; no schema is the default one where that occurs."""
    spelling: dict[str, str] = {}
    for draft in drafts:
        spelling.setdefault(draft.name.schema.casefold(), draft.name.schema)
    spelling[""] = next((spelling[default] for default in DEFAULT_SCHEMAS if default in spelling), "")
    return [
        TableDraft(
            name=draft.name._replace(schema=spelling[draft.name.schema.casefold()]),
            columns=draft.columns,
            primary_key=draft.primary_key,
            keys=draft.keys,
            where=draft.where,
        )
        for draft in drafts
    ]


def _labels(drafts: Iterable[TableDraft]) -> dict[TableName, str]:
    names = [draft.name for draft in drafts]
    first = 2
    if len({name.schema for name in names}) > 1:
        first = 1
    if len({name.database for name in names}) > 1:
        first = 0
    return {name: ".".join(part for part in name[first:] if part) for name in names}


def _resolve_key(
    key: KeyDraft, child: TableDraft, index: Index, labels: Mapping[TableName, str]
) -> ForeignKey:
    where = f"{key.where or child.where}, table {labels[child.name]}, column {', '.join(key.columns)}"
    parent = _parent(key.parent, child, index, where)
    parent_columns = key.parent_columns or _implied_columns(key, parent, where)
    if len(key.columns) != len(parent_columns):
        raise CatalogError(
            f"a foreign key pairs {len(key.columns)} columns with {len(parent_columns)}"
            f" of table {labels[parent.name]!r}: ({', '.join(parent_columns)})",
            where=where,
            fix="name as many columns on both sides",
        )
    return ForeignKey(
        child=labels[child.name],
        parent=labels[parent.name],
        child_columns=tuple(_column(column, child, where) for column in key.columns),
        parent_columns=tuple(_column(column, parent, where) for column in parent_columns),
        name=key.name,
    )


def _parent(name: TableName, child: TableDraft, index: Index, where: str) -> TableDraft:
    """Return the table a reference means: its own schema's, else the default's, else the only one."""
    namesakes = index.get(name.table.casefold(), ())
    schemas = [name.schema] if name.schema else [child.name.schema, *DEFAULT_SCHEMAS, ""]
    if name.schema.casefold() in DEFAULT_SCHEMAS:
        schemas.append("")
    found: Sequence[TableDraft] = ()
    for schema in schemas:
        found = [draft for draft in namesakes if draft.name.schema.casefold() == schema.casefold()]
        if found:
            break
    if not found and not name.schema:
        found = namesakes
    if len(found) > 1:
        found = [draft for draft in found if draft.name.table == name.table] or found
    if len(found) == 1:
        return found[0]
    written = ".".join(part for part in name if part)
    if found:
        raise CatalogError(
            f"a foreign key names table {written!r}, and {len(found)} tables are called so",
            where=where,
            fix="name the schema in the reference",
        )
    known = sorted({draft.name.table for group in index.values() for draft in group})
    raise CatalogError(
        f"a foreign key names table {written!r}, which does not exist",
        where=where,
        fix=f"add the table or remove the key. {did_you_mean(name.table, known)}".rstrip(),
    )


def _implied_columns(key: KeyDraft, parent: TableDraft, where: str) -> tuple[str, ...]:
    """Return the parent's primary key, which SQL means when a reference names no columns."""
    if parent.primary_key:
        return parent.primary_key
    raise CatalogError(
        f"a foreign key names no column of table {parent.name.table!r}, and that table has no primary key",
        where=where,
        fix=f"name the column, as in REFERENCES {parent.name.table} (column)",
    )


def _column(name: str, table: TableDraft, where: str) -> str:
    """Return a column's real spelling; a table whose columns are unknown accepts any."""
    names = [column.name for column in table.columns]
    if not names or name in names:
        return name
    for known in names:
        if known.casefold() == name.casefold():
            return known
    raise CatalogError(
        f"a key names column {name!r}, which table {table.name.table!r} does not have",
        where=where,
        fix=f"correct the key. {did_you_mean(name, names)}".rstrip(),
    )

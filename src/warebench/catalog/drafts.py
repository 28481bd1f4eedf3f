"""What a reader finds, as the source spells it, before references are resolved."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from warebench.catalog.model import Column, TableKind

DEFAULT_SCHEMAS = ("main", "public", "dbo")
"""Where DuckDB and SQLite, Postgres, and SQL Server put a table that names no schema."""


class TableName(NamedTuple):
    """A table's name in the source; a part is empty where the source leaves it out."""

    database: str
    schema: str
    table: str

    def __str__(self) -> str:
        return ".".join(part for part in self if part)


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
    kind: TableKind = ""
    upstream: tuple[TableName, ...] = ()
    """What a view reads."""
    fault: str = ""
    """Why it cannot be read, as a clause; the catalog leaves it out."""


def label_tables(names: Iterable[TableName]) -> dict[TableName, str]:
    """Return what a catalog calls each table: qualified as far as the names differ in schema or database.

    Args:
        names: Of all tables of the source, those that are left out too.
    """
    every = list(names)
    first = 2
    if len({name.schema for name in every}) > 1:
        first = 1
    if len({name.database for name in every}) > 1:
        first = 0
    return {name: ".".join(part for part in name[first:] if part) for name in every}

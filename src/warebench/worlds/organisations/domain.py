"""What one kind of organisation keeps: tables, columns and questions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from warebench.queries.model import Query
from warebench.queries.template import Parameter

Kind = Literal["above", "never", "both", "atleast", "perparent"]
"""Shapes of nested questions."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ColumnSpec:
    """A column by its canonical name."""

    name: str
    others: tuple[str, ...] = ()
    """What it may be called instead."""
    recipe: tuple[str, ...]
    """How its values are made, in words."""
    missing: float = 0.0
    """Share of rows without a value."""
    parent: str = ""
    """The table it references."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TableSpec:
    """A table by its canonical name; its first column is its key."""

    name: str
    others: tuple[str, ...] = ()
    rows: int
    columns: tuple[ColumnSpec, ...]

    @property
    def key(self) -> str:
        """Name of the primary key."""
        return self.columns[0].name

    @property
    def references(self) -> tuple[ColumnSpec, ...]:
        """Its foreign keys."""
        return tuple(column for column in self.columns if column.parent)


@dataclass(frozen=True, kw_only=True, slots=True)
class Family:
    """A question about several rows at once, with placeholders."""

    text: str
    """In ordinary words."""
    plain: str
    """In the words of the schema, `[table]` and `[table.column]`."""
    query: Query
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class NestedFamily:
    """A question that takes a query within a query."""

    text: str
    plain: str
    kind: Kind
    parts: tuple[str, ...]
    """Tables and columns, by canonical name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Domain:
    """One kind of organisation."""

    name: str
    titles: tuple[tuple[str, str], ...]
    """What such an organisation is called in a question, and how its database is named; `{place}` in both."""
    tables: Mapping[str, TableSpec]
    """By name, parents before children."""
    families: tuple[Family, ...]
    nested: tuple[NestedFamily, ...]

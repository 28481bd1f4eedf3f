"""What gold SQL needs of a schema: the tables it reads, its columns and what each is read for."""

from typing import Literal

import msgspec

Dialect = Literal["sqlite", "duckdb"]
"""Whose rules resolve names: SQLite for Spider and BIRD, DuckDB for our own databases."""

Role = Literal["projection", "filter", "join", "group", "order"]
ROLES: tuple[Role, ...] = ("projection", "filter", "join", "group", "order")

Reason = Literal[
    "empty",
    "too_long",
    "unparsable",
    "several_statements",
    "write",
    "not_a_query",
    "unknown_table",
    "unknown_column",
    "ambiguous_column",
    "unsupported",
]
"""Why a query has no labels."""


class ColumnLabel(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """One column a query reads, in the catalog's spelling, and what it is read for."""

    table: str
    column: str
    roles: tuple[Role, ...]
    """In the order of `ROLES`, at least one."""


class Labels(msgspec.Struct, frozen=True, kw_only=True):
    """What a query reads, in the catalog's spelling, sorted."""

    tables: tuple[str, ...]
    columns: tuple[ColumnLabel, ...]

    @property
    def column_names(self) -> frozenset[tuple[str, str]]:
        """Pairs (table, column)."""
        return frozenset((label.table, label.column) for label in self.columns)


class Unlabelled(msgspec.Struct, frozen=True, kw_only=True):
    """Why a query could not be labelled."""

    reason: Reason
    detail: str = ""
    """What was in the way: the name as written, or the parser's words."""

"""What names mean inside one SELECT: relations, their outputs, aliases of select items."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from warebench.catalog.model import Table
from warebench.sql.labels.index import row_number


class Base(NamedTuple):
    """A column of a stored table, in the catalog's spelling."""

    table: str
    column: str


class Output(NamedTuple):
    """A column a relation gives, and the stored columns it is made of."""

    name: str
    bases: frozenset[Base]


@dataclass(frozen=True, kw_only=True, eq=False)
class Relation:
    """One item of FROM."""

    name: str
    """Its alias, or the table's name; empty for a derived table without alias."""
    database: str = ""
    """What qualifies the table where it has no alias."""
    outputs: tuple[Output, ...] = ()
    table: Table | None = None
    unknown: bool = False
    """A table function: nobody can tell its columns."""
    merged: frozenset[str] = frozenset()
    """Columns of USING and NATURAL, in small letters: unqualified they mean the earlier relation's."""

    def is_called(self, qualifier: str, database: str) -> bool:
        """Return whether `database.qualifier.column` may mean this relation."""
        if database and self.database and self.database.lower() != database.lower():
            return False
        return not qualifier or self.name.lower() == qualifier.lower()

    def find(self, column: str, *, qualified: bool) -> Output | None:
        """Return the output of a name, or None."""
        if not qualified and column.lower() in self.merged:
            return None
        return next((output for output in self.outputs if output.name.lower() == column.lower()), None)

    def rowid(self) -> Output | None:
        """Return what `rowid` stands for, or None where there is no stored row."""
        if self.table is None:
            return None
        key = row_number(self.table)
        bases = {Base(self.table.name, key)} if key else set[Base]()
        return Output("rowid", frozenset(bases))


@dataclass(kw_only=True)
class Scope:
    """The names one SELECT sees; `outer` is the query around it."""

    relations: Sequence[Relation] = ()
    aliases: dict[str, frozenset[Base]] = field(default_factory=dict)
    """Select items by name in small letters."""
    outer: "Scope | None" = None

    def outwards(self) -> Iterator["Scope"]:
        """Yield this scope and those around it."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer


class Match(NamedTuple):
    """What a column reference means."""

    relation: Relation | None
    """None for an alias of a select item."""
    bases: frozenset[Base]


ROWIDS: Mapping[str, frozenset[str]] = {
    "sqlite": frozenset({"rowid", "oid", "_rowid_"}),
    "duckdb": frozenset({"rowid"}),
}

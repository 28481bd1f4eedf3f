"""What one pass over a query has found so far."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlglot import exp

from warebench.sql.labels.index import CatalogIndex
from warebench.sql.labels.lookup import look_up
from warebench.sql.labels.model import Dialect, Role
from warebench.sql.labels.scope import Base, Match, Output, Scope


@dataclass(kw_only=True)
class Walk:
    """Findings, filled by `resolve_query`; nodes are known by their `id`."""

    index: CatalogIndex
    dialect: Dialect
    tables: set[str] = field(default_factory=set)
    uses: set[tuple[Base, Role]] = field(default_factory=set)
    meanings: dict[int, Match] = field(default_factory=dict)
    """What each column reference means."""
    scopes: dict[int, Scope] = field(default_factory=dict)
    """The names each SELECT sees."""
    ctes: dict[int, tuple[Output, ...]] = field(default_factory=dict)
    """Outputs of the common table expressions that are read."""
    open: set[int] = field(default_factory=set)
    """Common table expressions being resolved: a recursive one reads itself."""

    def use(self, bases: Iterable[Base], role: Role) -> None:
        """Note that columns are read for a role."""
        self.uses.update((base, role) for base in bases)

    def look_up(self, column: exp.Column, scope: Scope) -> Match:
        """Return what a column reference means, and keep it."""
        match = look_up(column, scope, self.dialect)
        self.meanings[id(column)] = match
        return match

"""What a route offers: its columns by use, and the criteria that tell rows apart."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from warebench.queries.compose.profile import Profile, Profiles
from warebench.queries.compose.routes import Route
from warebench.queries.model import Operator

Item = TypeVar("Item")

REPEATS = 3
"""Rows a value has on average from which a column tells groups of rows apart."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Scope:
    """A route and the columns in its reach, written `alias.column`."""

    database: str
    route: Route
    profiles: Mapping[str, Profile]
    strict: bool
    """Whether questions that a filter does not change are refused."""

    def columns(self, alias: str, flag: Callable[[Profile], bool]) -> list[str]:
        """Return the columns of an alias that a flag admits, in catalog order."""
        return [name for name, item in self.profiles.items() if alias_of(name) == alias and flag(item)]

    @property
    def middle(self) -> list[str]:
        """Aliases that a question need not use."""
        return [name for name in self.route.query.sources if name not in (self.route.root, *self.route.ends)]


@dataclass(frozen=True, slots=True)
class Criterion:
    """A filter before its parameter has a name."""

    column: str
    op: Operator
    kind: Literal["value", "threshold"] = "value"


def scope_of(database: str, route: Route, profiles: Profiles, *, strict: bool) -> Scope:
    """Return the columns a route reaches, but those of its joins."""
    joined = {
        column
        for join in route.query.joins
        for left, right in join.on
        for column in (left, f"{join.alias}.{right}")
    }
    reached = {
        f"{alias}.{name}": item
        for alias, table in route.query.sources.items()
        for name, item in profiles[table].items()
    }
    return Scope(
        database=database,
        route=route,
        profiles={name: item for name, item in reached.items() if name not in joined},
        strict=strict,
    )


def cover(
    scope: Scope, rng: random.Random, used: Sequence[str], *, least: int, op: Operator = "="
) -> tuple[Criterion, ...] | None:
    """Return criteria that touch every end not used yet, at least so many; None when columns lack.

    A criterion on the root is added by chance, and the others where criteria lack.
    """
    criteria: list[Criterion] = []
    touched = {alias_of(column) for column in used}
    for end in scope.route.ends:
        if end not in touched:
            found = criteria_on(scope, end, rng, used, op=op)
            if not found:
                return None
            criteria.append(found[0])
    if rng.random() < 0.5 or len(criteria) < least:
        criteria += criteria_on(scope, scope.route.root, rng, used)[:1]
    for alias in (*scope.middle, *scope.route.ends):
        if len(criteria) < least:
            criteria += criteria_on(scope, alias, rng, used)[:1]
    return tuple(criteria) if len(criteria) >= least else None


def criteria_on(
    scope: Scope,
    alias: str,
    rng: random.Random,
    used: Sequence[str],
    *,
    op: Operator = "=",
    repeated: bool = True,
) -> list[Criterion]:
    """Return the criteria that columns of an alias allow, in random order; on parents, values come first."""
    is_root = alias == scope.route.root
    categories = scope.columns(alias, lambda item: item.category)
    if op == "<>":  # a placeholder is neither the value nor another one
        categories = [name for name in categories if not scope.profiles[name].placeholders]
    if is_root and repeated:
        categories = [name for name in categories if _repeats(scope.profiles[name])]
    by_value = [Criterion(name, op) for name in categories if name not in used]
    bounded = scope.columns(alias, lambda item: item.bounded)
    bounds: tuple[Operator, ...] = (">=", "<=")
    by_bound = [Criterion(name, rng.choice(bounds), "threshold") for name in bounded if name not in used]
    if is_root:
        return shuffled([*by_value, *by_bound], rng)
    return [*shuffled(by_value, rng), *shuffled(by_bound, rng)]


def _repeats(item: Profile) -> bool:
    return item.present >= REPEATS * item.distinct


def alias_of(column: str) -> str:
    """Return the alias of `alias.column`."""
    return column.partition(".")[0]


def shuffled(items: Sequence[Item], rng: random.Random) -> list[Item]:
    """Return the items in random order."""
    return rng.sample(items, len(items))

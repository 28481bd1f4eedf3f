"""Routes through the foreign keys, from the table with many rows to the tables it refers to."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import pyarrow as pa

from warebench.catalog.model import ForeignKey
from warebench.engine.database import Database
from warebench.queries.model import Count, Join, Query

LONGEST = 3
"""Joins of the longest chain."""

MOST = 300
"""Routes that are tried; a wide schema has far more."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Route:
    """Joins along foreign keys from child to parent: every row of the first table occurs at most once."""

    query: Query
    """Tables and joins alone; it counts rows."""
    ends: tuple[str, ...]
    """Aliases that a question has to use, or a join is needless: the last of a chain, both of a fork."""

    @property
    def root(self) -> str:
        """Alias of the first table."""
        return self.query.alias


@dataclass(frozen=True, kw_only=True, slots=True)
class Links:
    """Foreign keys that can be followed, and why the others cannot."""

    keys: tuple[ForeignKey, ...]
    reasons: tuple[str, ...]


def find_links(database: Database) -> Links:
    """Return the foreign keys whose parent side is unique in the data and whose columns compare alike."""
    seen: set[tuple[str, str, frozenset[tuple[str, str]]]] = set()
    keys, reasons = [], []
    for key in database.catalog.foreign_keys:
        pairs = frozenset(zip(key.child_columns, key.parent_columns, strict=True))
        identity = (key.child, key.parent, pairs)
        if identity in seen:
            continue
        seen.add(identity)
        fault = _fault(database, key)
        if fault:
            reasons.append(f"foreign key of `{key.child}` to `{key.parent}`: {fault}")
        else:
            keys.append(key)
    return Links(keys=tuple(keys), reasons=tuple(reasons))


def _fault(database: Database, key: ForeignKey) -> str:
    child, parent = database.tables[key.child], database.tables[key.parent]
    if not key.child_columns:
        return "its columns are unknown"
    if not child.num_rows or not parent.num_rows:
        return "one of the tables is empty"
    for one, other in zip(key.child_columns, key.parent_columns, strict=True):
        if _family(child.schema.field(one).type) != _family(parent.schema.field(other).type):
            return f"`{one}` and `{other}` are of different types"
        if not _family(child.schema.field(one).type):
            return f"columns of the type of `{one}` are not joined"
    known = [cells for cells in _tuples(parent, key.parent_columns) if None not in cells]
    if len(set(known)) < len(known):
        return "what it refers to is not unique, so that rows would be counted twice"
    if not set(known).intersection(_tuples(child, key.child_columns)):
        return "no row has a partner"
    return ""


def _family(kind: pa.DataType) -> str:
    """Return types that are equal in both interpreters when they look equal; empty for none."""
    if pa.types.is_integer(kind) or pa.types.is_decimal128(kind):
        return "number"
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return "text"
    same = pa.types.is_date32(kind) or pa.types.is_boolean(kind) or pa.types.is_timestamp(kind)
    return str(kind) if same else ""


def _tuples(table: pa.Table, columns: Sequence[str]) -> list[tuple[object, ...]]:
    return list(zip(*(table.column(name).to_pylist() for name in columns), strict=True))


def find_routes(keys: Sequence[ForeignKey], rng: random.Random) -> tuple[Route, ...]:
    """Return chains of one to three keys and forks of two, in random order, at most `MOST`.

    No route visits a table twice but for a key of a table to itself, which stands last: its question is about
    one table only.
    """
    routes = [*_chains(keys), *_forks(keys)]
    rng.shuffle(routes)
    routes.sort(key=lambda route: len(set(route.query.sources.values())) == 1)
    return tuple(routes[:MOST])


def _chains(keys: Sequence[ForeignKey]) -> Iterator[Route]:
    for first in keys:
        yield from _grow(keys, (first,))


def _grow(keys: Sequence[ForeignKey], chain: tuple[ForeignKey, ...]) -> Iterator[Route]:
    yield _route(chain, forked=False)
    visited = {chain[0].child, *(key.parent for key in chain)}
    if len(chain) == LONGEST or chain[-1].child == chain[-1].parent:
        return
    for key in keys:
        if key.child == chain[-1].parent and key.parent not in visited:
            yield from _grow(keys, (*chain, key))


def _forks(keys: Sequence[ForeignKey]) -> Iterator[Route]:
    for one, other in combinations(keys, 2):
        if one.child == other.child and len({one.child, one.parent, other.parent}) == 3:
            yield _route((one, other), forked=True)


def _route(keys: tuple[ForeignKey, ...], *, forked: bool) -> Route:
    aliases = [_alias(keys[0].child, ())]
    joins = []
    for key in keys:
        left = aliases[0] if forked else aliases[-1]
        alias = _alias(key.parent, aliases)
        pairs = zip(key.child_columns, key.parent_columns, strict=True)
        on = tuple((f"{left}.{child}", parent) for child, parent in pairs)
        joins.append(Join(table=key.parent, alias=alias, on=on))
        aliases.append(alias)
    query = Query(table=keys[0].child, alias=aliases[0], joins=tuple(joins), want=Count())
    return Route(query=query, ends=tuple(aliases[1:] if forked else aliases[-1:]))


def _alias(table: str, taken: Sequence[str]) -> str:
    """Return the table's name, without the point that parts alias and column, and not taken before."""
    plain = table.replace(".", "_")
    known = {alias.casefold() for alias in taken}
    names = [plain, *(f"{plain} {number}" for number in range(2, len(known) + 2))]
    return next(name for name in names if name.casefold() not in known)

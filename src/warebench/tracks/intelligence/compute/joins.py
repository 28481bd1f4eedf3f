"""Where columns are, for the second method: distances back from a dimension, then the one way down them."""

from dataclasses import dataclass
from typing import TypeVar

from warebench.catalog.model import Catalog, ForeignKey
from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.knowledge.model import Dimension, Join, Relation

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Joined:
    """A table of a relation under its alias, and the pairs of columns that its rows are found by."""

    alias: str
    table: str
    pairs: tuple[tuple[str, str, str], ...] = ()
    """(alias before it, column there, own column); none for the first table."""


def join_tables(relation: Relation, catalog: Catalog) -> tuple[Joined, ...]:
    """Return the tables of a relation, each after those it is joined to.

    Raises:
        KnowledgeError: A join without columns has no foreign key to go by, or several.
    """
    found = [Joined(relation.alias or relation.table, relation.table)]
    for join in relation.joins:
        pairs = tuple((*locate(there), own) for there, own in join.on) or _pairs(join, found, catalog)
        found.append(Joined(join.alias or join.table, join.table, pairs))
    return tuple(found)


def find_column(
    joined: tuple[Joined, ...], catalog: Catalog, dimension: Dimension
) -> tuple[tuple[Joined, ...], tuple[str, str]]:
    """Return a relation with the tables on the way to a dimension, and (alias, column) of that.

    Raises:
        KnowledgeError: There is no way, or more than one.
    """
    home = [item.alias for item in joined if item.table == dimension.table]
    if home:
        alias = home[0] if len(home) == 1 else dimension.table
        if alias not in home:
            raise _unclear(dimension)
        return joined, (alias, dimension.column)
    away = _distances(catalog, dimension.table)
    near = min((away[item.table] for item in joined if item.table in away), default=0)
    nearest = [(item.alias, item.table) for item in joined if away.get(item.table) == near]
    alias, table = _only(nearest, dimension)
    while table != dimension.table:
        keys = [key for key in catalog.foreign_keys if key.child == table and key.child_columns]
        key = _only([key for key in keys if away.get(key.parent) == away[table] - 1], dimension)
        joined = (*joined, Joined(key.parent, key.parent, _by(key, alias)))
        alias = table = key.parent
    if len({item.alias for item in joined}) < len(joined):
        raise _unclear(dimension)
    return joined, (alias, dimension.column)


def locate(text: str) -> tuple[str, str]:
    """Return alias and column of `alias.column`."""
    alias, _, column = text.partition(".")
    return alias, column


def _pairs(join: Join, before: list[Joined], catalog: Catalog) -> tuple[tuple[str, str, str], ...]:
    tables = [(item.alias, item.table) for item in before]
    found = [
        _by(key, alias)
        for key in catalog.foreign_keys
        for alias, table in tables
        if key.child_columns and key.parent == join.table and key.child == table
    ]
    if len(found) != 1:
        raise KnowledgeError(f"the join to `{join.table}` is ambiguous", fix="write its columns as `on`")
    return found[0]


def _by(key: ForeignKey, child: str) -> tuple[tuple[str, str, str], ...]:
    return tuple((child, own, key.parent_columns[at]) for at, own in enumerate(key.child_columns))


def _distances(catalog: Catalog, table: str) -> dict[str, int]:
    """Return how many foreign keys lead from each table to one, as fewest; O(tables * keys)."""
    away = {table: 0}
    changed = True
    while changed:
        changed = False
        for key in catalog.foreign_keys:
            if key.child_columns and key.parent in away:
                steps = away[key.parent] + 1
                if steps < away.get(key.child, steps + 1):
                    away[key.child], changed = steps, True
    return away


def _only(found: list[T], dimension: Dimension) -> T:
    if len(found) != 1:
        raise _unclear(dimension)
    return found[0]


def _unclear(dimension: Dimension) -> KnowledgeError:
    return KnowledgeError(
        f"there is no one way to dimension {dimension.id}",
        fix=f"join `{dimension.table}` in the metric's relation",
    )

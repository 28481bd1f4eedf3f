"""Where columns are: the joins of a relation, and the way from it to a dimension."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from warebench.catalog.model import Catalog, ForeignKey, Table
from warebench.errors import KnowledgeError, did_you_mean
from warebench.tracks.intelligence.knowledge.model import Dimension, Join, Relation


@dataclass(frozen=True, slots=True)
class Place:
    """One table of a relation, and how each row finds its row in it; the first table has no `on`."""

    alias: str
    table: str
    on: tuple[tuple[str, str, str], ...] = ()
    """(alias that is there already, its column, column of this table)."""


def resolve_relation(relation: Relation, catalog: Catalog) -> tuple[Place, ...]:
    """Return the tables of a relation in the order of their joins.

    Args:
        relation: The relation.
        catalog: Tables and foreign keys; joins without `on` follow the one that fits.

    Raises:
        KnowledgeError: A table or column is unknown, an alias stands twice, or a join has no foreign key or
            several.
    """
    find_table(catalog, relation.table)
    places = [Place(relation.name, relation.table)]
    for join in relation.joins:
        table = find_table(catalog, join.table)
        if join.name in [place.alias for place in places]:
            raise KnowledgeError(f"`{join.name}` names two tables", fix="give one of them an `alias`")
        on = _given(join, table, places, catalog) if join.on else _by_key(join, places, catalog)
        places.append(Place(join.name, join.table, on))
    return tuple(places)


def reach(
    places: Sequence[Place], catalog: Catalog, dimension: Dimension
) -> tuple[tuple[Place, ...], tuple[str, str]]:
    """Return the relation, widened where needed, and the (alias, column) of a dimension in it.

    A table of the relation comes first: the one called by its own name, or the only one. Else the one
    shortest way along foreign keys, from child to parent, is joined.

    Raises:
        KnowledgeError: There is no way, or more than one.
    """
    aliases = [place.alias for place in places if place.table == dimension.table]
    named = [alias for alias in aliases if alias == dimension.table]
    if len(aliases) == 1 or named:
        return tuple(places), ((named or aliases)[0], dimension.column)
    if aliases:
        raise KnowledgeError(
            f"dimension {dimension.id} can be read from {' and '.join(aliases)}",
            fix=f"call the one that is meant `{dimension.table}`",
        )
    ways = _ways(places, catalog, dimension.table)
    if len(ways) != 1:
        found = "no way" if not ways else f"{len(ways)} ways"
        raise KnowledgeError(
            f"there is {found} from `{places[0].table}` to dimension {dimension.id}",
            fix=f"join `{dimension.table}` in the metric's relation",
        )
    wide = list(places)
    for alias, key in ways[0]:
        if key.parent in [place.alias for place in wide]:
            raise KnowledgeError(
                f"the alias `{key.parent}` hides a table on the way to {dimension.id}", fix="rename it"
            )
        pairs = zip(key.child_columns, key.parent_columns, strict=True)
        wide.append(Place(key.parent, key.parent, tuple((alias, own, other) for own, other in pairs)))
    return tuple(wide), (dimension.table, dimension.column)


def find_table(catalog: Catalog, name: str) -> Table:
    """Return a table of a catalog.

    Raises:
        KnowledgeError: There is none of that name.
    """
    for table in catalog.tables:
        if table.name == name:
            return table
    raise KnowledgeError(f"there is no table `{name}`", fix=did_you_mean(name, catalog.table_names))


def find_type(table: Table, column: str) -> str:
    """Return the type of a column as its database spells it.

    Raises:
        KnowledgeError: The table has no such column.
    """
    for item in table.columns:
        if item.name == column:
            return item.type
    known = [item.name for item in table.columns]
    raise KnowledgeError(f"table `{table.name}` has no column `{column}`", fix=did_you_mean(column, known))


def split_column(text: str) -> tuple[str, str]:
    """Return alias and column of `alias.column`.

    Raises:
        KnowledgeError: It is not written so.
    """
    alias, dot, column = text.partition(".")
    if not (alias and dot and column):
        raise KnowledgeError(f"`{text}` is no column", fix="write alias.column")
    return alias, column


def _given(
    join: Join, table: Table, places: Sequence[Place], catalog: Catalog
) -> tuple[tuple[str, str, str], ...]:
    found = []
    for there, own in join.on:
        alias, column = split_column(there)
        known = {place.alias: place.table for place in places}
        if alias not in known:
            raise KnowledgeError(
                f"`{there}`: nothing is called `{alias}` before `{join.name}`", fix=did_you_mean(alias, known)
            )
        find_type(find_table(catalog, known[alias]), column)
        find_type(table, own)
        found.append((alias, column, own))
    return tuple(found)


def _by_key(join: Join, places: Sequence[Place], catalog: Catalog) -> tuple[tuple[str, str, str], ...]:
    keys = [
        (place.alias, key)
        for place in places
        for key in catalog.foreign_keys
        if (key.child, key.parent) == (place.table, join.table) and key.child_columns
    ]
    if len(keys) != 1:
        said = "no foreign key leads" if not keys else f"{len(keys)} foreign keys lead"
        raise KnowledgeError(
            f"the join to `{join.name}` is ambiguous: {said} from {', '.join(p.alias for p in places)}",
            fix="write the columns as `on: [[alias.column, column]]`",
        )
    ((alias, key),) = keys
    pairs = zip(key.child_columns, key.parent_columns, strict=True)
    return tuple((alias, own, other) for own, other in pairs)


Way = tuple[tuple[str, ForeignKey], ...]
"""(alias of the child, key) of each step."""


def _ways(places: Sequence[Place], catalog: Catalog, table: str) -> list[Way]:
    """Return all shortest ways along foreign keys from a relation to a table."""
    level: list[tuple[Way, str, str]] = [((), place.alias, place.table) for place in places]
    seen = {place.table for place in places}
    while level:
        steps = [
            ((*way, (alias, key)), key.parent, key.parent)
            for way, alias, child in level
            for key in _keys_of(catalog, child)
            if key.parent not in seen
        ]
        if found := [way for way, _, end in steps if end == table]:
            return found
        seen |= {end for _, _, end in steps}
        level = steps
    return []


def _keys_of(catalog: Catalog, child: str) -> Iterator[ForeignKey]:
    return (key for key in catalog.foreign_keys if key.child == child and key.child_columns)

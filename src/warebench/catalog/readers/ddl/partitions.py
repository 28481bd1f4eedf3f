"""Partitions of a script: one table with their parent, whose keys they inherit."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from warebench.catalog.assemble import KeyDraft, TableName
from warebench.catalog.readers.ddl.elements import Definition
from warebench.catalog.readers.ddl.names import Tables, find_only, find_table, fold, is_same

Lost = tuple[str, str, str, tuple[TableName, ...]]
"""What is left out, where, why, and the tables that it touches."""


def join_parts(
    tables: Tables, changes: Sequence[Definition], gone: Collection[TableName]
) -> tuple[dict[TableName, TableName], list[Lost]]:
    """Take partitions out of the tables: one table with their parent, whose keys they inherit.

    Returns:
        What a partition is called, and what the table is called that it is a part of: attached ones stand
        there under their own spelling, and under that of the table that was created. Then the keys that hold
        for a partition only.

    Raises:
        CatalogError: The table of a partition is created nowhere.
    """
    whole = {name: table.part_of for name, table in tables.items() if table.part_of is not None}
    for change in changes:
        for part in change.parts:
            whole[fold(part)] = change.name
            if (known := find_only(part, tables)) is not None:
                whole[known] = change.name
    parts = {name: tables.pop(name, None) for name in whole}
    roots = {name: _root(name, whole) for name in whole}
    for name, taken in parts.items():
        if taken is not None and fold(roots[name]) not in gone:
            find_table(roots[name], tables, taken.where)
    return roots, list(_partial_keys(tables, changes, parts, roots))


def _partial_keys(
    tables: Tables,
    changes: Sequence[Definition],
    parts: Mapping[TableName, Definition | None],
    roots: Mapping[TableName, TableName],
) -> Iterator[Lost]:
    """Yield each key of a partition that its table does not have: a dump repeats those that it has."""
    added = [change for change in changes if change.keys]
    for change in (*(part for part in parts.values() if part), *added):
        name = find_only(change.name, roots)
        if name is None or fold(change.name) in tables:
            continue
        root = roots[name]
        known = [each for each in (tables.get(find_only(root, tables) or root), *added) if each]
        of_root = [key for each in known if is_same(each.name, root) for key in each.keys]
        for key in change.keys:
            if not any(
                key.columns == other.columns and is_same(key.parent, other.parent) for other in of_root
            ):
                what = f"foreign key ({', '.join(key.columns)})"
                why = f"it holds for the partition `{name.table}` of `{root.table}` only"
                yield what, key.where, why, (root, key.parent)


def _root(name: TableName, whole: Mapping[TableName, TableName]) -> TableName:
    """Return the table that a partition, or a partition of one, is a part of."""
    seen = {name}
    parent = whole[name]
    while (above := find_only(parent, whole)) is not None and above not in seen:
        seen.add(above)
        parent = whole[above]
    return parent


def is_part(name: TableName, tables: Tables, whole: Mapping[TableName, TableName]) -> bool:
    """Return whether a name means a partition, and no table of the same name."""
    return fold(name) not in tables and find_only(name, whole) is not None


def to_whole(key: KeyDraft, tables: Tables, whole: Mapping[TableName, TableName]) -> KeyDraft:
    """Return a key into a partition as one into its table."""
    if not is_part(key.parent, tables, whole):
        return key
    return replace(key, parent=whole[find_only(key.parent, whole) or key.parent])

"""A part of a catalog: what a user asks for, less what is excluded; it says what is missing."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

import msgspec
from msgspec.structs import replace

from warebench.catalog.model import Catalog, ForeignKey, LeftOut, Table
from warebench.errors import SourceError, did_you_mean


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """What of a source to read. Patterns are those of a shell, without regard to case.

    A pattern means tables (`raw.*`, `orders`), or columns where it names a table before (`orders.photo`).
    """

    schemas: tuple[str, ...] = ()
    """Schemas of a server or DuckDB file; all when empty."""
    include: tuple[str, ...] = ()
    """Tables to read; all when empty."""
    exclude: tuple[str, ...] = ()
    """Tables or columns to leave out."""


EVERYTHING = Selection()


def select(catalog: Catalog, selection: Selection, where: str = "") -> Catalog:
    """Return the part of a catalog that a user wants; what is not wanted is in its `left_out`.

    Args:
        catalog: The whole catalog.
        selection: Patterns and schemas.
        where: The source, named in the error.

    Raises:
        SourceError: A pattern matches nothing, or no table is left.
    """
    if selection == EVERYTHING:
        return catalog
    names = catalog.table_names
    tables = {name: "excluded" for name in names if not _wanted(name, selection)}
    columns: dict[tuple[str, str], str] = {}
    for pattern in selection.exclude:
        found = [name for name in names if _matches(name, pattern)]
        tables |= dict.fromkeys(found, "excluded")
        parts = [
            (table.name, column.name)
            for table in catalog.tables
            for column in table.columns
            if _matches(f"{table.name}.{column.name}", pattern)
        ]
        # `raw.*` means the tables of a schema: with them their columns go anyway.
        columns |= dict.fromkeys([part for part in parts if part[0] not in tables], "excluded")
        if not found and not parts:
            raise _matches_nothing(pattern, names, where)
    for pattern in (*selection.include, *(f"{schema}.*" for schema in selection.schemas)):
        if not any(_matches(name, pattern) for name in names):
            raise _matches_nothing(pattern, names, where)
    chosen = drop_tables(drop_columns(catalog, columns), tables)
    if not chosen.tables:
        raise SourceError("nothing is left of this source", where=where, fix="exclude less")
    return chosen


def _wanted(name: str, selection: Selection) -> bool:
    schemas = [f"{schema}.*" for schema in selection.schemas]
    return all(
        not patterns or any(_matches(name, p) for p in patterns) for patterns in (selection.include, schemas)
    )


def _matches(name: str, pattern: str) -> bool:
    return fnmatchcase(name.casefold(), pattern.casefold())


def _matches_nothing(pattern: str, names: Sequence[str], where: str) -> SourceError:
    return SourceError(
        f"the pattern `{pattern}` matches no table and no column",
        where=where,
        fix=did_you_mean(pattern, names),
    )


def drop_tables(catalog: Catalog, reasons: Mapping[str, str]) -> Catalog:
    """Return a catalog without some tables, marked as left out.

    Args:
        catalog: The whole catalog.
        reasons: Name of each table to drop, and why, as a clause.

    Complexity: O(tables + edges).
    """
    if not reasons:
        return catalog
    near: dict[str, set[str]] = {name: set() for name in reasons}
    ends = [(key.child, key.parent) for key in catalog.foreign_keys]
    ends += [(edge.downstream, edge.upstream) for edge in catalog.lineage]
    for one, other in (*ends, *((b, a) for a, b in ends)):
        if one in near and other not in near:
            near[one].add(other)
    lost = tuple(
        LeftOut(
            kind="table",
            what=table.kind or "table",
            where=table.name,
            why=reasons[table.name],
            touches=tuple(sorted(near[table.name])),
        )
        for table in catalog.tables
        if table.name in reasons
    )
    return replace(
        catalog,
        tables=tuple(table for table in catalog.tables if table.name not in reasons),
        foreign_keys=tuple(key for key in catalog.foreign_keys if not {key.child, key.parent} & near.keys()),
        lineage=tuple(edge for edge in catalog.lineage if not {edge.downstream, edge.upstream} & near.keys()),
        left_out=(*(_without(item, reasons) for item in catalog.left_out), *lost),
    )


def _without(item: LeftOut, gone: Mapping[str, str]) -> LeftOut:
    return replace(item, touches=tuple(name for name in item.touches if name not in gone))


def drop_columns(catalog: Catalog, reasons: Mapping[tuple[str, str], str]) -> Catalog:
    """Return a catalog without some columns, marked as left out, and without the keys that need them.

    Args:
        catalog: The whole catalog.
        reasons: Table and column to drop, and why, as a clause.
    """
    if not reasons:
        return catalog
    gone = frozenset(reasons)
    broken = [key for key in catalog.foreign_keys if _columns(key) & gone]
    lost = [
        LeftOut(kind="column", what=f"column `{column}`", where=table, why=why)
        for (table, column), why in reasons.items()
    ]
    lost += [
        LeftOut(
            kind="key",
            what=f"foreign key ({', '.join(key.child_columns)}) -> {key.parent}",
            where=key.child,
            why="a column of it is left out",
            touches=tuple(sorted({key.child, key.parent})),
        )
        for key in broken
    ]
    return replace(
        catalog,
        tables=tuple(_strip(table, gone) for table in catalog.tables),
        foreign_keys=tuple(key for key in catalog.foreign_keys if key not in broken),
        left_out=(*catalog.left_out, *lost),
    )


def _columns(key: ForeignKey) -> set[tuple[str, str]]:
    return {
        *((key.child, column) for column in key.child_columns),
        *((key.parent, column) for column in key.parent_columns),
    }


def _strip(table: Table, gone: frozenset[tuple[str, str]]) -> Table:
    columns = tuple(column for column in table.columns if (table.name, column.name) not in gone)
    whole = not any((table.name, name) in gone for name in table.primary_key)
    return replace(table, columns=columns, primary_key=table.primary_key if whole else ())

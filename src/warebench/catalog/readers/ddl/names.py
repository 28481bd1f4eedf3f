"""Which table of a script a name means."""

from collections.abc import Collection

from warebench.catalog.assemble import TableName
from warebench.catalog.readers.ddl.elements import Definition
from warebench.errors import CatalogError, did_you_mean

Tables = dict[TableName, Definition]
"""The tables made so far, by casefolded name."""


def find_only(name: TableName, tables: Collection[TableName]) -> TableName | None:
    """Return the one table that a name may mean; None where there is none, or several are."""
    wanted = fold(name)
    if wanted in tables:
        return wanted
    namesakes = _namesakes(wanted, tables)
    return namesakes[0] if len(namesakes) == 1 else None


def _namesakes(wanted: TableName, tables: Collection[TableName]) -> list[TableName]:
    return [known for known in tables if known.table == wanted.table and _may_be(known, wanted)]


def _may_be(known: TableName, wanted: TableName) -> bool:
    same_schema = not known.schema or not wanted.schema or known.schema == wanted.schema
    return same_schema and (not known.database or not wanted.database or known.database == wanted.database)


def find_table(name: TableName, tables: Tables, where: str) -> TableName:
    """Return the table an ALTER TABLE or LIKE means; one that names no schema may mean the only namesake.

    Raises:
        CatalogError: There is none, or there are several.
    """
    if (known := find_only(name, tables)) is not None:
        return known
    namesakes = _namesakes(fold(name), tables)
    written = ".".join(part for part in name if part)
    raise CatalogError(
        f"table {written!r} is {'ambiguous' if namesakes else 'altered or copied but never created'}",
        where=where,
        fix=did_you_mean(name.table, (known.name.table for known in tables.values()))
        or "add the script that creates it",
    )


def fold(name: TableName) -> TableName:
    """Return a name as tables are told apart by: without regard to case."""
    return TableName(*(part.casefold() for part in name))


def is_same(one: TableName, other: TableName) -> bool:
    """Return whether two names may mean one table."""
    folded = fold(one), fold(other)
    return folded[0].table == folded[1].table and _may_be(*folded)

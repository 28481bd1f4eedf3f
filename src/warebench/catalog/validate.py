"""Refuse a catalog that contradicts itself: every later stage may rely on what passes here."""

import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from warebench.catalog.model import Catalog, ForeignKey
from warebench.catalog.spelling import canonical
from warebench.errors import CatalogError, did_you_mean

Problems = Iterator[CatalogError]


def validate(catalog: Catalog, *, where: str = "") -> Catalog:
    """Return the catalog unchanged, or refuse it.

    Lineage cycles are not refused here: the graph room detects and reports them.

    Args:
        catalog: The catalog to check.
        where: The file it came from, named in the error; the catalog's name when empty.

    Raises:
        CatalogError: An empty, unprintable or duplicate name (tables also when they differ in case
            only), a key or lineage edge that names nothing, a key whose column lists differ in
            length, a lineage edge from a table to itself, or the same edge twice.

    Example:
        >>> from warebench.catalog.model import Table
        >>> validate(Catalog(name="shop", tables=(Table(name="orders"),))).table_names
        ('orders',)
    """
    place = where or f"catalog {catalog.name!r}"
    for check in CHECKS:
        for problem in check(catalog, place):
            raise problem
    return catalog


def _check_names(catalog: Catalog, where: str) -> Problems:
    if problem := name_fault(catalog.name):
        yield CatalogError(f"the catalog's name {problem}", where=where, fix="give the catalog a name")
    for position, table in enumerate(catalog.tables):
        if problem := name_fault(table.name):
            yield CatalogError(
                f"the name of table {position + 1} {problem}: {table.name!r}",
                where=where,
                fix="rename the table in the source",
            )
        for column in table.columns:
            if problem := name_fault(column.name):
                yield CatalogError(
                    f"a column name {problem}: {column.name!r}",
                    where=f"{where}, table {table.name}",
                    fix="rename the column in the source",
                )


def name_fault(name: str) -> str:
    """Return what is wrong with a name in words, or nothing.

    Args:
        name: Of a catalog, table or column.
    """
    if not name.strip():
        return "is empty"
    if name.isprintable():
        return ""
    # Cc: control, Cs: lone surrogate, Zl and Zp: line breaks that a terminal or a model would follow.
    if any(unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"} for char in name):
        return "holds a control character"
    return ""


def _check_tables(catalog: Catalog, where: str) -> Problems:
    seen: dict[str, str] = {}
    for table in catalog.tables:
        # Answers are compared in this form, so two tables that share it could not be told apart.
        form = canonical(table.name)
        other = seen.get(form)
        seen[form] = table.name
        if other is None:
            continue
        how = "case" if other.casefold() == table.name.casefold() else "blanks, quotes or composition"
        differs = "" if other == table.name else f", which differs from {other!r} in {how} only"
        yield CatalogError(
            f"duplicate table {table.name!r}{differs}",
            where=f"{where}, table {table.name}",
            fix="rename one, or qualify both with their schema",
        )


def _check_columns(catalog: Catalog, where: str) -> Problems:
    for table in catalog.tables:
        names = [column.name for column in table.columns]
        if twice := _first_repeated(names):
            yield CatalogError(
                f"duplicate column {twice!r}",
                where=f"{where}, table {table.name}, column {twice}",
                fix="remove or rename one of the two",
            )


def _check_primary_keys(catalog: Catalog, where: str) -> Problems:
    for table in catalog.tables:
        known = frozenset(column.name for column in table.columns)
        for column in _unknown_columns(table.primary_key, known):
            what, fix = _unknown_column("the primary key", column, table.name, known)
            yield CatalogError(what, where=f"{where}, table {table.name}, column {column}", fix=fix)
        if twice := _first_repeated(table.primary_key):
            yield CatalogError(
                f"the primary key names column {twice!r} twice",
                where=f"{where}, table {table.name}, column {twice}",
                fix="name it once",
            )


def _check_foreign_keys(catalog: Catalog, where: str) -> Problems:
    columns = {table.name: frozenset(column.name for column in table.columns) for table in catalog.tables}
    seen: set[tuple[object, ...]] = set()
    for key in catalog.foreign_keys:
        identity = (key.child, key.parent, key.child_columns, key.parent_columns, key.name)
        for what, fix in _key_problems(key, columns):
            yield CatalogError(what, where=f"{where}, table {key.child}, {_key_in_words(key)}", fix=fix)
        if identity in seen:
            yield CatalogError(
                "the same foreign key stands twice",
                where=f"{where}, table {key.child}, {_key_in_words(key)}",
                fix="remove one of the two",
            )
        seen.add(identity)


def _key_problems(key: ForeignKey, columns: Mapping[str, frozenset[str]]) -> Iterator[tuple[str, str]]:
    """Yield (what, fix)."""
    for table in (key.child, key.parent):
        if table not in columns:
            yield _unknown_table("a foreign key", table, columns)
    if len(key.child_columns) != len(key.parent_columns):
        yield (
            f"a foreign key pairs {len(key.child_columns)} child columns "
            f"with {len(key.parent_columns)} parent columns",
            "name as many columns on both sides, or none on either",
        )
    for table, names in ((key.child, key.child_columns), (key.parent, key.parent_columns)):
        for column in _unknown_columns(names, columns[table]):
            yield _unknown_column("a foreign key", column, table, columns[table])


def _key_in_words(key: ForeignKey) -> str:
    name = f"{key.name} " if key.name else ""
    ends = f"({', '.join(key.child_columns)}) -> {key.parent}({', '.join(key.parent_columns)})"
    return f"foreign key {name}{ends}"


def _check_lineage(catalog: Catalog, where: str) -> Problems:
    tables = frozenset(catalog.table_names)
    seen: set[tuple[str, str]] = set()
    for edge in catalog.lineage:
        ends = (edge.downstream, edge.upstream)
        for what, fix in _edge_problems(ends, tables, seen):
            place = f"{where}, table {edge.downstream}, derives from {edge.upstream}"
            yield CatalogError(what, where=place, fix=fix)
        seen.add(ends)


def _edge_problems(
    ends: tuple[str, str], tables: Collection[str], seen: Collection[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """Yield (what, fix)."""
    for table in ends:
        if table not in tables:
            yield _unknown_table("a lineage edge", table, tables)
    if ends[0] == ends[1]:
        yield "a table cannot derive from itself", "remove the edge"
    if ends in seen:
        yield "the same lineage edge stands twice", "remove one of the two"


def _unknown_table(what: str, name: str, tables: Iterable[str]) -> tuple[str, str]:
    hint = did_you_mean(name, tables)
    return f"{what} names unknown table {name!r}", hint or "add the table or remove the edge"


def _unknown_columns(names: Sequence[str], known: frozenset[str]) -> Sequence[str]:
    """Return the columns a table lacks; a table whose columns are unknown lacks none."""
    return [name for name in names if name not in known] if known else ()


def _unknown_column(what: str, name: str, table: str, known: Iterable[str]) -> tuple[str, str]:
    hint = did_you_mean(name, known)
    return (
        f"{what} names unknown column {name!r} of table {table!r}",
        hint or "add the column or correct the key",
    )


def _first_repeated(names: Sequence[str]) -> str:
    """Return the first name that stands a second time, or nothing."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return ""


CHECKS: tuple[Callable[[Catalog, str], Problems], ...] = (
    _check_names,
    _check_tables,
    _check_columns,
    _check_primary_keys,
    _check_foreign_keys,
    _check_lineage,
)
"""Each check may rely on the ones before it: they run in this order, the first problem is raised."""

"""Give a catalog names that mean nothing, so that a model cannot answer from what it remembers.

Source: DW-Bench, section 3.4 (obfuscation protocol). Renaming columns too goes beyond the paper, which
names it as future work.
"""

import hashlib
import itertools
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from msgspec.structs import replace

from warebench.catalog.model import Catalog, Column, ForeignKey, LeftOut, Table

Level = Literal["tables", "columns"]
Name = TypeVar("Name", str, tuple[str, str])

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels: no id can spell a word."""
WORD = re.compile(r"\w+")
TYPE_WORDS = frozenset(
    re.findall(
        r"\w+",
        """array bigint binary bit blob bool boolean bpchar byte bytea char character clob counter date
        datetime datetime2 dec decimal double enum float geography geometry guid image int int2 int4
        int8 integer interval json jsonb local long longtext map max mediumint mediumtext money national
        nchar ntext number numeric nvarchar precision real serial set short smallint smallmoney string
        struct sysname text time timestamp timestamptz tinyint tinytext uniqueidentifier union unsigned
        uuid varbinary varchar varying with without xml year zone""",
    )
)
"""Words of SQL types: a type that says `date` stays even where a table or column is called so."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Obfuscated:
    """A renamed catalog and the way back."""

    catalog: Catalog
    tables: dict[str, str]
    """Original table name to new name, for every table."""
    columns: dict[str, dict[str, str]]
    """Original table name to (original column name to new name); identities at level `tables`."""


def obfuscate(catalog: Catalog, level: Level) -> Obfuscated:
    """Return the catalog under names that carry no meaning.

    The names depend on the catalog's fingerprint alone. Ids have one width, so no name is the
    beginning of another, and none equals any original name. At level `columns` every column of every
    table gets its own id, so that equal names no longer give a join away. Catalog, database,
    constraint and telling type names are replaced too; the source and all descriptions are dropped.

    Args:
        catalog: A valid catalog.
        level: `tables` keeps column names (as the paper does), `columns` renames them too.
    """
    seed = catalog.fingerprint
    taken = {name.casefold() for name in _original_names(catalog)}

    def rename(kind: str, names: Collection[Name]) -> dict[Name, str]:
        fresh = _fresh_names(f"{seed}|{kind}", kind, len(names), taken)
        return dict(zip(names, fresh, strict=True))

    tables = rename("Table", catalog.table_names)
    owned = _columns_by_table(catalog)
    pairs = [(table, column) for table, names in owned.items() for column in names]
    fresh = rename("col", pairs) if level == "columns" else {pair: pair[1] for pair in pairs}
    columns = {table: {name: fresh[table, name] for name in names} for table, names in owned.items()}
    databases = rename("Database", [name for name in catalog.databases if name])
    # Dropping constraint names would turn two named keys over the same columns into one edge twice.
    keys = _fresh_names(f"{seed}|key", "key", len(catalog.foreign_keys), taken)
    types = rename("Type", _telling_types(catalog, level))
    renamed = Catalog(
        name=rename("Catalog", [catalog.name])[catalog.name],
        tables=tuple(
            Table(
                name=tables[table.name],
                database=databases.get(table.database, ""),
                columns=tuple(_rename_column(column, columns[table.name], types) for column in table.columns),
                primary_key=tuple(columns[table.name][column] for column in table.primary_key),
                kind=table.kind,
            )
            for table in catalog.tables
        ),
        foreign_keys=tuple(
            _rename_key(key, name, tables, columns)
            for key, name in zip(catalog.foreign_keys, keys, strict=True)
        ),
        lineage=tuple(
            replace(edge, downstream=tables[edge.downstream], upstream=tables[edge.upstream])
            for edge in catalog.lineage
        ),
        # Words would tell names; what is touched is all that a question depends on.
        left_out=tuple(
            LeftOut(
                kind=item.kind,
                what=f"a {item.kind}",
                where="the original",
                why="as it was there",
                touches=tuple(tables[name] for name in item.touches),
            )
            for item in catalog.left_out
        ),
    )
    return Obfuscated(catalog=renamed, tables=tables, columns=columns)


def _rename_column(column: Column, names: Mapping[str, str], types: Mapping[str, str]) -> Column:
    # A description tells what the name means.
    return replace(column, name=names[column.name], type=types.get(column.type, column.type), description="")


def _rename_key(
    key: ForeignKey, name: str, tables: Mapping[str, str], columns: Mapping[str, Mapping[str, str]]
) -> ForeignKey:
    return ForeignKey(
        child=tables[key.child],
        parent=tables[key.parent],
        child_columns=tuple(columns[key.child][column] for column in key.child_columns),
        parent_columns=tuple(columns[key.parent][column] for column in key.parent_columns),
        name=name if key.name else "",
        evidence=key.evidence,
    )


def _columns_by_table(catalog: Catalog) -> dict[str, list[str]]:
    """Return each table's column names; keys may name columns of a table that lists none."""
    found = {
        table.name: dict.fromkeys([*(column.name for column in table.columns), *table.primary_key])
        for table in catalog.tables
    }
    for key in catalog.foreign_keys:
        found[key.child].update(dict.fromkeys(key.child_columns))
        found[key.parent].update(dict.fromkeys(key.parent_columns))
    return {table: list(names) for table, names in found.items()}


def _original_names(catalog: Catalog) -> Iterator[str]:
    yield catalog.name
    for table in catalog.tables:
        yield from (table.name, table.database, *table.name.split("."))
        yield from (column.name for column in table.columns)
        yield from (column.type for column in table.columns)
    for key in catalog.foreign_keys:
        yield from (*key.child_columns, *key.parent_columns)


def _telling_types(catalog: Catalog, level: Level) -> list[str]:
    """Return the types that hold a name which is to vanish, such as `XML(Sales.Survey)`."""
    names = {name.casefold() for name in _vanishing_names(catalog, level)} - TYPE_WORDS - {""}
    phrases = sorted(name for name in names if not WORD.fullmatch(name))
    types = dict.fromkeys(column.type for table in catalog.tables for column in table.columns if column.type)
    return [
        kind
        for kind in types
        if not names.isdisjoint(WORD.findall(kind.casefold()))
        or any(phrase in kind.casefold() for phrase in phrases)
    ]


def _vanishing_names(catalog: Catalog, level: Level) -> Iterator[str]:
    for table in catalog.tables:
        yield from (table.name, table.database, *table.name.split("."))
        if level == "columns":
            yield from (column.name for column in table.columns)


def _fresh_names(seed: str, kind: str, count: int, taken: Collection[str]) -> list[str]:
    """Return distinct names such as Table_QXF, none of them taken, drawn by hashing the seed."""
    width = 3
    while len(LETTERS) ** width < 8 * count:
        width += 1
    used: set[str] = set()
    fresh = []
    for position in range(count):
        name = next(
            name
            for attempt in itertools.count()
            if (name := f"{kind}_{_letters(f'{seed}|{position}|{attempt}', width)}") not in used
            and name.casefold() not in taken
        )
        used.add(name)
        fresh.append(name)
    return fresh


def _letters(seed: str, width: int) -> str:
    """Return letters drawn from the hash of a seed."""
    number = int.from_bytes(hashlib.sha256(seed.encode()).digest())
    drawn = ""
    for _ in range(width):
        number, letter = divmod(number, len(LETTERS))
        drawn += LETTERS[letter]
    return drawn

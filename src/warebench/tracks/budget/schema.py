"""All tables of the pool in one order, with their keys."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from warebench.catalog.model import Catalog, ForeignKey, Table
from warebench.sql.namespace.pool import PooledTable


@dataclass(frozen=True, kw_only=True, slots=True)
class SchemaTable:
    """One table of the pool."""

    pooled: PooledTable
    table: Table
    keys: tuple[ForeignKey, ...] = ()
    """Foreign keys it holds; they name tables of its own database."""

    @property
    def name(self) -> str:
        """The pool name, `database.table`."""
        return f"{self.pooled.database}.{self.pooled.table}"

    def sibling(self, table: str) -> PooledTable:
        """Return another table of its database."""
        return PooledTable(self.pooled.database, table)


@dataclass(frozen=True, kw_only=True)
class PoolSchema:
    """Tables by number: databases by name, their tables in the order of the catalog."""

    tables: tuple[SchemaTable, ...]

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Number of each table by pool name."""
        return {table.name: number for number, table in enumerate(self.tables)}

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """By table: those it references or is referenced by, in the order of the pool; O(tables + keys)."""
        found: list[set[int]] = [set() for _ in self.tables]
        for child, table in enumerate(self.tables):
            for key in table.keys:
                parent = self.numbers[".".join(table.sibling(key.parent))]
                if parent != child:
                    found[child].add(parent)
                    found[parent].add(child)
        return tuple(tuple(sorted(numbers)) for numbers in found)


def pool_schema(catalogs: Iterable[Catalog]) -> PoolSchema:
    """Return the tables of many databases, each a catalog with the database's name; O(tables + keys)."""
    tables: list[SchemaTable] = []
    for catalog in sorted(catalogs, key=lambda catalog: catalog.name):
        keys: dict[str, list[ForeignKey]] = {}
        for key in catalog.foreign_keys:
            keys.setdefault(key.child, []).append(key)
        tables += [
            SchemaTable(
                pooled=PooledTable(catalog.name, table.name),
                table=table,
                keys=tuple(keys.get(table.name, ())),
            )
            for table in catalog.tables
        ]
    return PoolSchema(tables=tuple(tables))

"""Looking up tables and columns of one catalog regardless of case."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from warebench.catalog.model import Catalog, Table

INTEGER = "integer"
"""SQLite's row number is the primary key when that is one column of exactly this type."""


@dataclass(frozen=True)
class CatalogIndex:
    """Tables of one database by their name in small letters; built once, O(1) a look-up."""

    catalog: Catalog

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """Tables by name in small letters; the first of two names that differ in case only."""
        found: dict[str, Table] = {}
        for table in self.catalog.tables:
            found.setdefault(table.name.lower(), table)
        return found

    def find(self, schema: str, name: str) -> Table | None:
        """Return the table of a name as written, or None.

        Args:
            schema: What stands before the dot; empty when nothing does.
            name: The table's name.
        """
        if schema and (found := self.tables.get(f"{schema}.{name}".lower())):
            return found
        return self.tables.get(name.lower()) if schema.lower() in self._own_names else None

    @cached_property
    def _own_names(self) -> frozenset[str]:
        databases = (table.database.lower() for table in self.catalog.tables)
        return frozenset({"", "main", self.catalog.name.lower(), *databases})


def row_number(table: Table) -> str | None:
    """Return the column that `rowid` is another name of, or None."""
    if len(table.primary_key) != 1:
        return None
    key = table.primary_key[0].lower()
    return next(
        (
            column.name
            for column in table.columns
            if column.name.lower() == key and column.type.lower() == INTEGER
        ),
        None,
    )

"""A database in memory: a catalog with the rows of its tables."""

from collections.abc import Mapping
from dataclasses import dataclass

import duckdb
import pyarrow as pa

from warebench.catalog.model import Catalog
from warebench.engine.connect import connect_memory


@dataclass(frozen=True, kw_only=True, slots=True)
class Database:
    """A catalog and its data; the Arrow columns are the catalog's columns, in order."""

    catalog: Catalog
    tables: Mapping[str, pa.Table]
    """Rows by table name, one entry for each table of the catalog."""

    @property
    def rows(self) -> int:
        """Number of rows of all tables."""
        return sum(table.num_rows for table in self.tables.values())

    def connect(self) -> duckdb.DuckDBPyConnection:
        """Return a locked-down DuckDB that holds the data, keys left undeclared."""
        connection = connect_memory()
        for name, table in self.tables.items():
            connection.register("rows_in_memory", table)
            connection.execute(f"CREATE TABLE {quote(name)} AS FROM rows_in_memory")
            connection.unregister("rows_in_memory")
        return connection


def quote(name: str) -> str:
    """Return an identifier quoted for DuckDB."""
    return '"' + name.replace('"', '""') + '"'

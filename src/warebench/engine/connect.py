"""Locked-down DuckDB: no host files, no network, no settings, bounded memory."""

from collections.abc import Mapping, Sequence

import duckdb
import pyarrow as pa

MEMORY = "4GB"


def connect_memory() -> duckdb.DuckDBPyConnection:
    """Return an empty in-memory database that can reach nothing outside itself.

    Statements that read or write files, attach databases, load extensions or change settings fail.
    """
    return duckdb.connect(
        ":memory:",
        config={
            "enable_external_access": False,
            "memory_limit": MEMORY,
            "threads": 2,
            "lock_configuration": True,
        },
    )


def load_columns(
    connection: duckdb.DuckDBPyConnection, table: str, columns: Mapping[str, Sequence[str | int]]
) -> None:
    """Create a table from columns held in memory.

    Args:
        connection: A connection.
        table: Name of the new table, a plain word of ours.
        columns: Column name to values, all of one length; strings or whole numbers.
    """
    kinds = {name: pa.int64() if _whole(values) else pa.string() for name, values in columns.items()}
    rows = pa.table({name: pa.array(values, kinds[name]) for name, values in columns.items()})
    connection.register("rows_in_memory", rows)
    connection.execute(f"CREATE TABLE {table} AS FROM rows_in_memory")
    connection.unregister("rows_in_memory")


def _whole(values: Sequence[str | int]) -> bool:
    return bool(values) and isinstance(values[0], int)

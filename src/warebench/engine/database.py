"""A database in memory: a catalog with the rows of its tables."""

import hashlib
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

    @property
    def fingerprint(self) -> str:
        """SHA-256 (hex) of the catalog and every cell."""
        marks = [self.catalog.fingerprint, *(_mark(self.tables[name]) for name in self.catalog.table_names)]
        return hashlib.sha256("".join(marks).encode()).hexdigest()

    def connect(self) -> duckdb.DuckDBPyConnection:
        """Return a locked-down DuckDB that holds the data, keys left undeclared."""
        connection = connect_memory()
        for name, table in self.tables.items():
            connection.register("rows_in_memory", table)
            connection.execute(f"CREATE TABLE {quote(name)} AS FROM rows_in_memory")
            connection.unregister("rows_in_memory")
        return connection


def encode_table(table: pa.Table, *, compress: bool = False) -> bytes:
    """Return a table as an Arrow stream in one batch; equal tables give equal bytes.

    Args:
        table: The rows.
        compress: Write buffers compressed: for files. Hashes are taken of the plain stream.
    """
    sink = pa.BufferOutputStream()
    whole = _plain(table.replace_schema_metadata(None).combine_chunks())
    options = pa.ipc.IpcWriteOptions(compression="zstd" if compress else None)
    with pa.ipc.new_stream(sink, whole.schema, options=options) as writer:
        writer.write_table(whole)
    return bytes(sink.getvalue())


def decode_table(raw: bytes) -> pa.Table:
    """Return the table of an Arrow stream.

    Raises:
        ValueError: The bytes are torn (`pyarrow.ArrowInvalid`).
        OSError: They end too early.
    """
    with pa.ipc.open_stream(raw) as reader:
        return reader.read_all()


def _plain(table: pa.Table) -> pa.Table:
    """Return the rows with nothing behind their gaps: readers leave there what they like."""
    every = pa.array(range(table.num_rows), pa.int64())
    # Taking writes zeros, and no text, where a value is missing.
    columns = [column.take(every) if column.null_count else column for column in table.columns]
    return pa.table(columns, schema=table.schema)


def _mark(table: pa.Table) -> str:
    return hashlib.sha256(encode_table(table)).hexdigest()


def quote(name: str) -> str:
    """Return an identifier in double quotes."""
    return '"' + name.replace('"', '""') + '"'

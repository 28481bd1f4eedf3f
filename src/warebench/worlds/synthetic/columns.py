"""From NumPy arrays to Arrow columns of the declared types."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from warebench.catalog.model import Column, Table
from warebench.errors import InternalError
from warebench.worlds.synthetic.draw import Ints

TYPES: Mapping[str, pa.DataType] = {
    "BIGINT": pa.int64(),
    "BOOLEAN": pa.bool_(),
    "DATE": pa.date32(),
    "DOUBLE": pa.float64(),
    "INTEGER": pa.int32(),
    "TIME": pa.time32("s"),
    "TIMESTAMP": pa.timestamp("us"),
    "VARCHAR": pa.string(),
}
"""Arrow types of the SQL types twins use; DECIMAL comes with its digits."""

DECIMAL = re.compile(r"DECIMAL\((\d+),(\d)\)")

EPOCH = date(1970, 1, 1)


def day(text: str) -> int:
    """Return an ISO date as days since 1970, which is how makers count dates."""
    return (date.fromisoformat(text) - EPOCH).days


def to_table(spec: Table, columns: Mapping[str, Any]) -> pa.Table:
    """Return the Arrow table of a maker's columns, in the order of the catalog.

    Dates are given in days since 1970, times in minutes since midnight, timestamps in seconds since 1970,
    decimals as floats.

    Raises:
        InternalError: A column is missing or too many.
    """
    if set(columns) != {column.name for column in spec.columns}:
        raise InternalError(f"the maker of {spec.name} does not make its declared columns")
    # Each column is let go once it is converted: a large table would lie in memory twice.
    columns = dict(columns)
    arrays = [_to_array(column, columns.pop(column.name)) for column in spec.columns]
    return pa.table(arrays, schema=to_schema(spec))


def to_schema(spec: Table) -> pa.Schema:
    """Return the Arrow schema of a table."""
    return pa.schema([pa.field(c.name, arrow_type(c.type), nullable=c.nullable) for c in spec.columns])


def arrow_type(spelled: str) -> pa.DataType:
    """Return the Arrow type of a SQL type."""
    match = DECIMAL.fullmatch(spelled)
    return pa.decimal128(int(match[1]), int(match[2])) if match else TYPES[spelled]


def _to_array(column: Column, values: Any) -> pa.Array:
    if isinstance(values, pa.Array | pa.ChunkedArray):
        return values
    mask = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
    data = np.ma.getdata(values)
    if match := DECIMAL.fullmatch(column.type):
        return _decimals(data, mask, arrow_type(column.type), int(match[2]))
    if column.type == "TIME":
        data = data * 60
    if column.type == "TIMESTAMP":
        return pa.array(data.astype("datetime64[s]"), mask=mask).cast(arrow_type(column.type))
    if column.type in {"TIME", "DATE"}:
        return pa.array(data.astype(np.int32), mask=mask).cast(arrow_type(column.type))
    if column.type == "DOUBLE":
        data = data + 0.0  # turns -0.0, which would print as such, into 0.0
    return pa.array(data, mask=mask).cast(arrow_type(column.type))


def _decimals(data: Any, mask: Any, kind: pa.DataType, digits: int) -> pa.Array:
    """Return decimals of fixed digits; casting floats one by one is many times slower."""
    scaled = np.rint(data * 10**digits).astype("<i8")
    words = np.empty((len(scaled), 2), dtype="<i8")
    words[:, 0], words[:, 1] = scaled, scaled >> 63
    valid = None if mask is None else pa.array(~mask).buffers()[1]
    return pa.Array.from_buffers(kind, len(scaled), [valid, pa.py_buffer(words)])


def take(words: Sequence[str] | pa.Array, positions: Ints) -> pa.Array:
    """Return the word at each position."""
    pool = words if isinstance(words, pa.Array) else pa.array(words, pa.string())
    return pool.take(pa.array(positions))


def text(numbers: Ints, width: int = 0) -> pa.Array:
    """Return integers as text, with zeros before them up to `width`."""
    spelled = pc.cast(pa.array(numbers), pa.string())
    return pc.utf8_lpad(spelled, width, "0") if width else spelled


def glue(*parts: Any, between: str = "") -> pa.Array:
    """Return texts joined row by row; a single string joins every row."""
    return pc.binary_join_element_wise(*parts, between)


def hashes(rng: np.random.Generator, size: int) -> pa.Array:
    """Return different identifiers of 32 hexadecimal digits, as message digests look."""
    digits = np.frombuffer(rng.bytes(16 * size).hex().encode(), dtype=np.uint8)
    offsets = np.arange(size + 1, dtype=np.int32) * 32
    return pa.StringArray.from_buffers(size, pa.py_buffer(offsets), pa.py_buffer(digits))

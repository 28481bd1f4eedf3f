"""Decimals as floats."""

import pyarrow as pa


def to_floats(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the float nearest to each number, as the databases and Python have it.

    Arrow's own cast of decimals divides by a power of ten after rounding: 0.35 becomes 0.35000000000000003.

    Args:
        column: Numbers of any type.

    Raises:
        ArrowInvalid: A whole number is beyond 2^53, which no float holds exactly.
    """
    return (column.cast(pa.string()) if pa.types.is_decimal(column.type) else column).cast(pa.float64())

"""One text a cell, exact: reading it back as the column's type gives the same value.

Integers, booleans (`true`, `false`), dates, times and text are what one expects; floats are Python's `repr`
(`1.0`, `1e-07`, `nan`, `inf`); decimals keep the digits of their scale and never use an exponent; timestamps
are ISO 8601 with a blank between date and time, without zeros at the end of a fraction; bytes are hexadecimal
digits; lists and structs are JSON.
"""

import json
from collections.abc import Callable, Iterable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

TEXT = pa.large_string()
"""Arrow type of every text made here: unlike `string`, it has no limit of 2 GiB for a column."""


def cell_texts(cells: pa.Array) -> pa.Array:
    """Return the text of each cell, null where the cell is null.

    Args:
        cells: Values of one column.

    Returns:
        A large_string array of the same length.
    """
    if isinstance(cells, pa.ExtensionArray):
        cells = cells.storage
    if isinstance(cells, pa.DictionaryArray):
        cells = cells.dictionary_decode()
    for applies, write in WRITERS:
        if applies(cells.type):
            return write(cells)
    return _each(_nested)(cells)


def join(*parts: pa.Array | str, between: str = "") -> pa.Array:
    """Return texts joined row by row; a plain string stands in every row."""
    scalars = [pa.scalar(part, TEXT) if isinstance(part, str) else part for part in (*parts, between)]
    return pc.binary_join_element_wise(*scalars)


def fill(texts: pa.Array, null: str) -> pa.Array:
    """Return texts with another in the place of nulls."""
    return pc.fill_null(texts, pa.scalar(null, TEXT))


def is_text(kind: pa.DataType) -> bool:
    """Return whether the texts of an Arrow type may be empty or hold characters a format has to escape."""
    return not (is_number(kind) or _is_plain(kind) or _is_time(kind) or pa.types.is_date64(kind))


def is_number(kind: pa.DataType) -> bool:
    """Return whether cells of an Arrow type are integers, decimals or floats."""
    return bool(pa.types.is_integer(kind) or pa.types.is_decimal(kind) or pa.types.is_floating(kind))


def _is_string(kind: pa.DataType) -> bool:
    types = pa.types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _is_plain(kind: pa.DataType) -> bool:
    kinds = (pa.types.is_integer, pa.types.is_boolean, pa.types.is_date32, pa.types.is_null)
    return any(applies(kind) for applies in kinds)


def is_binary(kind: pa.DataType) -> bool:
    """Return whether cells of an Arrow type are bytes."""
    types = pa.types
    return bool(
        types.is_binary(kind)
        or types.is_large_binary(kind)
        or types.is_fixed_size_binary(kind)
        or types.is_binary_view(kind)
    )


def _cast(cells: pa.Array) -> pa.Array:
    return cells.cast(TEXT)


def _days(cells: pa.Array) -> pa.Array:
    return cells.cast(pa.date32()).cast(TEXT)


def _each(write: Callable[[Any], str]) -> Callable[[pa.Array], pa.Array]:
    """Return a function that writes cells one by one in Python."""

    def write_cells(cells: pa.Array) -> pa.Array:
        values: Iterable[Any] = cells.to_pylist()
        return pa.array([None if value is None else write(value) for value in values], TEXT)

    return write_cells


def _floats(cells: pa.Array) -> pa.Array:
    if pa.types.is_float64(cells.type):
        return _each(repr)(cells)
    # A float32 is 0.1 where the double next to it would read 0.10000000149011612.
    scalars = cells.to_numpy(zero_copy_only=False)
    values = zip(scalars, cells.is_valid().to_pylist(), strict=True)
    return pa.array([str(value) if valid else None for value, valid in values], TEXT)


def _decimals(cells: pa.Array) -> pa.Array:
    texts = cells.cast(TEXT)
    if not pc.any(pc.match_substring(texts, "E")).as_py():
        return texts
    return _each(lambda value: format(value, "f"))(cells)


def _times(cells: pa.Array) -> pa.Array:
    """Write times and timestamps; `+0100` becomes `+01:00`, as ISO 8601 spells it beside colons."""
    texts = pc.replace_substring_regex(cells.cast(TEXT), r"(\.\d*[1-9])0+(\D|$)|\.0+(\D|$)", r"\1\2\3")
    return pc.replace_substring_regex(texts, r"([+-]\d\d)(\d\d)$", r"\1:\2")


def _nested(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=_within)


def _within(value: Any) -> str:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, date | datetime | time | timedelta | Decimal):
        return str(value)
    return repr(value)


def _is_time(kind: pa.DataType) -> bool:
    return bool(pa.types.is_time(kind) or pa.types.is_timestamp(kind))


WRITERS: tuple[tuple[Callable[[pa.DataType], bool], Callable[[pa.Array], pa.Array]], ...] = (
    (_is_string, _cast),
    (pa.types.is_date64, _days),
    (_is_plain, _cast),
    (pa.types.is_floating, _floats),
    (pa.types.is_decimal, _decimals),
    (_is_time, _times),
    (is_binary, _each(bytes.hex)),
    (pa.types.is_duration, _each(str)),
)
"""Types and how their cells are written, first match first; anything else is nested."""

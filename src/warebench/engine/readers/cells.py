"""From the Python values of a column to the one Arrow type that holds them all exactly."""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa

from warebench.engine.readers.model import Cells

Values = Sequence[Any]
Rule = Callable[[Values, str], Cells | None]

FIRST = 100
"""Cells of a column looked at before all."""

EXACT_FLOAT = 2**53
"""Whole numbers up to this size are floats without loss."""

SPELLED = {
    "int64": "BIGINT",
    "double": "DOUBLE",
    "bool": "BOOLEAN",
    "string": "VARCHAR",
    "binary": "BLOB",
    "date32[day]": "DATE",
    "timestamp[us]": "TIMESTAMP",
    "time64[us]": "TIME",
}
"""SQL names of the Arrow types made here, decimals aside."""

MOST_DIGITS = 38
"""Of a decimal in DuckDB."""

DIGITS = re.compile(r"\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)")
CLOCK = r"\d\d:\d\d(:\d\d(\.\d{1,6})?)?"
DAY = r"\d{4}-\d\d-\d\d"
ISO: tuple[tuple[re.Pattern[str], Callable[[str], Any], pa.DataType], ...] = (
    (re.compile(DAY), date.fromisoformat, pa.date32()),
    (re.compile(rf"{DAY}[ T]{CLOCK}"), datetime.fromisoformat, pa.timestamp("us")),
    (re.compile(CLOCK), time.fromisoformat, pa.time64("us")),
)
"""How dates, timestamps and times are spelled by databases that keep them as text."""

DAY_LONG = timedelta(days=1)
IN_UTC = "times are given in UTC"


def fit(values: Values, declared: str) -> Cells:
    """Return the cells of a column in the narrowest type that loses nothing.

    One kind of value gives its own type. Whole numbers beside floats are floats where that is exact; numbers
    in a column declared as a decimal of so many digits are decimals where they fit (0.99 read as a float is
    0.99); text in a column declared as date or time is one where every cell is spelled in ISO 8601; whole
    numbers beyond 64 bits are decimals. Timestamps with a zone are given in UTC. Anything else becomes text,
    and says so. Where the kind is not the declared one, the type says what it is.

    Args:
        values: Cells as the driver gives them, None where null.
        declared: SQL type as the source spells it; may be empty.
    """
    if all(value is None for value in values):
        return Cells(values=pa.array(values, _declared(declared)))
    for rule in RULES:
        found = rule(values, declared.upper())
        if found is not None:
            return _respell(found, declared)
    counts = Counter(_kind(value) for value in values if value is not None)
    words = " and ".join(f"{count} x {kind}" for kind, count in sorted(counts.items()))
    texts = [None if value is None else write(value) for value in values]
    return Cells(values=pa.array(texts, pa.string()), type="VARCHAR", remark=f"read as text ({words})")


def join(batches: Sequence[Cells]) -> Cells | None:
    """Return the cells of batches as `fit` would give them at once, or None where only all cells can tell.

    Args:
        batches: At least one; in order.
    """
    filled = [cells for cells in batches if cells.values.null_count < len(cells.values)]
    if not filled:
        return replace(batches[0], values=pa.chunked_array([cells.values for cells in batches]))
    kinds = {cells.values.type for cells in filled}
    if len(kinds) > 1 and all(pa.types.is_decimal(kind) for kind in kinds):
        scale = max(kind.scale for kind in kinds)
        digits = max(kind.precision - kind.scale for kind in kinds) + scale
        if digits > MOST_DIGITS:
            return None
        kinds = {pa.decimal128(digits, scale)}
        filled = [replace(cells, type=_spelled(*kinds) if cells.type else "") for cells in filled]
    if len(kinds) > 1 or len({(cells.type, cells.remark) for cells in filled}) > 1:
        return None
    if filled[0].remark not in ("", IN_UTC):  # it counts cells
        return None
    (kind,) = kinds
    values = [
        cells.values.cast(kind)
        if cells.values.null_count < len(cells.values)
        else pa.nulls(len(cells.values), kind)
        for cells in batches
    ]
    return replace(filled[0], values=pa.chunked_array(values))


def _respell(cells: Cells, declared: str) -> Cells:
    """Return the cells with the name of their type where that is of another kind than the declared one."""
    if cells.type or (declared and _family(cells.values.type) == _family(_declared(declared))):
        return cells
    return replace(cells, type=_spelled(cells.values.type))


def _family(kind: pa.DataType) -> str:
    numbers = (pa.types.is_integer, pa.types.is_decimal, pa.types.is_floating)
    return "number" if any(applies(kind) for applies in numbers) else str(kind)


def _spelled(kind: pa.DataType) -> str:
    if pa.types.is_decimal(kind):
        return f"DECIMAL({kind.precision},{kind.scale})"
    return SPELLED[str(kind)]


def write(value: Any) -> str:
    """Return a value as text that loses nothing: bytes as hexadecimal digits, lists and mappings as JSON."""
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case float():
            return repr(value)
        case Decimal():
            return f"{value:f}"
        case bytes() | bytearray() | memoryview():
            return bytes(value).hex()
        case dict() | list():
            return json.dumps(value, ensure_ascii=False, default=str)
        case _:
            return str(value)


def _kind(value: Any) -> str:
    return type(value).__name__


def _only(values: Values, *kinds: type) -> bool:
    allowed = {type(None), *kinds}
    # Most rules do not apply, which the first cells show.
    return set(map(type, values[:FIRST])) <= allowed and set(map(type, values)) <= allowed


def _booleans(values: Values, declared: str) -> Cells | None:
    flags = "BOOL" in declared and all(
        value is None or (type(value) is int and value in (0, 1)) for value in values
    )
    if not flags and not _only(values, bool):
        return None
    return Cells(values=pa.array([None if value is None else bool(value) for value in values], pa.bool_()))


def _integers(values: Values, declared: str) -> Cells | None:
    if not _only(values, int) or (_precision(declared) or (0, 0))[1]:
        return None
    try:
        return Cells(values=pa.array(values, pa.int64()))
    except OverflowError:  # beyond 64 bits
        pass
    decimals = [None if value is None else Decimal(value) for value in values]
    return _as_decimals(decimals, (MOST_DIGITS, 0))


def _decimals(values: Values, declared: str) -> Cells | None:
    """Decimals, and numbers declared as such: a float stands for the shortest decimal that reads as it."""
    precision = _precision(declared)
    if not _only(values, int, float, Decimal):
        return None
    if not precision and not any(type(value) is Decimal for value in values):
        return None
    exact = [None if value is None else Decimal(str(value)) for value in values]
    if any(value is not None and not value.is_finite() for value in exact):
        return None
    return (_as_decimals(exact, precision) if precision else None) or _as_decimals(exact, _needed(exact))


def _as_decimals(values: Sequence[Decimal | None], precision: tuple[int, int]) -> Cells | None:
    digits, scale = precision
    needed = _needed(values)
    if digits > MOST_DIGITS or needed[1] > scale or needed[0] - needed[1] > digits - scale:
        return None
    return Cells(values=pa.array(values, pa.decimal128(digits, scale)))


def _needed(values: Sequence[Decimal | None]) -> tuple[int, int]:
    """Return the digits and the digits after the point that hold all values."""
    whole, scale = 1, 0
    for value in values:
        if value is not None:
            _, digits, exponent = value.as_tuple()
            whole = max(whole, len(digits) + int(exponent))
            scale = max(scale, -int(exponent))
    return whole + scale, scale


def _floats(values: Values, _declared: str) -> Cells | None:
    if not _only(values, int, float):
        return None
    if any(type(value) is int and abs(value) > EXACT_FLOAT for value in values):
        return None
    return Cells(values=pa.array([None if value is None else float(value) for value in values], pa.float64()))


def _dates(values: Values, _declared: str) -> Cells | None:
    return Cells(values=pa.array(values, pa.date32())) if _only(values, date) else None


def _timestamps(values: Values, _declared: str) -> Cells | None:
    if not _only(values, datetime):
        return None
    zoned = [value is not None and value.tzinfo is not None for value in values]
    if not any(zoned):
        return Cells(values=pa.array(values, pa.timestamp("us")))
    if not all(value is None or with_zone for value, with_zone in zip(values, zoned, strict=True)):
        return None
    naive = [None if value is None else value.astimezone(UTC).replace(tzinfo=None) for value in values]
    return Cells(values=pa.array(naive, pa.timestamp("us")), type="TIMESTAMP", remark=IN_UTC)


def _times(values: Values, _declared: str) -> Cells | None:
    if not _only(values, time, timedelta):
        return None
    clocks: list[Any] = [_clock(value) if type(value) is timedelta else value for value in values]
    if not _only(clocks, time) or any(clock is not None and clock.tzinfo for clock in clocks):
        return None
    return Cells(values=pa.array(clocks, pa.time64("us")))


def _clock(span: timedelta) -> time | timedelta:
    """Return a span as the time of day it is in MySQL, or itself where it is none."""
    inside = timedelta(0) <= span < DAY_LONG
    return (datetime.min + span).time() if inside else span  # noqa: DTZ901 - only its time is used


def _texts(values: Values, declared: str) -> Cells | None:
    if not _only(values, str):
        return None
    if "DATE" in declared or "TIME" in declared:
        for pattern, parse, kind in ISO:
            if all(value is None or pattern.fullmatch(value) for value in values):
                return _parsed(values, parse, kind) or Cells(values=pa.array(values, pa.string()))
    return Cells(values=pa.array(values, pa.string()))


def _parsed(values: Values, parse: Callable[[str], Any], kind: pa.DataType) -> Cells | None:
    try:
        return Cells(values=pa.array([None if value is None else parse(value) for value in values], kind))
    except ValueError:  # 2021-02-30
        return None


def _blobs(values: Values, _declared: str) -> Cells | None:
    if not _only(values, bytes, bytearray, memoryview):
        return None
    return Cells(values=pa.array([None if value is None else bytes(value) for value in values], pa.binary()))


RULES: tuple[Rule, ...] = (
    _booleans,
    _integers,
    _decimals,
    _floats,
    _dates,
    _timestamps,
    _times,
    _texts,
    _blobs,
)
"""Tried in this order; None means that a rule does not apply."""


def _precision(declared: str) -> tuple[int, int] | None:
    """Return digits and scale of a type declared as decimal, None for other types or without digits."""
    match = DIGITS.search(declared)
    if not match or not any(word in declared for word in ("DEC", "NUM")):
        return None
    digits, scale = int(match[1]), int(match[2] or 0)
    return (digits, scale) if 0 < digits <= MOST_DIGITS and scale <= digits else None


NAMED: tuple[tuple[tuple[str, ...], pa.DataType], ...] = (
    (("BOOL",), pa.bool_()),
    (("INTERVAL", "POINT"), pa.string()),
    (("INT", "SERIAL", "YEAR"), pa.int64()),
    (("CHAR", "TEXT", "CLOB"), pa.string()),
    (("BLOB", "BINARY", "BYTEA"), pa.binary()),
    (("REAL", "FLOA", "DOUB", "DEC", "NUM"), pa.float64()),
    (("TIMESTAMP", "DATETIME"), pa.timestamp("us")),
    (("DATE",), pa.date32()),
    (("TIME",), pa.time64("us")),
)
"""Words of declared types and what a column without any value is; text where none occurs."""


def _declared(declared: str) -> pa.DataType:
    precision = _precision(declared.upper())
    if precision:
        return pa.decimal128(*precision)
    words = declared.upper()
    return next((kind for names, kind in NAMED if any(name in words for name in names)), pa.string())

"""Columns of values with gaps, and what expressions make of them: the second method, without any SQL engine.

Kinds: whole numbers and numbers are floats; texts are codes into sorted words; moments are microseconds since
1970; truths are booleans. Arrays of no dimension stand for one value in every row.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import mul, truediv
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from warebench.engine.decimals import to_floats
from warebench.errors import BuildError

Kind = Literal["whole", "number", "text", "moment", "truth", "none"]
Array: TypeAlias = NDArray[Any]
Truths: TypeAlias = NDArray[np.bool_]

DAY = 86_400_000_000
"""Microseconds."""

EXACT = 2.0**53
"""Whole numbers below it are floats without loss."""

LARGEST = 1e150
"""Sums and squares of smaller numbers are numbers."""


@dataclass(frozen=True, slots=True)
class Values:
    """A column: values, and which of them are there; what stands in a gap means nothing."""

    kind: Kind
    data: Array
    there: Truths
    words: Array | None = None
    """For texts: the sorted words that `data` counts through."""
    places: int | None = None
    """Of numbers that SQL computes exactly, as it does decimals: digits after the point. None for floats."""

    def take(self, index: "NDArray[np.integer]") -> "Values":
        """Return the values at positions; a position of -1 is a gap."""
        if self.data.ndim == 0:
            return replace(self, there=self.there & (index >= 0))
        if not len(self.data):
            return replace(self, data=np.zeros(len(index), self.data.dtype), there=np.zeros(len(index), bool))
        return replace(self, data=self.data[index], there=self.there[index] & (index >= 0))

    def spread(self, rows: int) -> "Values":
        """Return as many values as there are rows."""
        return replace(self, data=np.broadcast_to(self.data, rows), there=np.broadcast_to(self.there, rows))

    def true(self) -> Truths:
        """Return where a truth is known to be true."""
        found: Truths = self.data.astype(bool) & self.there
        return found


def read_values(column: pa.ChunkedArray, where: str) -> Values:
    """Return an Arrow column.

    Args:
        column: The column.
        where: Table and column, for errors.

    Raises:
        BuildError: It is of a type that expressions cannot name, or holds NaN or too long a number.
    """
    kind = column.type
    there = pc.is_valid(column).to_numpy(zero_copy_only=False).astype(bool)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        words = column.combine_chunks().dictionary_encode()
        return _sorted(words, there)
    if pa.types.is_boolean(kind):
        return Values("truth", column.fill_null(False).to_numpy(zero_copy_only=False), there)
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        stamps = column.cast(pa.timestamp("us")).cast(pa.int64()).fill_null(0)
        return Values("moment", stamps.to_numpy(zero_copy_only=False), there)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        data = _floats(column, where).fill_null(0.0).to_numpy(zero_copy_only=False)
        if not (np.abs(data) < LARGEST).all():
            raise BuildError(
                f"a column holds NaN, infinity or a number beyond {LARGEST:g}",
                where=where,
                fix="make such cells missing",
            )
        places = kind.scale if pa.types.is_decimal(kind) else None if pa.types.is_floating(kind) else 0
        return Values("whole" if pa.types.is_integer(kind) else "number", data, there, places=places)
    raise BuildError(
        f"values of type {kind} cannot be computed with", where=where, fix="leave the column out"
    )


def _floats(column: pa.ChunkedArray, where: str) -> pa.ChunkedArray:
    """Return numbers as floats, where no two become one."""
    try:
        floats = to_floats(column)
    except pa.ArrowInvalid:  # beyond 2^53
        floats = None
    lossy = pa.types.is_decimal(column.type)
    if floats is None or (lossy and pc.count_distinct(floats) != pc.count_distinct(column)):
        raise BuildError(
            "a column holds numbers of more digits than can be computed with",
            where=where,
            fix="leave the column out, or store identifiers as text",
        )
    return floats


def _sorted(encoded: pa.Array, there: Truths) -> Values:
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    words = _objects(encoded.dictionary.to_pylist())
    codes = encoded.indices.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    order = np.argsort(words, kind="stable")
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return Values("text", rank[codes] if len(order) else codes, there, words[order])


def _objects(words: Sequence[str]) -> Array:
    found: Array = np.empty(len(words), dtype=object)
    found[:] = words
    return found


def constant(value: float | str | bool | None) -> Values:
    """Return one value for every row; None is a gap."""
    match value:
        case None:
            return Values("none", np.zeros((), np.float64), np.zeros((), bool))
        case bool():
            return Values("truth", np.array(value), np.ones((), bool))
        case str():
            return Values("text", np.zeros((), np.int64), np.ones((), bool), _objects([value]))
        case _:
            number = float(value)
            return Values("number", np.array(number), np.ones((), bool), places=count_places(repr(number)))


def count_places(spelled: str) -> int | None:
    """Return the digits after the point of a number as SQL writes it; with an exponent it is a float."""
    return None if re.search("[a-z]", spelled, re.IGNORECASE) else len(spelled.partition(".")[2])


def alike(items: Sequence[Values]) -> list[Values]:
    """Return texts that count through the same words; other values as they are."""
    texts = [item for item in items if item.words is not None]
    if len(texts) < 2:
        return list(items)
    every = {word for item in texts if item.words is not None for word in item.words}
    words = _objects(sorted(every))
    return [item if item.words is None else _recode(item, words) for item in items]


def _recode(item: Values, words: Array) -> Values:
    old = item.words
    if old is None or not len(old):
        return Values(item.kind, item.data, item.there, words)
    places = pd.Index(words).get_indexer(pd.Index(old))
    return Values(item.kind, places[item.data], item.there, words)


def choose(where: Truths, yes: Values, no: Values) -> Values:
    """Return the one value where a condition is true, the other elsewhere."""
    one, other = alike((yes, no))
    kind = other.kind if one.kind == "none" else one.kind
    words = one.words if one.words is not None else other.words
    data = np.where(where, one.data, other.data)
    return Values(
        kind,
        data.astype(np.int64) if words is not None else data,
        np.where(where, one.there, other.there),
        words,
        _wider(one, other),
    )


def _wider(one: Values, other: Values) -> int | None:
    """Return the places of a column of either; nothing at all goes with any number."""
    if "none" in (one.kind, other.kind):
        return other.places if one.kind == "none" else one.places
    return None if one.places is None or other.places is None else max(one.places, other.places)


def compare(left: Values, right: Values, operator: Callable[[Array, Array], Array]) -> Values:
    """Return the truth of a comparison; a gap on either side gives a gap."""
    one, other = alike((left, right))
    return Values("truth", np.asarray(operator(one.data, other.data)), one.there & other.there)


def arithmetic(left: Values, right: Values, operator: Callable[[Array, Array], Array]) -> Values:
    """Return a number; a gap on either side gives a gap. Of decimals it is the decimal that SQL finds."""
    places = _wider(left, right)
    if places is not None and operator is mul:
        places = (left.places or 0) + (right.places or 0)
    with np.errstate(all="ignore"):
        found = np.asarray(operator(left.data, right.data))
        exact = found if not places else _at_places(found, places)
    return Values("number", exact, left.there & right.there, places=places)


def _at_places(found: Array, places: int) -> Array:
    """Return the floats nearest to decimals, as far as floats have the digits."""
    scaled = found * 10.0**places
    return np.asarray(np.where(np.abs(scaled) < EXACT, np.rint(scaled) / 10.0**places, found))


def divide(left: Values, right: Values, operator: Callable[[Array, Array], Array]) -> Values:
    """Return a quotient or remainder; a divisor of zero gives a gap."""
    zero = right.data == 0
    safe = np.where(zero, 1.0, right.data)
    with np.errstate(all="ignore"):
        found = np.asarray(operator(left.data, safe))
    places = None if operator is truediv else 0
    return Values("number", found, left.there & right.there & ~zero, places=places)


def cut_off(left: Array, right: Array) -> Array:
    """Return whole quotients, cut off towards zero."""
    one, other = left.astype(np.int64), right.astype(np.int64)
    whole = np.abs(one) // np.abs(other)
    return np.asarray(np.where((one < 0) != (other < 0), -whole, whole).astype(np.float64))


def both(left: Values, right: Values) -> Values:
    """Return AND of two truths: false where one is false, though the other be unknown."""
    yes = left.true() & right.true()
    no = (left.there & ~left.data.astype(bool)) | (right.there & ~right.data.astype(bool))
    return Values("truth", yes, yes | no)


def opposite(item: Values) -> Values:
    """Return NOT of a truth."""
    return Values("truth", ~item.data.astype(bool), item.there)


def either(left: Values, right: Values) -> Values:
    """Return OR of two truths."""
    return opposite(both(opposite(left), opposite(right)))


def part_of_moment(item: Values, unit: str) -> Values:
    """Return the year, quarter, month, day, day of week (Sunday is 0) or hour of moments."""
    days = np.floor_divide(item.data, DAY)
    months = days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
    match unit:
        case "YEAR":
            found = months // 12 + 1970
        case "QUARTER":
            found = months % 12 // 3 + 1
        case "MONTH":
            found = months % 12 + 1
        case "DAY":
            found = days - months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64) + 1
        case "DOW":
            found = (days + 4) % 7
        case _:
            found = item.data % DAY // (DAY // 24)
    return Values("number", np.asarray(found).astype(np.float64), item.there, places=0)

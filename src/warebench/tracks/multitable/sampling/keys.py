"""Match the keys of child rows with those of parent rows, whole columns at a time."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from warebench.tracks.multitable.serialise.cells import cell_texts, is_number

Ints = NDArray[np.int64]

ABSENT = -1
"""The key of a row is null: it refers to nothing."""

DANGLING = -2
"""The key of a row is that of no parent row."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Match:
    """For each child row its key's number, and for each key's number the parent rows."""

    codes: Ints
    """By child row: number of the key, or ABSENT, or DANGLING."""
    rows: Ints
    """Parent rows ordered by the number of their key, then by position."""
    starts: Ints
    """By key number: where its parent rows begin in `rows`; one more entry ends the last."""

    def parents(self, row: int) -> list[int]:
        """Return the parent rows of a child row: several where parents share a key, none where it is null."""
        code = self.codes[row]
        if code < 0:
            return []
        found: list[int] = self.rows[self.starts[code] : self.starts[code + 1]].tolist()
        return found


def match_keys(children: Sequence[pa.ChunkedArray], parents: Sequence[pa.ChunkedArray]) -> Match:
    """Return which parent rows each child row refers to.

    A key with a null in any column refers to nothing (SQL's MATCH SIMPLE). Columns of different types are
    compared as numbers where both are numbers, else as text.

    Args:
        children: The key's columns in the child table.
        parents: The columns they refer to, in parallel.
    """
    pairs = [_number(*_align(child, parent)) for child, parent in zip(children, parents, strict=True)]
    child, parent = pairs[0]
    for following in pairs[1:]:
        child, parent = _combine((child, parent), following)
    order = np.argsort(parent, kind="stable")
    order = order[np.searchsorted(parent[order], 0) :]
    keys = int(parent.max(initial=ABSENT)) + 1
    return Match(codes=child, rows=order, starts=np.searchsorted(parent[order], np.arange(keys + 1)))


def _align(child: pa.ChunkedArray, parent: pa.ChunkedArray) -> tuple[pa.ChunkedArray, pa.ChunkedArray]:
    """Return both columns with one type."""
    child, parent = _decode(child), _decode(parent)
    if child.type == parent.type:
        return child, parent
    if pa.types.is_integer(child.type) and pa.types.is_integer(parent.type):
        return child.cast(pa.int64(), safe=False), parent.cast(pa.int64(), safe=False)
    if is_number(child.type) and is_number(parent.type):
        return child.cast(pa.float64(), safe=False), parent.cast(pa.float64(), safe=False)
    return _texts(child), _texts(parent)


def _decode(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_dictionary(column.type):
        return column.cast(column.type.value_type)
    return column


def _texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return pa.chunked_array([cell_texts(chunk) for chunk in column.chunks], pa.large_string())


def _number(child: pa.ChunkedArray, parent: pa.ChunkedArray) -> tuple[Ints, Ints]:
    """Return a number for every value: its place among the parent's distinct values."""
    known = pc.unique(parent).drop_null()
    return _places(child, known), _places(parent, known)


def _places(values: pa.ChunkedArray, known: pa.Array) -> Ints:
    found = pc.index_in(values, value_set=known)
    places: Ints = pc.fill_null(found, DANGLING).to_numpy().astype(np.int64)
    places[pc.is_null(values).to_numpy()] = ABSENT
    return places


def _combine(first: tuple[Ints, Ints], second: tuple[Ints, Ints]) -> tuple[Ints, Ints]:
    """Return a number for every pair of numbers: its place among the parent's distinct pairs."""
    width = int(second[1].max(initial=0)) + 1
    child, parent = (_pair(one, other, width) for one, other in zip(first, second, strict=True))
    known = np.unique(parent[parent >= 0])
    return _renumber(child, known), _renumber(parent, known)


def _pair(first: Ints, second: Ints, width: int) -> Ints:
    paired = first * width + second
    paired[(first == DANGLING) | (second == DANGLING)] = DANGLING
    paired[(first == ABSENT) | (second == ABSENT)] = ABSENT
    return paired


def _renumber(paired: Ints, known: Ints) -> Ints:
    places = np.searchsorted(known, paired)
    exists = np.zeros(len(paired), dtype=bool)
    inside = places < len(known)
    exists[inside] = known[places[inside]] == paired[inside]
    return np.where(exists, places, np.where(paired == ABSENT, ABSENT, DANGLING))

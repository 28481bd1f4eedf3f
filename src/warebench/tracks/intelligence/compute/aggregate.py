"""Groups of rows and aggregates over them; sums are rounded once, so that no order of rows shows."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from warebench.tracks.intelligence.compute.values import Array, Truths, Values
from warebench.tracks.intelligence.knowledge.model import Aggregation

Codes = NDArray[np.int64]
Key = tuple[str | int | float | bool, ...]


def group_rows(columns: Sequence[Values], rows: int) -> tuple[Codes, list[Key]]:
    """Return the group of each row and the key of each group, in the order of keys.

    Args:
        columns: Values to group by, none of them missing; none at all makes one group.
        rows: How many rows there are.
    """
    if not columns:
        return np.zeros(rows, np.int64), [()]
    codes = np.zeros(rows, np.int64)
    spread = [column.spread(rows) for column in columns]
    for column in spread:
        own, distinct = pd.factorize(column.data, sort=True)
        # Renumbered after each column, so that products of counts stay small.
        codes, _ = pd.factorize(codes * max(1, len(distinct)) + own, sort=True)
    first = np.empty(codes.max(initial=-1) + 1, np.int64)
    first[codes[::-1]] = np.arange(rows)[::-1]
    return codes, list(zip(*(_cells(column, first) for column in spread), strict=True))


def _cells(column: Values, rows: Codes) -> list[str | int | float | bool]:
    data = column.data[rows]
    if column.words is not None:
        data = column.words[data]
    elif column.kind == "whole":
        data = data.astype(np.int64)
    found: list[str | int | float | bool] = data.tolist()
    return found


def aggregate(kind: Aggregation, value: Values | None, mask: Truths, codes: Codes, groups: int) -> Values:
    """Return an aggregate for each group.

    Args:
        kind: Which.
        value: One value a row; None counts rows.
        mask: Rows that count.
        codes: Group of each row, from 0.
        groups: How many there are.
    """
    rows = len(codes)
    mask = np.broadcast_to(mask, rows)
    if value is None:
        return _counts(np.bincount(codes[mask], minlength=groups))
    value = value.spread(rows)
    kept = np.flatnonzero(mask & value.there)
    own, data = codes[kept], value.data[kept]
    if kind == "count_distinct":
        _, rank = np.unique(data, return_inverse=True)
        ranks = int(rank.max(initial=0)) + 1
        return _counts(np.bincount(np.unique(own * ranks + rank) // ranks, minlength=groups))
    found = np.zeros(groups, np.float64 if value.kind != "moment" else np.int64)
    sizes = np.bincount(own, minlength=groups)
    if kind == "count":
        return _counts(sizes)
    order = np.argsort(own, kind="stable")
    own, data = own[order], data[order]
    # Groups of one row need no loop: there may be a hundred thousand of them.
    single = sizes[own] == 1
    found[own[single]] = data[single]
    for group, part in _parts(own[~single], data[~single]):
        found[group] = REDUCE[kind](part)
    there = sizes >= (2 if kind == "stddev" else 1)
    return Values(value.kind if kind in ("min", "max") else "number", found, there)


def _counts(found: Array) -> Values:
    return Values("number", found.astype(np.float64), np.ones(len(found), bool), places=0)


def _parts(own: Codes, data: Array) -> Iterator[tuple[int, Array]]:
    starts = np.flatnonzero(np.diff(own, prepend=-1)).tolist()
    ends = [*starts[1:], len(own)] if starts else []
    for start, end in zip(starts, ends, strict=True):
        yield int(own[start]), data[start:end]


def _sum(part: Array) -> float:
    return math.fsum(part.tolist())


def _average(part: Array) -> float:
    return _sum(part) / len(part)


def _deviation(part: Array) -> float:
    """Return the standard deviation of a sample."""
    mean = _average(part)
    return math.sqrt(math.fsum(np.square(part - mean).tolist()) / (len(part) - 1))


def _least(part: Array) -> float:
    return part.min()  # type: ignore[no-any-return]


def _greatest(part: Array) -> float:
    return part.max()  # type: ignore[no-any-return]


REDUCE: Mapping[str, Callable[[Array], float]] = {
    "sum": _sum,
    "avg": _average,
    "stddev": _deviation,
    "min": _least,
    "max": _greatest,
}

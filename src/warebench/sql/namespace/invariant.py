"""Gold invariance: gold under pool names gives what gold gives on its own file."""

import math
from collections.abc import Sequence
from typing import Any

Row = Sequence[Any]

CLOSE = 1e-9
"""Relative difference of two floats that are one sum added up in two orders."""


def invariant(home: Sequence[Row] | str, pool: Sequence[Row] | str) -> bool:
    """Return whether a query gave the same rows in both places: equally often, each cell equal in type too.

    Their order does not count, since no engine promises one where ORDER BY leaves ties; floats may differ by
    1e-9 of their size. An error is never invariant.

    Args:
        home: Rows of the original on its own file, or the error's text.
        pool: Rows of the rewritten query in the pool, or the error's text.

    Source: BudgetSchemaBench (arXiv 2610.00092), section 4, construction validation.
    """
    if isinstance(home, str) or isinstance(pool, str):
        return False
    left, right = (sorted(rows, key=_key) for rows in (home, pool))
    return len(left) == len(right) and all(map(_same_row, left, right))


def _key(row: Row) -> list[tuple[str, str]]:
    # Floats sort by twelve digits, so that the last ones do not decide which rows meet.
    return [(type(c).__name__, f"{c:.12g}" if isinstance(c, float) else repr(c)) for c in row]


def _same_row(left: Row, right: Row) -> bool:
    return len(left) == len(right) and all(map(_same_cell, left, right))


def _same_cell(left: Any, right: Any) -> bool:
    if type(left) is not type(right):
        return False
    if isinstance(left, float):
        return math.isclose(left, right, rel_tol=CLOSE) or (math.isnan(left) and math.isnan(right))
    return bool(left == right)

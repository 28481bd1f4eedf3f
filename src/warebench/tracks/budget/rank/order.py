"""Orders of tables by score, by rank, and by keys."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from warebench.tracks.budget.pack import Numbers

SCORE_DIGITS = 5
"""Scores equal to so many digits tie; single precision moves the later ones."""
FUSION = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009)."""


def by_score(scores: NDArray[np.float32]) -> Numbers:
    """Return all tables, the highest score first; ties in the order of the pool."""
    return np.argsort(-np.round(scores.astype(np.float64), SCORE_DIGITS), kind="stable")


def fuse(orders: Sequence[Numbers]) -> Numbers:
    """Return one order of several, by the sum of 1 / (60 + rank); ties in the order of the pool.

    Source: Cormack, Clarke and Buettcher, Reciprocal Rank Fusion (SIGIR 2009).
    """
    scores = np.zeros(len(orders[0]))
    for order in orders:
        scores[order] += 1 / (FUSION + 1 + np.arange(len(order)))
    return np.argsort(-np.round(scores, 12), kind="stable")


def expand(order: Numbers, neighbours: Sequence[Sequence[int]]) -> Numbers:
    """Return an order in which each table's neighbours come right behind it, unless they came before.

    Args:
        order: Tables, best first.
        neighbours: By table: those joined to it by a foreign key, in the order of the pool.

    Complexity:
        O(tables + keys).
    """
    placed = bytearray(len(order))
    found: list[int] = []
    for number in order.tolist():
        for table in (number, *neighbours[number]):
            if not placed[table]:
                placed[table] = 1
                found.append(table)
    return np.array(found, dtype=np.int64)

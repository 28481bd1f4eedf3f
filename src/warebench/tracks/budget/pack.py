"""Filling a token budget with whole tables in rank order."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
"""Tables by number, in some order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Packed:
    """What fits."""

    tables: tuple[int, ...]
    """In rank order."""
    tokens: int
    """Of the texts that were packed by."""
    skipped: int
    """Tables ranked before the last one that fit, and too large for what was left."""


def pack(order: Numbers, tokens: Numbers, cap: int, first: Sequence[int] = ()) -> Packed:
    """Return the tables of a prompt: those that must be in it, then all others that fit, best first.

    A table that does not fit is skipped, and packing continues. Required tables are packed even where they
    alone need more than the cap.

    Args:
        order: Tables, best first, each once.
        tokens: By table: what its text costs.
        cap: Most tokens.
        first: Tables of `order` that are required.

    Complexity:
        O(n) for n tables, times the number of tables that were skipped before the rest was too large.

    Source: BudgetSchemaBench (arXiv 2610.00092), section 3: "packed whole in rank order, skipping those that
    do not fit".
    """
    required = np.isin(order, np.array(first, dtype=np.int64))
    left = cap - int(tokens[order[required]].sum())
    fits = required.copy()
    fits[~required] = _fill(tokens[order[~required]], left)
    places = np.flatnonzero(fits)
    tables = order[places]
    return Packed(
        tables=tuple(int(number) for number in tables),
        tokens=int(tokens[tables].sum()),
        skipped=int(places[-1]) + 1 - len(places) if len(places) else 0,
    )


def _fill(sizes: Numbers, left: int) -> NDArray[np.bool_]:
    """Return which of some sizes are taken, in their order, until nothing more fits."""
    taken = np.zeros(len(sizes), dtype=bool)
    places = np.arange(len(sizes))
    while len(places):
        places = places[sizes[places] <= left]
        total = np.cumsum(sizes[places])
        fit = int(np.searchsorted(total, left, side="right"))
        taken[places[:fit]] = True
        left -= int(total[fit - 1]) if fit else 0
        places = places[fit + 1 :]
    return taken

"""What a table's maker is told: how many rows, and where its random numbers come from."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import floor, isfinite

import numpy as np

from warebench.errors import BuildError


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """Size and seed of one twin."""

    twin: str
    seed: int
    rows: Mapping[str, int]
    """Rows by table."""
    mess: bool = False
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Value lists that its file declares."""
    lists: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    """Lists of lists that its file declares."""

    def generator(self, table: str, part: str = "") -> np.random.Generator:
        """Return the random numbers of a table, or of a part of it that other tables look up.

        They depend on seed, twin, table and part alone: no table shifts the numbers of another.
        """
        path = "\x1f".join((str(self.seed), self.twin, table, part))
        digest = hashlib.sha256(path.encode()).digest()
        return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "big")))

    @property
    def exponent(self) -> float:
        """Exponent of the Zipf law by which children choose their parent; mess makes it steeper."""
        return 1.4 if self.mess else 0.9


MOST_ROWS = 20_000_000
"""Of one twin, all tables together: they are made, and kept, in memory."""


def check_scale(scale: float, rows: int = 0) -> float:
    """Return the scale.

    Args:
        scale: Size of a twin relative to the data it is like.
        rows: Of all its tables at scale 1; 0 where something else bounds them.

    Raises:
        BuildError: It is not a positive number, or asks for too many rows.
    """
    if not (isfinite(scale) and scale > 0):
        raise BuildError(
            f"a twin cannot have scale {scale}", fix="give a positive number, 1 for the paper's size"
        )
    if rows * scale > MOST_ROWS:
        raise BuildError(
            f"a twin of scale {scale:g} would have {rows * scale:,.0f} rows, and may have {MOST_ROWS:,}",
            fix=f"give a scale of {floor(100 * MOST_ROWS / rows) / 100:g} at most; 1 is the paper's size",
        )
    return scale

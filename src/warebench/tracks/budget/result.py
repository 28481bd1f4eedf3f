"""Rows of a query in the plain values that gold is stored in."""

from collections.abc import Iterable

from warebench.answers.model import Cell
from warebench.answers.sql_value import canonical_value
from warebench.engine import run

WHOLE = 1e12
"""From here on twelve digits would not hold a whole number."""


def plain_rows(rows: Iterable[Iterable[run.Cell]]) -> tuple[tuple[Cell, ...], ...]:
    """Return rows with decimals as numbers, floats to twelve digits, and dates and times as ISO texts.

    Gold is stored so, and what a prediction returns is brought into the same form before it is compared. The
    last digits of a float depend on the engine's version and the order in which it adds.
    """
    return tuple(tuple(map(_plain, row)) for row in rows)


def _plain(cell: run.Cell) -> Cell:
    if isinstance(cell, float):
        return float(f"{cell:.12g}") if abs(cell) < WHOLE else round(cell, 0)
    if cell is None or isinstance(cell, bool | int | str):
        return cell
    value = canonical_value(cell)
    return value if isinstance(value, int | float | str) else str(cell)

"""Rows of a query in the plain values that gold is stored in."""

from collections.abc import Iterable

from warebench.answers.model import Cell
from warebench.answers.sql_value import canonical_value
from warebench.engine import run


def plain_rows(rows: Iterable[Iterable[run.Cell]]) -> tuple[tuple[Cell, ...], ...]:
    """Return rows with decimals as numbers, and dates, times and moments as ISO texts.

    Gold is stored so, and what a prediction returns is brought into the same form before it is compared.
    """
    return tuple(tuple(map(_plain, row)) for row in rows)


def _plain(cell: run.Cell) -> Cell:
    if cell is None or isinstance(cell, bool | int | float | str):
        return cell
    value = canonical_value(cell)
    return value if isinstance(value, int | float | str) else str(cell)

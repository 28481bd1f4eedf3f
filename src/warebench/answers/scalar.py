"""Whether one value of a record or table is right, whatever type it was stated in."""

import math
import re

from warebench.answers.cell import canonical_cell
from warebench.answers.model import Boolean, Cell, Column, Number, Quantity, Scalar, ScalarKind, Text
from warebench.answers.reading import read_text
from warebench.answers.tolerance import is_within

_PREPOSITION = re.compile(r"\A(?:in|on|at) (?=\S)")
_ROUNDING = 1e-9
"""Share by which a float comparison may differ from the exact one."""


def is_right(gold: Scalar, said: Cell) -> bool:
    """Tell whether a value as a model stated it is gold's, read as gold's type.

    Args:
        gold: The right value.
        said: A text (`"12.3"` is a number where gold is one) or a typed value; None is never right.
    """
    match gold:
        case Boolean(value):
            return read_as(said, "boolean") == Boolean(value)
        case Number(value):
            return read_as(said, "number") == Number(value)
        case Text(value, accept):
            read = read_as(said, "text")
            known = {canonical_cell(right) for right in (value, *accept)}
            return isinstance(read, Text) and not known.isdisjoint(_spellings(read.value))
        case Quantity():
            read = read_as(said, "quantity")
            return isinstance(read, Quantity) and is_near(gold, read.value)


def _spellings(said: str) -> tuple[str, ...]:
    """Return a stated text, and the same without the preposition of place or time in front of it."""
    plain = canonical_cell(said)
    return plain, canonical_cell(_PREPOSITION.sub("", plain, count=1))


def is_near(gold: Quantity, said: float) -> bool:
    """Tell whether a number is within gold's tolerance; as `is_within`, and fast for numbers far away."""
    bound = max(gold.absolute, gold.relative * abs(gold.value))
    distance = abs(said - gold.value)
    if distance > bound + _ROUNDING * (bound + abs(gold.value) + abs(said)):
        return False
    return is_within(gold, said)


def read_as(said: Cell, kind: ScalarKind) -> Scalar | None:
    """Return a stated value as a kind of answer; None for what is none of that kind."""
    if said is None:
        return None
    if kind == "text":
        return Text(said if isinstance(said, str) else str(said).lower())
    if isinstance(said, str):
        read = read_text(said, kind)
        return read if isinstance(read, Boolean | Number | Quantity) else None
    if kind == "boolean" or isinstance(said, bool):
        return Boolean(said) if kind == "boolean" and isinstance(said, bool) else None
    if kind == "quantity":
        return Quantity(float(said)) if math.isfinite(said) else None
    return Number(int(said)) if math.isfinite(said) and said == int(said) else None


def scalar(column: Column, cell: Cell) -> Scalar | None:
    """Return a cell of gold as an answer, with the tolerance of its column; None for no value."""
    read = read_as(cell, column.kind)
    if isinstance(read, Quantity):
        return Quantity(read.value, column.relative, column.absolute)
    return read

"""Numbers and groups as they stand in an answer."""

from collections.abc import Mapping

from warebench.answers.model import Column, Field, Quantity, Record, Scalar, Text
from warebench.tracks.intelligence.analyses.model import Unfit
from warebench.tracks.intelligence.knowledge.model import Dimension
from warebench.tracks.intelligence.slice import Key

RELATIVE = 1e-6
"""What another order of the same operations may make of a figure."""


def rounded(value: float, decimals: int) -> float:
    """Return a value as it is given; -0 is 0."""
    return round(value, decimals) + 0.0


def quantity(value: float, decimals: int, off: float = 0.0) -> Quantity:
    """Return a number as it is given.

    It may be off by half a unit of the last place, so that the unrounded value is right, and figures that are
    no whole numbers by a millionth.

    Args:
        value: The value.
        decimals: Places it is given with.
        off: By how much it may be off instead.
    """
    return Quantity(rounded(value, decimals), RELATIVE if decimals else 0.0, off or half_place(decimals))


def column(name: str, decimals: int) -> Column:
    """Return a column of numbers, judged as `quantity` is."""
    return Column(name, "quantity", RELATIVE if decimals else 0.0, half_place(decimals))


def half_place(decimals: int) -> float:
    """Return half a unit of the last place."""
    return float(f"5e-{decimals + 1}")


def member(cell: str | int | float | bool) -> str:
    """Return a group's stored value as text."""
    if isinstance(cell, float):
        raise Unfit("groups are named by fractions")
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def one(values: Mapping[Key, float]) -> float:
    """Return the value of a figure that is not grouped.

    Raises:
        Unfit: It has none.
    """
    if () not in values:
        raise Unfit("there is no value")
    return values[()]


def called(dimension: Dimension, stored: str) -> Text:
    """Return a group as the text calls it; its stored value is right too."""
    name = dimension.values.get(stored, stored)
    return Text(name, (stored,) if stored != name else ())


def record(**fields: Scalar) -> Record:
    """Return a record of named values."""
    return Record(tuple(Field(name, value) for name, value in fields.items()))

"""How an answer is written, and to how many digits it is judged."""

from collections.abc import Sequence
from datetime import date, time
from decimal import Decimal
from typing import Any

from warebench.answers.model import Answer, Number, Quantity, Text
from warebench.queries.bind import show
from warebench.queries.model import Correlation, Count, Mean, Top, Total, Value, Want

RELATIVE = 1e-4
"""A number may be off by this share, or by one unit of its last stated digit."""


EXACT = 1e-9
"""A number that is looked up is copied: only its last digits may be lost in reading it."""


def is_number(outcome: Any) -> bool:
    """Return whether an outcome is a number; truth values are names."""
    return isinstance(outcome, (int, float, Decimal)) and not isinstance(outcome, bool)


def is_named(want: Want) -> bool:
    """Return whether the answer is a cell as it stands in the tables, be it a number."""
    return isinstance(want, Value | Top)


def decimals(want: Want, values: Sequence[Any]) -> int:
    """Return the digits after the point: none for whole numbers, three for correlations, else two.

    Args:
        want: What the query asks for.
        values: All numbers that are shown together, so that their form does not tell them apart.
    """
    if isinstance(want, Correlation):
        return 3
    if isinstance(want, Count) or all(float(value).is_integer() for value in values):
        return 0
    return 2


def spell(value: Any) -> str:
    """Return a cell as an option that is a name: with all its digits, without quotes."""
    return value if isinstance(value, str) else show(value)


def display(value: Any, digits: int) -> str:
    """Return a number as it stands in an option."""
    # Adding zero turns -0.00 into 0.00.
    return f"{round(float(value), digits) + 0.0:.{digits}f}"


def to_gold(want: Want, outcome: Any) -> Answer:
    """Return an outcome as gold with its tolerance."""
    match outcome:
        case str() | bool() | date() | time():
            return Text(spell(outcome))
        case int() if isinstance(want, Count) or is_named(want):
            return Number(outcome)
        case _ if is_named(want):
            return Quantity(float(outcome), EXACT)
        case _:
            digits = decimals(want, [outcome])
            return Quantity(float(outcome), RELATIVE, 1.1 * 10.0**-digits if digits else 0.0)


def answer_format(want: Want, unit: str) -> str:
    """Return the sentence that says how to write the answer."""
    of_unit = f" of {unit}" if unit else ""
    match want:
        case Count():
            return f"The answer is a whole number{of_unit}."
        case Correlation():
            return "The answer is a number between -1 and 1; give at least three decimals."
        case Total() | Mean():
            return f"The answer is a number{of_unit}; give at least two decimals when it is not whole."
        case _:
            return "The answer is a value exactly as it stands in the tables."

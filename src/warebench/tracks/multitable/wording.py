"""How an answer is written, and to how many digits it is judged."""

from collections.abc import Sequence
from datetime import date, time
from typing import Any

from warebench.answers.model import Answer, Number, Quantity, Text
from warebench.queries.model import Correlation, Count, Want

RELATIVE = 1e-4
"""A number may be off by this share, or by one unit of its last stated digit."""


def decimals(want: Want, values: Sequence[Any]) -> int:
    """Return the digits after the point: none for whole numbers, three for correlations, else two.

    Args:
        want: What the query asks for.
        values: All numbers that are shown together, so that their form does not tell them apart.
    """
    if isinstance(want, Correlation):
        return 3
    return 0 if isinstance(want, Count) or all(float(value).is_integer() for value in values) else 2


def display(value: Any, digits: int) -> str:
    """Return a value as it stands in an option."""
    match value:
        case str():
            return value
        case date() | time():
            return value.isoformat()
        case _:
            # Adding zero turns -0.00 into 0.00.
            return f"{round(float(value), digits) + 0.0:.{digits}f}"


def to_gold(want: Want, outcome: Any) -> Answer:
    """Return an outcome as gold with its tolerance."""
    match outcome:
        case str() | date() | time():
            return Text(display(outcome, 0))
        case int() if isinstance(want, Count):
            return Number(outcome)
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
        case _ if unit:
            return f"The answer is a number{of_unit}; give at least two decimals when it is not whole."
        case _:
            return "The answer is a value exactly as it stands in the tables."

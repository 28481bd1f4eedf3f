"""What SQL found as an answer, by the kind of value that DuckDB gives: the second method's last step."""

import math
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from warebench.answers.model import Answer, Number, Quantity, Text
from warebench.queries.model import Correlation, Count, Top, Value, Want


def restate(want: Want, found: Any) -> Answer | None:
    """Return the answer, with its tolerance, that SQL's cell makes; None for a cell that makes none."""
    match found:
        case str():
            return Text(found)
        case bool():
            return Text("true" if found else "false")
        case datetime():
            return Text(str(found))
        case date() | time():
            return Text(found.isoformat())
        case int() | float() | Decimal() if isinstance(want, Value | Top):
            return Number(found) if isinstance(found, int) else Quantity(float(found), 1e-9, 0.0)
        case int() if isinstance(want, Count):
            return Number(found)
        case int() | float() | Decimal():
            number = float(found)
            if isinstance(want, Correlation):
                return Quantity(number, 1e-4, 0.0011)
            return Quantity(number, 1e-4, 0.0 if number == math.floor(number) else 0.011)
        case _:
            return None


def same_answer(gold: Answer, again: Answer | None) -> bool:
    """Return whether two answers are one; floats may differ in their last digits."""
    if isinstance(gold, Quantity) and isinstance(again, Quantity):
        pairs = ((gold.value, again.value), (gold.relative, again.relative), (gold.absolute, again.absolute))
        return all(math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9) for one, other in pairs)
    return gold == again

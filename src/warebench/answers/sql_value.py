"""A value of an SQL result in the form in which two values are compared."""

import math
import re
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from numbers import Integral, Real
from uuid import UUID

Value = None | int | float | str | bytes | tuple[object, ...]
"""A number (never NaN), a text, bytes, NULL; a tuple that begins with the type's name for anything else."""

_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}"
    r"(?:\.[0-9]{1,6})?(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)?"
)
_MOST_DIGITS = 300
"""Digits of a number that a float can hold too; longer ones equal only themselves."""


def canonical_value(cell: object) -> Value:
    """Return a value so that equal values of different types are equal in Python.

    Booleans are 0 and 1, decimals numbers, dates and times ISO texts (a moment at midnight is its date,
    one with a zone is UTC), NaN equals itself. A text that spells a moment is that moment, as SQLite holds no
    other; any other text stays as it is, so `'1'` is not 1.

    Args:
        cell: A value as a database driver returns it.
    """
    match cell:
        case None:
            return cell
        case str():
            return _text(cell)
        case Integral():
            return _whole(int(cell))
        case Decimal() if not cell.is_finite():
            return _float(float(cell))
        case Decimal():
            return _decimal(cell)
        case Real():
            return _float(float(cell))
        case date() | time():
            return _moment(cell)
        case bytes() | bytearray() | memoryview():
            return bytes(cell)
        case _:
            return _other(cell)


def _whole(number: int) -> Value:
    return number if abs(number) < 10**_MOST_DIGITS else ("integer", hex(number))


def _decimal(number: Decimal) -> Value:
    if number.adjusted() >= _MOST_DIGITS:
        return ("decimal", str(number.normalize()))
    return int(number) if number == number.to_integral_value() else float(number)


def _float(number: float) -> Value:
    return ("nan",) if math.isnan(number) else number


def _text(cell: str) -> str:
    if not _MOMENT.fullmatch(cell):
        return cell
    try:
        return _moment(datetime.fromisoformat(cell))
    except ValueError:
        return cell  # Such as 30 February.


def _moment(cell: date | time) -> str:
    if not isinstance(cell, datetime):
        return cell.isoformat()
    local = cell.astimezone(UTC).replace(tzinfo=None) if cell.tzinfo else cell
    return local.isoformat(" ").removesuffix(" 00:00:00")


def _other(cell: object) -> Value:
    match cell:
        case timedelta():
            return ("interval", cell.days, cell.seconds, cell.microseconds)
        case UUID():
            return str(cell)
        case list() | tuple():
            return ("list", *map(canonical_value, cell))
        case dict():
            pairs = sorted((str(name), name) for name in cell)
            return ("struct", *((text, canonical_value(cell[name])) for text, name in pairs))
        case _:
            return (type(cell).__name__, repr(cell))

"""What a number measures: whether its sum, or only its average, means something. No evidence, no sum."""

from dataclasses import dataclass
from typing import Literal

from warebench.queries.compose.naming import is_calendar, is_identifier, singular, words

Role = Literal["additive", "level", "rate", "none", "unknown"]
"""Adds up over rows; has an average only; has neither, being a share; is no quantity; unclear."""


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


ORDINALS = _set(
    "rank ranking position pos place order ordinal sequence sequential seq index seed standing standings"
)
FLAGS = _set("flag is has status state type kind class category mode bit mask privs version")
COORDINATES = _set("latitude longitude lat lng lon long altitude elevation")
RATES = _set("rate rates ratio percent percentage pct share proportion per fraction probability discount")
LEVELS = _set(
    """
    age price prices score rating grade level limit threshold salary wage height width depth weight length
    size temperature speed distance duration average avg mean median min minimum max maximum balance stock
    capacity points installments instalments cost value unit standard list cm mm km kg lb lbs
    """
)
TIMES = _set(
    "second seconds minute minutes hour hours day days week weeks month months year years milliseconds ms"
)
AMOUNTS = _set(
    """
    amount amt total sum quantity qty revenue turnover income earnings profit proceeds freight fee fees tax
    vat paid payment payments spend spent spending expense expenses donation donations deposit refund units
    pieces copies bytes sales
    """
)
HEADS = _set("amount amt total sum quantity qty")
"""Amounts that may stand first: "amount paid", but a "payment sequence" is none."""
TOWARDS = _set("to from by via of")
COUNTS = _set("num number count n nb cnt")
FIRST_DAY, LAST_DAY = 1800_01_01, 2200_12_31
FIRST_YEAR, LAST_YEAR = 1800, 2100
FIRST_SECOND, LAST_SECOND = 300_000_000, 2_200_000_000
CODE_DIGITS = 5
"""Whole numbers of one length of so many digits, mostly different, are numbers of something."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Values:
    """What the values of a column say."""

    present: int
    distinct: int
    whole: bool
    low: float
    high: float
    dates: bool = False
    """Every value reads as year, month and day in eight digits."""
    position_within: str = ""
    """A foreign key within which the values run without gaps from 0 or 1."""
    copied_from: str = ""
    """A foreign key that decides the value: it belongs to the parent."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Clues:
    """What is known of a number."""

    name: str
    key: str = ""
    """Its part in a key, in words; empty for none."""
    description: str = ""
    nouns: frozenset[str] = frozenset()
    """What rows of the tables are called, in the singular: a number called like one refers to it."""
    per_period: bool = False
    """Each row is the state of something in a period: its key is a foreign key and a point in time."""
    values: Values | None = None
    """None where there are no rows to look at."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A role and what decided it."""

    role: Role
    reason: str


UNCLEAR = Judgement("unknown", "nothing says that it is a quantity")


def judge(clues: Clues) -> Judgement:
    """Return what a number measures; the first rule that fits decides.

    Refusals come first: whatever is a key, code, date, position, flag, coordinate or share is never added up.
    A sum needs positive evidence.

    Args:
        clues: Name, keys, description and values.
    """
    for rule in (_key, _by_values, _by_name, _share, _state, _amount, _level):
        if found := rule(clues):
            return found
    return UNCLEAR


def _key(clues: Clues) -> Judgement | None:
    if clues.key:
        return Judgement("none", clues.key)
    if is_identifier(clues.name):
        return Judgement("none", "its name is that of an identifier or code")
    found = words(clues.name)
    named = found[-1:] if len(found) < 2 or found[1] not in TOWARDS else found[:1]
    if found[:1] and found[0] not in COUNTS and (referred := (clues.nouns - AMOUNTS).intersection(named)):
        return Judgement("none", f"it is called like the table of a {min(referred)}")
    return None


def _by_values(clues: Clues) -> Judgement | None:
    """Return what values alone give away."""
    values = clues.values
    if values is None:
        return None
    if values.distinct <= 2:
        return Judgement("none", "it has no more than two values: a flag or a constant")
    if not values.whole:
        return None
    if values.dates:
        return Judgement("none", "its values are dates written as numbers")
    if values.low >= FIRST_YEAR and values.high <= LAST_YEAR:
        return Judgement("none", "its values are years")
    if any(low <= values.low and values.high <= high for low, high in _EPOCHS):
        return Judgement("none", "its values are points in time written as numbers")
    if values.position_within:
        return Judgement("none", f"it counts the rows of one `{values.position_within}`: a position")
    digits = len(str(int(values.low)))
    if (
        digits >= CODE_DIGITS
        and digits == len(str(int(values.high)))
        and values.distinct > values.present / 2
    ):
        return Judgement("none", "its values are mostly different and of one length: numbers of something")
    return None


_EPOCHS = ((FIRST_SECOND, LAST_SECOND), (FIRST_SECOND * 1000, LAST_SECOND * 1000))


def _by_name(clues: Clues) -> Judgement | None:
    found = words(clues.name)
    if not found:
        return None
    if (
        is_calendar(clues.name)
        or found[0] in ("year", "date", "month", "day")
        or found[-1] in ("date", "time")
    ):
        return Judgement("none", "its name is that of a point in time")
    if found[-1] in ORDINALS or found[:2] in (["number", "in"], ["no", "in"]):
        return Judgement("none", "its name is that of a position")
    if found[-1] in FLAGS or found[0] in ("is", "has"):
        return Judgement("none", "its name is that of a flag or kind")
    if not COORDINATES.isdisjoint(found):
        return Judgement("none", "its name is that of a coordinate")
    return None


def _share(clues: Clues) -> Judgement | None:
    described = _words(clues.description)
    if not RATES.isdisjoint(words(clues.name)) and "amount" not in words(clues.name):
        return Judgement("rate", "its name is that of a share or rate")
    if not (RATES - {"discount", "per", "share"}).isdisjoint(described):
        return Judgement("rate", "it is described as a share or rate")
    values = clues.values
    if values and not values.whole and values.low >= 0 and values.high <= 1:
        return Judgement("rate", "its values are fractions of 1")
    return None


def _state(clues: Clues) -> Judgement | None:
    if clues.per_period:
        return Judgement("level", "each row is a state in a period: it does not add up over periods")
    if clues.values and clues.values.copied_from:
        return Judgement("level", f"it is decided by `{clues.values.copied_from}` and repeated on its rows")
    return None


def _amount(clues: Clues) -> Judgement | None:
    found = words(clues.name)
    if found[-1:] == ["value"] and len(found) > 1:  # a payment value is a payment, a market value none
        found = found[:-1]
    described = _words(clues.description)
    if described[:2] in (["number", "of"], ["count", "of"], ["total", "number"]):
        return Judgement("additive", "it is described as a count")
    if not LEVELS.isdisjoint(found) or not TIMES.isdisjoint(found):
        return None
    if not found:
        return None
    if (found[0] in COUNTS and len(found) > 1) or found[-1] == "count":
        return Judgement("additive", "its name is that of a count")
    if found[-1] in AMOUNTS or found[0] in HEADS:
        return Judgement("additive", "its name is that of an amount")
    if not AMOUNTS.isdisjoint(described[:4]) and LEVELS.isdisjoint(described):
        return Judgement("additive", "it is described as an amount")
    values = clues.values
    if values and values.whole and values.low >= 0 and singular(found[-1]) != found[-1]:
        return Judgement("additive", "its name is a plural and its values are whole: a count")
    return None


def _level(clues: Clues) -> Judgement | None:
    found = words(clues.name)
    if not LEVELS.isdisjoint(found) or not TIMES.isdisjoint(found):
        return Judgement("level", "its name is that of a size, price or duration")
    if clues.values and not clues.values.whole:
        return Judgement("level", "its values have fractions: something measured")
    return None


def _words(text: str) -> list[str]:
    return words(text.lower().removeprefix("the "))

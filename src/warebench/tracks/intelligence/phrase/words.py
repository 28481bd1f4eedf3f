"""Days, numbers, units and groups in words."""

from collections.abc import Sequence
from datetime import date

from warebench.tracks.intelligence.knowledge.links import find_dimension
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.slice import Window

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
ORDINALS = ("first", "second", "third", "fourth")
UNITS = {"%": "percent"}


def day(iso: str) -> str:
    """Return a day as people write it: 1 April 2018."""
    found = date.fromisoformat(iso)
    return f"{found.day} {MONTHS[found.month - 1]} {found.year}"


def days(window: Window) -> str:
    """Return a window: from 1 April 2018 to 30 June 2018 (both days included)."""
    return f"from {day(window.first)} to {day(window.last)} (both days included)"


def period(window: Window) -> str:
    """Return a window by its name, where it has one, with its days."""
    first, last = date.fromisoformat(window.first), date.fromisoformat(window.last)
    months = last.month - first.month + 1
    inside = f"({day(window.first)} to {day(window.last)}, both days included)"
    if first.year != last.year:
        return days(window)
    if months == 12:
        return f"in the year {first.year} {inside}"
    if months == 6 and first.month in (1, 7):
        return f"in the {ORDINALS[first.month // 7]} half of {first.year} {inside}"
    if months == 3 and first.month % 3 == 1:
        return f"in the {ORDINALS[first.month // 3]} quarter of {first.year} {inside}"
    if months == 1:
        return f"in {MONTHS[first.month - 1]} {first.year} {inside}"
    return days(window)


def number(value: float) -> str:
    """Return a number without needless digits, thousands apart."""
    text = f"{value:,.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def unit(name: str) -> str:
    """Return a unit in words."""
    return UNITS.get(name, name)


def amount(value: float, name: str) -> str:
    """Return a number with its unit."""
    return f"{number(value)} {unit(name)}".rstrip()


def listed(names: Sequence[str], last: str = "and") -> str:
    """Return names as a list in a sentence."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def group(knowledge: Knowledge, dimension: str, stored: str) -> str:
    """Return what a reader calls a stored value."""
    return find_dimension(knowledge, dimension).values.get(stored, stored)


def member(knowledge: Knowledge, dimension: str, stored: str) -> str:
    """Return a group with what it is a group of: `customer state Bahia`, `number of photos equal to 3`."""
    name = group(knowledge, dimension, stored)
    label = find_dimension(knowledge, dimension).label
    return f"{label} equal to {name}" if _is_number(name) else f"{label} {name}"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def population(knowledge: Knowledge, filters: Sequence[tuple[str, str]]) -> str:
    """Return the rows that are asked about, such as `for customer state Bahia`; empty for all."""
    named = [member(knowledge, name, stored) for name, stored in filters]
    return f"for {listed(named)}" if named else ""


def parameter(name: str) -> str:
    """Return the name of a parameter in words."""
    return name.replace("_", " ")


def places(decimals: int) -> str:
    """Return how a number is to be rounded."""
    return (
        "as a whole number"
        if decimals == 0
        else f"rounded to {decimals} decimal{'s' if decimals > 1 else ''}"
    )

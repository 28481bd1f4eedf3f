"""The canonical form of a cell's value: the form in which two values are compared."""

import re
import unicodedata
from datetime import datetime

_MARKS = (
    ("**", "**"),
    ("*", "*"),
    ("`", "`"),
    ('"', '"'),
    ("'", "'"),
    ("\u201c", "\u201d"),
    ("\u2018", "\u2019"),
)
_PLAIN = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("\u2018\u2019", "'")
    | dict.fromkeys("\u201c\u201d", '"')
)
"""Dashes and quotes that word processors and models put where a keyboard has one."""

_NAMES = """january february march april may june july august september october november december"""
_MONTHS = dict(enumerate(_NAMES.split(), start=1))
_MONTH_NUMBER = {name: number for number, name in _MONTHS.items()}
_MONTH_NUMBER |= {name[:3]: number for number, name in _MONTHS.items()} | {"sept": 9}
_MONTH = rf"(?P<name>{'|'.join(sorted(_MONTH_NUMBER, key=len, reverse=True))})\.?"
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?"
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_CLOCK = (
    r"(?:[t ](?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})"
    r"(?::(?P<second>[0-9]{2})(?:\.(?P<part>[0-9]{1,6}))?)?(?: ?(?:z|utc|\+00:?00))?)?"
)
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<year>[0-9]{{4}})([-/])(?P<month>[0-9]{{1,2}})\2(?P<day>[0-9]{{1,2}}){_CLOCK}",
        rf"{_WEEKDAY}{_MONTH} {_DAY},? (?P<year>[0-9]{{4}})",
        rf"{_WEEKDAY}(?:the )?{_DAY}[ -](?:of )?{_MONTH},?[ -](?P<year>[0-9]{{4}})",
    )
)


def canonical_cell(text: str) -> str:
    """Return the canonical form of a cell's value; equal values have equal forms.

    Case is folded, Unicode composed, whitespace collapsed, quotes, Markdown and a full stop around
    it stripped. A date with its year first or its month in words becomes an ISO date. Numbers stay
    text: `007` is not `7`.

    Args:
        text: A value as a table shows it or a model spells it.

    Returns:
        The canonical form; canonicalising it again changes nothing.

    Example:
        >>> canonical_cell("**5 January 2020**.")
        '2020-01-05'
    """
    # Normalised before marks are looked for: some characters compose to one.
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())
    plain = unwrapped(folded.translate(_PLAIN))
    return _iso_date(plain) or plain


def unwrapped(text: str) -> str:
    """Return a value without the quotes, Markdown, whitespace and final full stop around it.

    A value that is nothing else is kept, with its whitespace collapsed.
    """
    collapsed = " ".join(text.split())
    value, before = collapsed, ""
    while value != before:
        before = value
        # Of `..` the last full stop is not the end of a sentence.
        value = _without_marks(value.removesuffix(".").strip() if value.strip(".") else value)
    return value or collapsed


def _without_marks(value: str) -> str:
    for opening, closing in _MARKS:
        if len(value) > len(opening + closing) and value.startswith(opening) and value.endswith(closing):
            return value[len(opening) : -len(closing)].strip()
    # Half of a bold phrase: the other half stands before the label.
    return value.removesuffix("**").removeprefix("**").strip()


def _iso_date(plain: str) -> str:
    """Return the ISO date, with the time if it is not midnight; empty for what is no date."""
    found = next(filter(None, (date.fullmatch(plain) for date in _DATES)), None)
    if not found:
        return ""
    said = found.groupdict(default="0")
    month = _MONTH_NUMBER[said["name"]] if "name" in said else int(said["month"])
    hour, minute, second = (int(said.get(unit, "0")) for unit in ("hour", "minute", "second"))
    part = int(said.get("part", "0").ljust(6, "0"))
    try:
        # Without zone: tables hold local times.
        moment = datetime(int(said["year"]), month, int(said["day"]), hour, minute, second, part)  # noqa: DTZ001
    except ValueError:
        return ""  # Such as 30 February.
    return moment.isoformat().removesuffix("T00:00:00").casefold()

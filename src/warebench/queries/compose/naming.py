"""What a column's name says about its use: identifiers are no quantities, and not every quantity adds up."""

import re

WORD = re.compile(r"IDs?(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

_IDENTIFIERS = """
id ids key uuid guid hash code codes zip postal postcode phone telephone fax ssn isbn iban url uri link email
mail photo image picture path password login checksum
"""
_LEVELS = """
year month day hour week quarter age latitude longitude lat lng lon long rate ratio percent percentage pct
share average avg mean rank rating score grade level temperature index version altitude elevation ph depth
"""

IDENTIFIERS = frozenset(_IDENTIFIERS.split())
"""Words that make a column an identifier or an address wherever they stand in its name."""

NUMBERS = frozenset(("no", "nr", "num", "number"))
"""Words that make it one at the end: `flight_number`, but not `number_of_rooms`."""

LEVELS = frozenset(_LEVELS.split())
"""Words of quantities that have an average but no meaningful sum."""

CALENDAR = frozenset(("year", "month", "day", "hour", "week", "quarter", "decade"))
"""Words of numbers that place something in time: good for bounds, no measures."""

_ROW_WRITTEN = "updated modified loaded inserted ingested synced etl batch rowversion dwh"

BOOKKEEPING = frozenset(_ROW_WRITTEN.split())
"""Words of columns about the row and not what it stands for."""

UPDATES = frozenset(("last_update", "date_updated", "update_date", "load_date", "load_time", "load_id"))

_NOTHING = """
n/a,na,nan,null,none,nil,unknown,undefined,unspecified,missing,tbd,default,no value
not available,not applicable,not specified,not given
"""

PLACEHOLDERS = frozenset(_NOTHING.strip().replace("\n", ",").split(","))
"""Texts that stand for no value."""


def is_placeholder(value: str) -> bool:
    """Return whether a text stands for no value: a word for it, or no letter and no digit."""
    plain = value.strip().strip("<>()[]*").casefold()
    return plain in PLACEHOLDERS or not any(sign.isalnum() for sign in plain)


def is_bookkeeping(name: str) -> bool:
    """Return whether a column is about how its row was written."""
    found = words(name)
    return not BOOKKEEPING.isdisjoint(found) or "_".join(found[:2]) in UPDATES


def words(name: str) -> list[str]:
    """Return the words of a column name, lower case: `orderID` and `order_id` are order, id."""
    return [word.lower() for word in WORD.findall(name)]


def is_identifier(name: str) -> bool:
    """Return whether a name is that of an identifier or an address."""
    found = words(name)
    return bool(found) and (not IDENTIFIERS.isdisjoint(found) or found[-1] in NUMBERS)


def adds_up(name: str) -> bool:
    """Return whether a sum over rows of a quantity of this name means something."""
    return LEVELS.isdisjoint(words(name))


def is_calendar(name: str) -> bool:
    """Return whether a number of this name is a point in time."""
    return bool(words(name)) and words(name)[-1] in CALENDAR


ALIKE = frozenset(("staff", "data", "series", "species", "personnel", "media", "news", "equipment"))
"""Words with one form."""

ENDINGS = (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("s", ""))
"""Plural and singular endings, the longest first."""


def singular(word: str) -> str:
    """Return the singular of a word; of one that is not known for a plural, the word."""
    if word in ALIKE or word.endswith(("ss", "us", "is")) or len(word) < 4:
        return word
    for ending, own in ENDINGS:
        if word.endswith(ending):
            return word.removesuffix(ending) + own
    return word


def plural(word: str) -> str:
    """Return the plural of a word; of one that has none, the word."""
    if word in ALIKE:
        return word
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")

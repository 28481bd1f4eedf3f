"""English words that answers are stated in."""

import re

_UNITS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_PROSE = """a an the this that these those is are was were be it its they i we you my no not none there here
have has had can cannot which because so if then find found check let means table tables path answer first
next finally following hope helps from with"""
_ABSTENTIONS = """null; n/a; no path; no path exists; there is no path; no such path; no fk path; cannot
answer; can't answer; i cannot answer; cannot be answered; cannot determine; cannot be determined;
i don't know; i do not know; don't know; not enough information; insufficient information; unanswerable;
unknown; no answer; cannot tell; i cannot tell; cannot say; undeterminable; indeterminable;
it cannot be determined; cannot be determined from the data; cannot be determined from the given data;
not determinable; not answerable; cannot be known; insufficient data; not enough data"""
_NOT_UNITS = """or to and hundred thousand million billion dozen dozens point percent half times minus plus
squared cubed perhaps maybe k"""

_MULTIPLIERS = """hundred hundreds thousand thousands million millions billion billions trillion dozen dozens
k m b bn mn mm mio tn x e mil mils mill mills lakh lakhs lac crore crores crs score scores gross pair pairs
couple couples double triple ten tens basis bps bp pct permille"""
_OPPOSITES = """early earlier below under less fewer minus negative plus more above over quarter quarters
halves thirds down up loss losses decline declined declines decrease decreased decreases drop dropped lower
higher fell fall rose increase increased increases gain gained short worse better off negative wrong
except excluding excluded without only"""
_UNDEFINED = """nan; undefined; not defined; is undefined; is not defined; indeterminate; not a number; inf;
-inf; +inf; infinity; -infinity; +infinity; \u221e; -\u221e; does not exist; division by zero"""


def _numbers() -> dict[str, int]:
    units, tens = _UNITS.split(), _TENS.split()
    words = {word: number for number, word in enumerate(units)}
    words |= {word: 10 * number for number, word in enumerate(tens, start=2)}
    return words | {f"{ten}-{unit}": words[ten] + words[unit] for ten in tens for unit in units[1:10]}


NUMBERS = _numbers()
"""Words for 0 to 99, such as `twenty-one`."""

PROSE = frozenset(_PROSE.split())
"""Words that make several words a sentence instead of a name."""

ABSTENTIONS = frozenset(" ".join(phrase.split()) for phrase in _ABSTENTIONS.split(";"))
"""Phrases by which a model declines to answer."""

_MARKS = str.maketrans("", "", '*`$#"\u201c\u201d\0')

NOTHING = frozenset(("none", "nothing", "empty", "nil", "no table", "no tables"))
"""Words that decline, or state an empty set or zero: nobody can tell which."""

_COUNTED_WORDS = """table tables path a an the this these that there here have has from with which it they"""
_COUNTED = frozenset(_COUNTED_WORDS.split())
NOT_UNITS = (PROSE - _COUNTED) | frozenset(_NOT_UNITS.split())
"""Words that, behind a number, change or question it instead of naming its unit."""

CELL_WORDS = NOTHING | frozenset(("null", "n/a", "unknown", "no answer"))
"""Words of those that a cell may hold: as a text they are what they say."""

MULTIPLIERS = frozenset(_MULTIPLIERS.split())
"""Words and letters that multiply the number before them."""

NOT_COUNTS = NOT_UNITS | MULTIPLIERS | frozenset(_OPPOSITES.split())
"""Words that, behind a count, change or question it instead of naming what is counted."""

NOT_MEASURES = (NOT_UNITS | MULTIPLIERS | frozenset(_OPPOSITES.split())) - {"percent"}
"""Words that, behind a number with decimals, change or question it instead of naming its unit."""

UNDEFINED = frozenset(" ".join(phrase.split()) for phrase in _UNDEFINED.split(";"))
"""Phrases that say a number does not exist."""

_DECLINED = re.compile(
    r"(?:(?:sorry|unfortunately),? (?:but )?)?(?:(?:the )?(?:answer|question|value|this|it|that) |(?:i|we) )?"
    r"(?:cannot|can not|can't|could not|couldn't|(?:am|are|is) (?:not able|unable) to|(?:is|are) not) "
    r"(?:be )?(?:determined?|answer(?:ed)?|tell|told|known?|sa(?:y|id)|inferred|derived|"
    r"established|determinable|answerable)"
    r"(?: (?:this|that|it|the (?:answer|question|value|number)|with certainty))*"
    r"(?: (?:from|with|by|using|based on|given) (?:only )?(?:the |this )?"
    r"(?:(?:given|provided|available|shown) )?"
    r"(?:data|schema|information|tables?|documents?|context|database|catalog))?"
)
_REASON = re.compile(
    r"[.,;:] .*| ?[(\u2014\u2013].*| - .*| (?:because|since|as|without|due to)\b.*", re.DOTALL
)


_MISSING = frozenset(("", "n/a", "na", "nan", "null", "none", "-", "--", "\u2013", "\u2014"))


def is_missing(cell: object) -> bool:
    """Tell whether a cell says that there is no value, where a number or yes and no was asked for.

    Args:
        cell: A cell as it was stated. In a column of texts such a word is the text that it is.
    """
    return isinstance(cell, str) and cell.strip().casefold() in _MISSING


def is_abstention(text: str) -> bool:
    """Tell whether a text is nothing but a phrase that declines to answer, such as `cannot be determined`.

    Args:
        text: A statement; the reason may follow, as in `It cannot be determined, since no currency is given`.
    """
    phrase = " ".join(text[:300].translate(_MARKS).casefold().replace("\u2019", "'").split()).strip("' .!")
    if phrase in ABSTENTIONS:
        return True
    found = _DECLINED.match(phrase)
    return found is not None and (
        found.end() == len(phrase) or _REASON.match(phrase, found.end()) is not None
    )

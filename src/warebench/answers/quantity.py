"""A number with a unit as models state it."""

import math
import re

from warebench.answers.markup import unmarked
from warebench.answers.model import Quantity
from warebench.answers.outcome import Reading, Unparsed
from warebench.answers.words import MULTIPLIERS, NOT_MEASURES, NUMBERS, UNDEFINED

_LONGEST_STATEMENT = 2_000
_MINUS = "\\-\u2212\u2010\u2011\u2012\u2013\ufe63\uff0d"
_MINUS_SIGN = re.compile(f"[{_MINUS}]")
_CURRENCY = (
    r"(?:(?:US|CA|AU|A|C|NZ|HK)?\$|[\u20ac\u00a3\u00a5\u20b9]|(?:USD|EUR|GBP|JPY|CHF|CAD|AUD|INR|CNY)\b)"
)
_DIGITS = (
    r"(?:[1-9]\d{0,2}(?P<separator>[,_'\u2019 ])\d{3}(?:(?P=separator)\d{3})*+(?!\d)(?:\.\d++)?"
    r"|\d++(?:\.\d++)?|\.\d++)"
)
_EXPONENT = (
    rf"(?:[eE](?P<exponent>[+{_MINUS}]?\d{{1,4}})(?!\w)"
    rf"| ?(?:[\u00d7xX*\u00b7]|\\times|\\cdot) ?10(?:\^|\*\*)\{{?(?P<power>[+{_MINUS}]?\d{{1,4}})\}}?(?!\d))?"
)
_ABOUT = re.compile(
    r"(?:(?:[\u2248~=\u2243]|\\approx) ?"
    r"|(?:approximately|approx\.?|about|around|roughly|circa|ca\.|exactly|equal to) )*+",
    re.IGNORECASE,
)
_STATED = re.compile(
    rf"(?P<sign>[+{_MINUS}]|(?:[mM]inus|[nN]egative) )?(?:{_CURRENCY} ?(?P<inner>[{_MINUS}])?)?"
    rf"(?P<digits>{_DIGITS}){_EXPONENT}(?P<rest>.*)"
)
_WORDED = re.compile(r"(?P<word>[A-Za-z]++(?:-[A-Za-z]++)?)(?P<rest>(?:\W.*)?)")
_RAISED = re.compile("(?<=10)[\u207a\u207b]?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]++")
_LOWERED = str.maketrans(
    "\u207a\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "+-0123456789"
)
_FRACTION = re.compile(r"\\[dt]?frac|[\u00bc-\u00be\u2150-\u215e\u2189]|^\W{0,3}\d[\d., ]{0,40}[/\u2044] ?\d")
_ESCAPED = re.compile(r"\\([$%{},#&])")
_WORD = r"(?:[^\W\d_]++[\u00b2\u00b3]?(?:/[^\W\d_]++[\u00b2\u00b3]?)?|\u00b0[CF]?)"
_UNIT = re.compile(
    rf"(?![\u00b2\u00b3\u00b9\u2070-\u2079]) ?(?:{_WORD}(?: {_WORD}){{0,3}}|%|per cent|{_CURRENCY})"
)
_ASIDE = re.compile(
    r" ?\(|;(?! ?\d)|:(?= )| [-\u2013\u2014] (?!\d)|, (?=[^\W\d])|\. (?=[^\W\d])| (?:because|since|as)\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"\A(?!.*\b(?:not|if|confidence|certainty|note|step|without|maybe"
    r"|page)\b)[A-Za-z][^\d\n.;:=]{1,80}?(?: is| was|:| =| equals) ++(?=\S*\d)",
    re.IGNORECASE,
)
"""What the number is said of: `The average is 12.5 days`."""
_EQUATION = re.compile(r"(?P<left>[\d\s.,/*+()\u00d7\u00f7-]+) = (?P<right>.+)")
_MULTIPLE = re.compile(r" ?(thousand|k|million|M|mn|billion|bn|B|trillion|lakh|crore)\b")
_FACTORS = {
    "thousand": 1e3, "k": 1e3, "million": 1e6, "M": 1e6, "mn": 1e6, "billion": 1e9, "bn": 1e9, "B": 1e9,
    "trillion": 1e12, "lakh": 1e5, "crore": 1e7,
}  # fmt: skip
_HEDGE = re.compile(r"\W*+(?:or|and|to|but|vs|versus|maybe|perhaps|possibly)\b", re.IGNORECASE)
_DECIMAL_COMMA = re.compile(r"[,.]\d")


def read_quantity(text: str) -> Reading:
    """Return the number that a statement begins with, such as `$1,234.5`, `-1.2e3` or `12.5 minutes`.

    A percent sign is a unit: `5%` is 5. What has no value, a fraction, or digits that mean different
    numbers in different countries is `Unparsed`; so is a number that words behind it change.

    Args:
        text: The statement, without its label.

    Returns:
        The quantity, `Unparsed`, or None for a statement that begins with no number.
    """
    words = _SUBJECT.sub("", _plain(text[:_LONGEST_STATEMENT]), count=1)
    equation = _EQUATION.fullmatch(words)
    if equation:
        sides = equation["left"].strip(), equation["right"]
        words = sides[0] if "/" in sides[1] and "/" not in sides[0] else sides[1]
    if words.casefold().rstrip(".! ") in UNDEFINED:
        return Unparsed(f"undefined: {words[:40]!r}")
    if _FRACTION.search(words):
        return Unparsed(f"fraction: {words[:40]!r}")
    found = _STATED.fullmatch(words)
    if found:
        times = _MULTIPLE.match(found["rest"])
        if not times:
            return _faults(found["rest"], words) or _value(found)
        value = _value(found)
        factor = _FACTORS[times[1]]
        multiplied = Quantity(value.value * factor) if isinstance(value, Quantity) else value
        return _faults(found["rest"][times.end() :], words) or multiplied
    worded = _WORDED.fullmatch(words)
    if worded and worded["word"].casefold() in NUMBERS:
        return _faults(worded["rest"], words) or Quantity(float(NUMBERS[worded["word"].casefold()]))
    return None


def _plain(text: str) -> str:
    words = _ESCAPED.sub(r"\1", unmarked(text)).replace("{,}", ",").strip()
    if len(words) > 1 and words[0] == words[-1] == "$":
        words = words[1:-1].strip()
    raised = _RAISED.sub(
        lambda found: f"^{found[0].translate(_LOWERED)}", words.removeprefix("\\(").removesuffix("\\)")
    )
    return _ABOUT.sub("", raised.strip(), count=1)


def _value(found: re.Match[str]) -> Reading:
    if found["sign"] and found["inner"]:
        return None
    digits = found["digits"].replace(found["separator"] or ",", "")
    exponent = found["exponent"] or found["power"] or "0"
    exponent = _MINUS_SIGN.sub("-", exponent)
    value = float(f"{digits}e{exponent}")
    if not math.isfinite(value):
        return Unparsed("number out of range")
    negative = found["inner"] or (found["sign"] or "+") != "+"
    # Zero has no sign.
    return Quantity(-value if negative and value else value)


def _faults(rest: str, words: str) -> Unparsed | None:
    """Return why the words behind a number make it ambiguous, or None."""
    if _DECIMAL_COMMA.match(rest):
        return Unparsed(f"ambiguous decimal comma or grouping: {words[:40]!r}")
    aside = _ASIDE.search(rest)
    unit = (rest[: aside.start()] if aside else rest).rstrip(".! ")
    behind = rest[aside.start() :] if aside else ""
    if (
        (unit and not _is_unit(unit))
        or _HEDGE.match(behind)
        or not (MULTIPLIERS - {"e"}).isdisjoint(_words(behind[:60]))
    ):
        return Unparsed(f"ambiguous number: {words[:40]!r}")
    return None


def _is_unit(unit: str) -> bool:
    return _UNIT.fullmatch(unit) is not None and NOT_MEASURES.isdisjoint(_words(unit))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.casefold())

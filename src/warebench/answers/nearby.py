"""Wrong and right answers near a gold quantity, text or choice, and the words they come in."""

import json
import math
import re
from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction

from warebench.answers.model import Boolean, Choice, NameSet, Number, Quantity, Reply, Text
from warebench.answers.tolerance import is_within, tolerance

_ISO_DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOST_DIGITS = 17
"""Significant digits that tell any two floats apart."""


def wrong_quantities(gold: Quantity) -> Iterator[Reply]:
    """Yield numbers just outside the tolerance, with another sign or size, or rounded too far."""
    value = gold.value
    near = (*_just_outside(gold), -value, value * 10, value / 10, value * 100, value + 1, *_rounded(gold))
    for said in near:
        if math.isfinite(said) and not is_within(gold, said):
            yield Quantity(said)
    yield from (Number(math.trunc(value)), Text(repr(value)), NameSet((repr(value),)), Boolean(bool(value)))


def right_quantities(gold: Quantity) -> Iterator[Quantity]:
    """Yield the numbers at either end of the tolerance and the roundings that it permits."""
    margin = tolerance(gold) * Fraction(99, 100)
    ends = [_float(Fraction(repr(gold.value)) + sign * margin) for sign in (-1, 1)]
    for said in (*ends, *_rounded(gold)):
        if math.isfinite(said) and is_within(gold, said):
            yield Quantity(said)
    # The tolerance of a reply does not count.
    yield Quantity(gold.value, relative=0.0)


def quantity_wordings(gold: Quantity) -> Iterator[str]:
    """Yield texts that state the value."""
    value = gold.value
    said = f"{value:,.6f}" if value == round(value, 6) and abs(value) < 10**9 else repr(value)
    yield from (f"Answer: **{said}**", f"The answer is {said} minutes.", f"{{'answer': '{said}%'}}")
    yield f"Answer: {said.replace('-', chr(0x2212))}"
    yield f"\\boxed{{{value:.{_MOST_DIGITS - 1}e}}}"
    yield f"Answer: {'-' if value < 0 else ''}${said.removeprefix('-')}"


def wrong_texts(gold: Text) -> Iterator[Reply]:
    """Yield texts that differ by a word, a digit or a day."""
    value = gold.value
    told = [f"{value} x", f"x {value}"]
    if _is_number(value):
        told += [f"0{value}", f"{value}0", f"{value}.0" if "." not in value else f"{value}1"]
    for days in (-1, 1):
        told += _shifted(value, days)
    known = {right.casefold() for right in (value, *gold.accept)}
    yield from (Text(said) for said in told if said.casefold() not in known)
    yield from (NameSet((value,)), Boolean(True), Number(0))


def right_texts(gold: Text) -> Iterator[Text]:
    """Yield the value under other marks, case and whitespace, and what gold accepts."""
    value = gold.value
    yield from map(Text, gold.accept)
    yield from (Text(f"**{value}**"), Text(f'"{value}"'), Text(f"`{value}`"), Text(f" {value}\n"))
    if value.isascii():
        # Elsewhere letters change for good when their case is changed.
        yield from (Text(value.upper()), Text(value.lower()))
    day = _date(value)
    if day:
        yield from (Text(value.replace("-", "/")), Text(f"{value} 00:00:00"))


def text_wordings(gold: Text) -> Iterator[str]:
    """Yield texts that state the value."""
    yield json.dumps({"answer": gold.value})
    yield f"```json\n{json.dumps({'answer': f'**{gold.value}**'}, indent=2)}\n```"


def wrong_choices(gold: Choice) -> Iterator[Reply]:
    """Yield the other letters of the usual four, the next letter, and the letter as another kind."""
    yield from (Choice(letter) for letter in (*"ABCD", _next(gold.letter)) if letter != gold.letter)
    yield from (Text(gold.letter), NameSet((gold.letter,)))


def choice_wordings(gold: Choice) -> Iterator[str]:
    """Yield texts that state the letter."""
    letter = gold.letter
    yield from (f"**{letter}**", f"({letter})", f"\\boxed{{{letter}}}", f"Answer: {letter}", f"`{letter}`")
    yield from (f"The answer is {letter}) 42", f"{letter}.", f"**Answer:** ({letter}) 42", letter)


def _just_outside(gold: Quantity) -> Iterator[float]:
    """Yield the floats next to either end of the tolerance that lie outside."""
    for sign in (-1, 1):
        said = _float(Fraction(repr(gold.value)) + sign * tolerance(gold))
        while math.isfinite(said) and is_within(gold, said):
            said = math.nextafter(said, sign * math.inf)
        yield said


def _rounded(gold: Quantity) -> list[float]:
    """Return the coarsest rounding that is right and the finest that is wrong, where they exist."""
    told = dict.fromkeys(float(f"{gold.value:.{digits}e}") for digits in range(_MOST_DIGITS))
    within = {said: is_within(gold, said) for said in told if math.isfinite(said)}
    right = [said for said, truth in within.items() if truth]
    wrong = [said for said, truth in within.items() if not truth]
    return right[:1] + wrong[-1:]


def _float(exact: Fraction) -> float:
    try:
        return float(exact)
    except OverflowError:
        return math.inf


def _is_number(value: str) -> bool:
    return value.isascii() and value.replace(".", "", 1).isdigit() and not value.endswith(".")


def _date(value: str) -> date | None:
    # Python reads more forms as dates, such as eight digits.
    if not _ISO_DATE.fullmatch(value):
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None


def _shifted(value: str, days: int) -> list[str]:
    day = _date(value)
    try:
        return [(day + timedelta(days=days)).isoformat()] if day else []
    except OverflowError:
        return []


def _next(letter: str) -> str:
    return chr((ord(letter) - ord("A") + 1) % 26 + ord("A"))

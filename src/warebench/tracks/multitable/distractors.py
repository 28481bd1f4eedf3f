"""Three wrong numbers beside the right one, of which nothing but the rows tells which is right.

Gold and the answers of the template's other questions are drawn alike, so any of them could be gold. A
mistake is made in two such questions, or in none: four options are two answers with their wrong twins. And
because many mistakes lead one way (without a filter a count only grows), every second time gold is what the
mistake leads *to*, from a number made up for it. So each of the four is gold with the same chance, whatever
they look like.
"""

import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

from warebench.queries.bind import Bound
from warebench.queries.model import Correlation, Count, Mean, Undefined
from warebench.queries.solve import Row, keep
from warebench.tracks.multitable.mistakes import Slip, Wrong, slips

APART = 0.01
"""Options differ by at least this share of the larger one."""

MISREAD = "rows misread"
"""Origin of a number made up."""

OTHER = "other entity"
"""Origin of the answer of another question."""

QUADS_FIRST = 0.25
"""How often three other answers are preferred to twins."""

ROOM = 0.2
"""How far outside the range of answers a wrong number may lie, as a share of the range."""

UNITS = (1000, 100, 50, 10, 5)
"""Coarse steps that a column of whole numbers may go by."""


def wrong_numbers(
    bound: Bound, others: Sequence[Bound], rows: Sequence[Row], rng: random.Random
) -> list[Wrong]:
    """Return three wrong numbers with the mistake behind each; none where no three fit.

    Args:
        bound: The question, its answer a number.
        others: Other questions of the template, drawn as this one was.
        rows: Joined rows of its query.
        rng: Seeded chance.
    """
    for wrong in _designs(bound, others, rows, rng):
        if _fits(bound, [bound.outcome, *(value for value, _ in wrong)]):
            return wrong
    return []


def _designs(
    bound: Bound, others: Sequence[Bound], rows: Sequence[Row], rng: random.Random
) -> Iterator[list[Wrong]]:
    quads_first = rng.random() < QUADS_FIRST
    if quads_first:
        yield from _quads(others, rng)
    mistakes = slips(bound.template, rows, rng)
    rng.shuffle(mistakes)
    usual = _usual([bound, *others])
    for slip in mistakes:
        for other in rng.sample(others, min(3, len(others))):
            made = _twins(bound, other, slip, rows, rng)
            # A number that no answer comes near would be seen to be wrong, and its twin to be right.
            if made and all(usual[0] <= value <= usual[1] for value, _ in made):
                yield made
    if not quads_first:
        yield from _quads(others, rng)
    for other in others:
        factors = [math.exp(rng.choice((-1, 1)) * rng.uniform(0.05, 0.9)) for _ in range(2)]
        first, second = (
            _like(item.outcome * by, item, rows) for item, by in zip((bound, other), factors, strict=True)
        )
        yield [(first, MISREAD), (other.outcome, OTHER), (second, f"{OTHER}, {MISREAD}")]
    for _ in range(8):
        yield _progression(bound, rows, rng)


def _quads(others: Sequence[Bound], rng: random.Random) -> Iterator[list[Wrong]]:
    for _ in range(4 if len(others) >= 3 else 0):
        yield [(other.outcome, OTHER) for other in rng.sample(others, 3)]


def _usual(bounds: Sequence[Bound]) -> tuple[float, float]:
    """Return the range of answers, and somewhat more."""
    answers = [float(bound.outcome) for bound in bounds]
    more = ROOM * (max(answers) - min(answers))
    return min(answers) - more, max(answers) + more


def _twins(bound: Bound, other: Bound, slip: Slip, rows: Sequence[Row], rng: random.Random) -> list[Wrong]:
    """Return gold's twin, another answer, its twin: what the mistake leads to, or what it would come from."""
    mine, its = slip.apply(bound), slip.apply(other)
    if isinstance(mine, (Undefined, str)) or isinstance(its, (Undefined, str)):
        return []
    origin = slip.origin
    if not slip.mirrored and rng.random() < 0.5:
        mine, its = (_before(item, after, rows) for item, after in ((bound, mine), (other, its)))
        origin = MISREAD
    return [(mine, origin), (other.outcome, OTHER), (its, f"{OTHER}, {origin}")]


def _before(bound: Bound, after: Any, rows: Sequence[Row]) -> Any:
    """Return a number that leads to the answer by a mistake like the one from the answer to `after`."""
    right, wrong = float(bound.outcome), float(after)
    if isinstance(bound.template.query.want, Correlation):
        if max(abs(right), abs(wrong)) > 0.9999:
            return math.nan
        return math.tanh(2 * math.atanh(right) - math.atanh(wrong))
    if not right or not wrong or 0.5 < wrong / right < 2:
        return _like(2 * right - wrong, bound, rows)
    return _like(right * right / wrong, bound, rows)


def _like(value: float, bound: Bound, rows: Sequence[Row]) -> int | float:
    """Return a number made up in the form the question's answers have: whole, or a share of as many rows."""
    if isinstance(bound.outcome, int):
        unit = next((unit for unit in UNITS if bound.outcome and bound.outcome % unit == 0), 1)
        return round(value / unit) * unit
    query = bound.template.query
    if isinstance(query.want, Mean):
        shares = math.prod(len(keep(rows, query, binding)) for binding in bound.bindings)
        return round(value * shares) / shares
    return value if isinstance(query.want, Correlation) else round(value, 2)


def _progression(bound: Bound, rows: Sequence[Row], rng: random.Random) -> list[Wrong]:
    """Return made-up numbers: steps drawn alike lead from each to the next, and gold may stand anywhere."""
    gold = float(bound.outcome)
    place = rng.randrange(4)
    wrong = []
    for side, count in ((-1, place), (1, 3 - place)):
        total = 0.0
        for _ in range(count):
            total += rng.uniform(0.1, 0.7)
            wrong.append((_moved(gold, side * total, bound, rows), MISREAD))
    return wrong


def _moved(gold: float, by: float, bound: Bound, rows: Sequence[Row]) -> int | float:
    if isinstance(bound.template.query.want, Correlation):
        return math.tanh(math.atanh(max(-0.9999, min(0.9999, gold))) + by)
    if bound.template.contrast or not gold:
        return _like(gold + by * max(abs(gold), 4.0), bound, rows)
    return _like(gold * math.exp(by), bound, rows)


def _fits(bound: Bound, values: Sequence[Any]) -> bool:
    """Return whether four numbers could all be answers and lie apart."""
    numbers = [float(value) for value in values]
    want = bound.template.query.want
    if not all(math.isfinite(number) for number in numbers):
        return False
    if isinstance(want, Count) and not bound.template.contrast and min(numbers) < 1:
        return False
    if isinstance(want, Correlation) and max(map(abs, numbers)) > 1:
        return False
    # A whole number among fractions would tell.
    if not isinstance(want, Correlation) and len({number.is_integer() for number in numbers}) > 1:
        return False
    return all(
        abs(one - two) > _gap(one, two, correlation=isinstance(want, Correlation))
        for at, one in enumerate(numbers)
        for two in numbers[:at]
    )


def _gap(one: float, two: float, *, correlation: bool) -> float:
    # At least what rounding could hide; correlations crowd near one, where 1 % apart leaves no room.
    return 0.003 if correlation else max(0.02, APART * max(abs(one), abs(two)))

"""Four options: the gold and three wrong answers, plausible by default or by the paper's multipliers."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from warebench.questions.model import Option
from warebench.tracks.multitable.mistakes import Wrong, mistakes
from warebench.tracks.multitable.query.model import Correlation, Count, Top, Value
from warebench.tracks.multitable.query.solve import Row
from warebench.tracks.multitable.templates.bind import Bound
from warebench.tracks.multitable.wording import decimals, display

LETTERS = "ABCD"
GOLD = "gold"

MULTIPLIERS = (0.25, 2.0, 3.0)
"""TQA-Bench, section II-D, Wrong Choice Generation."""

APART = 0.01
"""Numeric options differ by at least this share of the larger one."""

MISREAD = "rows misread"
"""Origin of a wrong number made up where real mistakes give too few on one side of the gold."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Options in the order of their letters, and the right letter."""

    options: tuple[Option, ...]
    letter: str


def choose(
    bound: Bound, rows: Sequence[Row], rank: int, rng: random.Random, *, paper: bool
) -> Choices | None:
    """Return four distinct options with the gold among them, or None where three wrong ones cannot be had.

    Args:
        bound: The question with its answer.
        rows: Joined rows of its query.
        rank: How many of the wrong numbers are smaller than the gold. The caller spreads ranks evenly, so
            that neither size nor order tells which option is right; names and the paper's options have none.
        rng: Seeded chance.
        paper: Use the paper's multipliers for numbers and random cells of the column for names.
    """
    if isinstance(bound.outcome, (int, float)):
        wrong = _multiplied(bound) if paper else _ranked(bound, rows, rank, rng)
    else:
        wrong = _entities(bound, rows, rng, paper=paper)
    if len(wrong) < 3:
        return None
    answers = [(bound.outcome, GOLD), *wrong[:3]]
    digits = 0
    if isinstance(bound.outcome, (int, float)):
        digits = decimals(bound.template.query.want, [value for value, _ in answers])
    rng.shuffle(answers)
    options = tuple(Option(text=display(value, digits), origin=origin) for value, origin in answers)
    if len({option.text for option in options}) < 4:
        return None
    right = next(at for at, option in enumerate(options) if option.origin == GOLD)
    return Choices(options, LETTERS[right])


def _entities(bound: Bound, rows: Sequence[Row], rng: random.Random, *, paper: bool) -> list[Wrong]:
    want = bound.template.query.want
    column = want.group if isinstance(want, Top) else want.column if isinstance(want, Value) else ""
    others = sorted({row[column] for row in rows} - {None})
    rng.shuffle(others)
    likely = [] if paper else list(mistakes(bound, rows, rng))
    by_value: dict[Any, str] = {}
    for value, origin in [*likely, *((other, "other entity") for other in others)]:
        by_value.setdefault(value, origin)
    by_value.pop(bound.outcome, None)
    return list(by_value.items())


def _multiplied(bound: Bound) -> list[Wrong]:
    whole = isinstance(bound.template.query.want, Count)
    values = [bound.outcome * factor for factor in MULTIPLIERS]
    shown = [round(value) if whole else value for value in values]
    return _apart(bound, zip(shown, [f"times {factor:g}" for factor in MULTIPLIERS], strict=True))


def _ranked(bound: Bound, rows: Sequence[Row], rank: int, rng: random.Random) -> list[Wrong]:
    found = [item for item in mistakes(bound, rows, rng) if isinstance(item[0], (int, float))]
    rng.shuffle(found)
    chosen: list[Wrong] = []
    for side, wanted in ((-1, rank), (1, 3 - rank)):
        mine = [item for item in found if (item[0] - bound.outcome) * side > 0]
        chosen += _apart(bound, [*mine, *_misread(bound, rng, side)], chosen)[:wanted]
    return chosen


def _apart(bound: Bound, found: Iterable[Wrong], chosen: Sequence[Wrong] = ()) -> list[Wrong]:
    """Return those that lie apart from the gold, from the chosen ones and from each other."""
    limit = 1.0 if isinstance(bound.template.query.want, Correlation) else float("inf")
    taken = [float(bound.outcome), *(float(value) for value, _ in chosen)]
    apart = []
    for value, origin in found:
        number = float(value)
        if abs(number) <= limit and all(abs(number - other) > _gap(bound, number, other) for other in taken):
            taken.append(number)
            apart.append((value, origin))
    return apart


def _gap(bound: Bound, one: float, other: float) -> float:
    # At least what rounding could hide; correlations crowd near one, where 1 % apart leaves no room.
    if isinstance(bound.template.query.want, Correlation):
        return 0.003
    return max(0.02, APART * max(abs(one), abs(other)))


def _misread(bound: Bound, rng: random.Random, side: int) -> list[Wrong]:
    gold = float(bound.outcome)
    want = bound.template.query.want
    if isinstance(want, Count):
        steps = (bound.outcome + side * step for step in rng.sample(range(1, 8), 7))
        return [(value, MISREAD) for value in steps if value >= 0 or bound.template.contrast]
    if isinstance(want, Correlation):
        room = 1.0 - side * gold
        return [(gold + side * room * rng.uniform(0.1, 0.95), MISREAD) for _ in range(12)]
    size = abs(gold) or 1.0
    values = [gold + side * size * rng.uniform(0.05, 0.9) for _ in range(12)]
    return [
        (round(value) if isinstance(bound.outcome, int) else round(value, 2), MISREAD) for value in values
    ]

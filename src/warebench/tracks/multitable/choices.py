"""Four options: the gold and three wrong answers, plausible by default or by the paper's multipliers."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from warebench.answers.cell import canonical_cell
from warebench.queries.bind import Bound
from warebench.queries.model import Count, asked_column
from warebench.queries.solve import Row
from warebench.questions.model import Option
from warebench.tracks.multitable.distractors import wrong_numbers
from warebench.tracks.multitable.mistakes import Wrong, mistakes
from warebench.tracks.multitable.wording import decimals, display, is_named, spell

LETTERS = "ABCD"
GOLD = "gold"

MULTIPLIERS = (0.25, 2.0, 3.0)
"""TQA-Bench, section II-D, Wrong Choice Generation."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Options in the order of their letters, and the right letter."""

    options: tuple[Option, ...]
    letter: str


def choose(
    bound: Bound, others: Sequence[Bound], rows: Sequence[Row], rng: random.Random, *, paper: bool
) -> Choices | None:
    """Return four distinct options with the gold among them, or None where three wrong ones cannot be had.

    Args:
        bound: The question with its answer.
        others: Other questions of its template, drawn as this one was: their answers could be its own.
        rows: Joined rows of its query.
        rng: Seeded chance.
        paper: Use the paper's multipliers for numbers and random cells of the column for names.
    """
    want = bound.template.query.want
    if is_named(want):
        wrong = _entities(bound, rows, rng, paper=paper)
    else:
        wrong = _multiplied(bound) if paper else wrong_numbers(bound, others, rows, rng)
    if len(wrong) < 3:
        return None
    answers = [(bound.outcome, GOLD), *wrong[:3]]
    digits = 0 if is_named(want) else decimals(want, [value for value, _ in answers])
    rng.shuffle(answers)
    options = tuple(
        Option(text=spell(value) if is_named(want) else display(value, digits), origin=origin)
        for value, origin in answers
    )
    if len({option.text for option in options}) < 4:
        return None
    right = next(at for at, option in enumerate(options) if option.origin == GOLD)
    return Choices(options, LETTERS[right])


def _entities(bound: Bound, rows: Sequence[Row], rng: random.Random, *, paper: bool) -> list[Wrong]:
    """Return wrong names that nobody takes for gold or for each other; none where gold is empty."""
    want = bound.template.query.want
    column = asked_column(want)
    others = sorted({row[column] for row in rows} - {None})
    rng.shuffle(others)
    likely = [] if paper else list(mistakes(bound, rows, rng))
    # Spellings that are compared as equal are one name, and what is compared as empty is none.
    if not _spelling(bound.outcome):
        return []
    taken = {"", _spelling(bound.outcome), *map(_spelling, bound.template.barred)}
    wrong: list[Wrong] = []
    for value, origin in [*likely, *((other, "other entity") for other in others)]:
        if _spelling(value) not in taken:
            taken.add(_spelling(value))
            wrong.append((value, origin))
    return wrong


def _spelling(value: Any) -> str:
    return canonical_cell(spell(value))


def _multiplied(bound: Bound) -> list[Wrong]:
    whole = isinstance(bound.template.query.want, Count)
    values = [bound.outcome * factor for factor in MULTIPLIERS]
    shown = [round(value) if whole else value for value in values]
    return list(zip(shown, [f"times {factor:g}" for factor in MULTIPLIERS], strict=True))

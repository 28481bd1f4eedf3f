"""Periods to ask about: whole months, quarters, halves and years that lie inside the data."""

import random
from collections.abc import Sequence
from datetime import date, timedelta

from warebench.tracks.intelligence.analyses.model import Unfit
from warebench.tracks.intelligence.slice import Grain, Window

SPANS = ((1, 1), (3, 4), (6, 3), (12, 2))
"""Months of a window, and how often it is drawn."""

SERIES: tuple[tuple[int, Grain], ...] = (
    (6, "month"), (6, "month"), (9, "month"), (12, "month"), (18, "month"), (12, "quarter"), (18, "quarter"),
    (24, "quarter"), (36, "quarter"), (60, "year"),
)  # fmt: skip
"""Months of a series and its grain; what stands twice is drawn twice as often."""


def inside(months: Sequence[str]) -> list[str]:
    """Return the months, written 2017-03, of the longest stretch without a gap, without its first and last.

    Data begin and end within a month as a rule.
    """
    best: list[str] = []
    run: list[str] = []
    for month in sorted(months):
        run = [*run, month] if run and _number(month) == _number(run[-1]) + 1 else [month]
        best = max(best, run, key=len)
    return best[1:-1]


def draw_window(months: Sequence[str], rng: random.Random) -> Window:
    """Return a month, quarter, half or year inside the data.

    Raises:
        Unfit: There is none.
    """
    spans = [(span, weight) for span, weight in SPANS if starts(months, span, span)]
    if not spans:
        raise Unfit("the data cover no whole period")
    span = rng.choices([span for span, _ in spans], [weight for _, weight in spans])[0]
    return window(rng.choice(starts(months, span, span)), span)


def draw_series(months: Sequence[str], rng: random.Random) -> tuple[Window, Grain]:
    """Return a window that begins with a quarter (or year), and the grain to follow it by.

    Raises:
        Unfit: The data are too short.
    """
    fitting = [(span, grain) for span, grain in SERIES if starts(months, span, 12 if grain == "year" else 3)]
    if not fitting:
        raise Unfit("the data cover too few whole periods")
    span, grain = rng.choice(fitting)
    return window(rng.choice(starts(months, span, 12 if grain == "year" else 3)), span), grain


def starts(months: Sequence[str], span: int, step: int) -> list[str]:
    """Return the first months of windows that lie inside some months, aligned to multiples of `step`."""
    last = len(months) - span
    return [month for at, month in enumerate(months) if at <= last and _number(month) % step == 0]


def window(month: str, span: int) -> Window:
    """Return the days of some months from a first one on."""
    after = _number(month) + span
    end = date(after // 12, after % 12 + 1, 1) - timedelta(days=1)
    return Window(first=f"{month}-01", last=end.isoformat())


def periods(days: Window, grain: Grain) -> int:
    """Return how many months, quarters or years a window of whole ones has."""
    months = _number(days.last[:7]) - _number(days.first[:7]) + 1
    return months // {"month": 1, "quarter": 3, "year": 12, "": 1}[grain]


def _number(month: str) -> int:
    """Return months since year 0."""
    year, _, number = month.partition("-")
    return int(year) * 12 + int(number) - 1

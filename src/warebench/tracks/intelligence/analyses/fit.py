"""Refusal of questions whose answer hangs by a thread: ties, edges of rounding, few rows, faint effects."""

import math
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

from warebench.answers.cell import canonical_cell
from warebench.answers.model import Answer, Boolean, Quantity, Record, Table
from warebench.tracks.intelligence.analyses.answers import by_member, pick
from warebench.tracks.intelligence.analyses.model import PERCENT_DECIMALS, Analysis, Ask, Unfit
from warebench.tracks.intelligence.analyses.windows import periods
from warebench.tracks.intelligence.compute.counterfactual import rounds_safely
from warebench.tracks.intelligence.slice import Key

FEWEST_ROWS = 30
"""Rows behind a figure of a question, and behind each side of a test."""

FEWEST_PERIODS = 4
GROUPS = (3, 40)
"""Groups of a breakdown, fewest and most."""

APART = 3
"""Units of the last place between values that are compared: no rounding makes them equal or swaps them."""

NEAR = 0.01
"""Share of a value within which a threshold, or the other value, is too near."""

LEAST_P, GREY = 0.0005, (0.02, 0.10)
"""A p-value so near to 0 or 1 is told without computing; one in the grey zone may flip under another test."""

Figures = Mapping[str, Mapping[Key, float]]


def check_fit(ask: Ask, gold: Answer, found: Figures, decimals: int) -> None:
    """Refuse a question whose answer is not clear.

    Args:
        ask: What is asked.
        gold: Its answer.
        found: The figures that the answer is made of.
        decimals: Places that the metric is given with.

    Raises:
        Unfit: With the reason.
    """
    _check_rounding(gold, ask, found, decimals)
    check = CHECKS.get(ask.analysis)
    if check:
        check(ask, gold, found, decimals)
    if isinstance(gold, Table):
        _check_names(str(row[0]) for row in gold.rows)


def _check_point(ask: Ask, _: Answer, found: Figures, decimals: int) -> None:
    if not ask.members:
        _check_bound(found["value"][()], decimals)
        return
    _check_varied((pick(by_member(found["value"]), name) for name in ask.members), decimals, 2)


def _check_comparison(ask: Ask, _: Answer, found: Figures, decimals: int) -> None:
    first, second = (pick(by_member(found["value"]), name) for name in ask.members)
    _check_apart(first, second, decimals, "the two values are too near to each other")


def _check_threshold(ask: Ask, _: Answer, found: Figures, decimals: int) -> None:
    _check_bound(found["value"][()], decimals)
    _check_apart(found["value"][()], ask.threshold, decimals, "the value is too near to the threshold")


def _check_counterfactual(_: Ask, __: Answer, found: Figures, decimals: int) -> None:
    _check_bound(found["actual"][()], decimals)
    _check_apart(found["actual"][()], found["supposed"][()], decimals, "nothing would change")


def _check_decomposition(_: Ask, __: Answer, found: Figures, decimals: int) -> None:
    least, most = GROUPS
    if not least <= len(found["value"]) <= most:
        raise Unfit("too few or too many groups")
    _check_varied(found["value"].values(), decimals, least)


def _check_varied(values: Iterable[float], decimals: int, least: int) -> None:
    """Refuse groups that are all alike: the metric says nothing about them."""
    if len({round(value, decimals) for value in values}) < least:
        raise Unfit("the groups are alike")


def _check_rounding(gold: Answer, ask: Ask, found: Figures, decimals: int) -> None:
    if ask.test or ask.analysis == "trend":
        return  # their figures are not given themselves
    wanted = set(ask.members)
    for values in found.values():
        for key, value in values.items():
            shown = not wanted or not key or str(key[0]) in wanted
            if shown and not rounds_safely(value, decimals):
                raise Unfit("a value lies on an edge of rounding")
    if isinstance(gold, Table) and len(gold.columns) > 2:
        total = math.fsum(found["value"].values())
        if not all(rounds_safely(100.0 * v / total, PERCENT_DECIMALS) for v in found["value"].values()):
            raise Unfit("a share lies on an edge of rounding")
    if ask.analysis == "counterfactual" and not rounds_safely(
        found["supposed"][()] - found["actual"][()], decimals
    ):
        raise Unfit("a value lies on an edge of rounding")


def _check_trend(ask: Ask, _: Answer, found: Figures, decimals: int) -> None:
    series = by_member(found["value"])
    wanted = periods(ask.window, ask.grain) if ask.window else len(series)
    if len(series) < max(wanted, FEWEST_PERIODS):
        raise Unfit("a period has no value, or there are too few")
    ordered = [series[period] for period in sorted(series)]
    if ordered[0] <= 0:
        raise Unfit("the first period is nothing to relate a change to")
    _check_apart(
        ordered[0], ordered[-1], decimals, "the first and the last period are too near to each other"
    )
    if not rounds_safely(100.0 * (ordered[-1] - ordered[0]) / ordered[0], PERCENT_DECIMALS):
        raise Unfit("a value lies on an edge of rounding")
    highest, next_highest = sorted(ordered, reverse=True)[:2]
    if highest - next_highest < APART * 10.0**-decimals:
        raise Unfit("two periods tie for the peak")


def _check_ranking(ask: Ask, _: Answer, found: Figures, decimals: int) -> None:
    groups = by_member(found["value"])
    if len(groups) < ask.top + 2:
        raise Unfit("too few groups to rank")
    ranked = sorted(groups.values(), reverse=not ask.ascending)[: ask.top + 1]
    for one, other in pairwise(ranked):
        if abs(one - other) < APART * 10.0**-decimals:
            raise Unfit("two groups tie, or nearly")


def _check_bound(value: float, decimals: int) -> None:
    """Refuse a share of nothing or of everything: it is guessed, and says that nothing was there to count."""
    if decimals and value in (0.0, 100.0):
        raise Unfit("the value is a plain 0 or 100")


def _check_apart(one: float, other: float, decimals: int, reason: str) -> None:
    if abs(one - other) < max(APART * 10.0**-decimals, NEAR * max(abs(one), abs(other))):
        raise Unfit(reason)


def _check_test(ask: Ask, gold: Answer, found: Figures, _: int) -> None:
    for name in ask.members:
        sides = {part: pick(by_member(values), name) for part, values in found.items()}
        if ask.test == "proportions":
            size, hits = sides["denominator"], sides["numerator"]
            if min(hits, size - hits) < 1:
                raise Unfit("too few rows for the test")
        else:
            size = sides["count"]
        if size < FEWEST_ROWS:
            raise Unfit("too few rows for the test")
    if isinstance(gold, Record):
        p = next(field.value for field in gold.fields if isinstance(field.value, Quantity)).value
        if not LEAST_P <= p <= 1 - LEAST_P:
            raise Unfit("the outcome is plain without a test")
        if GREY[0] <= p <= GREY[1] or not any(isinstance(field.value, Boolean) for field in gold.fields):
            raise Unfit("the p-value is too near to the level of significance")


def _check_names(names: Iterable[str]) -> None:
    spelled = [canonical_cell(name) for name in names]
    if len(set(spelled)) < len(spelled) or not all(spelled):
        raise Unfit("the names of two groups are spelled alike")


CHECKS: Mapping[Analysis, Callable[[Ask, Answer, Figures, int], None]] = {
    "point_query": _check_point,
    "trend": _check_trend,
    "comparison": _check_comparison,
    "ranking": _check_ranking,
    "significance": _check_test,
    "threshold_crossing": _check_threshold,
    "counterfactual": _check_counterfactual,
    "decomposition": _check_decomposition,
}

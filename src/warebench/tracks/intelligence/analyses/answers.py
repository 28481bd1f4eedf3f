"""The first method's last step: from executed figures to a typed answer, in plain Python.

`second` does the same again with pandas and statsmodels, and shares no computation with this.
"""

import math
from collections.abc import Callable, Mapping

from warebench.answers.model import Answer, Boolean, Cell, Column, Table, Text
from warebench.tracks.intelligence.analyses.metrics import adds_up
from warebench.tracks.intelligence.analyses.model import (
    ALPHA,
    P_DECIMALS,
    P_TOLERANCE,
    PERCENT_DECIMALS,
    Analysis,
    Ask,
    Unfit,
)
from warebench.tracks.intelligence.analyses.significance import choose_test, find_p
from warebench.tracks.intelligence.analyses.typed import (
    called,
    column,
    member,
    one,
    quantity,
    record,
    rounded,
)
from warebench.tracks.intelligence.knowledge.links import find_dimension, find_metric
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.slice import Key

Figures = Mapping[str, Mapping[Key, float]]
"""Name of a figure to its values by group."""


def answer(knowledge: Knowledge, ask: Ask, found: Figures) -> Answer:
    """Return the answer that some figures make.

    Args:
        knowledge: The knowledge base.
        ask: What is asked.
        found: The values of `figures(ask)`.

    Raises:
        Unfit: A value that is asked for is missing.
    """
    return ANSWERS[ask.analysis](knowledge, ask, found)


def _point(knowledge: Knowledge, ask: Ask, found: Figures) -> Answer:
    decimals = find_metric(knowledge, ask.metric).decimals
    if ask.variant != "rows":
        return quantity(one(found["value"]), decimals)
    groups = by_member(found["value"])
    return _table(knowledge, ask, [(name, pick(groups, name)) for name in ask.members])


def _trend(knowledge: Knowledge, ask: Ask, found: Figures) -> Answer:
    series = sorted(by_member(found["value"]).items())
    if len(series) < 2 or not series[0][1]:
        raise Unfit("there is no trend")
    first, last = series[0][1], series[-1][1]
    peak = max(series, key=lambda pair: pair[1])[0]
    return record(
        direction=Text("increasing" if last > first else "decreasing"),
        total_change_pct=quantity(100.0 * (last - first) / first, PERCENT_DECIMALS),
        peak_period=Text(peak),
    )


def _comparison(knowledge: Knowledge, ask: Ask, found: Figures) -> Answer:
    decimals = find_metric(knowledge, ask.metric).decimals
    groups = by_member(found["value"])
    one_value, other = (pick(groups, name) for name in ask.members)
    higher = ask.members[0] if one_value > other else ask.members[1]
    return record(
        value_a=quantity(one_value, decimals),
        value_b=quantity(other, decimals),
        higher=called(find_dimension(knowledge, ask.dimension), higher),
    )


def _ranking(knowledge: Knowledge, ask: Ask, found: Figures) -> Answer:
    sign = 1 if ask.ascending else -1
    ranked = sorted(by_member(found["value"]).items(), key=lambda pair: sign * pair[1])
    if len(ranked) < ask.top:
        raise Unfit("there are fewer groups than places")
    return _table(knowledge, ask, ranked[: ask.top], ordered=True)


def _decomposition(knowledge: Knowledge, ask: Ask, found: Figures) -> Answer:
    rows = sorted(by_member(found["value"]).items())
    if not adds_up(find_metric(knowledge, ask.metric)):
        return _table(knowledge, ask, rows)
    total = math.fsum(value for _, value in rows)
    if not total:
        raise Unfit("the groups add up to nothing")
    return _table(knowledge, ask, rows, shares=[100.0 * value / total for _, value in rows])


def _significance(_: Knowledge, ask: Ask, found: Figures) -> Answer:
    parts = {name: by_member(values) for name, values in found.items()}
    sides = [{name: pick(values, group) for name, values in parts.items()} for group in ask.members]
    name = choose_test(ask.test, sides)
    p = find_p(name, sides)
    if not math.isfinite(p):
        raise Unfit("the test has no result")
    return record(
        significant=Boolean(p < ALPHA),
        p_value=quantity(p, P_DECIMALS, P_TOLERANCE),
        test_name=Text(name),
    )


def _threshold(knowledge: Knowledge, ask: Ask, found: Figures) -> Answer:
    decimals = find_metric(knowledge, ask.metric).decimals
    value = one(found["value"])
    return record(
        value=quantity(value, decimals),
        threshold=quantity(ask.threshold, 6),
        result=Text("above" if value > ask.threshold else "below"),
    )


def _counterfactual(knowledge: Knowledge, ask: Ask, found: Figures) -> Answer:
    decimals = find_metric(knowledge, ask.metric).decimals
    actual, supposed = one(found["actual"]), one(found["supposed"])
    return record(
        actual=quantity(actual, decimals),
        counterfactual=quantity(supposed, decimals),
        change=quantity(supposed - actual, decimals),
    )


ANSWERS: dict[Analysis, Callable[[Knowledge, Ask, Figures], Answer]] = {
    "point_query": _point,
    "trend": _trend,
    "comparison": _comparison,
    "ranking": _ranking,
    "significance": _significance,
    "threshold_crossing": _threshold,
    "counterfactual": _counterfactual,
    "decomposition": _decomposition,
}
"""All but knowledge retrieval, which asks about no rows."""


def by_member(values: Mapping[Key, float]) -> dict[str, float]:
    """Return values by the one thing that they are grouped by, as text."""
    return {member(key[0]): value for key, value in values.items()}


def pick(groups: Mapping[str, float], name: str) -> float:
    """Return the value of a group.

    Raises:
        Unfit: It has none.
    """
    if name not in groups:
        raise Unfit("a group that is asked about has no value")
    return groups[name]


def _table(
    knowledge: Knowledge,
    ask: Ask,
    rows: list[tuple[str, float]],
    *,
    ordered: bool = False,
    shares: list[float] | None = None,
) -> Table:
    decimals = find_metric(knowledge, ask.metric).decimals
    columns: list[Column] = [Column("group"), column("value", decimals)]
    cells: list[tuple[Cell, ...]] = [(name, rounded(value, decimals)) for name, value in rows]
    if shares is not None:
        columns.append(column("share_pct", PERCENT_DECIMALS))
        cells = [(*row, rounded(part, PERCENT_DECIMALS)) for row, part in zip(cells, shares, strict=True)]
    return Table(tuple(columns), tuple(cells), ordered, ("group",))

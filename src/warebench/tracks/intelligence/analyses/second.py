"""The second method's last step: from values in memory to a typed answer, with pandas and statsmodels."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal

import numpy as np
import pandas as pd

from warebench.answers.model import Answer, Boolean, Cell, Column, Field, Quantity, Record, Table, Text
from warebench.tracks.intelligence.analyses.model import Ask, Unfit
from warebench.tracks.intelligence.compute.values import Array
from warebench.tracks.intelligence.knowledge.model import Dimension, Metric
from warebench.tracks.intelligence.slice import Key


@dataclass(frozen=True, slots=True)
class Facts:
    """What the second method knows of a question."""

    metric: Metric
    dimension: Dimension | None
    rows: Mapping[str, Array]
    """Single rows by group, where a test of averages is asked for."""


def answer_again(ask: Ask, found: Mapping[str, Mapping[Key, float]], facts: Facts) -> Answer:
    """Return the answer that values make.

    Args:
        ask: What is asked.
        found: Values by group of each figure.
        facts: Its metric and dimension.

    Raises:
        Unfit: A value that is asked for is missing.
    """
    try:
        return SECOND[ask.analysis](ask, {name: _series(values) for name, values in found.items()}, facts)
    except (KeyError, IndexError) as error:
        raise Unfit("a value that is asked for is missing") from error


def _series(values: Mapping[Key, float]) -> "pd.Series[float]":
    names = [
        "" if not key else str(key[0]).lower() if isinstance(key[0], bool) else str(key[0]) for key in values
    ]
    return pd.Series(list(values.values()), index=pd.Index(names, dtype=object), dtype="float64")


def _given(value: float, decimals: int) -> float:
    """Return a float rounded as its shortest decimals say."""
    step = Decimal(1).scaleb(-decimals)
    return float(Decimal(value).quantize(step, rounding=ROUND_HALF_EVEN)) + 0.0


def _number(value: float, decimals: int) -> Quantity:
    return Quantity(
        _given(value, decimals), 1e-6 if decimals else 0.0, float(Decimal(5).scaleb(-decimals - 1))
    )


Found = dict[str, "pd.Series[float]"]


def _value(ask: Ask, found: Found, facts: Facts) -> Answer:
    if ask.members:
        return _rows(found["value"].loc[list(ask.members)], facts)
    return _number(float(found["value"].loc[""]), facts.metric.decimals)


def _trend(_: Ask, found: Found, __: Facts) -> Answer:
    series = found["value"].sort_index()
    change = float(series.iloc[-1] - series.iloc[0]) / float(series.iloc[0]) * 100.0
    return Record(
        (
            Field("direction", Text("increasing" if change > 0 else "decreasing")),
            Field("total_change_pct", _number(change, 2)),
            Field("peak_period", Text(str(series.idxmax()))),
        )
    )


def _comparison(ask: Ask, found: Found, facts: Facts) -> Answer:
    pair = found["value"].loc[list(ask.members)]
    stored = str(pair.idxmax())
    name = facts.dimension.values.get(stored, stored) if facts.dimension else stored
    return Record(
        (
            Field("value_a", _number(float(pair.iloc[0]), facts.metric.decimals)),
            Field("value_b", _number(float(pair.iloc[1]), facts.metric.decimals)),
            Field("higher", Text(name, () if name == stored else (stored,))),
        )
    )


def _ranking(ask: Ask, found: Found, facts: Facts) -> Answer:
    best = found["value"].sort_values(ascending=ask.ascending, kind="stable").head(ask.top)
    if len(best) < ask.top:
        raise Unfit("there are fewer groups than places")
    return _rows(best, facts, ordered=True)


def _decomposition(_: Ask, found: Found, facts: Facts) -> Answer:
    return _rows(found["value"].sort_index(), facts, shared=_is_total(facts.metric))


def _is_total(metric: Metric) -> bool:
    measure = metric.measures.get(metric.formula)
    return metric.entity is None and measure is not None and measure.aggregate in {"sum", "count"}


def _rows(values: "pd.Series[float]", facts: Facts, *, ordered: bool = False, shared: bool = False) -> Table:
    places = facts.metric.decimals
    columns = [Column("group"), Column("value", "quantity", *_bounds(places))]
    frame = pd.DataFrame({"value": values})
    cells: list[tuple[Cell, ...]] = [
        (str(name), _given(float(v), places)) for name, v in frame["value"].items()
    ]
    if shared:
        shares = frame["value"] / frame["value"].sum() * 100.0
        columns.append(Column("share_pct", "quantity", *_bounds(2)))
        cells = [(*row, _given(float(part), 2)) for row, part in zip(cells, shares, strict=True)]
    return Table(tuple(columns), tuple(cells), ordered, ("group",))


def _bounds(places: int) -> tuple[float, float]:
    like = _number(0.0, places)
    return like.relative, like.absolute


def _significance(ask: Ask, found: Found, facts: Facts) -> Answer:
    groups = list(ask.members)
    name, p = _of_means(groups, found, facts) if _is_mean(facts.metric) else _of_shares(groups, found)
    return Record(
        (
            Field("significant", Boolean(p < 0.05)),
            Field("p_value", Quantity(_given(p, 4), 1e-6, 0.0005)),
            Field("test_name", Text(name)),
        )
    )


def _is_mean(metric: Metric) -> bool:
    """Return whether a metric is a mean of values, by the aggregates in its formula; else it is a share."""
    used = set(re.findall(r"\w+", metric.formula)) & set(metric.measures)
    return {metric.measures[name].aggregate for name in used} == {"avg"}


def _of_means(groups: list[str], found: Found, facts: Facts) -> tuple[str, float]:
    # Takes seconds to import, and few questions need it.
    from statsmodels.stats.weightstats import CompareMeans, DescrStatsW  # noqa: PLC0415

    found["avg"].loc[groups]  # a group that is too small to be shown is not tested either
    sides = [DescrStatsW(facts.rows[name]) for name in groups]
    _, p, _ = CompareMeans(*sides).ttest_ind(usevar="unequal")
    return "welch", float(p)


def _of_shares(groups: list[str], found: Found) -> tuple[str, float]:
    from scipy.stats import fisher_exact  # noqa: PLC0415 - as above
    from statsmodels.stats.proportion import proportions_ztest  # noqa: PLC0415 - as above

    hits, sizes = (found[part].loc[groups].to_numpy().astype(int) for part in ("numerator", "denominator"))
    cells = np.array([hits, sizes - hits])
    if (cells >= 10).all():
        return "proportions", float(proportions_ztest(hits, sizes)[1])
    return "fisher", float(fisher_exact(cells).pvalue)


def _threshold(ask: Ask, found: Found, facts: Facts) -> Answer:
    value = float(found["value"].loc[""])
    return Record(
        (
            Field("value", _number(value, facts.metric.decimals)),
            Field("threshold", _number(ask.threshold, 6)),
            Field("result", Text("below" if value <= ask.threshold else "above")),
        )
    )


def _counterfactual(_: Ask, found: Found, facts: Facts) -> Answer:
    actual, supposed = (float(found[name].loc[""]) for name in ("actual", "supposed"))
    numbers = {"actual": actual, "counterfactual": supposed, "change": supposed - actual}
    return Record(tuple(Field(name, _number(v, facts.metric.decimals)) for name, v in numbers.items()))


SECOND: dict[str, Callable[[Ask, Found, Facts], Answer]] = {
    "point_query": _value,
    "trend": _trend,
    "comparison": _comparison,
    "ranking": _ranking,
    "significance": _significance,
    "threshold_crossing": _threshold,
    "counterfactual": _counterfactual,
    "decomposition": _decomposition,
}

"""From a skeleton to a question: which groups, values, days, thresholds and suppositions."""

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import msgspec

from warebench.tracks.intelligence.analyses.answers import by_member
from warebench.tracks.intelligence.analyses.figures import figures
from warebench.tracks.intelligence.analyses.fit import GROUPS
from warebench.tracks.intelligence.analyses.lab import Lab
from warebench.tracks.intelligence.analyses.metrics import is_redefined, suited_test
from warebench.tracks.intelligence.analyses.model import Analysis, Ask, Unfit
from warebench.tracks.intelligence.analyses.windows import draw_series, draw_window, inside
from warebench.tracks.intelligence.knowledge.links import find_dimension, find_metric, metric_tree
from warebench.tracks.intelligence.knowledge.model import Dimension
from warebench.tracks.intelligence.sampling.subgraph import Subgraph

FREQUENT = 15
"""Values are drawn from this many most frequent ones of a dimension: rare ones have no rows to speak of."""

TOPS = (3, 5)
ASCENDING = 0.3
"""Share of rankings that ask for the lowest."""

OFFSETS = (-0.15, -0.1, -0.05, 0.05, 0.1, 0.15)
"""By how much a threshold lies off the value, as a share of it."""

NO_RULES = 0.3
"""Share of counterfactuals that take away all rules where a parameter could be changed instead."""


@dataclass(frozen=True, slots=True)
class Draw:
    """What a draft is made from."""

    lab: Lab
    subgraph: Subgraph
    rng: random.Random


def draft(draw: Draw, analysis: Analysis) -> Ask:
    """Return a question of a skeleton.

    Raises:
        Unfit: The skeleton gives none, or not this time.
        StraddleError: A rule that is not about single rows holds for a part of the days drawn.
    """
    return DRAFTS[analysis](
        draw, Ask(analysis=analysis, metric=draw.subgraph.metric, rules=draw.subgraph.rules)
    )


def _point(draw: Draw, ask: Ask) -> Ask:
    groupable = _groupable(draw)
    if groupable and draw.rng.random() < 0.5:
        ask = _grouped(draw, ask)
        return msgspec.structs.replace(ask, variant="rows", members=_members(draw, ask, 3))
    return _filtered(draw, _dated(draw, ask), groupable)


def _trend(draw: Draw, ask: Ask) -> Ask:
    window, grain = draw_series(_months(draw), draw.rng)
    return _filtered(draw, msgspec.structs.replace(ask, window=window, grain=grain), _groupable(draw))


def _comparison(draw: Draw, ask: Ask) -> Ask:
    ask = _grouped(draw, ask)
    return msgspec.structs.replace(ask, members=_members(draw, ask, 2))


def _ranking(draw: Draw, ask: Ask) -> Ask:
    ask = _grouped(draw, ask, TOPS[0] + 2)
    tops = [top for top in TOPS if top + 2 <= len(draw.lab.frequency(ask.dimension))]
    return msgspec.structs.replace(ask, top=draw.rng.choice(tops), ascending=draw.rng.random() < ASCENDING)


def _significance(draw: Draw, ask: Ask) -> Ask:
    metric = find_metric(draw.lab.knowledge, ask.metric)
    test = suited_test(metric)
    if not test or is_redefined(draw.lab.knowledge, metric, ask.rules):
        raise Unfit("no test suits the metric")
    ask = _grouped(draw, ask)
    return msgspec.structs.replace(ask, test=test, members=_members(draw, ask, 2))


def _threshold(draw: Draw, ask: Ask) -> Ask:
    """Return a question whose threshold lies between the values with and without rules, if those differ."""
    ask = _filtered(draw, _dated(draw, ask), _groupable(draw))
    metric = find_metric(draw.lab.knowledge, ask.metric)
    value, standard = _value(draw, ask), _value(draw, msgspec.structs.replace(ask, rules=()))
    unit = 10.0**-metric.decimals
    if abs(value - standard) > max(10 * unit, 0.03 * abs(value)):
        return msgspec.structs.replace(ask, threshold=_plain((value + standard) / 2, unit))
    marks = [_plain(value * (1 + offset), unit) for offset in OFFSETS]
    sensible = [mark for mark in marks if metric.unit != "%" or abs(value) > 100 or mark < 100]
    return msgspec.structs.replace(ask, threshold=draw.rng.choice(sensible))


def _counterfactual(draw: Draw, ask: Ask) -> Ask:
    ask = _filtered(draw, _dated(draw, ask), _groupable(draw))
    parameters = {
        name: value
        for metric in metric_tree(draw.lab.knowledge, ask.metric)
        for name, value in metric.parameters.items()
    }
    if ask.rules and (not parameters or draw.rng.random() < NO_RULES):
        return msgspec.structs.replace(ask, variant="no_rules")
    if not parameters:
        raise Unfit("the metric has no parameter, and no rule is applied")
    name = draw.rng.choice(sorted(parameters))
    supposed = _other(parameters[name], draw.rng)
    return msgspec.structs.replace(ask, variant="parameter", parameter=name, supposed=supposed)


def _decomposition(draw: Draw, ask: Ask) -> Ask:
    return _grouped(draw, ask, GROUPS[0])


DRAFTS: Mapping[Analysis, Callable[[Draw, Ask], Ask]] = {
    "point_query": _point,
    "trend": _trend,
    "comparison": _comparison,
    "ranking": _ranking,
    "significance": _significance,
    "threshold_crossing": _threshold,
    "counterfactual": _counterfactual,
    "decomposition": _decomposition,
}


def _groupable(draw: Draw) -> list[Dimension]:
    found = [find_dimension(draw.lab.knowledge, name) for name in draw.subgraph.dimensions]
    return [dimension for dimension in found if dimension.kind != "temporal"]


def _grouped(draw: Draw, ask: Ask, fewest: int = 2) -> Ask:
    """Return the question grouped by one dimension of so many values at least, filtered by the others."""
    groupable = _groupable(draw)
    wide = [dimension for dimension in groupable if len(draw.lab.frequency(dimension.id)) >= fewest]
    if not wide:
        raise Unfit("the dimension has too few values")
    by = draw.rng.choice(wide)
    others = [dimension for dimension in groupable if dimension is not by]
    return msgspec.structs.replace(_filtered(draw, _dated(draw, ask), others), dimension=by.id)


def _filtered(draw: Draw, ask: Ask, dimensions: list[Dimension]) -> Ask:
    filters = tuple((dimension.id, draw.rng.choice(_frequent(draw, dimension))) for dimension in dimensions)
    return msgspec.structs.replace(ask, filters=filters)


def _frequent(draw: Draw, dimension: Dimension) -> list[str]:
    found = list(draw.lab.frequency(dimension.id))[:FREQUENT]
    if len(found) < 2:
        raise Unfit("the dimension has one value at most")
    return found


def _members(draw: Draw, ask: Ask, count: int) -> tuple[str, ...]:
    groups = by_member(draw.lab.table(figures(ask)[0]).values)
    frequent = [
        name for name in _frequent(draw, find_dimension(draw.lab.knowledge, ask.dimension)) if name in groups
    ]
    if len(frequent) < count:
        raise Unfit("too few groups have a value")
    return tuple(draw.rng.sample(frequent, count))


def _dated(draw: Draw, ask: Ask) -> Ask:
    months = _months(draw)
    return msgspec.structs.replace(ask, window=draw_window(months, draw.rng)) if months else ask


def _months(draw: Draw) -> list[str]:
    """Return the months that a question may be about; none for a metric without a time."""
    return inside(draw.lab.months(draw.subgraph.metric))


def _value(draw: Draw, ask: Ask) -> float:
    values = draw.lab.table(figures(ask)[0]).values
    if () not in values:
        raise Unfit("there is no value")
    return values[()]


def _plain(value: float, unit: float) -> float:
    """Return a value cut to two or three digits, as people set thresholds, and no finer than a unit."""
    if not value:
        raise Unfit("the value is nothing to set a threshold by")
    digits = 2 - math.floor(math.log10(abs(value)))
    places = min(digits, round(-math.log10(unit)))
    return round(value, places)


def _other(value: float, rng: random.Random) -> float:
    """Return another value for a parameter to be supposed: a whole number or a share, like the old."""
    if value == int(value):
        return float(rng.choice([n for n in range(int(value) + 2, int(value) + 6) if n]))
    return rng.choice([share for share in (0.1, 0.2, 0.3, 0.5, 0.7, 0.8) if abs(share - value) > 0.05])

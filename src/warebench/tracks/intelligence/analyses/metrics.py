"""What can be done with a metric: which test suits it, whether its groups add up, its parts as metrics."""

import re
from collections.abc import Sequence

import msgspec

from warebench.tracks.intelligence.analyses.model import Test
from warebench.tracks.intelligence.knowledge.links import find_metric, find_rule
from warebench.tracks.intelligence.knowledge.model import Knowledge, Measure, Metric, Override

ROWS = "rows"
"""The part that counts rows."""

SHARE = re.compile(r"100(?:\.0*)? \* (?P<numerator>\w+) / (?P<denominator>\w+)")


def suited_test(metric: Metric) -> Test:
    """Return the test for two groups of the metric's rows: it must be their average, or a share of them.

    A share is `100 * numerator / denominator` where both count rows, the denominator all of them.
    """
    if metric.relation is None or metric.entity:
        return ""
    measure = metric.measures.get(metric.formula)
    if measure and measure.aggregate == "avg":
        return "welch"
    found = SHARE.fullmatch(metric.formula)
    if not found:
        return ""
    top, bottom = metric.measures.get(found["numerator"]), metric.measures.get(found["denominator"])
    if top == bottom or bottom != Measure(aggregate="count") or not top or top.aggregate != "count":
        return ""
    return "proportions"


def is_redefined(knowledge: Knowledge, metric: Metric, rules: Sequence[str]) -> bool:
    """Return whether a rule gives a metric another formula, or a share other rows: no test suits it then."""
    share = SHARE.fullmatch(metric.formula)
    return any(
        isinstance(operation, Override)
        and metric.id in operation.metrics
        and (operation.target == "formula" or bool(share and operation.measure == share["denominator"]))
        for name in rules
        for operation in find_rule(knowledge, name).operations
    )


def adds_up(metric: Metric) -> bool:
    """Return whether the values of disjoint groups add up to that of all: one count or sum over rows."""
    measure = metric.measures.get(metric.formula)
    return bool(not metric.entity and measure and measure.aggregate in ("count", "sum"))


def part_of(knowledge: Knowledge, metric_id: str, part: str) -> Knowledge:
    """Return a knowledge base in which a metric stands for a part of it; its rules apply to that alike.

    Args:
        knowledge: The knowledge base.
        metric_id: A metric that `suited_test` has a test for; for ROWS, any that is no composite.
        part: A name in TEST_PARTS, or ROWS.
    """
    metric = find_metric(knowledge, metric_id)
    found = SHARE.fullmatch(metric.formula)
    if part == ROWS:
        counted = {ROWS: Measure(aggregate="count")}
        changed = msgspec.structs.replace(metric, entity=None, measures=counted, formula=ROWS)
    elif found:
        changed = msgspec.structs.replace(metric, formula=found[part])
    else:
        measure = msgspec.structs.replace(metric.measures[metric.formula], aggregate=part)
        changed = msgspec.structs.replace(metric, measures={**metric.measures, metric.formula: measure})
    metrics = tuple(changed if item is metric else item for item in knowledge.metrics)
    return msgspec.structs.replace(knowledge, metrics=metrics)

"""The rows that an operation of a rule touches, as conditions in SQL."""

from sqlglot import exp

from warebench.errors import StraddleError
from warebench.tracks.intelligence.compute.calendars import within
from warebench.tracks.intelligence.compute.sql import Request, row_scope
from warebench.tracks.intelligence.compute.tree import column, expression_tree
from warebench.tracks.intelligence.knowledge.conflicts import scope_of
from warebench.tracks.intelligence.knowledge.links import find_rule, touched_metrics
from warebench.tracks.intelligence.knowledge.model import Metric, Operation, Rule
from warebench.tracks.intelligence.knowledge.relation import split_column

Region = list[exp.Expr] | None
"""Conditions that hold together: an empty list is every row, None is no row."""


def find_region(request: Request, metric: Metric, rule: Rule, operation: Operation) -> Region:
    """Return the rows of a metric that an operation touches: in its dates and scope, and not superseded.

    Another applied rule that supersedes this one takes away its own dates and scopes, where it is on this
    metric.

    Raises:
        StraddleError: The metric has no rows of its own, and the rule's dates hold for a part of the window.
    """
    region = _nominal(request, metric, rule, operation)
    for name in dict.fromkeys(request.slice.rules):
        other = find_rule(request.knowledge, name)
        if rule.id not in other.supersedes:
            continue
        for displacing in touched_metrics(other).get(metric.id, ()):
            taken = _nominal(request, metric, other, displacing)
            if region is None or taken == []:
                return None
            if taken:
                region.append(_outside(taken))
    return region


def _nominal(request: Request, metric: Metric, rule: Rule, operation: Operation) -> Region:
    """Return the rows in the dates and the scope, whatever supersedes."""
    region = _dates(request, metric, rule)
    if region is None:
        return None
    if scope := scope_of(operation):
        region.append(expression_tree(scope, row_scope(request, metric)))
    return region


def _dates(request: Request, metric: Metric, rule: Rule) -> Region:
    first, last = rule.effective_from, rule.effective_to
    if window := request.slice.window:
        if window.last < first or (last and last < window.first):
            return None
        # A bound that the whole window keeps says nothing.
        first = first if first > window.first else ""
        last = last if last and last < window.last else ""
    if not first and not last:
        return []
    if not metric.time:
        raise straddle(metric, rule)
    return within(column(*split_column(metric.time)), metric.calendar, first, last)


def _outside(region: list[exp.Expr]) -> exp.Expr:
    return exp.Not(this=exp.Coalesce(this=exp.and_(*region), expressions=[exp.false()]))


def straddle(metric: Metric, rule: Rule) -> StraddleError:
    """Return the error that a rule holds for a part of the rows, and is not about single rows."""
    return StraddleError(
        f"the slice straddles rule {rule.id}: it holds for a part of {metric.id}, and is not about rows",
        fix="ask for days that lie wholly inside or outside its dates",
    )

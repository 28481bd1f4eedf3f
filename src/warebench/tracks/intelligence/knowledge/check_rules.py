"""Checks of single rules and operations."""

import re
from datetime import date
from math import isfinite

from sqlglot import exp

from warebench.catalog.model import Catalog
from warebench.errors import KnowledgeError, did_you_mean
from warebench.tracks.intelligence.knowledge.check_metrics import FORMULA, check_condition, check_identifier
from warebench.tracks.intelligence.knowledge.conflicts import scope_of
from warebench.tracks.intelligence.knowledge.context import (
    formula_names,
    kind_of_measure,
    measure_names,
    row_names,
)
from warebench.tracks.intelligence.knowledge.expressions import parameters_of, parse_expression
from warebench.tracks.intelligence.knowledge.kinds import NUMBERS, infer_kind
from warebench.tracks.intelligence.knowledge.links import find_metric
from warebench.tracks.intelligence.knowledge.model import (
    Exclude,
    Filter,
    Knowledge,
    Measure,
    Metric,
    Operation,
    Override,
    Rule,
    Threshold,
    Weight,
)

MINIMUM_ROWS = "minimum_rows"


def check_rule(knowledge: Knowledge, rule: Rule) -> None:
    """Refuse a rule with wrong dates or references.

    Raises:
        KnowledgeError: What is wrong.
    """
    check_identifier(rule.id)
    known = {other.id for other in knowledge.rules} - {rule.id}
    for name in (*rule.supersedes, *rule.refers_to):
        if name not in known:
            raise KnowledgeError(f"`{name}` is no other rule", fix=did_you_mean(name, known))
    if circle := _circle(knowledge, rule.id):
        raise KnowledgeError(
            f"{rule.id} supersedes itself: {' -> '.join(circle)}", fix="take one `supersedes` back"
        )
    for key in ("effective_from", "effective_to"):
        if (day := getattr(rule, key)) and not _is_day(day):
            raise KnowledgeError(f"`{day}` is no day", where=key, fix="write it as 2018-01-31")
    if rule.effective_to and rule.effective_from > rule.effective_to:
        raise KnowledgeError("the rule ends before it begins", fix="exchange its dates")


def _circle(knowledge: Knowledge, start: str) -> tuple[str, ...]:
    """Return the shortest way along `supersedes` back to its start; nothing where there is none."""
    rules = {rule.id: rule for rule in knowledge.rules}
    ways: list[tuple[str, ...]] = [(start,)]
    seen = {start}
    for way in ways:
        for name in rules[way[-1]].supersedes if way[-1] in rules else ():
            if name == start:
                return (*way, name)
            if name not in seen:
                seen.add(name)
                ways.append((*way, name))
    return ()


def check_operation(knowledge: Knowledge, catalog: Catalog, rule: Rule, operation: Operation) -> None:
    """Refuse an operation that names nothing in a metric it is on.

    Raises:
        KnowledgeError: What is wrong.
    """
    if not operation.metrics:
        raise KnowledgeError("the operation names no metric", fix="write `metrics: [...]`")
    if isinstance(operation, Threshold | Weight) and not isfinite(operation.value):
        raise KnowledgeError(f"{operation.value} is no number", where="value", fix="write a number")
    if isinstance(operation, Threshold) and operation.parameter == MINIMUM_ROWS and operation.value < 1:
        raise KnowledgeError(
            f"groups of fewer than {operation.value:g} rows are none", where="value", fix="write 1 or more"
        )
    for name in operation.metrics:
        metric = find_metric(knowledge, name)
        _check_target(metric, catalog, operation)
        if scope := scope_of(operation):
            check_condition(scope, row_names(metric, catalog))
            if next(parameters_of(parse_expression(scope)), None):
                raise KnowledgeError(f"the scope `{scope}` reads a parameter", fix="write the number")
        if of_rows(metric, operation):
            _check_dates(metric, rule)
        elif scope:
            raise KnowledgeError(
                f"a scope is for single rows, and this operation is not about rows of {metric.id}",
                fix="leave the scope out, or put it into a rule of its own metric",
            )


def of_rows(metric: Metric, operation: Operation) -> bool:
    """Return whether an operation can touch some rows and not others."""
    match operation:
        case Filter() | Exclude():
            return True
        case Threshold():
            return operation.parameter != MINIMUM_ROWS and not _above_rows(metric, operation.parameter)
        case Override():
            inner = metric.entity.measures if metric.entity else metric.measures
            return operation.target in ("value", "where") and operation.measure in inner
        case Weight():
            return False


def _above_rows(metric: Metric, parameter: str) -> bool:
    """Return whether a parameter stands in an expression over units, measures or components."""
    texts = [metric.formula]
    if metric.entity:
        texts += [
            metric.entity.keep,
            *(text for m in metric.measures.values() for text in (m.value, m.where)),
        ]
    trees = [parse_expression(text) for text in texts if text]
    bare = {column.name for tree in trees for column in tree.find_all(exp.Column) if not column.table}
    return parameter in bare or any(parameter in parameters_of(tree) for tree in trees)


def _check_dates(metric: Metric, rule: Rule) -> None:
    if (rule.effective_from or rule.effective_to) and not metric.time:
        raise KnowledgeError(
            f"the rule has dates, and {metric.id} has no time", fix="give the metric a `time`"
        )


def _check_target(metric: Metric, catalog: Catalog, operation: Operation) -> None:
    match operation:
        case Filter() | Exclude():
            check_condition(operation.where, row_names(metric, catalog))
        case Threshold(parameter="minimum_rows"):
            row_names(metric, catalog)
        case Threshold() | Weight():
            _check_parameter(metric, operation)
        case Override():
            _check_override(metric, catalog, operation)


def _check_parameter(metric: Metric, operation: Threshold | Weight) -> None:
    name = operation.parameter
    if name not in metric.parameters:
        raise KnowledgeError(
            f"{metric.id} has no parameter `{name}`",
            fix=did_you_mean(name, [*metric.parameters, MINIMUM_ROWS]),
        )
    if isinstance(operation, Weight) and not _above_rows(metric, name):
        raise KnowledgeError(
            f"`{name}` is no weight of the formula of {metric.id}", fix="make it a threshold"
        )


def _check_override(metric: Metric, catalog: Catalog, operation: Override) -> None:
    if operation.target in ("keep", "formula"):
        _check_whole(metric, catalog, operation)
        return
    inner = metric.entity.measures if metric.entity else {}
    known = {**metric.measures, **inner}
    if operation.measure not in known:
        raise KnowledgeError(
            f"{metric.id} has no measure `{operation.measure}`", fix=did_you_mean(operation.measure, known)
        )
    names = row_names(metric, catalog) if operation.measure in inner else measure_names(metric, catalog)
    if operation.target == "where":
        check_condition(operation.expression, names)
        return
    old = known[operation.measure]
    kinds = kind_of_measure(Measure(aggregate=old.aggregate, value=operation.expression), names)
    if kinds != (before := kind_of_measure(old, names)) and not {kinds, before} <= {*NUMBERS, "any"}:
        raise KnowledgeError(
            f"measure `{operation.measure}` would turn from {before} to {kinds}",
            fix=f"write an expression that gives a {before}",
        )


def _check_whole(metric: Metric, catalog: Catalog, operation: Override) -> None:
    if operation.measure:
        raise KnowledgeError(f"`{operation.target}` belongs to no measure", fix="leave `measure` out")
    if operation.target == "formula":
        kind = infer_kind(parse_expression(operation.expression), formula_names(metric))
        if kind not in (*NUMBERS, "any"):
            raise KnowledgeError(f"the formula gives a {kind}, not a number", fix=FORMULA)
    elif metric.entity is None:
        raise KnowledgeError(f"{metric.id} has no entity to keep", fix="use a filter")
    else:
        check_condition(operation.expression, measure_names(metric, catalog))


def _is_day(text: str) -> bool:
    try:
        return bool(re.fullmatch(r"\d{4}-\d\d-\d\d", text) and date.fromisoformat(text))
    except ValueError:
        return False

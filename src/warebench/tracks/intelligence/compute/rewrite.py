"""Apply rules to the SQL of a metric: a transformation of its tree, one step for each kind of operation.

Source: DI-Bench, section 3.3 (structured SQL modifications) and appendix L (`apply_operations`: filter,
exclude, threshold, weight, override).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from warebench.catalog.model import Catalog
from warebench.tracks.intelligence.compute.regions import Region, find_region, straddle
from warebench.tracks.intelligence.compute.sql import (
    MINIMUM_ROWS,
    VALUE,
    Request,
    add_minimum,
    formula_scope,
    formula_tree,
    kept,
    measure_scope,
    row_scope,
)
from warebench.tracks.intelligence.compute.tree import (
    Names,
    build_aggregate,
    case,
    expression_tree,
    number,
)
from warebench.tracks.intelligence.knowledge.links import find_metric, find_rule, touched_metrics
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
from warebench.tracks.intelligence.slice import Slice


@dataclass(frozen=True, slots=True)
class Change:
    """An operation that touches rows of the slice."""

    rule: Rule
    operation: Operation
    region: list[exp.Expr]
    """Conditions that hold together; empty: every row."""


def apply_rules(base: exp.Select, knowledge: Knowledge, catalog: Catalog, wanted: Slice) -> exp.Select:
    """Return the SQL of a slice under its rules; their order does not matter.

    Args:
        base: What `base_sql` returned for the slice; it is left as it is.
        knowledge: The knowledge base, checked: rules that contradict each other have no meaning.
        catalog: The database's.
        wanted: The slice; its `rules` are applied.

    Raises:
        StraddleError: A rule that is not about single rows holds for a part of the slice.
    """
    tree = base.copy()
    request = Request(knowledge, catalog, wanted)
    for select in list(tree.find_all(exp.Select)):
        metric = find_metric(knowledge, select.meta["metric"])
        changes = list(_changes(request, metric))
        _replace_formula(request, metric, select, changes)
        _replace_keep(request, metric, select, changes)
        _replace_measures(request, metric, select, changes)
        _drop_rows(request, metric, select, changes)
        _set_parameters(metric, select, changes)
        _set_minimum(metric, select, changes)
    return tree


def _changes(request: Request, metric: Metric) -> Iterator[Change]:
    for name in sorted(set(request.slice.rules)):
        rule = find_rule(request.knowledge, name)
        for operation in touched_metrics(rule).get(metric.id, ()):
            region: Region = find_region(request, metric, rule, operation)
            if region is not None and not _given(request, operation):
                yield Change(rule, operation, region)


def _given(request: Request, operation: Operation) -> bool:
    """Return whether the slice itself says what a parameter is."""
    given = dict(request.slice.parameters)
    return isinstance(operation, Threshold | Weight) and operation.parameter in given


def _whole(metric: Metric, change: Change) -> None:
    """Refuse a change of some rows where no row is seen any more."""
    if change.region:
        raise straddle(metric, change.rule)


def _reports(metric: Metric, select: exp.Select) -> bool:
    """Return whether a SELECT gives the metric's value, and not units for another one."""
    return metric.entity is None or select.meta["level"] == "units"


def _replace_formula(request: Request, metric: Metric, select: exp.Select, changes: list[Change]) -> None:
    for change in changes:
        match change.operation:
            case Override(target="formula", expression=text) if _reports(metric, select):
                _whole(metric, change)
                column = next(item for item in select.expressions if item.alias == VALUE)
                column.replace(formula_tree(text, formula_scope(request, metric)))


def _replace_keep(request: Request, metric: Metric, select: exp.Select, changes: list[Change]) -> None:
    for change in changes:
        match change.operation:
            case Override(target="keep", expression=text) if select.meta["level"] == "units":
                _whole(metric, change)
                new = kept(text, measure_scope(request, metric))
                old = next((node for node in _own(select) if node.meta.get("keep")), None)
                if old:
                    old.replace(new)
                else:
                    select.where(new, copy=False)


def _replace_measures(request: Request, metric: Metric, select: exp.Select, changes: list[Change]) -> None:
    rows = select.meta["level"] == "rows"
    inner = metric.entity.measures if metric.entity else {}
    measures, names = (
        (inner, row_scope(request, metric))
        if rows and metric.entity
        else (metric.measures, measure_scope(request, metric) if metric.measures else None)
    )
    for node in [node for node in _own(select) if node.meta.get("measure") in measures]:
        name = node.meta["measure"]
        overrides = [
            change
            for change in changes
            if isinstance(change.operation, Override) and change.operation.measure == name
        ]
        if overrides and names:
            if not rows:
                for change in overrides:
                    _whole(metric, change)
            node.replace(_measure(measures[name], name, overrides, names))


def _measure(measure: Measure, name: str, overrides: list[Change], names: Names) -> exp.Expr:
    value = expression_tree(measure.value, names) if measure.value else None
    where = expression_tree(measure.where, names) if measure.where else None
    for change in overrides:
        match change.operation:
            case Override(target="value", expression=text):
                value = _where_in(change.region, expression_tree(text, names), value)
            case Override(target="where", expression=text):
                where = _where_in(change.region, expression_tree(text, names), where or exp.true())
    return build_aggregate(measure, name, value, where, names)


def _where_in(region: list[exp.Expr], new: exp.Expr, old: exp.Expr | None) -> exp.Expr:
    return case(exp.and_(*region), new, old) if region else new


def _drop_rows(request: Request, metric: Metric, select: exp.Select, changes: list[Change]) -> None:
    if select.meta["level"] != "rows":
        return
    names = row_scope(request, metric)
    for change in changes:
        match change.operation:
            case Filter(where=text):
                condition = expression_tree(text, names)
                select.where(_where_in(change.region, condition, exp.true()), copy=False)
            case Exclude(where=text):
                both = exp.and_(*change.region, expression_tree(text, names))
                # A row for which the condition is unknown stays.
                stays = exp.Not(this=exp.Coalesce(this=both, expressions=[exp.false()]))
                select.where(stays, copy=False)


def _set_parameters(metric: Metric, select: exp.Select, changes: list[Change]) -> None:
    for change in changes:
        if not isinstance(change.operation, Threshold | Weight):
            continue
        name, value = change.operation.parameter, float(change.operation.value)
        if name == MINIMUM_ROWS:
            continue
        for node in [node for node in _own(select) if node.meta.get("parameter") == name]:
            if not _sees_rows(select, node):
                _whole(metric, change)
            node.replace(_where_in(change.region, number(value), node.copy()))


def _sees_rows(select: exp.Select, node: exp.Expr) -> bool:
    inside = node.find_ancestor(exp.AggFunc, exp.Where)
    return select.meta["level"] == "rows" and inside is not None


def _set_minimum(metric: Metric, select: exp.Select, changes: list[Change]) -> None:
    for change in changes:
        match change.operation:
            case Threshold(parameter="minimum_rows", value=value) if _reports(metric, select):
                _whole(metric, change)
                add_minimum(select, value)


def _own(select: exp.Select) -> Iterator[exp.Expr]:
    """Yield the nodes of a SELECT without those of the queries it reads from."""
    parts = [*select.expressions, select.args.get("where"), select.args.get("having")]
    for part in parts:
        if part is not None:
            yield from part.walk()

"""Metrics of a dbt manifest computed from rows: aggregates over one semantic model and its parents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from warebench.catalog.model import Catalog
from warebench.tracks.intelligence.knowledge.model import Aggregation, Dimension, Measure, Metric, Tier
from warebench.tracks.intelligence.readers.datasets import (
    Widened,
    calendar_of,
    parse_sql,
    plain_column,
    safe_name,
    spoken,
    to_text,
    widen,
)
from warebench.tracks.intelligence.readers.describe import describe
from warebench.tracks.intelligence.readers.filters import Frame, read_filter
from warebench.tracks.intelligence.readers.manifest import (
    Manifest,
    ManifestMetric,
    MetricAggregate,
    MetricInput,
    ModelMeasure,
    as_input,
    templates,
)
from warebench.tracks.intelligence.readers.model import Lost
from warebench.tracks.intelligence.readers.semantic_models import Models

AGGREGATES: Mapping[str, Aggregation] = {
    "sum": "sum",
    "average": "avg",
    "min": "min",
    "max": "max",
    "count_distinct": "count_distinct",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One aggregate over the rows of one semantic model."""

    model: str
    agg: str
    expr: str
    time: str
    filters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """The manifest, resolved."""

    manifest: Manifest
    catalog: Catalog
    models: Models
    dimensions: tuple[Dimension, ...]

    def find(self, name: str) -> ManifestMetric:
        """Return a metric of the manifest.

        Raises:
            Lost: There is none of that name.
        """
        for metric in self.manifest.metrics:
            if metric.name == name:
                return metric
        raise Lost("reference", f"there is no metric `{name}`")


def refuse_constructs(metric: ManifestMetric) -> None:
    """Refuse a metric whose constructs depend on other days than those asked about.

    Raises:
        Lost: The construct and why.
    """
    params = metric.type_params
    cumulative = params.cumulative_type_params or {}
    for key in ("window", "grain_to_date"):
        if getattr(params, key) or cumulative.get(key):
            raise Lost(f"{metric.type}, {key}", "it sums up days beyond those asked about")
    if metric.type in ("cumulative", "conversion"):
        raise Lost(metric.type, "it relates days to each other, which no slice of rows does")
    if metric.type not in ("simple", "ratio", "derived"):
        raise Lost(f"type {metric.type}", "it is not known")
    given = [params.measure, params.numerator, params.denominator, *(params.metrics or ())]
    for item in (params, *(item for item in given if isinstance(item, MetricInput))):
        _refuse_input(item)


def _refuse_input(item: object) -> None:
    for key, reason in (
        ("offset_window", "it reads days before those asked about"),
        ("offset_to_grain", "it reads days before those asked about"),
        ("join_to_timespine", "it adds days without rows"),
    ):
        if getattr(item, key, None):
            raise Lost(key, reason)
    if getattr(item, "fill_nulls_with", None) is not None:
        raise Lost("fill_nulls_with", "groups without a value are left out here, never filled")


def inputs_of(metric: ManifestMetric) -> dict[str, MetricInput]:
    """Return the inputs of a ratio or derived metric by their name in its formula.

    Raises:
        Lost: There is none.
    """
    params = metric.type_params
    if metric.type == "ratio":
        numerator = as_input(params.numerator, "numerator")
        denominator = as_input(params.denominator, "denominator")
        return {"numerator": numerator, "denominator": denominator}
    inputs = [as_input(item, "metric") for item in params.metrics or ()]
    return {item.alias or item.name: item for item in inputs}


def over_rows(source: Source, metric: ManifestMetric) -> Metric:
    """Return a metric of one or several aggregates over one relation.

    Raises:
        Lost: Its inputs are of several semantic models, or it uses something that cannot be read.
    """
    leaves = _leaves(source, metric)
    first = next(iter(leaves.values()))
    if any((leaf.model, leaf.time) != (first.model, first.time) for leaf in leaves.values()):
        raise Lost(
            "filter on an input",
            "the inputs are of several semantic models: give the filtered metric a name of its own",
        )
    frame = _frame(source, first)
    conditions = {
        name: tuple(read_filter(text, frame) for text in leaf.filters) for name, leaf in leaves.items()
    }
    shared = [text for text in next(iter(conditions.values())) if all(text in c for c in conditions.values())]
    measures = {}
    for name, leaf in leaves.items():
        own = [text for text in conditions[name] if text not in shared]
        if own and leaf.agg == "count_distinct" and name != "denominator":
            raise Lost(
                "filter on an input", "where nothing fits, dbt gives no value, and a count here gives 0"
            )
        measures[name] = _measure(frame.relation, leaf, own, alone=len(leaves) == 1)
    widen(frame.relation, source.catalog, source.dimensions)
    dataset = frame.relation.base
    time = plain_column(dataset, dataset.fields[first.time].sql) if first.time else ""
    return described(
        metric,
        "L1" if len(leaves) == 1 and not conditions[next(iter(leaves))] else "L2",
        Metric(
            **blank(metric),
            relation=frame.relation.relation(shared),
            time=f"{frame.relation.alias(())}.{time}" if time else "",
            calendar=calendar_of(dataset.table, time) if time else "",
            measures=measures,
            formula=formula_of(metric),
        ),
    )


def _leaves(source: Source, metric: ManifestMetric) -> dict[str, Leaf]:
    outer = templates(metric.filter)
    if metric.type == "simple":
        return {safe_name(metric.name): _leaf(source, metric, ())}
    found = {}
    for name, item in inputs_of(metric).items():
        part = source.find(item.name)
        refuse_constructs(part)
        if part.type != "simple":
            raise Lost("filter on an input", f"`{part.name}` is made of metrics: filter those instead")
        found[safe_name(name)] = _leaf(source, part, (*templates(item.filter), *outer))
    if not found:
        raise Lost("type_params", "it is made of nothing")
    return found


def _leaf(source: Source, metric: ManifestMetric, more: tuple[str, ...]) -> Leaf:
    params = metric.type_params
    filters = (*templates(metric.filter), *more)
    if params.metric_aggregation_params:
        stated: MetricAggregate | ModelMeasure = params.metric_aggregation_params
        model, name = params.metric_aggregation_params.semantic_model, metric.name
        expr = stated.expr if stated.expr is not None else params.expr
    else:
        wanted = as_input(params.measure, "measure")
        model, stated = source.models.measure(wanted.name)
        name, expr = wanted.name, stated.expr
        filters = (*filters, *templates(wanted.filter))
    if stated.non_additive_dimension:
        raise Lost("non_additive_dimension", "it takes one day of each period and not all rows")
    if stated.agg in ("percentile", "median") or (stated.agg_params or {}).get("percentile") is not None:
        raise Lost(stated.agg, "percentiles are computed differently from one database to the next")
    return Leaf(
        model=model,
        agg=stated.agg,
        expr=name if expr is None else str(expr),
        time=source.models.time(model, stated.agg_time_dimension),
        filters=filters,
    )


def _frame(source: Source, leaf: Leaf) -> Frame:
    relation = Widened(source.models.datasets, source.models.dataset(leaf.model))
    dataset = relation.base
    time = relation.sql((), plain_column(dataset, dataset.fields[leaf.time].sql)) if leaf.time else ""
    return Frame(relation, time, source.models.entities, source.models.primary)


def _measure(relation: Widened, leaf: Leaf, own: Sequence[str], *, alone: bool) -> Measure:
    """Return the measure of an aggregate.

    Where other measures keep the rows that its own filter drops, dbt gives no value when none is left; so
    counts are sums then, which have none either.
    """
    where = " AND ".join(f"({text})" for text in own)
    counted = leaf.agg in ("count", "sum_boolean") or (leaf.agg == "sum" and leaf.expr.strip() == "1")
    if not counted:
        if leaf.agg not in AGGREGATES:
            raise Lost(f"aggregation {leaf.agg}", "it is not known")
        return Measure(aggregate=AGGREGATES[leaf.agg], value=relation.sql((), leaf.expr), where=where)
    condition = ""
    if leaf.expr.strip() not in ("1", "*"):
        sql = relation.sql((), leaf.expr)
        condition = sql if leaf.agg == "sum_boolean" else f"{sql} IS NOT NULL"
    if alone:
        return Measure(aggregate="count", where=condition)
    value = f"CASE WHEN {condition} THEN 1 ELSE 0 END" if condition else "1"
    return Measure(aggregate="sum", value=value, where=where)


def formula_of(metric: ManifestMetric) -> str:
    """Return the formula over the names of measures or components."""
    if metric.type == "simple":
        return safe_name(metric.name)
    if metric.type == "ratio":
        return "numerator / denominator"
    names = {name.casefold(): safe_name(name) for name in inputs_of(metric)}

    def spell(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column) and node.name.casefold() in names:
            return exp.column(names[node.name.casefold()])
        return node

    return to_text(parse_sql(str(metric.type_params.expr or ""), "duckdb").transform(spell))


def blank(metric: ManifestMetric) -> dict[str, Any]:
    """Return what every metric has, before it is described."""
    return {"id": metric.name, "name": metric.name, "tier": "L1", "description": "", "unit": ""}


def described(metric: ManifestMetric, tier: Tier, made: Metric) -> Metric:
    """Return a metric with the words of the manifest."""
    return describe(
        made,
        name=metric.label or spoken(metric.name).title(),
        tier=tier,
        description=metric.description or "",
        meta=metric.meta,
    )

"""Metrics of Ossie documents: aggregates in one expression, taken apart into measures and a formula."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from warebench.catalog.model import Catalog
from warebench.tracks.intelligence.knowledge.model import Aggregation, Dimension, Measure, Metric
from warebench.tracks.intelligence.readers.datasets import (
    Dataset,
    Link,
    Widened,
    calendar_of,
    match_column,
    parse_sql,
    plain_column,
    safe_name,
    to_text,
    widen,
    with_days,
)
from warebench.tracks.intelligence.readers.model import Lost

AGGREGATES: tuple[tuple[type[exp.Expr], Aggregation], ...] = (
    (exp.Sum, "sum"),
    (exp.Avg, "avg"),
    (exp.Min, "min"),
    (exp.Max, "max"),
    (exp.StddevSamp, "stddev"),
    (exp.Stddev, "stddev"),
)
REFUSED: tuple[tuple[type[exp.Expr], str], ...] = (
    (exp.Window, "window function"),
    (exp.Query, "subquery"),
    (exp.WithinGroup, "WITHIN GROUP"),
)


@dataclass(frozen=True, slots=True)
class Models:
    """The datasets of one semantic model in one database."""

    datasets: Mapping[str, Dataset]
    catalog: Catalog


@dataclass(slots=True, kw_only=True)
class Composed:
    """An expression taken apart: its aggregates by name, and what is left."""

    models: Models
    formula: exp.Expr
    aggregates: dict[str, exp.Expr] = field(default_factory=dict)
    parts: tuple[str, ...] = ()
    """Other metrics it names."""

    def metric(self, name: str, meta: Mapping[str, Any], dimensions: Mapping[str, Dimension]) -> Metric:
        """Return the metric, without its words.

        Raises:
            Lost: Its aggregates are over different datasets, or use what cannot be read.
        """
        if self.parts:
            return Metric(
                id=name, name=name, tier="L3", description="", unit="",
                components={safe_name(part): part for part in self.parts}, formula=to_text(self.formula),
            )  # fmt: skip
        relation = Widened(self.models.datasets, _base(self.models, self.aggregates))
        measures = {key: _measure(relation, tree) for key, tree in self.aggregates.items()}
        time = _time(relation, str(meta.get("time") or ""))
        dated = f"{relation.alias(time[0])}.{time[1]}" if time else ""
        widen(relation, self.models.catalog, tuple(dimensions.values()))
        plain = len(measures) == 1 and not relation.joins
        return Metric(
            id=name, name=name, tier="L1" if plain else "L2", description="", unit="",
            relation=relation.relation(()),
            time=dated,
            calendar=calendar_of(relation.end(time[0]).table, time[1]) if time else "",
            measures=measures, formula=to_text(self.formula),
        )  # fmt: skip


def compose(models: Models, text: str, dialect: str, metrics: Mapping[str, object]) -> Composed:
    """Return an expression taken apart.

    Args:
        models: Its datasets.
        text: The expression.
        dialect: sqlglot's name of its dialect.
        metrics: Names of the metrics it may be made of.

    Raises:
        Lost: It has both aggregates and metrics, or neither, or a construct that is refused.
    """
    tree = parse_sql(text, dialect)
    _refuse(tree)
    found: dict[str, exp.Expr] = {}

    def take(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.AggFunc | exp.Filter):
            return node
        known = [key for key, other in found.items() if other == node]
        name = known[0] if known else f"m{len(found) + 1}"
        found[name] = node.copy()
        return exp.column(name)

    formula = tree.transform(take)
    left = {column.name for column in formula.find_all(exp.Column)} - set(found)
    parts = tuple(name for name in metrics if name in left)
    if (found and left) or left - set(parts) or not (found or parts):
        odd = ", ".join(sorted(left)) or text
        raise Lost("expression", f"`{odd}` is neither an aggregate nor another metric alone")
    for part in parts:
        formula = formula.transform(
            lambda node, part=part: (
                exp.column(safe_name(part)) if isinstance(node, exp.Column) and node.name == part else node
            )
        )
    return Composed(models=models, formula=formula, aggregates=found, parts=parts)


def _refuse(tree: exp.Expr) -> None:
    for node in tree.walk():
        for kind, name in REFUSED:
            if isinstance(node, kind):
                raise Lost(name, "a metric is a formula of aggregates of rows")
        if isinstance(node, exp.Sub | exp.Div) and node.left == node.right and node.find(exp.AggFunc):
            raise Lost("offset in time", f"`{node.sql()}` sets an aggregate against itself")


def _base(models: Models, aggregates: Mapping[str, exp.Expr]) -> Dataset:
    """Return the dataset whose rows the aggregates are over."""
    bases: dict[str, None] = {}
    for tree in aggregates.values():
        read = dict.fromkeys(_dataset(models.datasets, column) for column in tree.find_all(exp.Column))
        roots = [
            name
            for name in read
            if all(name == other or _ways(models.datasets, name, other) for other in read)
        ]
        if read and len(roots) != 1:
            raise Lost("relationship", f"none leads from one of {', '.join(read)} to the others")
        bases.update(dict.fromkeys(roots))
    if len(bases) != 1:
        words = ", ".join(bases) or "no dataset"
        raise Lost(
            "aggregates over different datasets",
            f"{words}: it is not said over which rows each runs (count a key of the one where the rows are)",
        )
    return models.datasets[next(iter(bases))]


def _dataset(datasets: Mapping[str, Dataset], column: exp.Column) -> str:
    """Return the dataset of a column."""
    if column.table:
        for name in datasets:
            if name.casefold() == column.table.casefold():
                return name
        raise Lost("reference", f"there is no dataset `{column.table}`")
    found = [name for name, dataset in datasets.items() if column.name in dataset.fields]
    if len(found) != 1:
        raise Lost("reference", f"{len(found) or 'no'} datasets have a field `{column.name}`")
    return found[0]


def _ways(datasets: Mapping[str, Dataset], start: str, end: str) -> list[tuple[Link, ...]]:
    """Return the shortest ways from one dataset to another."""
    level: list[tuple[Link, ...]] = [()]
    seen = {start}
    while level:
        steps = [
            (*way, link)
            for way in level
            for link in datasets[way[-1].to if way else start].links
            if link.to not in seen
        ]
        if found := [way for way in steps if way[-1].to == end]:
            return found
        seen |= {way[-1].to for way in steps}
        level = steps
    return []


def _measure(relation: Widened, tree: exp.Expr) -> Measure:
    where = ""
    if isinstance(tree, exp.Filter):
        where = _sql(relation, tree.expression.this)
        tree = tree.this
    if isinstance(tree, exp.Count):
        return _count(relation, tree, where)
    for kind, aggregate in AGGREGATES:
        if type(tree) is kind and not isinstance(tree.this, exp.Distinct):
            return Measure(aggregate=aggregate, value=_sql(relation, tree.this), where=where)
    raise Lost(f"{tree.sql()}", "no such aggregate is known")


def _count(relation: Widened, tree: exp.Count, where: str) -> Measure:
    if isinstance(tree.this, exp.Distinct):
        values = tree.this.expressions
        if len(values) != 1:
            raise Lost("COUNT(DISTINCT a, b)", "databases count pairs differently")
        return Measure(aggregate="count_distinct", value=_sql(relation, values[0]), where=where)
    if isinstance(tree.this, exp.Star | exp.Literal):
        return Measure(aggregate="count", where=where)
    there = f"{_sql(relation, exp.Paren(this=tree.this.copy()))} IS NOT NULL"
    return Measure(aggregate="count", where=f"({where}) AND {there}" if where else there)


def _sql(relation: Widened, tree: exp.Expr) -> str:
    """Return an expression with every field as the relation of the metric spells it."""

    def spell(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Column):
            return node
        name = _dataset(relation.datasets, node)
        return parse_sql(_field(relation, name, node.name), "duckdb")

    spelled = tree.copy().transform(spell)
    return to_text(with_days(spelled, relation))


def _field(relation: Widened, name: str, column: str) -> str:
    ways: list[tuple[Link, ...]] = [()]
    if name != relation.base.name:
        ways = _ways(relation.datasets, relation.base.name, name)
    if len(ways) != 1:
        raise Lost("relationship", f"{len(ways)} ways lead from {relation.base.name} to {name}")
    found = relation.datasets[name].fields.get(column)
    if found is None:
        return relation.sql(ways[0], f'"{match_column(relation.datasets[name].table, column)}"')
    if found.lost:
        raise Lost(found.lost, f"field {column} of {name} cannot be read")
    return f"({relation.sql(ways[0], found.sql)})"


def _time(relation: Widened, stated: str) -> tuple[tuple[Link, ...], str] | None:
    """Return the way to a metric's time and its column; nothing where it has none, or one of several."""
    near = [((), relation.base), *(((link,), relation.datasets[link.to]) for link in relation.base.links)]
    if stated:
        found = [(way, item) for way, item in near if stated.partition(".")[0] == item.name]
        wanted = stated.partition(".")[2]
        for way, item in found:
            if wanted in item.fields and item.fields[wanted].time:
                return way, plain_column(item, item.fields[wanted].sql)
        raise Lost("time", f"`{stated}` is no time field of {relation.base.name} or what it refers to")
    for level in (near[:1], near[1:]):
        times = list(_times(level))
        if times:
            return times[0] if len(times) == 1 else None
    return None


def _times(
    level: list[tuple[tuple[Link, ...], Dataset]],
) -> Iterator[tuple[tuple[Link, ...], str]]:
    for way, item in level:
        for one in item.fields.values():
            if one.time:
                yield way, plain_column(item, one.sql)

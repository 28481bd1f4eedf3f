"""The artifact linkage graph: its edges follow from schema, definitions and structured rules."""

from collections.abc import Iterable, Iterator

from sqlglot import exp

from warebench.catalog.model import Catalog
from warebench.tracks.intelligence.artifacts.model import ArtifactGraph, Edge, Node
from warebench.tracks.intelligence.knowledge.conflicts import scope_of
from warebench.tracks.intelligence.knowledge.expressions import conjuncts, parse_expression
from warebench.tracks.intelligence.knowledge.links import touched_metrics
from warebench.tracks.intelligence.knowledge.model import (
    Exclude,
    Filter,
    Knowledge,
    Metric,
    Operation,
    Override,
    Rule,
)
from warebench.tracks.intelligence.knowledge.relation import resolve_relation


def build_artifacts(knowledge: Knowledge, catalog: Catalog) -> ArtifactGraph:
    """Return the artifact linkage graph.

    A rule is linked to the metrics its operations name and to every composite made of them; to a dimension
    where one of its scopes or row conditions ties the dimension's column to values.

    Args:
        knowledge: The knowledge base, checked.
        catalog: Tables and foreign keys of its database.

    Source: DI-Bench, section 3.1.
    """
    edges = (
        *_from_metrics(knowledge, catalog),
        *(Edge(kind="table_dimension", source=d.table, target=d.id) for d in knowledge.dimensions),
        *_joins(catalog),
        *_from_rules(knowledge, catalog),
    )
    return ArtifactGraph(
        name=knowledge.name, nodes=tuple(_nodes(knowledge, catalog)), edges=tuple(dict.fromkeys(edges))
    )


def _nodes(knowledge: Knowledge, catalog: Catalog) -> Iterator[Node]:
    yield from (Node(kind="table", id=name, label=name) for name in catalog.table_names)
    yield from (Node(kind="metric", id=metric.id, label=metric.name) for metric in knowledge.metrics)
    yield from (Node(kind="rule", id=rule.id, label=rule.title) for rule in knowledge.rules)
    yield from (Node(kind="dimension", id=item.id, label=item.label) for item in knowledge.dimensions)


def _from_metrics(knowledge: Knowledge, catalog: Catalog) -> Iterator[Edge]:
    for metric in knowledge.metrics:
        for part in metric.components.values():
            yield Edge(kind="metric_metric", source=metric.id, target=part)
        if metric.relation:
            for place in resolve_relation(metric.relation, catalog):
                yield Edge(kind="metric_table", source=metric.id, target=place.table)


def _joins(catalog: Catalog) -> Iterator[Edge]:
    for key in catalog.foreign_keys:
        yield Edge(kind="table_table", source=key.child, target=key.parent)


def _from_rules(knowledge: Knowledge, catalog: Catalog) -> Iterator[Edge]:
    for rule in knowledge.rules:
        for metric in knowledge.metrics:
            if _reaches(knowledge, metric.id, touched_metrics(rule).keys()):
                yield Edge(kind="rule_metric", source=rule.id, target=metric.id)
        tied = set(_tied_columns(knowledge, catalog, rule))
        for dimension in knowledge.dimensions:
            if dimension.kind != "temporal" and (dimension.table, dimension.column) in tied:
                yield Edge(kind="rule_dimension", source=rule.id, target=dimension.id)


def _reaches(knowledge: Knowledge, metric: str, touched: Iterable[str]) -> bool:
    parts = {item.id: tuple(item.components.values()) for item in knowledge.metrics}
    known = set(touched)
    return metric in known or any(_reaches(knowledge, part, known) for part in parts[metric])


def _tied_columns(knowledge: Knowledge, catalog: Catalog, rule: Rule) -> Iterator[tuple[str, str]]:
    """Yield (table, column) of every column that a rule's conditions compare with literals."""
    metrics = {metric.id: metric for metric in knowledge.metrics}
    for operation in rule.operations:
        for name in operation.metrics:
            for text in _conditions(operation):
                yield from _compared(text, metrics[name], catalog)


def _conditions(operation: Operation) -> Iterator[str]:
    if scope := scope_of(operation):
        yield scope
    match operation:
        case Filter(where=text) | Exclude(where=text) | Override(target="where", expression=text):
            yield text


def _compared(text: str, metric: Metric, catalog: Catalog) -> Iterator[tuple[str, str]]:
    if metric.relation is None:
        return
    tables = {place.alias: place.table for place in resolve_relation(metric.relation, catalog)}
    for term in conjuncts(parse_expression(text)):
        if isinstance(term, exp.EQ | exp.In) and isinstance(term.this, exp.Column):
            yield tables[term.this.table], term.this.name

"""Which dimensions say something about a metric: not those that its definition, or a rule, fixes already."""

from collections.abc import Iterator

from warebench.catalog.model import Catalog
from warebench.tracks.intelligence.knowledge.expressions import columns_of, parse_expression
from warebench.tracks.intelligence.knowledge.links import find_rule, metric_tree, touched_metrics
from warebench.tracks.intelligence.knowledge.model import (
    Dimension,
    Exclude,
    Filter,
    Knowledge,
    Metric,
    Override,
)
from warebench.tracks.intelligence.knowledge.relation import resolve_relation


def is_plausible(
    knowledge: Knowledge, catalog: Catalog, metric: str, dimension: Dimension, rules: tuple[str, ...]
) -> bool:
    """Return whether a metric may be sliced by a dimension in a question.

    It may not by a column that its own conditions and values read (cancellations by order status are all or
    nothing), nor by one that conditions of applied rules read, other than their scopes.

    Args:
        knowledge: The knowledge base.
        catalog: Its tables and keys.
        metric: Id of the metric.
        dimension: A dimension it can be sliced by.
        rules: Ids of the rules that are applied.
    """
    if dimension.kind == "temporal":
        return True
    own = (dimension.table, dimension.column)
    return all(
        own not in _read(part, catalog, _texts(knowledge, part, rules))
        for part in metric_tree(knowledge, metric)
    )


def _texts(knowledge: Knowledge, metric: Metric, rules: tuple[str, ...]) -> Iterator[str]:
    if metric.relation is None:
        return
    yield from metric.relation.where
    inner = metric.entity.measures.values() if metric.entity else ()
    for measure in (*inner, *(() if metric.entity else metric.measures.values())):
        yield measure.value
        yield measure.where
    for rule in rules:
        for operation in touched_metrics(find_rule(knowledge, rule)).get(metric.id, ()):
            match operation:
                case Filter(where=text) | Exclude(where=text) | Override(target="where", expression=text):
                    yield text


def _read(metric: Metric, catalog: Catalog, texts: Iterator[str]) -> set[tuple[str, str]]:
    if metric.relation is None:
        return set()
    tables = {place.alias: place.table for place in resolve_relation(metric.relation, catalog)}
    columns = [pair for text in texts if text for pair in columns_of(parse_expression(text))]
    return {(tables[alias], column) for alias, column in columns if alias in tables}

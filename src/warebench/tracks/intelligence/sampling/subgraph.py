"""Subgraphs: a metric with its tables, up to two dimensions, and the rules that govern it or none.

Source: DI-Bench, section 3.2.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from warebench.catalog.model import Catalog
from warebench.tracks.intelligence.knowledge.links import governing_rules, metric_tree
from warebench.tracks.intelligence.knowledge.model import Dimension, Knowledge, Metric
from warebench.tracks.intelligence.knowledge.relation import reach, resolve_relation, split_column
from warebench.tracks.intelligence.sampling.plausible import is_plausible
from warebench.tracks.intelligence.slicing import sliceable

MOST_DIMENSIONS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Subgraph:
    """A task skeleton: what is asked about, but not which values or days."""

    metric: str
    tables: tuple[str, ...]
    dimensions: tuple[str, ...]
    """Ids; a temporal one stands for the metric's own time."""
    rules: tuple[str, ...]
    """Ids of all rules that govern the metric and what it is made of; empty where none is applied."""

    @property
    def key(self) -> str:
        """Name that is unique in a knowledge base."""
        return "+".join([self.metric, *self.dimensions]) + ("" if self.rules else "-plain")

    @property
    def nodes(self) -> frozenset[str]:
        """Keys of its nodes in the artifact linkage graph."""
        parts = {"table": self.tables, "dimension": self.dimensions, "rule": self.rules}
        keys = {f"{kind}:{name}" for kind, names in parts.items() for name in names}
        return frozenset({f"metric:{self.metric}"} | keys)


def enumerate_subgraphs(knowledge: Knowledge, catalog: Catalog, *, ruled: bool) -> Iterator[Subgraph]:
    """Yield every connected subgraph, metric by metric.

    Args:
        knowledge: The knowledge base, checked.
        catalog: Its database's tables and keys.
        ruled: With the governing rules (only metrics that have some), or without any.
    """
    for metric in knowledge.metrics:
        rules = governing_rules(knowledge, metric.id) if ruled else ()
        if ruled and not rules:
            continue
        time = time_dimension(knowledge, catalog, metric.id)
        usable = [
            dimension
            for dimension in (*([time] if time else []), *sliceable(knowledge, catalog, metric.id))
            if is_plausible(knowledge, catalog, metric.id, dimension, rules)
        ]
        for count in range(MOST_DIMENSIONS + 1):
            for chosen in combinations(usable, count):
                yield Subgraph(
                    metric=metric.id,
                    tables=tables_of(knowledge, catalog, metric.id, chosen),
                    dimensions=tuple(dimension.id for dimension in chosen),
                    rules=rules,
                )


def tables_of(
    knowledge: Knowledge, catalog: Catalog, metric: str, dimensions: tuple[Dimension, ...]
) -> tuple[str, ...]:
    """Return the tables that a metric by some dimensions is computed from, in the order of the catalog."""
    found: set[str] = set()
    for part in metric_tree(knowledge, metric):
        if part.relation is None:
            continue
        places = resolve_relation(part.relation, catalog)
        found |= {place.table for place in places}
        for dimension in dimensions:
            if dimension.kind != "temporal":
                found |= {place.table for place in reach(places, catalog, dimension)[0]}
    return tuple(name for name in catalog.table_names if name in found)


def time_dimension(knowledge: Knowledge, catalog: Catalog, metric: str) -> Dimension | None:
    """Return the dimension by which a metric and all it is made of are dated; None without one."""
    times = {_time(part, catalog) for part in metric_tree(knowledge, metric) if part.relation}
    if len(times) != 1:
        return None
    (time,) = times
    return next((item for item in knowledge.dimensions if (item.table, item.column) == time), None)


def _time(metric: Metric, catalog: Catalog) -> tuple[str, str]:
    if not metric.time or metric.relation is None:
        return "", ""
    alias, column = split_column(metric.time)
    tables = {place.alias: place.table for place in resolve_relation(metric.relation, catalog)}
    return tables[alias], column

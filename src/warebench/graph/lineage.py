"""Questions about lineage edges alone: sources, dependents, closures, cycles."""

from typing import Literal

import rustworkx as rx

from warebench.graph.build import SchemaGraph

Direction = Literal["downstream", "upstream"]


def direct(graph: SchemaGraph, table: str, direction: Direction) -> tuple[str, ...]:
    """Return the tables one lineage edge away, sorted.

    Args:
        graph: A schema graph.
        table: A table of it.
        direction: "downstream" for the tables that derive from `table`, "upstream" for its sources.

    Example:
        >>> from warebench.catalog.model import Catalog, LineageEdge, Table
        >>> from warebench.graph.build import build_graph
        >>> edge = LineageEdge(downstream="mart", upstream="raw")
        >>> catalog = Catalog(name="c", tables=(Table(name="raw"), Table(name="mart")), lineage=(edge,))
        >>> direct(build_graph(catalog), "raw", "downstream")
        ('mart',)
    """
    node = graph.index[table]
    found = (
        graph.lineage.predecessor_indices(node)
        if direction == "downstream"
        else graph.lineage.successor_indices(node)
    )
    return graph.name_all(found)


def closure(graph: SchemaGraph, table: str, direction: Direction) -> tuple[str, ...]:
    """Return every other table reachable over lineage edges, sorted; `table` itself is left out.

    Cycles are harmless: each table is visited once, and `table` is left out even when it lies on one.

    Complexity: O(tables + lineage edges), iterative.
    """
    return tuple(sorted(name for layer in closure_layers(graph, table, direction) for name in layer))


def closure_layers(
    graph: SchemaGraph, table: str, direction: Direction, limit: int | None = None
) -> tuple[tuple[str, ...], ...]:
    """Return the closure by lineage distance: first the tables one edge away, then two, and so on.

    Args:
        graph: A schema graph.
        table: Where to start.
        direction: Which way to go.
        limit: Stop once more than this many tables are found, so that a caller that wants only small
            closures need not walk a large one; the result then holds more than `limit` tables.
    """
    step = graph.lineage.predecessor_indices if direction == "downstream" else graph.lineage.successor_indices
    frontier = {graph.index[table]}
    seen, layers = set(frontier), []
    while limit is None or len(seen) <= limit + 1:
        frontier = {near for node in frontier for near in step(node)} - seen
        if not frontier:
            break
        seen |= frontier
        layers.append(graph.name_all(frontier))
    return tuple(layers)


def lineage_cycles(graph: SchemaGraph) -> tuple[tuple[str, ...], ...]:
    """Return the groups of tables that derive from each other, each sorted; empty for a DAG.

    Complexity: O(tables + lineage edges) (strongly connected components).
    """
    groups = rx.strongly_connected_components(graph.lineage)
    return tuple(sorted(graph.name_all(group) for group in groups if len(group) > 1))

"""What lies around tables: foreign-key neighbours by hop, and the n-hop neighbourhood."""

from collections.abc import Iterable, Sequence
from typing import Literal

from warebench.graph.build import SchemaGraph

KeyDirection = Literal["both", "parents", "children"]


def key_neighbours(
    graph: SchemaGraph, table: str, direction: KeyDirection = "both", depth: int = 1
) -> tuple[tuple[str, ...], ...]:
    """Return the tables at foreign-key distance 1, 2, ... `depth`, one sorted tuple a distance.

    Args:
        graph: A schema graph.
        table: Where to start; it is never part of the result.
        direction: Follow keys to parents, to children, or both ways.
        depth: Largest distance.
    """
    start = graph.index[table]
    seen = {start}
    layers: list[set[int]] = []
    while len(layers) < depth:
        frontier = layers[-1] if layers else {start}
        layer = {near for node in frontier for near in _key_step(graph, node, direction)} - seen
        if not layer:
            break
        seen |= layer
        layers.append(layer)
    return tuple(graph.name_all(layer) for layer in layers)


def neighbourhood(graph: SchemaGraph, tables: Iterable[str], hops: int) -> tuple[str, ...]:
    """Return the tables within `hops` edges (foreign key or lineage, either way) of any of `tables`.

    Source: DW-Bench, section 4, Graph-Augmented (3 hops).
    """
    frontier = {graph.index[table] for table in tables}
    seen = set(frontier)
    for _ in range(hops):
        frontier = {near for node in frontier for near in _any_step(graph, node)} - seen
        seen |= frontier
    return graph.name_all(seen)


def _key_step(graph: SchemaGraph, node: int, direction: KeyDirection) -> list[int]:
    children = list(graph.foreign_keys.predecessor_indices(node)) if direction != "parents" else []
    parents = list(graph.foreign_keys.successor_indices(node)) if direction != "children" else []
    return children + parents


def _any_step(graph: SchemaGraph, node: int) -> list[int]:
    lineage = graph.lineage
    return [
        *_key_step(graph, node, "both"),
        *lineage.predecessor_indices(node),
        *lineage.successor_indices(node),
    ]


def neighbour_lists(graph: SchemaGraph) -> list[list[int]]:
    """Return the neighbours of every node over edges of either type, either way.

    Made once for many walks: asking the graph for them again at every step costs more than the walk.
    """
    return [_any_step(graph, node) for node in range(len(graph.names))]


def distance_to_all(near: Sequence[Sequence[int]], starts: Iterable[int], ends: Iterable[int]) -> int:
    """Return the least number of hops within which all ends lie.

    Args:
        near: What `neighbour_lists` returns.
        starts: Nodes to start from.
        ends: Nodes to find; those that no path reaches are left out of account.
    """
    frontier = set(starts)
    missing = set(ends) - frontier
    seen, hops, farthest = set(frontier), 0, 0
    while missing and frontier:
        hops += 1
        frontier = set().union(*(near[node] for node in frontier)) - seen
        seen |= frontier
        found = missing & frontier
        if found:
            farthest = hops
            missing -= found
    return farthest

"""Shortest paths: distance and every step that lies on some shortest path."""

from collections.abc import Iterable
from dataclasses import dataclass

import rustworkx as rx

from warebench.catalog.edges import PathEdges
from warebench.graph.build import SchemaGraph


@dataclass(frozen=True, kw_only=True, slots=True)
class ShortestPaths:
    """All shortest paths between two tables, as one path and the steps of all of them."""

    path: tuple[str, ...]
    """The shortest path whose names come first in sorted order."""
    steps: tuple[tuple[str, str], ...]
    """Every directed step on any shortest path, sorted."""
    unique: bool

    @property
    def hops(self) -> int:
        """Number of edges."""
        return len(self.path) - 1


def walkable(graph: SchemaGraph, edges: PathEdges) -> "rx.PyDiGraph[str, None]":
    """Return the directed graph in which a path may walk along its edges."""
    match edges:
        case "child_to_parent":
            return graph.foreign_keys
        case "parent_to_child":
            return _reversed(graph.foreign_keys)
        case "downstream":
            return _reversed(graph.lineage)
        case "undirected":
            return _both_ways(graph.foreign_keys)
        case "any":
            joined = graph.foreign_keys.copy()
            joined.add_edges_from_no_data(list(graph.lineage.edge_list()))
            return _both_ways(joined)


def _both_ways(graph: "rx.PyDiGraph[str, None]") -> "rx.PyDiGraph[str, None]":
    both = graph.copy()
    both.add_edges_from_no_data([(b, a) for a, b in graph.edge_list()])
    return both


def _reversed(graph: "rx.PyDiGraph[str, None]") -> "rx.PyDiGraph[str, None]":
    other = graph.copy()
    other.reverse()
    return other


def distances(walk: "rx.PyDiGraph[str, None]", start: int, limit: int | None = None) -> dict[int, int]:
    """Return hops from `start` to every node it reaches within `limit` hops, itself (0) included.

    Complexity: O(tables + edges), breadth first, iterative.
    """
    reached, frontier, depth = {start: 0}, [start], 0
    while frontier and depth != limit:
        depth += 1
        layer = {near for node in frontier for near in walk.successor_indices(node)}
        frontier = sorted(node for node in layer if node not in reached)
        reached.update(dict.fromkeys(frontier, depth))
    return reached


def shortest_paths(
    graph: SchemaGraph, walk: "rx.PyDiGraph[str, None]", start: str, end: str
) -> ShortestPaths | None:
    """Return all shortest paths from one table to another, or None when there is none.

    Args:
        graph: The schema graph.
        walk: The result of `walkable` for it; made once for many pairs.
        start: First table of the path.
        end: Last table of the path.

    Complexity: O(tables + edges) for a pair, also when exponentially many paths tie.
    """
    source, target = graph.index[start], graph.index[end]
    depth = distances(walk, source)
    if target not in depth:
        return None
    steps = _steps_back(walk, depth, target)
    named = sorted((graph.names[a], graph.names[b]) for a, b in steps)
    path = first_path(named, start, end)
    return ShortestPaths(path=path, steps=tuple(named), unique=len(named) == len(path) - 1)


def _steps_back(walk: "rx.PyDiGraph[str, None]", depth: dict[int, int], target: int) -> list[tuple[int, int]]:
    steps, frontier = [], {target}
    while frontier:
        layer = [
            (before, node)
            for node in frontier
            for before in walk.predecessor_indices(node)
            if depth.get(before) == depth[node] - 1
        ]
        steps += layer
        frontier = {before for before, _ in layer}
    return steps


def first_path(steps: Iterable[tuple[str, str]], start: str, end: str) -> tuple[str, ...]:
    """Return the path whose names come first in sorted order, out of the steps of all shortest paths."""
    following: dict[str, str] = {}
    for before, after in steps:
        following[before] = min(after, following.get(before, after))
    path = [start]
    while path[-1] != end:
        path.append(following[path[-1]])
    return tuple(path)

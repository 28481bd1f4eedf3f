"""Six structural features of each table (DW-Bench, section 3.2)."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import rustworkx as rx

from warebench.graph.build import SchemaGraph
from warebench.graph.paths import walkable

FEATURES = ("in_degree", "out_degree", "normalized_degree", "lineage_degree", "betweenness", "pagerank")
"""Columns of `node_features`, in order."""

DAMPING = 0.85


def node_features(graph: SchemaGraph) -> npt.NDArray[np.float64]:
    """Return the six features of every table; a key from a table to itself counts nowhere.

    Degrees count distinct neighbours: in_degree the tables that hold a foreign key to it, out_degree
    the tables it references; normalized_degree is their sum over (tables - 1). lineage_degree counts
    lineage edges either way. Betweenness (normalised) and PageRank (damping 0.85) are taken on both
    edge types without direction, since the paper names no graph for them and its code used three.

    Args:
        graph: A schema graph of n tables.

    Returns:
        Array of shape (n, 6), columns as in FEATURES, rows in catalog order.

    Complexity: O(tables x edges), for betweenness.
    """
    keys, lineage = _without_loops(graph.foreign_keys), graph.lineage
    nodes = range(len(graph.names))
    inward = np.array([keys.in_degree(node) for node in nodes], dtype=float)
    outward = np.array([keys.out_degree(node) for node in nodes], dtype=float)
    both = _without_loops(walkable(graph, "any"))
    return np.column_stack(
        [
            inward,
            outward,
            (inward + outward) / max(1, len(graph.names) - 1),
            [lineage.in_degree(node) + lineage.out_degree(node) for node in nodes],
            _column(rx.betweenness_centrality(both.to_undirected(multigraph=False)), len(graph.names)),
            _column(rx.pagerank(both, alpha=DAMPING), len(graph.names)),
        ]
    )


def _without_loops(graph: "rx.PyDiGraph[str, None]") -> "rx.PyDiGraph[str, None]":
    other = graph.copy()
    other.remove_edges_from([(a, b) for a, b in graph.edge_list() if a == b])
    return other


def _column(values: Mapping[int, float], size: int) -> list[float]:
    return [values[node] for node in range(size)]

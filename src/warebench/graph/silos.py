"""Silos: connected components of the schema graph, edges taken without direction."""

import rustworkx as rx

from warebench.catalog.edges import SiloEdges
from warebench.graph.build import SchemaGraph


def silos(graph: SchemaGraph, edges: SiloEdges = "fk+lineage") -> tuple[tuple[str, ...], ...]:
    """Return the silos, each a sorted tuple of tables, in order of their first table.

    Args:
        graph: A schema graph.
        edges: Which edges connect; "fk+lineage" is what DW-Bench's Table 1 counts.

    Complexity: O(tables + edges).
    """
    joined: rx.PyGraph[str, None] = rx.PyGraph(multigraph=False)
    joined.add_nodes_from(list(graph.names))
    if "fk" in edges:
        joined.add_edges_from_no_data(list(graph.foreign_keys.edge_list()))
    if "lineage" in edges:
        joined.add_edges_from_no_data(list(graph.lineage.edge_list()))
    return tuple(sorted(graph.name_all(group) for group in rx.connected_components(joined)))

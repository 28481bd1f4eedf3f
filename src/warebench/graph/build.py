"""Catalog to graphs: the one place where edges get their direction."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import rustworkx as rx

from warebench.catalog.model import Catalog


@dataclass(frozen=True, kw_only=True, slots=True)
class SchemaGraph:
    """A catalog as graphs over one node numbering (node i is `names[i]`).

    Parallel foreign keys between two tables are one edge: every question is about tables.
    """

    names: tuple[str, ...]
    index: Mapping[str, int]
    foreign_keys: rx.PyDiGraph[str, None]
    """Edges child -> parent."""
    lineage: rx.PyDiGraph[str, None]
    """Edges downstream -> upstream: a table points at what it derives from (DW-Bench, section 3.2)."""

    def name_all(self, nodes: Iterable[int]) -> tuple[str, ...]:
        """Return the sorted names of nodes."""
        return tuple(sorted(self.names[node] for node in nodes))


def build_graph(catalog: Catalog) -> SchemaGraph:
    """Return the graphs of a catalog.

    Args:
        catalog: A validated catalog; every edge names known tables.

    Complexity: O(tables + edges).
    """
    names = catalog.table_names
    index = {name: node for node, name in enumerate(names)}
    keys = ((index[key.child], index[key.parent]) for key in catalog.foreign_keys)
    lineage = ((index[edge.downstream], index[edge.upstream]) for edge in catalog.lineage)
    return SchemaGraph(
        names=names,
        index=index,
        foreign_keys=_digraph(names, keys),
        lineage=_digraph(names, lineage),
    )


def _digraph(names: Iterable[str], edges: Iterable[tuple[int, int]]) -> rx.PyDiGraph[str, None]:
    graph: rx.PyDiGraph[str, None] = rx.PyDiGraph(multigraph=False)
    graph.add_nodes_from(list(names))
    graph.add_edges_from_no_data(sorted(set(edges)))
    return graph

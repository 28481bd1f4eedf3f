"""Nodes and edges of the artifact linkage graph.

Source: DI-Bench, section 3.1, Table 2.
"""

from typing import Literal

import msgspec

NodeKind = Literal["table", "metric", "rule", "dimension"]
EdgeKind = Literal[
    "metric_table", "table_dimension", "table_table", "rule_metric", "metric_metric", "rule_dimension"
]

NODE_KINDS: tuple[NodeKind, ...] = ("table", "metric", "rule", "dimension")

EDGE_MEANINGS: dict[EdgeKind, str] = {
    "metric_table": "the metric's formula uses columns of the table",
    "table_dimension": "the table has a column to filter or group by",
    "table_table": "the tables can be joined: child to parent",
    "rule_metric": "the rule document changes how the metric is computed",
    "metric_metric": "the metric uses the other as a component",
    "rule_dimension": "the rule holds only for some values of the dimension",
}
"""The six edge types, in the order of Table 12."""


class Node(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """One artifact; `id` is unique among those of its kind."""

    kind: NodeKind
    id: str
    label: str
    """As a reader calls it."""

    @property
    def key(self) -> str:
        """Name that is unique in the graph, such as `metric:MV-SEL-001`."""
        return f"{self.kind}:{self.id}"


class Edge(msgspec.Struct, frozen=True, kw_only=True):
    """A dependency; ends are ids, whose kinds the edge's kind tells."""

    kind: EdgeKind
    source: str
    target: str

    @property
    def ends(self) -> tuple[str, str]:
        """Keys of its two nodes."""
        first, second = self.kind.split("_")
        return f"{first}:{self.source}", f"{second}:{self.target}"


class ArtifactGraph(msgspec.Struct, frozen=True, kw_only=True):
    """All artifacts of a knowledge base and its database, in the order of their sources."""

    name: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    def statistics(self) -> dict[str, int]:
        """Return the number of nodes and edges of each kind, as the paper's Table 12 has them."""
        nodes = {
            f"{kind} nodes": sum(node.kind == kind for node in self.nodes)
            for kind in ("table", "metric", "rule", "dimension")
        }
        edges = {
            f"{kind.replace('_', ' -> ')} edges": sum(edge.kind == kind for edge in self.edges)
            for kind in EDGE_MEANINGS
        }
        return {
            **nodes,
            "total nodes": len(self.nodes),
            **edges,
            "total edges": len(self.edges),
        }

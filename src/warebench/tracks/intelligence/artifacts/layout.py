"""Where artifacts stand in the picture of their graph: four columns, ordered so that few lines cross."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from warebench.tracks.intelligence.artifacts.model import ArtifactGraph, Edge, EdgeKind, Node, NodeKind

COLUMNS: tuple[NodeKind, ...] = ("rule", "metric", "table", "dimension")
BETWEEN: tuple[EdgeKind, ...] = ("rule_metric", "metric_table", "table_dimension")
"""Edges that run from one column to the next, in that order."""

BOXES: dict[NodeKind, int] = {"rule": 308, "metric": 300, "table": 222, "dimension": 248}
"""Widths."""

HEIGHT, STEP, GAP, LANE = 22, 29, 150, 6
LEFT, TOP = 40, 112
SWEEPS = 12
"""Rounds of the barycentre ordering; crossings stop falling after a few."""


@dataclass(frozen=True, slots=True)
class Box:
    """Left edge, middle and width of a node's box."""

    left: float
    middle: float
    width: int

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.left + self.width


@dataclass(frozen=True, slots=True)
class Layout:
    """Boxes by the keys of nodes, and the size of what holds them."""

    columns: Mapping[NodeKind, Sequence[Node]]
    lefts: Mapping[NodeKind, float]
    boxes: Mapping[str, Box]
    lanes: Mapping[str, int]
    """Number of the line below the columns on which a rule's edges run to dimensions, by the rule's id."""
    width: float
    bottom: float
    """Of the columns and lanes."""


def lay_out(graph: ArtifactGraph) -> Layout:
    """Return the layout; equal graphs give equal layouts.

    Nodes of a column are ordered by the mean height of their neighbours, from left to right and back.
    Complexity: O(sweeps * (edges + nodes log nodes)).

    Source: the barycentre method of layered drawing (Sugiyama, Tagawa and Toda, 1981).
    """
    columns = _ordered(graph)
    lanes = _lanes(graph, columns["rule"])
    rows = max(len(column) for column in columns.values())
    margin = LEFT + LANE * len(lanes)
    lefts: dict[NodeKind, float] = {}
    at: float = margin
    for kind in COLUMNS:
        lefts[kind] = at
        at += BOXES[kind] + GAP
    boxes = {
        node.key: Box(lefts[kind], TOP + (row + 0.5) * STEP * rows / len(column), BOXES[kind])
        for kind, column in columns.items()
        for row, node in enumerate(column)
    }
    return Layout(columns, lefts, boxes, lanes, at - GAP + margin, TOP + rows * STEP + LANE * len(lanes) + 10)


def _lanes(graph: ArtifactGraph, rules: Sequence[Node]) -> dict[str, int]:
    """Return the lane of each rule that is tied to a dimension: the lowest rule's is next to the boxes."""
    tied = {edge.source for edge in graph.edges if edge.kind == "rule_dimension"}
    return {node.id: lane for lane, node in enumerate(n for n in reversed(rules) if n.id in tied)}


def _ordered(graph: ArtifactGraph) -> dict[NodeKind, list[Node]]:
    columns = {kind: [node for node in graph.nodes if node.kind == kind] for kind in COLUMNS}
    for sweep in range(SWEEPS):
        forth = sweep % 2 == 0
        for edge_kind in BETWEEN if forth else reversed(BETWEEN):
            first, second = COLUMNS[BETWEEN.index(edge_kind) :][:2]
            moved, fixed = (second, first) if forth else (first, second)
            _sort(columns, moved, fixed, [edge for edge in graph.edges if edge.kind == edge_kind])
    # Every dimension is a column of one table: those of a table stand together.
    _sort(columns, "dimension", "table", [edge for edge in graph.edges if edge.kind == "table_dimension"])
    return columns


def _sort(
    columns: dict[NodeKind, list[Node]], moved: NodeKind, fixed: NodeKind, edges: Sequence[Edge]
) -> None:
    """Order a column by the mean height of what its nodes are joined to in another; lone nodes stay put."""
    height = {node.key: (row + 0.5) / len(columns[fixed]) for row, node in enumerate(columns[fixed])}
    near: dict[str, list[float]] = {}
    for edge in edges:
        for own, other in (edge.ends, edge.ends[::-1]):
            if other in height:
                near.setdefault(own, []).append(height[other])
    place = {
        node.key: sum(near[node.key]) / len(near[node.key])
        if node.key in near
        else (row + 0.5) / len(columns[moved])
        for row, node in enumerate(columns[moved])
    }
    columns[moved].sort(key=lambda node: place[node.key])

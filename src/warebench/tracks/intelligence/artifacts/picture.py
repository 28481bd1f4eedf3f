"""A picture of the artifact linkage graph: four columns, rules, metrics, tables, dimensions, as plain SVG."""

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

from warebench.tracks.intelligence.artifacts.model import ArtifactGraph, Edge, EdgeKind, Node, NodeKind

COLUMNS: tuple[NodeKind, ...] = ("rule", "metric", "table", "dimension")
FILLS: dict[NodeKind, str] = {
    "rule": "#fde8c8",
    "metric": "#d7e8fa",
    "table": "#e4e4e4",
    "dimension": "#dcf0dc",
}
STROKES: dict[EdgeKind, str] = {
    "rule_metric": "#d98a1f",
    "metric_table": "#4a84c4",
    "table_dimension": "#5aa05a",
    "rule_dimension": "#c05050",
    "table_table": "#808080",
    "metric_metric": "#7a5ab8",
}
WIDTH, HEIGHT, GAP, STEP, TOP = 230, 20, 150, 27, 40
SWEEPS = 8
"""Rounds of the barycentre ordering; crossings stop falling after a few."""

Place = tuple[float, float]
"""Left edge and middle of a box."""


def to_svg(graph: ArtifactGraph) -> str:
    """Return the picture. Nodes of a column are ordered by the mean height of their neighbours.

    Source: the barycentre method of layered drawing (Sugiyama, Tagawa and Toda, 1981).
    """
    columns = _ordered(graph)
    rows = max((len(column) for column in columns.values()), default=1)
    places = {
        node.key: (at * (WIDTH + GAP) + 20.0, TOP + 20.0 + (row + 0.5) * STEP * rows / len(column))
        for at, column in enumerate(columns.values())
        for row, node in enumerate(column)
    }
    wide, high = len(COLUMNS) * (WIDTH + GAP) - GAP + 40, TOP + 60 + rows * STEP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-family="sans-serif" '
        f'font-size="11" role="img">\n<title>{escape(graph.name)}: artifact linkage graph</title>\n'
        f'<rect width="{wide}" height="{high}" fill="white"/>\n'
        + "".join(_line(edge, places) for edge in graph.edges)
        + "".join(_box(node, places[node.key]) for node in graph.nodes)
        + "".join(_head(at, kind) for at, kind in enumerate(COLUMNS))
        + _legend(high)
        + "</svg>\n"
    )


def _ordered(graph: ArtifactGraph) -> dict[NodeKind, list[Node]]:
    columns = {kind: [node for node in graph.nodes if node.kind == kind] for kind in COLUMNS}
    near: dict[str, list[str]] = {node.key: [] for node in graph.nodes}
    for edge in graph.edges:
        first, second = edge.ends
        near[first].append(second)
        near[second].append(first)
    for _ in range(SWEEPS):
        for kind in COLUMNS:
            height = _heights(columns)
            columns[kind].sort(key=lambda node: _mean(near[node.key], height, height[node.key]))
    return {kind: column for kind, column in columns.items() if column}


def _heights(columns: Mapping[NodeKind, Sequence[Node]]) -> dict[str, float]:
    return {
        node.key: (row + 0.5) / len(column) for column in columns.values() for row, node in enumerate(column)
    }


def _mean(neighbours: Sequence[str], height: Mapping[str, float], own: float) -> float:
    return sum(height[name] for name in neighbours) / len(neighbours) if neighbours else own


def _line(edge: Edge, places: Mapping[str, Place]) -> str:
    (left, top), (right, bottom) = (places[key] for key in edge.ends)
    if left == right:  # within a column: an arc at its left side
        bend = left - 25 - abs(top - bottom) / 12
        path = f"M{left:.0f},{top:.1f} C{bend:.0f},{top:.1f} {bend:.0f},{bottom:.1f} {left:.0f},{bottom:.1f}"
    else:
        start, end = left + WIDTH, right
        middle = (start + end) / 2
        path = (
            f"M{start:.0f},{top:.1f} C{middle:.0f},{top:.1f} {middle:.0f},{bottom:.1f} {end:.0f},{bottom:.1f}"
        )
    return f'<path d="{path}" fill="none" stroke="{STROKES[edge.kind]}" stroke-opacity="0.55"/>\n'


def _box(node: Node, place: Place) -> str:
    left, middle = place
    name = node.label if node.kind in ("table", "dimension") else f"{node.id} {node.label}"
    shown = name if len(name) <= 38 else f"{name[:37]}\u2026"
    return (
        f'<g><title>{escape(name)}</title><rect x="{left:.0f}" y="{middle - HEIGHT / 2:.1f}" width="{WIDTH}" '
        f'height="{HEIGHT}" rx="3" fill="{FILLS[node.kind]}" stroke="#666"/>'
        f'<text x="{left + 6:.0f}" y="{middle + 4:.1f}">{escape(shown)}</text></g>\n'
    )


def _head(at: int, kind: NodeKind) -> str:
    left = at * (WIDTH + GAP) + 20
    return f'<text x="{left}" y="{TOP - 12}" font-size="14" font-weight="bold">{kind}s</text>\n'


def _legend(high: int) -> str:
    parts = (
        f'<text x="{20 + at * 190}" y="{high - 12}" fill="{stroke}">{kind.replace("_", " &#8594; ")}</text>\n'
        for at, (kind, stroke) in enumerate(STROKES.items())
    )
    return "".join(parts)

"""A picture of the artifact linkage graph as plain SVG: what rules change, metrics need, and tables offer.

Pointing at a box shows its own lines only, in any browser.
"""

from collections.abc import Iterable, Iterator, Mapping
from xml.sax.saxutils import escape

from warebench.tracks.intelligence.artifacts.layout import (
    COLUMNS,
    HEIGHT,
    LANE,
    Box,
    Layout,
    lay_out,
)
from warebench.tracks.intelligence.artifacts.model import (
    EDGE_MEANINGS,
    ArtifactGraph,
    Edge,
    EdgeKind,
    Node,
    NodeKind,
)

FILLS: dict[NodeKind, tuple[str, str, str]] = {
    "rule": ("#fdf0dc", "#d08a2e", "document in prose, and what it does to metrics"),
    "metric": ("#e3eefb", "#3f78b5", "business figure with its standard definition"),
    "table": ("#eceff1", "#78858e", "rows of the database"),
    "dimension": ("#e3f4e5", "#4c9a58", "to filter or group by"),
}
"""Fill and outline of boxes, and what they stand for."""

HUES: dict[EdgeKind, tuple[int, int, int, int]] = {
    "rule_metric": (18, 30, 78, 52),
    "metric_table": (196, 36, 58, 52),
    "table_dimension": (112, 30, 40, 46),
    "table_table": (210, 0, 6, 42),
    "metric_metric": (268, 18, 48, 48),
    "rule_dimension": (338, 22, 66, 50),
}
"""First hue, how far hues go on from it, saturation and lightness; lines that leave one box have one hue."""

LETTER, BOLD = 6.7, 8.0
"""Mean widths of letters in the widest font of those that a browser may take."""

STYLE = """
text{font-family:Inter,'Helvetica Neue',Arial,sans-serif;font-size:11.5px;fill:#26323a}
.t{font-size:24px;font-weight:700}.s{font-size:13px;fill:#5d6b75}.h{font-size:15px;font-weight:700}
.i{font-weight:700}.m{fill:#5d6b75}path{fill:none;stroke-width:1.25;stroke-opacity:.62}
path.w{stroke-width:1.5;stroke-opacity:.85}rect.n{stroke-dasharray:3 3;fill:#fff}
"""


def to_svg(graph: ArtifactGraph) -> str:
    """Return the picture of a graph: boxes in four columns, lines by their kind, numbers in the legend."""
    layout = lay_out(graph)
    numbers = {node.key: place for place, node in enumerate(graph.nodes)}
    wide, high = round(layout.width), round(layout.bottom) + 96
    counts = graph.statistics()
    title = f"{graph.name}: artifact linkage graph"
    said = (
        f"{counts['total nodes']} artifacts and {counts['total edges']} dependencies. "
        "Taking away a rule changes what its orange lines reach."
    )
    parts = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" role="img">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}{''.join(_pointing(numbers.values()))}</style>\n"
        f'<rect width="{wide}" height="{high}" fill="#fff"/>\n',
        f'<text class="t" x="{layout.lefts["rule"]:g}" y="40">{escape(title)}</text>\n'
        f'<text class="s" x="{layout.lefts["rule"]:g}" y="62">{escape(said)}</text>\n',
        *(_head(layout, kind) for kind in COLUMNS),
        *_lines(graph, layout, numbers),
        *(_box(node, layout.boxes[node.key], numbers[node.key], graph) for node in graph.nodes),
        *_legend(layout, counts),
        "</svg>\n",
    )
    return "".join(parts)


def _pointing(numbers: Iterable[int]) -> Iterator[str]:
    """Yield the style that leaves only the lines of the box that is pointed at."""
    yield "svg:has(g:hover) path{stroke-opacity:.06}"
    for number in numbers:
        yield f"svg:has(#n{number}:hover) .n{number}{{stroke-opacity:1}}"


def _lines(graph: ArtifactGraph, layout: Layout, numbers: Mapping[str, int]) -> Iterator[str]:
    """Yield the lines; those within a column and around the others lie on top."""
    order = {node.key: row for column in layout.columns.values() for row, node in enumerate(column)}
    for edge in sorted(graph.edges, key=lambda item: list(HUES).index(item.kind)):
        source, target = (layout.boxes[key] for key in edge.ends)
        column = layout.columns[_start(edge)]
        colour = _colour(edge.kind, order[edge.ends[0]] / max(1, len(column) - 1))
        strong = " w" if edge.kind in ("metric_metric", "table_table", "rule_dimension") else ""
        yield (
            f'<path class="n{numbers[edge.ends[0]]} n{numbers[edge.ends[1]]}{strong}" '
            f'stroke="{colour}" d="{_way(edge, source, target, layout)}"/>\n'
        )


def _colour(kind: EdgeKind, share: float) -> str:
    hue, spread, saturation, lightness = HUES[kind]
    return f"hsl({hue + spread * share:.0f},{saturation}%,{lightness}%)"


def _start(edge: Edge) -> NodeKind:
    """Return the kind of the node that an edge starts at."""
    return next(kind for kind in COLUMNS if edge.kind.startswith(f"{kind}_"))


def _way(edge: Edge, source: Box, target: Box, layout: Layout) -> str:
    match edge.kind:
        case "metric_metric":
            return _arc(source.left, source.middle, target.middle, -1)
        case "table_table":
            return _arc(source.right, source.middle, target.middle, 1)
        case "rule_dimension":
            return _around(source, target, layout, layout.lanes[edge.source])
        case _:
            bend = (target.left - source.right) * 0.5
            return (
                f"M{source.right:g},{source.middle:.1f} C{source.right + bend:g},{source.middle:.1f} "
                f"{target.left - bend:g},{target.middle:.1f} {target.left:g},{target.middle:.1f}"
            )


def _arc(x: float, start: float, end: float, side: int) -> str:
    """Return an arc at one side of a column, with a head at its end."""
    bend = x + side * (18 + min(80, abs(start - end) / 6))
    return (
        f"M{x:g},{start:.1f} C{bend:.0f},{start:.1f} {bend:.0f},{end:.1f} {x:g},{end:.1f} "
        f"m{side * 7},-3.5 L{x:g},{end:.1f} l{side * 7},3.5"
    )


def _around(source: Box, target: Box, layout: Layout, lane: int) -> str:
    """Return a way from the left side of a rule below all columns to the right side of a dimension."""
    out = 14 + lane * LANE
    left, right = source.left - out, target.right + out
    low = layout.bottom - 10 - LANE * (len(layout.lanes) - 1 - lane)
    return (
        f"M{source.left:g},{source.middle:.1f} H{left + 5:g} q-5,0 -5,5 V{low - 5:.1f} q0,5 5,5 "
        f"H{right - 5:g} q5,0 5,-5 V{target.middle + 5:.1f} q0,-5 -5,-5 H{target.right:g} "
        f"m7,-3.5 L{target.right:g},{target.middle:.1f} l7,3.5"
    )


def _box(node: Node, box: Box, number: int, graph: ArtifactGraph) -> str:
    fill, outline, _ = FILLS[node.kind]
    known = node.kind in ("table", "dimension")
    name = node.label if known else f"{node.id} {node.label}"
    lone = "" if any(node.key in edge.ends for edge in graph.edges) else ' class="n"'
    room = box.width - 16
    own = "" if known else _cut(node.id, room / BOLD)
    label = escape(_cut(node.label, (room - len(own) * BOLD) / LETTER))
    shown = label if known else f'<tspan class="i">{escape(own)}</tspan> {label}'
    return (
        f'<g id="n{number}"><title>{escape(name)}</title><rect{lone} x="{box.left:g}" '
        f'y="{box.middle - HEIGHT / 2:.1f}" width="{box.width}" height="{HEIGHT}" rx="5" fill="{fill}" '
        f'stroke="{outline}"/><text x="{box.left + 8:g}" y="{box.middle + 4:.1f}">{shown}</text></g>\n'
    )


def _cut(text: str, room: float) -> str:
    """Return as much of a text as there is room for, in letters."""
    most = int(room)
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}\u2026" if most > 0 else ""


def _head(layout: Layout, kind: NodeKind) -> str:
    _, outline, meaning = FILLS[kind]
    number = len(layout.columns[kind])
    return (
        f'<text x="{layout.lefts[kind]:g}" y="92"><tspan class="h" fill="{outline}">'
        f"{number} {kind}{'' if number == 1 else 's'}</tspan>"
        f'<tspan class="m" dx="8">{meaning}</tspan></text>\n'
    )


def _legend(layout: Layout, counts: Mapping[str, int]) -> Iterator[str]:
    """Yield kinds of lines with their number and meaning, in three columns."""
    left = layout.lefts["rule"]
    step = (layout.width - 2 * left + 60) / 3
    for place, (kind, meaning) in enumerate(EDGE_MEANINGS.items()):
        x, y = left + place % 3 * step, layout.bottom + 34 + place // 3 * 34
        name = kind.replace("_", " -> ")
        yield (
            f'<path class="w" stroke="{_colour(kind, 0.5)}" style="stroke-width:3px" '
            f'd="M{x:g},{y - 4:g} h26"/><text x="{x + 34:g}" y="{y:g}"><tspan class="i">'
            f"{counts[f'{name} edges']} {name.replace('->', '&#8594;')}</tspan></text>"
            f'<text class="m" x="{x + 34:g}" y="{y + 15:g}">{escape(meaning)}</text>\n'
        )

"""The artifact linkage graph: its edges, its counts, its exports."""

import io
import json
import re
from itertools import groupby, pairwise
from pathlib import Path
from xml.etree import ElementTree

import networkx as nx
import pytest
from tests.intelligence import shop

from warebench.tracks.intelligence.artifacts.build import build_artifacts
from warebench.tracks.intelligence.artifacts.export import to_graphml, to_json, to_markdown
from warebench.tracks.intelligence.artifacts.layout import BOXES, HEIGHT, lay_out
from warebench.tracks.intelligence.artifacts.model import EDGE_MEANINGS, ArtifactGraph
from warebench.tracks.intelligence.artifacts.picture import BOLD, LETTER, to_svg
from warebench.tracks.intelligence.knowledge.links import governing_rules
from warebench.tracks.intelligence.knowledge.read import read_knowledge
from warebench.tracks.intelligence.sources import DOMAINS, bundled_folder
from warebench.worlds import find_world

SHOP = build_artifacts(shop.make_knowledge(), shop.CATALOG)
BUNDLED = {
    name: build_artifacts(read_knowledge(bundled_folder(name)), find_world(name).catalog) for name in DOMAINS
}


def _edges(graph: ArtifactGraph, kind: str) -> set[tuple[str, str]]:
    return {(edge.source, edge.target) for edge in graph.edges if edge.kind == kind}


def test_edges_of_the_shop() -> None:
    assert _edges(SHOP, "metric_metric") == {("MV-FUL-001", "MV-DEL-001"), ("MV-FUL-001", "MV-DEL-002")}
    assert _edges(SHOP, "table_table") == {("orders", "customers"), ("items", "orders")}
    assert ("MV-REV-001", "customers") in _edges(SHOP, "metric_table")
    assert ("MV-DEL-001", "customers") not in _edges(SHOP, "metric_table")
    assert _edges(SHOP, "rule_dimension") == {("BR-04", "customer_state")}, "a scope, and no other condition"


def test_a_rule_governs_the_composites_of_its_metrics() -> None:
    assert {("BR-02", "MV-FUL-001"), ("BR-06", "MV-FUL-001")} <= _edges(SHOP, "rule_metric")
    for metric in shop.make_knowledge().metrics:
        linked = {rule for rule, target in _edges(SHOP, "rule_metric") if target == metric.id}
        assert linked == set(governing_rules(shop.make_knowledge(), metric.id))


@pytest.mark.parametrize(
    ("domain", "tables", "dimensions"),
    [("ecommerce", 9, 21), ("banking", 8, 17)],
    ids=lambda value: str(value),
)
def test_bundled_graphs_have_the_nodes_of_the_paper(domain: str, tables: int, dimensions: int) -> None:
    found = BUNDLED[domain].statistics()
    counts = [found[f"{kind} nodes"] for kind in ("table", "metric", "rule", "dimension", "total")]
    assert counts == [tables, 29, 17, dimensions, tables + 29 + 17 + dimensions]
    assert found["total edges"] == sum(count for name, count in found.items() if "->" in name)
    assert all(count > 0 for count in found.values())


def test_exports_hold_the_whole_graph() -> None:
    read = nx.read_graphml(io.BytesIO(to_graphml(SHOP).encode()))
    assert (read.number_of_nodes(), read.number_of_edges()) == (len(SHOP.nodes), len(SHOP.edges))
    assert read.nodes["metric:MV-DEL-002"] == {"kind": "metric", "label": "Late Delivery Rate"}
    again = json.loads(to_json(SHOP))
    assert len(again["edges"]) == len(SHOP.edges)


def test_labels_are_escaped() -> None:
    odd = ArtifactGraph(
        name='a "b" <c>',
        nodes=(SHOP.nodes[0], SHOP.nodes[0].__class__(kind="rule", id='"', label='<&"')),
        edges=(),
    )
    for text in (to_graphml(odd), to_svg(odd)):
        ElementTree.fromstring(text)  # noqa: S314 - our own text


def test_words_stay_in_their_boxes() -> None:
    name = "revenue_per_active_customer_month_over_month"
    node = SHOP.nodes[0].__class__(kind="metric", id=name, label=name.replace("_", " "))
    picture = to_svg(ArtifactGraph(name="long", nodes=(node,), edges=()))
    (shown,) = re.findall(r'<tspan class="i">(revenue[^<]*)</tspan>([^<]*)<', picture)
    assert shown[0].endswith("\u2026")
    assert len(shown[0]) * BOLD + len(shown[1].strip()) * LETTER <= BOXES["metric"]


SPACE = "{http://www.w3.org/2000/svg}"
PAGE = Path(__file__).parents[2] / "docs" / "intelligence.md"


def test_statistics_are_told_with_their_meaning() -> None:
    rows = [line.strip("| ").split(" | ") for line in to_markdown(SHOP).splitlines()[4:]]
    told = {row[0]: int(row[1]) for row in rows}
    assert told == SHOP.statistics()
    assert [row[2] for row in rows if "->" in row[0]] == list(EDGE_MEANINGS.values())


@pytest.mark.parametrize("graph", [SHOP, *BUNDLED.values()], ids=lambda graph: str(graph.name))
def test_the_picture_shows_every_node_and_edge(graph: ArtifactGraph) -> None:
    root = ElementTree.fromstring(to_svg(graph))  # noqa: S314 - our own text
    boxes = root.findall(f"{SPACE}g/{SPACE}rect")
    lines = [path for path in root.findall(f"{SPACE}path") if (path.get("class") or "").startswith("n")]
    assert (len(boxes), len(lines)) == (len(graph.nodes), len(graph.edges))
    corners = sorted((float(box.get("x") or 0), float(box.get("y") or 0)) for box in boxes)
    for (left, top), (other, below) in pairwise(corners):
        assert left < other or below - top >= HEIGHT, "no box covers another"
    _, _, width, height = map(float, (root.get("viewBox") or "").split())
    assert all(x + 100 < width and y + HEIGHT < height for x, y in corners)


def test_lines_end_at_the_boxes_of_their_edges() -> None:
    """A wrong end would tell a dependency that is not there."""
    layout = lay_out(SHOP)
    root = ElementTree.fromstring(to_svg(SHOP))  # noqa: S314 - our own text
    numbers = {node.key: f"n{place}" for place, node in enumerate(SHOP.nodes)}
    found = {}
    for path in root.findall(f"{SPACE}path"):
        names = tuple((path.get("class") or "").split()[:2])
        first, *_ = re.findall(r"M[\d.]+,([\d.]+)", path.get("d") or "")
        found[names] = float(first), {float(y) for y in re.findall(r",([\d.]+)", path.get("d") or "")}
    for edge in SHOP.edges:
        start, heights = found[tuple(numbers[key] for key in edge.ends)]
        source, target = (layout.boxes[key] for key in edge.ends)
        assert start == pytest.approx(source.middle, abs=0.1)
        assert any(abs(y - target.middle) < 0.1 for y in heights)


def test_dimensions_of_a_table_stand_together() -> None:
    graph = BUNDLED["ecommerce"]
    table = {edge.target: edge.source for edge in graph.edges if edge.kind == "table_dimension"}
    order = [table[node.id] for node in lay_out(graph).columns["dimension"]]
    assert len([name for name, _ in groupby(order)]) == len(set(order))


def test_the_documents_show_the_picture_and_the_statistics_of_the_shop() -> None:
    graph = BUNDLED["ecommerce"]
    assert to_markdown(graph).split("\n\n")[1] in PAGE.read_text(encoding="utf-8")
    assert (PAGE.parent / "images" / "artifacts.svg").read_text(encoding="utf-8") == to_svg(graph)

"""The artifact linkage graph: its edges, its counts, its exports."""

import io
import json
from xml.etree import ElementTree

import networkx as nx
import pytest
from tests.intelligence import shop

from warebench.tracks.intelligence.artifacts.build import build_artifacts
from warebench.tracks.intelligence.artifacts.export import to_dot, to_graphml, to_json
from warebench.tracks.intelligence.artifacts.model import ArtifactGraph
from warebench.tracks.intelligence.artifacts.picture import to_svg
from warebench.tracks.intelligence.knowledge.links import governing_rules
from warebench.tracks.intelligence.knowledge.read import read_knowledge
from warebench.tracks.intelligence.sources import DOMAINS, bundled_folder

SHOP = build_artifacts(shop.make_knowledge(), shop.CATALOG)


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
    found = build_artifacts(read_knowledge(bundled_folder(domain)), DOMAINS[domain].catalog).statistics()
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
    assert to_dot(SHOP).count(" -> ") == len(SHOP.edges)


def test_labels_are_escaped() -> None:
    odd = ArtifactGraph(
        name='a "b" <c>',
        nodes=(SHOP.nodes[0], SHOP.nodes[0].__class__(kind="rule", id='"', label='<&"')),
        edges=(),
    )
    for text in (to_graphml(odd), to_svg(odd)):
        ElementTree.fromstring(text)  # noqa: S314 - our own text
    assert '\\"' in to_dot(odd)


def test_the_picture_shows_every_node_and_edge() -> None:
    root = ElementTree.fromstring(to_svg(SHOP))  # noqa: S314 - our own text
    space = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{space}g")) == len(SHOP.nodes)
    assert len(root.findall(f"{space}path")) == len(SHOP.edges)
    boxes = [(box[1].get("x"), box[1].get("y")) for box in root.findall(f"{space}g")]
    assert len(set(boxes)) == len(boxes), "no box covers another"

"""GraphML and HeteroData hold the graph they were made from."""

import networkx as nx
import pytest
from hypothesis import given, settings
from tests.graph.schemas import catalogs

from warebench.catalog.model import Catalog, ForeignKey, Table
from warebench.graph.build import build_graph
from warebench.graph.export import to_graphml, to_hetero_data

torch = pytest.importorskip("torch", reason="extra pyg is not installed")


@given(catalogs())
@settings(max_examples=30)
def test_graphml_round_trips(catalog):
    graph = build_graph(catalog)
    read = nx.parse_graphml(to_graphml(graph, catalog.name), force_multigraph=True)
    edges = {
        (read.nodes[a]["name"], read.nodes[b]["name"], data["kind"]) for a, b, data in read.edges(data=True)
    }
    keys = {(key.child, key.parent, "fk_to") for key in catalog.foreign_keys}
    assert edges == keys | {(edge.downstream, edge.upstream, "derived_from") for edge in catalog.lineage}


def test_graphml_escapes_names():
    catalog = Catalog(name='a"<b', tables=(Table(name="x & <y>"),))
    read = nx.parse_graphml(to_graphml(build_graph(catalog), catalog.name))
    assert [data["name"] for _, data in read.nodes(data=True)] == ["x & <y>"]


def test_hetero_data():
    catalog = Catalog(
        name="pair",
        tables=(Table(name="parent"), Table(name="child"), Table(name="alone")),
        foreign_keys=(ForeignKey(child="child", parent="parent"),),
    )
    data = to_hetero_data(build_graph(catalog))
    assert data["table"].x.shape == (3, 6)
    assert data["table"].x.dtype == torch.float32
    assert data["table"].names == ["parent", "child", "alone"]
    assert data["table", "fk_to", "table"].edge_index.tolist() == [[1], [0]]
    assert data["table", "derived_from", "table"].edge_index.shape == (2, 0)
    data.validate(raise_on_error=True)

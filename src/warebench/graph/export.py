"""A schema graph for other tools: GraphML text and PyTorch Geometric's HeteroData."""

from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

import numpy as np
import rustworkx as rx

from warebench.errors import MissingExtra
from warebench.graph.build import SchemaGraph
from warebench.graph.features import node_features

if TYPE_CHECKING:
    from torch_geometric.data import HeteroData

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
 <key id="name" for="node" attr.name="name" attr.type="string"/>
 <key id="kind" for="edge" attr.name="kind" attr.type="string"/>
 <graph id=%s edgedefault="directed">
"""


def to_graphml(graph: SchemaGraph, title: str) -> str:
    """Return the graph as GraphML: `fk_to` edges child to parent, `derived_from` downstream to upstream.

    Args:
        graph: A schema graph.
        title: Name of the catalog.
    """
    nodes = "".join(
        f'  <node id="n{node}"><data key="name">{_text(name)}</data></node>\n'
        for node, name in enumerate(graph.names)
    )
    edges = _edges(graph.foreign_keys, "fk_to") + _edges(graph.lineage, "derived_from")
    return HEAD % quoteattr(title) + nodes + edges + " </graph>\n</graphml>\n"


def to_hetero_data(graph: SchemaGraph) -> "HeteroData":
    """Return the graph as HeteroData with one node type and two edge types (DW-Bench, section 3.2).

    `data["table"].x` has shape (tables, 6), float32, columns as in `FEATURES`; `data["table"].names` lists
    the tables; `data["table", "fk_to", "table"].edge_index` and `data["table", "derived_from", "table"]
    .edge_index` have shape (2, edges), int64, rows child/parent and downstream/upstream.

    Raises:
        MissingExtra: PyTorch Geometric is not installed.
    """
    try:
        import torch  # noqa: PLC0415 - optional extra
        from torch_geometric.data import HeteroData  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("torch_geometric", "pyg") from error
    data = HeteroData()
    data["table"].x = torch.from_numpy(node_features(graph).astype(np.float32))
    data["table"].names = list(graph.names)
    for kind, edges in (("fk_to", graph.foreign_keys), ("derived_from", graph.lineage)):
        pairs = np.array(edges.edge_list(), dtype=np.int64).reshape(-1, 2)
        data["table", kind, "table"].edge_index = torch.from_numpy(pairs.T.copy())
    return data


def _edges(edges: "rx.PyDiGraph[str, None]", kind: str) -> str:
    return "".join(
        f'  <edge source="n{a}" target="n{b}"><data key="kind">{kind}</data></edge>\n'
        for a, b in edges.edge_list()
    )


def _text(name: str) -> str:
    return name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

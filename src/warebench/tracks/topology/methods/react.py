"""What react_code's Python finds: the schema graph as a file, and a preamble that loads it."""

import json

from warebench.catalog.model import Catalog

GRAPH_FILE = "graph.json"

PREAMBLE = f'''\
import json

import networkx as nx

with open("{GRAPH_FILE}", encoding="utf-8") as _file:
    _graph = json.load(_file)

TABLES = _graph["tables"]
FK = nx.DiGraph(map(tuple, _graph["fk"]))
LINEAGE = nx.DiGraph(map(tuple, _graph["lineage"]))
FK.add_nodes_from(TABLES)
LINEAGE.add_nodes_from(TABLES)
'''
"""Edges run child -> parent and downstream -> upstream, as everywhere."""


def graph_file(catalog: Catalog) -> bytes:
    """Return the content of GRAPH_FILE: `tables`, `fk` as [child, parent], `lineage` as [down, up].

    It holds names and edges only: no component, no path, nothing a question asks for.
    """
    keys = sorted({(key.child, key.parent) for key in catalog.foreign_keys})
    edges = sorted({(edge.downstream, edge.upstream) for edge in catalog.lineage})
    content = {"tables": list(catalog.table_names), "fk": keys, "lineage": edges}
    return json.dumps(content, ensure_ascii=False).encode()

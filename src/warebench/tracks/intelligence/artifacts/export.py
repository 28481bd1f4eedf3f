"""The artifact linkage graph for other tools: JSON, GraphML and Graphviz DOT."""

from xml.sax.saxutils import escape, quoteattr

import msgspec

from warebench.tracks.intelligence.artifacts.model import ArtifactGraph, NodeKind

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
 <key id="kind" for="all" attr.name="kind" attr.type="string"/>
 <key id="label" for="node" attr.name="label" attr.type="string"/>
 <graph id=%s edgedefault="directed">
"""

SHAPES: dict[NodeKind, str] = {
    "table": "cylinder",
    "metric": "box",
    "rule": "note",
    "dimension": "ellipse",
}


def to_json(graph: ArtifactGraph) -> str:
    """Return the graph as JSON, indented."""
    return msgspec.json.format(msgspec.json.encode(graph, order="deterministic"), indent=1).decode() + "\n"


def to_graphml(graph: ArtifactGraph) -> str:
    """Return the graph as GraphML; node ids are `kind:id`."""
    nodes = "".join(
        f'  <node id={quoteattr(node.key)}><data key="kind">{node.kind}</data>'
        f'<data key="label">{escape(node.label)}</data></node>\n'
        for node in graph.nodes
    )
    edges = "".join(
        f"  <edge source={quoteattr(edge.ends[0])} target={quoteattr(edge.ends[1])}>"
        f'<data key="kind">{edge.kind}</data></edge>\n'
        for edge in graph.edges
    )
    return HEAD % quoteattr(graph.name) + nodes + edges + " </graph>\n</graphml>\n"


def to_dot(graph: ArtifactGraph) -> str:
    """Return the graph in Graphviz's language."""
    nodes = "".join(
        f"  {_quoted(node.key)} [label={_quoted(node.label)} shape={SHAPES[node.kind]}];\n"
        for node in graph.nodes
    )
    edges = "".join(
        f"  {_quoted(edge.ends[0])} -> {_quoted(edge.ends[1])} [kind={_quoted(edge.kind)}];\n"
        for edge in graph.edges
    )
    return f"digraph {_quoted(graph.name)} {{\n  rankdir=LR;\n{nodes}{edges}}}\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'

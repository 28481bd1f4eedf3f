"""The artifact linkage graph for programs (JSON), graph tools (GraphML) and readers (statistics)."""

from xml.sax.saxutils import escape, quoteattr

import msgspec

from warebench.tracks.intelligence.artifacts.model import EDGE_MEANINGS, ArtifactGraph

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
 <key id="kind" for="all" attr.name="kind" attr.type="string"/>
 <key id="label" for="node" attr.name="label" attr.type="string"/>
 <graph id=%s edgedefault="directed">
"""


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


def to_markdown(graph: ArtifactGraph) -> str:
    """Return how many nodes and edges of each kind there are, as a Markdown table.

    Source: DI-Bench, Appendix H, Table 12.
    """
    meanings = {f"{kind.replace('_', ' -> ')} edges": text for kind, text in EDGE_MEANINGS.items()}
    rows = "".join(
        f"| {name} | {count} | {meanings.get(name, '')} |\n" for name, count in graph.statistics().items()
    )
    return f"# {graph.name}: artifact linkage graph\n\n| | number | meaning |\n|---|---|---|\n{rows}"

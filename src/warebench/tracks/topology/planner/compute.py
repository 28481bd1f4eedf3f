"""The planner's own graph algorithms, in NetworkX; shares no code with `warebench.graph`.

Self-contained on purpose: react_code's program is this very file plus one line that calls `compute`.
"""

from collections.abc import Callable, Mapping
from typing import Any

import networkx as nx

Graph = Any  # nx.DiGraph; its stubs do not know its parameters in the sandbox
Asked = Mapping[str, Any]
"""A question as data: kind, tables, and what its text states (edges, direction, depth, ...)."""


def compute(asked: Asked, tables: list[str], keys: Graph, lineage: Graph) -> Any:
    """Return the answer as JSON data; None when a table of the question is not in sight.

    Args:
        asked: What is asked (see `planner/reading.py`).
        tables: All tables in sight.
        keys: Foreign keys, child -> parent.
        lineage: Lineage edges, downstream -> upstream.
    """
    keys, lineage = keys.copy(), lineage.copy()
    keys.add_nodes_from(tables)
    lineage.add_nodes_from(tables)
    if any(table not in keys for table in asked["tables"]):
        return None
    return KINDS[asked["kind"]](asked, keys, lineage)


def _targets(asked: Asked, keys: Graph, lineage: Graph) -> Any:
    return sorted(lineage.predecessors(asked["tables"][0]))


def _sources(asked: Asked, keys: Graph, lineage: Graph) -> Any:
    return sorted(lineage.successors(asked["tables"][0]))


def _closure(asked: Asked, keys: Graph, lineage: Graph) -> Any:
    table = asked["tables"][0]
    return sorted(nx.ancestors(lineage, table) - {table})


def _impact(asked: Asked, keys: Graph, lineage: Graph) -> Any:
    table, derived = asked["tables"][0], set(_closure(asked, keys, lineage))
    walk = keys.reverse()
    if asked["direction"] == "undirected":
        walk = nx.compose(walk, keys)
    reached = set(derived)
    for start in sorted(derived | ({table} if asked["from_table"] else set())):
        reached |= set(nx.single_source_shortest_path_length(walk, start, cutoff=asked["depth"]))
    return sorted(reached - {table})


def _direct_key(asked: Asked, keys: Graph, lineage: Graph) -> Any:
    parent, child = asked["tables"]
    return bool(keys.has_edge(child, parent))


def _key_path(asked: Asked, keys: Graph, lineage: Graph) -> Any:
    walks = {
        "child_to_parent": lambda: keys,
        "parent_to_child": keys.reverse,
        "undirected": keys.to_undirected,
    }
    return _path(walks[asked["direction"]](), asked)


def _key_hops(asked: Asked, keys: Graph, lineage: Graph) -> Any:
    path = _key_path(asked, keys, lineage)
    return None if path is None else len(path) - 1


def _lineage_hops(asked: Asked, keys: Graph, lineage: Graph) -> Any:
    path = _path(lineage.reverse(), asked)
    return None if path is None else len(path) - 1


def _path(walk: Graph, asked: Asked) -> Any:
    try:
        return nx.shortest_path(walk, *asked["tables"])
    except nx.NetworkXNoPath:
        return None


def _silos(asked: Asked, keys: Graph, lineage: Graph) -> list[set[str]]:
    joined: Graph = nx.Graph()
    joined.add_nodes_from(keys)
    joined.add_edges_from(keys.edges if "fk" in asked["edges"] else [])
    joined.add_edges_from(lineage.edges if "lineage" in asked["edges"] else [])
    return list(nx.connected_components(joined))


def _silo(asked: Asked, keys: Graph, lineage: Graph) -> set[str]:
    return next(group for group in _silos(asked, keys, lineage) if asked["tables"][0] in group)


def _silo_count(asked: Asked, keys: Graph, lineage: Graph) -> Any:
    return sum(len(group) >= asked["k"] for group in _silos(asked, keys, lineage))


def _silo_size(asked: Asked, keys: Graph, lineage: Graph) -> Any:
    return len(_silo(asked, keys, lineage))


def _isolated(asked: Asked, keys: Graph, lineage: Graph) -> Any:
    return len(_silo(asked, keys, lineage)) == 1


def _together(asked: Asked, keys: Graph, lineage: Graph) -> Any:
    return asked["tables"][1] in _silo(asked, keys, lineage)


def _members(asked: Asked, keys: Graph, lineage: Graph) -> Any:
    return sorted(_silo(asked, keys, lineage))


KINDS: dict[str, Callable[[Asked, Graph, Graph], Any]] = {
    "targets": _targets,
    "sources": _sources,
    "closure": _closure,
    "impact": _impact,
    "direct_key": _direct_key,
    "key_path": _key_path,
    "key_hops": _key_hops,
    "lineage_hops": _lineage_hops,
    "silo_count": _silo_count,
    "silo_size": _silo_size,
    "isolated": _isolated,
    "together": _together,
    "members": _members,
}
"""Kinds of question, by what must be computed."""

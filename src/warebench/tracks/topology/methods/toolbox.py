"""What the nine tools of tool_use return, as plain data, under the semantics of the question set.

Gold follows the same semantics, so a tool never contradicts it (the paper's tools do: docs/fidelity.md).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

import rustworkx as rx

from warebench.catalog.model import Catalog
from warebench.graph.build import SchemaGraph, build_graph
from warebench.graph.lineage import Direction, closure_layers, direct
from warebench.graph.neighbourhood import KeyDirection, key_neighbours
from warebench.graph.paths import shortest_paths, walkable
from warebench.graph.silos import silos
from warebench.tracks.topology.methods.names import Names, index_names
from warebench.tracks.topology.semantics import Semantics

MOST_NAMES = 500
"""Names one result lists before it only counts the rest."""
MOST_COMPONENTS = 50
"""Components one result lists before it only says how many there are of which size."""

Result = dict[str, Any]
"""What a tool returns; a model sees it as JSON."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Toolbox:
    """A catalog made ready for the tools. Nothing in it changes."""

    graph: SchemaGraph
    semantics: Semantics
    names: Names
    walk: "rx.PyDiGraph[str, None]"
    """Foreign keys as shortest_path may follow them."""
    components: tuple[tuple[str, ...], ...]
    component_of: dict[str, int]
    """Table -> position in `components`."""


def open_toolbox(catalog: Catalog, semantics: Semantics) -> Toolbox:
    """Return the toolbox of a catalog.

    Complexity: O(tables + edges).
    """
    graph = build_graph(catalog)
    components = silos(graph, semantics.silo_edges)
    return Toolbox(
        graph=graph,
        semantics=semantics,
        names=index_names(catalog.table_names),
        walk=walkable(graph, semantics.fk_direction),
        components=components,
        component_of={name: number for number, group in enumerate(components) for name in group},
    )


class UnknownName(Exception):
    """A tool was asked about something that does not exist; `result` says so to the model."""

    def __init__(self, result: Result) -> None:
        self.result = result
        super().__init__(result["error"])


def shortest_path(box: Toolbox, start: str, end: str) -> Result:
    """Return one shortest foreign-key path and its length; both None where there is no path."""
    start, end = _table(box, start), _table(box, end)
    found = shortest_paths(box.graph, box.walk, start, end)
    if found is None:
        return {"path": None, "length": None, "note": f"there is no such path from {start} to {end}"}
    return {"path": list(found.path), "length": found.hops}


def connected_components(box: Toolbox) -> Result:
    """Return all components, or, where they are too many or too large, how many have which size."""
    sizes = Counter(len(group) for group in box.components)
    if len(box.components) <= MOST_COMPONENTS and max(sizes, default=0) <= MOST_NAMES:
        return {"count": len(box.components), "components": [list(group) for group in box.components]}
    return {
        "count": len(box.components),
        "sizes": [{"tables": size, "components": sizes[size]} for size in sorted(sizes, reverse=True)],
        "note": "too many tables to list; get_component_of lists the component of one table",
    }


def get_component_of(box: Toolbox, table: str) -> Result:
    """Return the component of a table: its number, its size and its tables."""
    number = box.component_of[_table(box, table)]
    group = box.components[number]
    head: Result = {"component": number + 1, "of": len(box.components), "size": len(group)}
    head["edges"] = box.semantics.silo_edges
    if len(group) > MOST_NAMES:
        return {**head, "note": "too many tables to list"}
    return {**head, "tables": list(group)}


def get_fk_neighbors(box: Toolbox, table: str, direction: str, depth: int) -> Result:
    """Return the tables up to `depth` foreign keys away, by distance; no farther than gold follows them."""
    kind = _word(direction, KeyDirection, "direction")
    limit = box.semantics.impact_fk_depth or depth
    layers = key_neighbours(box.graph, _table(box, table), kind, max(1, min(depth, limit)))
    return _by_distance(layers)


def get_lineage_forward(box: Toolbox, table: str) -> Result:
    """Return the tables that derive directly from a table."""
    return _listed(direct(box.graph, _table(box, table), "downstream"))


def get_lineage_reverse(box: Toolbox, table: str) -> Result:
    """Return the tables that a table derives from directly."""
    return _listed(direct(box.graph, _table(box, table), "upstream"))


def transitive_lineage(box: Toolbox, table: str, direction: str) -> Result:
    """Return the lineage closure of a table, by distance."""
    kind = _word(direction, Direction, "direction")
    return _by_distance(closure_layers(box.graph, _table(box, table), kind))


def check_fk_adjacency(box: Toolbox, parent: str, child: str) -> Result:
    """Return whether `child` holds a foreign key that references `parent`."""
    parent, child = _table(box, parent), _table(box, child)
    index = box.graph.index
    return {"child_references_parent": box.graph.foreign_keys.has_edge(index[child], index[parent])}


def list_tables(box: Toolbox) -> Result:
    """Return all table names, in catalog order."""
    return _listed(box.graph.names)


def _table(box: Toolbox, said: str) -> str:
    table = box.names.find(said)
    if table is None:
        raise UnknownName({"error": f"there is no table `{said}`", "close_matches": box.names.close(said)})
    return table


def _word(said: str, words: Any, what: str) -> Any:
    known = list(get_args(words))
    if said not in known:
        raise UnknownName({"error": f"{what} must be one of {', '.join(known)}, not `{said}`"})
    return said


def _listed(names: Sequence[str]) -> Result:
    return {"count": len(names), "tables": list(names[:MOST_NAMES]), **_omitted(len(names) - MOST_NAMES)}


def _by_distance(layers: Sequence[Sequence[str]]) -> Result:
    left, shown = MOST_NAMES, {}
    for distance, layer in enumerate(layers, start=1):
        if left > 0:
            shown[str(distance)] = list(layer[:left])
        left -= len(layer)
    count = sum(len(layer) for layer in layers)
    return {"count": count, "tables_by_distance": shown, **_omitted(-left)}


def _omitted(more: int) -> Result:
    return {"omitted": more, "note": f"{more} more tables are not listed"} if more > 0 else {}

"""Combined impact: lineage closure, then foreign-key dependents (DW-Bench, Appendix B, Algorithm 1)."""

import rustworkx as rx

from warebench.catalog.edges import ImpactDirection
from warebench.graph.build import SchemaGraph
from warebench.graph.lineage import closure


def combined_impact(
    graph: SchemaGraph, table: str, *, direction: ImpactDirection, depth: int | None, from_table: bool
) -> tuple[str, ...]:
    """Return the tables affected when `table` is modified, sorted, `table` itself left out.

    Args:
        graph: A schema graph.
        table: The modified table.
        direction: How foreign keys are followed.
        depth: How many foreign keys in a row are followed; None for as many as there are.
        from_table: Whether foreign keys are followed from `table` too, and not only from the tables
            that derive from it.

    Algorithm 1 of the paper is `direction="undirected", depth=None, from_table=False`.

    Complexity: O(tables + edges): one multi-source breadth-first search.
    """
    derived = {graph.index[name] for name in closure(graph, table, "downstream")}
    starts = derived | {graph.index[table]} if from_table else derived
    affected = derived | _spread(graph, starts, direction, depth)
    return graph.name_all(affected - {graph.index[table]})


def _spread(graph: SchemaGraph, starts: set[int], direction: ImpactDirection, depth: int | None) -> set[int]:
    reached, frontier, step = set(starts), sorted(starts), 0
    while frontier and (depth is None or step < depth):
        near = {other for node in frontier for other in _near(graph.foreign_keys, node, direction)}
        frontier = sorted(near - reached)
        reached |= near
        step += 1
    return reached


def _near(keys: "rx.PyDiGraph[str, None]", node: int, direction: ImpactDirection) -> list[int]:
    children = list(keys.predecessor_indices(node))
    return children if direction == "children" else children + list(keys.successor_indices(node))

"""Algorithm 1 of TQA-Bench: children before their parents, extended to schemas with cycles."""

import rustworkx as rx

from warebench.catalog.model import Catalog


def order_tables(catalog: Catalog) -> tuple[tuple[str, ...], ...]:
    """Return the tables in groups: every group before those it refers to.

    A group is one table, or the tables of a cycle in the order of the catalog.

    Reference: TQA-Bench, Algorithm 1, which gives up on cycles.
    """
    names = catalog.table_names
    place = {name: number for number, name in enumerate(names)}
    graph = rx.PyDiGraph()
    graph.add_nodes_from(names)
    graph.add_edges_from_no_data([(place[key.child], place[key.parent]) for key in catalog.foreign_keys])
    # Tarjan's algorithm finds a component after all components that it leads to.
    components = reversed(rx.strongly_connected_components(graph))
    return tuple(tuple(names[number] for number in sorted(component)) for component in components)


def find_roots(catalog: Catalog) -> tuple[str, ...]:
    """Return the tables that rows are drawn from: those no other table refers to, in catalog order.

    A table's reference to itself does not count, and the tables of a cycle that no table outside refers to
    are all roots.

    Reference: TQA-Bench, Algorithm 2.
    """
    groups = order_tables(catalog)
    place = {name: number for number, group in enumerate(groups) for name in group}
    referred = {place[key.parent] for key in catalog.foreign_keys if place[key.child] != place[key.parent]}
    return tuple(name for name in catalog.table_names if place[name] not in referred)

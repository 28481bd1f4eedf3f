"""Every graph algorithm against networkx on random graphs."""

import itertools

import networkx as nx
import pytest
from hypothesis import given
from tests.graph.schemas import catalogs

from warebench.catalog.model import Catalog
from warebench.graph.build import build_graph
from warebench.graph.features import FEATURES, node_features
from warebench.graph.impact import combined_impact
from warebench.graph.lineage import closure, closure_layers, direct, lineage_cycles
from warebench.graph.neighbourhood import distance_to_all, key_neighbours, neighbour_lists, neighbourhood
from warebench.graph.paths import shortest_paths, walkable
from warebench.graph.silos import silos


def keys(catalog: Catalog) -> nx.DiGraph:
    """Edges child -> parent."""
    graph = nx.DiGraph((key.child, key.parent) for key in catalog.foreign_keys)
    graph.add_nodes_from(catalog.table_names)
    return graph


def lineage(catalog: Catalog) -> nx.DiGraph:
    """Edges downstream -> upstream."""
    graph = nx.DiGraph((edge.downstream, edge.upstream) for edge in catalog.lineage)
    graph.add_nodes_from(catalog.table_names)
    return graph


def both(catalog: Catalog) -> nx.Graph:
    return nx.Graph(nx.compose(keys(catalog), lineage(catalog)))


@given(catalogs())
def test_direct_lineage(catalog):
    graph, expected = build_graph(catalog), lineage(catalog)
    for table in catalog.table_names:
        assert direct(graph, table, "upstream") == tuple(sorted(expected.successors(table)))
        assert direct(graph, table, "downstream") == tuple(sorted(expected.predecessors(table)))


@given(catalogs())
def test_closure_survives_cycles(catalog):
    graph, expected = build_graph(catalog), lineage(catalog)
    for table in catalog.table_names:
        assert closure(graph, table, "upstream") == tuple(sorted(nx.descendants(expected, table)))
        assert closure(graph, table, "downstream") == tuple(sorted(nx.ancestors(expected, table)))


@given(catalogs())
def test_closure_layers_are_distances(catalog):
    graph, expected = build_graph(catalog), lineage(catalog)
    for table in catalog.table_names:
        hops = nx.single_source_shortest_path_length(expected, table)
        for depth, layer in enumerate(closure_layers(graph, table, "upstream"), start=1):
            assert layer == tuple(sorted(name for name, at in hops.items() if at == depth))


@given(catalogs())
def test_closure_stops_beyond_its_limit(catalog):
    graph = build_graph(catalog)
    for table in catalog.table_names:
        whole = closure_layers(graph, table, "downstream")
        cut = closure_layers(graph, table, "downstream", 2)
        assert cut == whole[: len(cut)]
        assert cut == whole or sum(map(len, cut)) > 2


@given(catalogs())
def test_cycles(catalog):
    found = lineage_cycles(build_graph(catalog))
    assert bool(found) is not nx.is_directed_acyclic_graph(lineage(catalog))


@given(catalogs(acyclic=True))
def test_no_cycles_in_a_dag(catalog):
    assert lineage_cycles(build_graph(catalog)) == ()


@pytest.mark.parametrize("edges", ["undirected", "parent_to_child", "child_to_parent", "downstream", "any"])
@given(catalog=catalogs())
def test_shortest_paths(edges, catalog):
    graph = build_graph(catalog)
    walk = walkable(graph, edges)
    expected = {
        "undirected": keys(catalog).to_undirected(),
        "parent_to_child": keys(catalog).reverse(),
        "child_to_parent": keys(catalog),
        "downstream": lineage(catalog).reverse(),
        "any": both(catalog),
    }[edges]
    for start in catalog.table_names:
        for end in set(catalog.table_names) - {start}:
            found = shortest_paths(graph, walk, start, end)
            if not nx.has_path(expected, start, end):
                assert found is None
                continue
            paths = [tuple(path) for path in nx.all_shortest_paths(expected, start, end)]
            assert found is not None
            assert found.path == min(paths)
            assert found.hops == len(paths[0]) - 1
            assert found.unique is (len(paths) == 1)
            assert set(found.steps) == {step for path in paths for step in itertools.pairwise(path)}


@given(catalogs())
def test_silos(catalog):
    graph = build_graph(catalog)
    for edges, expected in {
        "fk": keys(catalog).to_undirected(),
        "lineage": lineage(catalog).to_undirected(),
        "fk+lineage": both(catalog),
    }.items():
        assert silos(graph, edges) == tuple(
            sorted(tuple(sorted(g)) for g in nx.connected_components(expected))
        )


@given(catalogs())
def test_combined_impact_is_algorithm_1(catalog):
    graph, undirected = build_graph(catalog), keys(catalog).to_undirected()
    for table in catalog.table_names:
        derived = nx.ancestors(lineage(catalog), table)
        expected = derived.union(*(nx.node_connected_component(undirected, name) for name in derived)) - {
            table
        }
        found = combined_impact(graph, table, direction="undirected", depth=None, from_table=False)
        assert found == tuple(sorted(expected))


@given(catalogs())
def test_combined_impact_of_direct_children(catalog):
    graph, directed = build_graph(catalog), keys(catalog)
    for table in catalog.table_names:
        derived = nx.ancestors(lineage(catalog), table)
        children = {child for name in derived | {table} for child in directed.predecessors(name)}
        found = combined_impact(graph, table, direction="children", depth=1, from_table=True)
        assert found == tuple(sorted((derived | children) - {table}))


@given(catalogs())
def test_key_neighbours_are_distances(catalog):
    graph = build_graph(catalog)
    for direction, expected in {
        "both": keys(catalog).to_undirected(),
        "parents": keys(catalog),
        "children": keys(catalog).reverse(),
    }.items():
        for table in catalog.table_names:
            hops = nx.single_source_shortest_path_length(expected, table, cutoff=3)
            layers = key_neighbours(graph, table, direction, depth=3)
            assert {name: at for at, layer in enumerate(layers, start=1) for name in layer} == {
                name: at for name, at in hops.items() if at
            }


@given(catalogs())
def test_neighbourhood_and_distance(catalog):
    graph, expected = build_graph(catalog), both(catalog)
    start = catalog.table_names[0]
    hops = nx.single_source_shortest_path_length(expected, start)
    assert set(neighbourhood(graph, [start], 2)) == {name for name, at in hops.items() if at <= 2}
    assert distance_to_all(neighbour_lists(graph), [graph.index[start]], range(len(graph.names))) == max(
        hops.values()
    )


@given(catalogs())
def test_features(catalog):
    graph, values = both(catalog), node_features(build_graph(catalog))
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    assert values.shape == (len(catalog.tables), len(FEATURES))
    between, rank = nx.betweenness_centrality(graph), nx.pagerank(nx.DiGraph(graph), tol=1e-12, max_iter=1000)
    directed = keys(catalog)
    directed.remove_edges_from(list(nx.selfloop_edges(directed)))
    for row, name in zip(values, catalog.table_names, strict=True):
        degree_in, degree_out, normalised, lineage_degree, betweenness, pagerank = row
        assert (degree_in, degree_out) == (directed.in_degree(name), directed.out_degree(name))
        assert normalised == pytest.approx((degree_in + degree_out) / max(1, len(catalog.tables) - 1))
        assert lineage_degree == lineage(catalog).degree(name)
        assert betweenness == pytest.approx(between[name])
        assert pagerank == pytest.approx(rank[name], abs=1e-4)

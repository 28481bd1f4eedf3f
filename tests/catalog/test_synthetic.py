import json
import os
import random
import subprocess
import sys
import time
from collections import Counter

import msgspec
import networkx as nx
import pytest

from warebench.catalog.bundled import DEFAULT_SEED
from warebench.catalog.model import Catalog
from warebench.catalog.synthetic import PRESETS, SyntheticSpec, synthesise
from warebench.catalog.synthetic.draft import Names, spans
from warebench.catalog.validate import validate
from warebench.errors import BuildError

SEEDS = (0, 1, 2, 7, DEFAULT_SEED)


def keys(catalog: Catalog) -> nx.DiGraph:
    """Foreign keys read parent -> child."""
    graph = nx.DiGraph()
    graph.add_nodes_from(catalog.table_names)
    graph.add_edges_from((key.parent, key.child) for key in catalog.foreign_keys)
    return graph


def lineage(catalog: Catalog) -> nx.DiGraph:
    """Lineage read upstream -> downstream."""
    graph = nx.DiGraph()
    graph.add_nodes_from(catalog.table_names)
    graph.add_edges_from((edge.upstream, edge.downstream) for edge in catalog.lineage)
    return graph


def silos(catalog: Catalog) -> list[set[str]]:
    both = nx.compose(keys(catalog), lineage(catalog))
    return sorted(nx.weakly_connected_components(both), key=len, reverse=True)


def counts(catalog: Catalog) -> tuple[int, int, int, int]:
    return len(catalog.tables), catalog.foreign_key_columns, len(catalog.lineage), len(silos(catalog))


def path_lengths(graph: nx.Graph) -> Counter[int]:
    return Counter(
        length
        for _, reached in nx.all_pairs_shortest_path_length(graph)
        for length in reached.values()
        if 2 <= length <= 6
    )


@pytest.mark.parametrize(("preset", "expected"), [("released", (64, 16, 89, 5)), ("table1", (64, 96, 35, 5))])
@pytest.mark.parametrize("seed", SEEDS)
def test_counts_of_the_paper(preset, expected, seed):
    assert counts(synthesise(PRESETS[preset], seed)) == expected


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_catalog_is_sound(preset, seed):
    catalog = validate(synthesise(PRESETS[preset], seed))
    assert nx.is_directed_acyclic_graph(lineage(catalog))
    assert nx.is_directed_acyclic_graph(keys(catalog))
    assert all(table.columns and table.primary_key for table in catalog.tables)
    tables = {table.name: table for table in catalog.tables}
    for key in catalog.foreign_keys:
        assert key.parent_columns == tables[key.parent].primary_key


def test_released_has_the_edges_of_the_facts(shared_data):
    facts = json.loads((shared_data / "dwbench_facts" / "syn_logistics.json").read_text())
    catalog = synthesise(PRESETS["released"], 3)
    assert list(catalog.table_names) == facts["tables"]
    assert {(key.child, key.parent) for key in catalog.foreign_keys} == {
        (key["child"], key["parent"]) for key in facts["fk"]
    }
    assert {(edge.downstream, edge.upstream) for edge in catalog.lineage} == {
        (edge["downstream"], edge["upstream"]) for edge in facts["lineage"]
    }


def test_released_by_degrees():
    catalog = synthesise(PRESETS["released"], 3)
    flow = lineage(catalog)
    assert [len(silo) for silo in silos(catalog)] == [20, 11, 11, 11, 11]
    # 17 raw; one staging table per silo with a single source; all others have exactly two.
    assert Counter(degree for _, degree in flow.in_degree()) == {0: 17, 1: 5, 2: 42}
    assert nx.dag_longest_path_length(flow) == 3
    assert set(flow.predecessors("mart_inventory_turnover")) == {"dim_carrier", "fact_shipment"}


@pytest.mark.parametrize("seed", SEEDS)
def test_table1_has_three_disjoint_chains_of_four_hops(seed):
    catalog = synthesise(PRESETS["table1"], seed)
    flow = lineage(catalog)
    depths = [nx.dag_longest_path_length(flow.subgraph(silo)) for silo in silos(catalog)]
    assert sorted(depths, reverse=True)[:3] == [4, 4, 4]
    assert max(sorted(depths)[:2]) <= 2
    assert len({(key.child, key.parent) for key in catalog.foreign_keys}) == 96


@pytest.mark.parametrize("seed", SEEDS)
class TestDefaultIsRich:
    """At least 20 distinct questions of every subtype, under the paper's definitions."""

    @pytest.fixture
    def catalog(self, seed):
        return synthesise(PRESETS["default"], seed)

    def test_silos(self, catalog):
        sizes = [len(silo) for silo in silos(catalog)]
        assert len(catalog.tables) <= 400
        assert len(sizes) == 72
        assert sum(size >= 2 for size in sizes) >= 60, "three disjoint sets of 20 for three subtypes"
        assert sum(size >= 3 for size in sizes) >= 40
        assert sum(size == 1 for size in sizes) >= 12
        assert sum(20 <= size <= 32 for size in sizes) == 6

    def test_lineage(self, catalog):
        flow = lineage(catalog)
        fed = {table for table, degree in flow.in_degree() if degree}
        multi = {table for table, degree in flow.in_degree() if degree >= 3}
        sources = [table for table, degree in flow.out_degree() if degree]
        assert len(sources) >= 24
        assert len(multi) >= 24
        assert len(fed - multi) >= 24, "reverse and multi_source need not share a table"
        longer = [nx.descendants(flow, table) for table in sources]
        beyond = [
            frozenset(found)
            for table, found in zip(sources, longer, strict=True)
            if found > set(flow.successors(table))
        ]
        assert len(set(beyond)) >= 24

    def test_combined_impact(self, catalog):
        flow, children = lineage(catalog), keys(catalog)
        answers = set()
        for table in catalog.table_names:
            closure = nx.descendants(flow, table)
            impact = closure.union(*(children.successors(hit) for hit in closure)) - {table}
            if impact > closure:
                answers.add(frozenset(impact))
        assert len(answers) >= 24

    def test_paths_in_both_readings(self, catalog):
        directed, undirected = keys(catalog), keys(catalog).to_undirected()
        for graph in (directed, undirected):
            lengths = path_lengths(graph)
            assert lengths.total() >= 60
            assert set(lengths) >= {2, 3, 4, 5}
            assert lengths[4] + lengths[5] + lengths[6] >= 24
        pairs = [(a, b) for a, hit in nx.all_pairs_shortest_path_length(directed) for b in hit if hit[b] == 2]
        ties = Counter(len(list(nx.all_shortest_paths(directed, a, b))) > 1 for a, b in pairs)
        assert min(ties[True], ties[False]) >= 20

    def test_direct_keys(self, catalog):
        pairs = {(key.child, key.parent) for key in catalog.foreign_keys}
        assert len(pairs) >= 40
        assert len(catalog.foreign_keys) > len(pairs), "some keys play a second role"

    def test_names_differ_also_case_insensitively(self, catalog):
        assert len({name.casefold() for name in catalog.table_names}) == len(catalog.tables)

    def test_some_key_columns_are_called_otherwise(self, catalog):
        same = Counter(key.child_columns == key.parent_columns for key in catalog.foreign_keys)
        assert min(same[True], same[False]) >= 20


def test_default_seed_has_paths_of_six_hops():
    graph = keys(synthesise(PRESETS["default"], DEFAULT_SEED))
    assert path_lengths(graph)[6] >= 4
    assert path_lengths(graph.to_undirected())[6] >= 4


def test_order_of_tables_says_nothing_about_silos():
    for preset in ("default", "table1"):
        names = synthesise(PRESETS[preset], 5).table_names
        assert list(names) == sorted(names)


def test_seed_changes_the_catalog_and_nothing_else_does():
    spec = PRESETS["default"]
    assert synthesise(spec, 1) == synthesise(spec, 1)
    assert synthesise(spec, 1).fingerprint != synthesise(spec, 2).fingerprint


def test_same_bytes_under_any_hash_seed():
    code = (
        "from warebench.catalog.synthetic import PRESETS, synthesise\n"
        "for spec in PRESETS.values(): print(synthesise(spec, 42).fingerprint)"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "4711")
    }
    assert len(seen) == 1
    assert len(set(seen.pop().split())) == 3


@pytest.mark.parametrize(
    "spec",
    [
        SyntheticSpec(tables=100_000, silos=500, small_silos=100, isolated=50),
        SyntheticSpec(tables=100_000, silos=1, lineage_depth=60_000),
    ],
    ids=["wide", "deep"],
)
def test_a_hundred_thousand_tables(spec):
    start = time.process_time()
    catalog = synthesise(spec, 1)
    assert time.process_time() - start < 20
    assert len(set(catalog.table_names)) == 100_000
    # Every silo is connected, so there are at least as many edges as a forest needs.
    assert len(catalog.foreign_keys) + len(catalog.lineage) >= 100_000 - spec.silos


@pytest.mark.parametrize(
    ("pattern", "silo_count", "more"),
    [
        ("circulant", 50, {}),
        ("chains", 10, {"chains": 4, "foreign_keys": 5_000, "lineage": 4_000}),
        ("layered", 30, {"fk_depth": 9, "lineage_depth": 6, "max_sources": 2}),
    ],
)
def test_any_size_meets_its_spec(pattern, silo_count, more):
    spec = SyntheticSpec(pattern=pattern, tables=3_000, silos=silo_count, **more)
    catalog = validate(synthesise(spec, 9))
    assert len(catalog.tables) == 3_000
    assert len(silos(catalog)) == silo_count
    assert nx.dag_longest_path_length(lineage(catalog)) == spec.lineage_depth
    if pattern == "chains":
        assert (catalog.foreign_key_columns, len(catalog.lineage)) == (5_000, 4_000)
    if pattern == "layered":
        assert nx.dag_longest_path_length(keys(catalog)) == 9


def test_random_specs_are_met_or_refused():
    rng = random.Random(11)  # noqa: S311
    met = 0
    for _ in range(300):
        spec = SyntheticSpec(
            pattern=rng.choice(["layered", "circulant"]),
            tables=rng.randint(1, 120),
            silos=rng.randint(1, 9),
            small_silos=rng.choice([0, 0, 2]),
            isolated=rng.choice([0, 0, 3]),
            largest=rng.choice([0, 0, 20]),
            lineage_depth=rng.choice([3, 3, 2, 5]),
            fk_depth=rng.randint(1, 7),
        )
        try:
            catalog = validate(synthesise(spec, 1))
        except BuildError:
            continue
        met += 1
        assert (len(catalog.tables), len(silos(catalog))) == (spec.tables, spec.silos)
    assert met >= 60


def test_random_chains_are_met_or_refused():
    rng = random.Random(12)  # noqa: S311
    met = 0
    for _ in range(300):
        silo_count, depth = rng.randint(1, 5), rng.randint(2, 6)
        spec = SyntheticSpec(
            pattern="chains",
            tables=silo_count * rng.randint(6, 25),
            silos=silo_count,
            chains=rng.randint(0, silo_count),
            lineage_depth=depth,
            foreign_keys=rng.randint(1, 160),
            lineage=rng.randint(1, 90),
        )
        try:
            catalog = validate(synthesise(spec, 1))
        except BuildError:
            continue
        met += 1
        assert counts(catalog) == (spec.tables, spec.foreign_keys, spec.lineage, spec.silos)
    assert met >= 60


@pytest.mark.parametrize(
    ("base", "change", "field", "fix"),
    [
        ("default", {"tables": 200_000}, "tables", "lower `tables` to at most 100000"),
        ("default", {"tables": 200}, "tables", "raise `tables` to at least 254, or lower"),
        ("default", {"silos": 60}, "silos", "raise `silos` to at least 67"),
        ("default", {"lineage_depth": 1}, "lineage_depth", "raise `lineage_depth` to at least 2"),
        ("default", {"lineage": 9}, "lineage", "set `lineage` to 0"),
        ("released", {"largest": 3}, "largest", "raise `largest` to at least 5, or set it to 0"),
        ("released", {"tables": 100_000}, "silos", "raise `silos` to at least"),
        ("released", {"lineage_depth": 4}, "lineage_depth", "set `lineage_depth` to 3"),
        ("released", {"silos": 1}, "largest", "set `largest` to 0"),
        ("table1", {"lineage": 12}, "lineage", "set `lineage` between"),
        ("table1", {"foreign_keys": 900}, "foreign_keys", "set `foreign_keys` between"),
        ("table1", {"chains": 6}, "chains", "lower `chains` to at most 5"),
        ("table1", {"isolated": 1}, "isolated", "set `isolated` to 0"),
    ],
)
def test_what_cannot_be_met_names_the_number_to_change(base, change, field, fix):
    with pytest.raises(BuildError) as caught:
        synthesise(msgspec.structs.replace(PRESETS[base], **change), 1)
    assert caught.value.where == f"SyntheticSpec.{field}"
    assert caught.value.fix.startswith(fix)


@pytest.mark.parametrize(("takers", "givers"), [(1, 1), (1, 9), (9, 1), (4, 9), (9, 4), (5, 5)])
def test_spans_cover_and_connect(takers, givers):
    graph = nx.Graph()
    graph.add_nodes_from(("giver", i) for i in range(givers))
    for taker, run in enumerate(spans(takers, givers)):
        graph.add_edges_from((("taker", taker), ("giver", i)) for i in run)
    assert graph.number_of_nodes() == takers + givers
    assert nx.is_connected(graph)


def test_names_are_never_handed_out_twice():
    names = Names()
    taken = [names.take(stem) for stem in ["a"] * 40 + ["a_emea"] * 3 + ["a_apac_2"]]
    assert len(set(taken)) == len(taken)
    assert taken[:2] == ["a", "a_emea"]

"""Building topology sets of large graphs, beside the bare answers.

python benchmarks/topology_build.py [TABLES ...]     (5000 unless given)

Random warehouses: silos of 31 tables, keys and lineage within them. Ours chooses questions without siblings,
words them, finds every answer twice (rustworkx, DuckDB), says how far its evidence lies. Beside it the bare
answers to as many questions of the same kinds by NetworkX, as the published procedure finds them (DW-Bench,
section 3.3): no choice, no text, no proof. Figures are processor seconds; each size runs in a fresh process.
"""

import random
import resource
import subprocess
import sys
import time

import networkx as nx

from warebench.catalog.model import Catalog, ForeignKey, LineageEdge, Table
from warebench.tracks.topology.build import Options, build

SILO = 31
PER_SUBTYPE = 1_000


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        measure(int(sys.argv[2]))
        return
    print("| tables | edges | questions | ms each | peak MB | bare answers | ms each | times as long |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for tables in sys.argv[1:] or ["5000"]:
        subprocess.run([sys.executable, __file__, "--one", tables], check=True)


def measure(tables: int) -> None:
    catalog = warehouse(tables)
    build([warehouse(50)], Options(size=2))  # imports and DuckDB's start are paid once, not by a question
    start = time.process_time()
    made = build([catalog], Options(size=PER_SUBTYPE)).questions
    ours = (time.process_time() - start) / len(made) * 1000
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    start = time.process_time()
    count = bare_answers(catalog)
    bare = (time.process_time() - start) / count * 1000
    edges = len(catalog.foreign_keys) + len(catalog.lineage)
    print(
        f"| {tables:,} | {edges:,} | {len(made):,} | {ours:.3f} | {peak:,} | {count:,} | {bare:.3f} "
        f"| {ours / bare:.1f} |",
        flush=True,
    )


def warehouse(tables: int) -> Catalog:
    chance = random.Random(1)
    names = [f"area{number % 97}.t{number}" for number in range(tables)]
    keys, lineage = set(), set()
    for number in range(tables):
        first = number // SILO * SILO
        if number > first:
            keys |= {(number, chance.randrange(first, number)) for _ in range(chance.choice((1, 1, 1, 2)))}
            low = max(first, number - 12)
            lineage |= {(number, chance.randrange(low, number)) for _ in range(chance.choice((1, 2)))}
    return Catalog(
        name=f"random_{tables}",
        tables=tuple(Table(name=name) for name in names),
        foreign_keys=tuple(ForeignKey(child=names[a], parent=names[b]) for a, b in sorted(keys)),
        lineage=tuple(LineageEdge(downstream=names[a], upstream=names[b]) for a, b in sorted(lineage)),
    )


def bare_answers(catalog: Catalog) -> int:
    """Return how many answers were found: at most PER_SUBTYPE of each kind, each by a call of its own."""
    chance = random.Random(42)
    flow, keys = nx.DiGraph(), nx.DiGraph()
    for graph in (flow, keys):
        graph.add_nodes_from(catalog.table_names)
    flow.add_edges_from((edge.upstream, edge.downstream) for edge in catalog.lineage)
    keys.add_edges_from((key.child, key.parent) for key in catalog.foreign_keys)
    undirected = keys.to_undirected()
    joined = nx.compose(undirected, flow.to_undirected())
    answers = []
    sources = [name for name in flow if flow.out_degree(name)][:PER_SUBTYPE]
    targets = [name for name in flow if flow.in_degree(name)][:PER_SUBTYPE]
    answers += [sorted(flow.successors(name)) for name in sources]
    answers += [sorted(flow.predecessors(name)) for name in targets]
    answers += [sorted(flow.predecessors(name)) for name in flow if flow.in_degree(name) >= 2][:PER_SUBTYPE]
    for name in sources:
        closure = nx.descendants(flow, name)
        answers.append(sorted(closure))
        near = {child for table in {*closure, name} for child in keys.predecessors(table)}
        answers.append(sorted((closure | near) - {name}))
    answers += [keys.has_edge(a, b) for a, b in list(keys.edges)[:PER_SUBTYPE]]
    paths = 0
    while paths < PER_SUBTYPE:
        start = chance.choice(catalog.table_names)
        end = chance.choice(sorted(nx.node_connected_component(undirected, start)))
        path = nx.shortest_path(undirected, start, end)
        answers += [path, len(path) - 1]
        paths += 1
    components = [sorted(group) for group in nx.connected_components(joined)]
    answers.append(len(components))
    for group in components[:PER_SUBTYPE]:
        answers += [group, [name for name in group if name != group[0]], True]
    return len(answers)


if __name__ == "__main__":
    main()

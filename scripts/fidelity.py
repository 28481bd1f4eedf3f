"""Print the numbers of docs/fidelity.md, every one computed here: python scripts/fidelity.py [--write]."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from warebench.answers.model import Boolean, Number
from warebench.catalog.bundled import BUNDLED, load_bundled
from warebench.catalog.edges import PathEdges
from warebench.catalog.model import Catalog
from warebench.graph.build import SchemaGraph, build_graph
from warebench.graph.impact import combined_impact
from warebench.graph.lineage import direct
from warebench.graph.paths import distances, walkable
from warebench.graph.silos import silos
from warebench.queries.template import SUBCATEGORIES
from warebench.questions.model import Question
from warebench.tracks.intelligence.artifacts.build import build_artifacts
from warebench.tracks.intelligence.knowledge.read import read_knowledge
from warebench.tracks.intelligence.sources import DOMAINS, bundled_folder
from warebench.tracks.multitable.joins import find_needs
from warebench.tracks.multitable.sampling import WINDOWS, sample
from warebench.tracks.topology.build import Options, build
from warebench.tracks.topology.profiles import PAPER_COUNTS
from warebench.worlds import find_world, make_world
from warebench.worlds.questions import library

DOCUMENT = Path(__file__).parents[1] / "docs" / "fidelity.md"
SEED, EACH = 7, 10


def main() -> None:
    """Print the numbers, or put them into the document."""
    for name, lines in BLOCKS.items():
        begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
        block = begin + "\n".join(lines()) + "\n" + end
        if sys.argv[1:] == ["--write"]:
            head, rest = DOCUMENT.read_text(encoding="utf-8").split(begin)
            DOCUMENT.write_text(head + block + rest.split(end)[1], encoding="utf-8")
        else:
            print(block)


def topology() -> Iterator[str]:
    """Yield the numbers of the topology track as Markdown."""
    catalogs = [load_bundled(name, preset="released") for name in BUNDLED]
    yield from _catalogs(
        [*catalogs, load_bundled("syn_logistics", preset="table1"), load_bundled("syn_logistics")]
    )
    yield from _paths(catalogs)
    yield from _impact(catalogs)
    yield from _paper(catalogs)


def _catalogs(catalogs: list[Catalog]) -> Iterator[str]:
    yield "Catalogs as bundled (syn_logistics three times: presets released, table1, default):\n"
    yield "| catalog | tables | FKs | FK columns | FK table pairs | lineage | silos | silo sizes |"
    yield "|---|---|---|---|---|---|---|---|"
    for catalog in catalogs:
        sizes = sorted((len(silo) for silo in silos(build_graph(catalog))), reverse=True)
        pairs = len({(key.child, key.parent) for key in catalog.foreign_keys})
        few = ", ".join(map(str, sizes[:8])) + (", ..." if len(sizes) > 8 else "")
        yield (
            f"| {catalog.name} | {len(catalog.tables)} | {len(catalog.foreign_keys)} | "
            f"{catalog.foreign_key_columns} | {pairs} | {len(catalog.lineage)} | {len(sizes)} | {few} |"
        )


def _paths(catalogs: list[Catalog]) -> Iterator[str]:
    yield "\nPairs of tables joined by a foreign-key path, against the join_path questions of the paper:\n"
    yield "| catalog | join_path in the paper | directed parent to child | undirected, each pair once |"
    yield "|---|---|---|---|"
    for catalog in catalogs:
        graph = build_graph(catalog)
        asked = PAPER_COUNTS[catalog.name]["join_path"]
        directed, undirected = _pairs(graph, "parent_to_child"), _pairs(graph, "undirected") // 2
        yield f"| {catalog.name} | {asked} | {directed} | {undirected} |"


def _pairs(graph: SchemaGraph, edges: PathEdges) -> int:
    walk = walkable(graph, edges)
    return sum(len(distances(walk, node)) - 1 for node in range(len(graph.names)))


def _impact(catalogs: list[Catalog]) -> Iterator[str]:
    yield "\nDistinct answers to combined_impact over all lineage sources:\n"
    yield "| catalog | lineage sources | Algorithm 1 | closure and direct child tables (default) |"
    yield "|---|---|---|---|"
    for catalog in catalogs:
        graph = build_graph(catalog)
        sources = [name for name in graph.names if direct(graph, name, "downstream")]
        one = {
            combined_impact(graph, s, direction="undirected", depth=None, from_table=False) for s in sources
        }
        ours = {combined_impact(graph, s, direction="children", depth=1, from_table=True) for s in sources}
        yield f"| {catalog.name} | {len(sources)} | {len(one)} | {len(ours)} |"


def _paper(catalogs: list[Catalog]) -> Iterator[str]:
    made = build(catalogs, Options(profile="paper"))
    yield "\nThe paper profile, 1,046 questions in all, holds:\n"
    yield "| what | questions |"
    yield "|---|---|"
    variants = Counter(f"variant `{q.subtype}.{q.variant}`" for q in made.questions if q.variant)
    for variant, times in sorted(variants.items()):
        yield f"| {variant} | {times} |"
    siblings = Counter(q.subtype for q in made.questions if q.facets.get("sibling"))
    for subtype, times in sorted(siblings.items()):
        yield f"| sibling of an earlier question, `{subtype}` | {times} |"
    yield f"| siblings in all | {sum(siblings.values())} |"
    feasible = sum(bool(q.facets["feasible"]) for q in made.questions)
    yield f"| answerable within 3 tool calls | {feasible} |"
    for kind in ("difficulty", "path_difficulty"):
        labels = Counter(getattr(q, kind) for q in made.questions)
        yield f"| `{kind}` easy / medium / hard | {labels['easy']} / {labels['medium']} / {labels['hard']} |"
    beyond = [q for q in made.questions if q.catalog == "syn_logistics" and q.facets["beyond_radius"]]
    yield f"| syn_logistics questions whose evidence lies beyond 3 hops | {len(beyond)} of 372 |"
    yield from _constants(made.questions)


def _constants(questions: Sequence[Question]) -> Iterator[str]:
    """Yield how often the commonest answer is right, and the commonest of each catalog."""
    yield "\nWhat one answer to all questions of a subtype of the paper profile gets right:\n"
    yield "| subtype | questions | commonest answer | right | commonest of each catalog, right |"
    yield "|---|---|---|---|---|"
    for subtype in ("direct_fk", "isolation", "connected", "count", "hop_count"):
        golds = [(q.catalog, q.gold) for q in questions if q.subtype == subtype]
        asked = [(name, gold.value) for name, gold in golds if isinstance(gold, Boolean | Number)]
        overall = Counter(value for _, value in asked)
        by_catalog = [Counter(value for name, value in asked if name == catalog) for catalog in BUNDLED]
        commonest, times = overall.most_common(1)[0]
        said = str(commonest).replace("True", "yes").replace("False", "no")
        known = sum(max(counts.values(), default=0) for counts in by_catalog)
        shares = " | ".join(f"{100 * part / len(asked):.1f} %" for part in (times, known))
        yield f"| {subtype} | {len(asked)} | {said} | {shares} |"


def multitable() -> Iterator[str]:
    """Yield the numbers of the multitable track as Markdown."""
    templates, proved, questions, needing = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for name in library():
        small = sample(make_world(name, seed=SEED), WINDOWS["8K"], seed=SEED, instance=0).database
        for template, needs in find_needs(small, library()[name], EACH, SEED):
            kind, found = template.subcategory, sum(need.proved for need in needs)
            templates[kind] += 1
            proved[kind] += bool(found)
            questions[kind] += len(needs)
            needing[kind] += found
    yield f"Proved to need more than one table (8K, seed {SEED}, {EACH} questions a template):\n"
    yield "| subcategory | templates | of them proved | questions | of them proved |"
    yield "|---|---|---|---|---|"
    for kind in SUBCATEGORIES:
        yield f"| {kind} | {templates[kind]} | {proved[kind]} | {questions[kind]} | {needing[kind]} |"
    sums = [counts.total() for counts in (templates, proved, questions, needing)]
    yield f"| total | {' | '.join(map(str, sums))} |"


PAPER_TABLE_12 = {
    "ecommerce": (9, 29, 17, 21, 76, 61, 21, 9, 79, 9, 12, 191),
    "banking": (8, 29, 17, 17, 71, 45, 17, 8, 79, 11, 8, 168),
}
"""Nodes and edges in the order of `ORDER`; DI-Bench, Appendix H."""
ORDER = (
    "table nodes",
    "metric nodes",
    "rule nodes",
    "dimension nodes",
    "total nodes",
    "metric -> table edges",
    "table -> dimension edges",
    "table -> table edges",
    "rule -> metric edges",
    "metric -> metric edges",
    "rule -> dimension edges",
    "total edges",
)


def intelligence() -> Iterator[str]:
    """Yield the numbers of the intelligence track as Markdown."""
    made = {
        name: build_artifacts(read_knowledge(bundled_folder(name)), find_world(name).catalog).statistics()
        for name in DOMAINS
    }
    yield "Artifact graphs of the bundled knowledge bases, beside the paper's Table 12:\n"
    yield "| | " + " | ".join(f"{name}, paper | {name}" for name in made) + " |"
    yield "|---|" + "---|---|" * len(made)
    for at, what in enumerate(ORDER):
        cells = " | ".join(f"{PAPER_TABLE_12[name][at]} | {made[name][what]}" for name in made)
        yield f"| {what} | {cells} |"


BLOCKS: Mapping[str, Callable[[], Iterator[str]]] = {
    "numbers": topology,
    "multitable numbers": multitable,
    "intelligence numbers": intelligence,
}
"""By the name of their place in the document."""


if __name__ == "__main__":
    main()

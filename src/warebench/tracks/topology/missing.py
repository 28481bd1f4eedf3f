"""What a catalog leaves out of its source, and which answers that could change: those are not asked for.

A key, edge or table that is missing meets the catalog only at the tables it touches. An answer that could be
another in the whole source depends on such a table: on its edges, or on a way out of the catalog at one and
back into it at another.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

from warebench.answers.model import Boolean, NameSet
from warebench.catalog.model import Catalog
from warebench.graph.build import SchemaGraph
from warebench.graph.paths import distances, walkable
from warebench.graph.silos import silos
from warebench.tracks.topology.candidates.model import Candidate
from warebench.tracks.topology.semantics import Semantics

OWN_EDGES = ("forward", "reverse", "multi_source")
REACHED = ("transitive", "combined_impact")
PATHS = ("join_path", "hop_count")
SILOS = ("membership", "full_enumeration")


@dataclass(slots=True)
class Missing:
    """Where the whole source may hold more than a catalog, and how many questions that cost."""

    graph: SchemaGraph
    touched: frozenset[str]
    """Tables whose keys or lineage edges may be more."""
    anything: bool
    """Whether any table, key or edge is missing, wherever it belongs."""
    silo_of: dict[str, frozenset[str]] = field(default_factory=dict)
    withheld: Counter[str] = field(default_factory=Counter)
    """Questions not asked because their answer could be another, by subtype."""

    def sieve(self, candidates: Iterator[Candidate]) -> Iterator[Candidate]:
        """Yield the candidates whose answer is the same in the whole source; count the others."""
        for candidate in candidates:
            if self.anything and self.could_change(candidate):
                self.withheld[candidate.subtype] += 1
            else:
                yield candidate

    def could_change(self, candidate: Candidate) -> bool:
        """Return whether the whole source could give another answer.

        Args:
            candidate: A question about the catalog, with its answer there.

        Complexity: O(tables + edges) for paths, O(silo) for the others.
        """
        subjects, gold = candidate.subjects, candidate.gold
        # Edges are only ever added: what is connected or referenced stays so.
        holds = isinstance(gold, Boolean) and gold.value
        match candidate.subtype:
            case "count":
                return self.anything
            case "isolation":
                return holds and self._touches(subjects)
            case "direct_fk":
                return not holds and set(subjects) <= self.touched
            case "connected":
                return not holds and all(self._touches(self.silo_of[table]) for table in subjects)
            case subtype if subtype in OWN_EDGES:
                return self._touches(subjects)
            case subtype if subtype in REACHED and isinstance(gold, NameSet):
                return self._touches((*subjects, *gold.names))
            case subtype if subtype in SILOS:
                return self._touches(self.silo_of[subjects[0]])
            case subtype if subtype in PATHS and candidate.path_length is not None:
                return self._detour(subjects[0], subjects[1], candidate.path_length)
        return self._touches(self.graph.names)

    def _touches(self, tables: "tuple[str, ...] | frozenset[str]") -> bool:
        return not self.touched.isdisjoint(tables)

    def _detour(self, start: str, end: str, longest: int) -> bool:
        """Return whether a way that leaves the catalog may be as short as the one within it."""
        walk = walkable(self.graph, "any")
        ends = [distances(walk, self.graph.index[table], longest) for table in (start, end)]
        out, back = (
            {node: hops for node, hops in reached.items() if self.graph.names[node] in self.touched}
            for reached in ends
        )
        pairs = product(out.items(), back.items())
        return any(there + 1 + here <= longest for (a, there), (b, here) in pairs if a != b)


def find_missing(catalog: Catalog, graph: SchemaGraph, semantics: Semantics) -> Missing:
    """Return what of a catalog's source is missing.

    Args:
        catalog: The catalog.
        graph: Its graph.
        semantics: Which edges hold a silo together.
    """
    gone = [item for item in catalog.left_out if item.of_structure]
    groups = silos(graph, semantics.silo_edges) if gone else ()
    return Missing(
        graph=graph,
        touched=frozenset(name for item in gone for name in item.touches),
        anything=bool(gone),
        silo_of={table: frozenset(group) for group in groups for table in group},
    )

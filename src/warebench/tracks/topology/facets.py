"""What a report may group a question by, beyond its subtype."""

from collections.abc import Sequence

from warebench.graph.build import SchemaGraph
from warebench.graph.lineage import closure
from warebench.graph.neighbourhood import distance_to_all
from warebench.graph.silos import silos
from warebench.questions.model import Difficulty, Value
from warebench.tracks.topology.candidates.model import Candidate
from warebench.tracks.topology.semantics import Semantics
from warebench.tracks.topology.subtypes import SUBTYPE

RADIUS = 3
"""Hops of the graph_augmented method's neighbourhood (DW-Bench, section 4)."""

TOOL_BUDGET = 3
"""Tool calls a question may take (DW-Bench, section 4)."""


def facets(graph: SchemaGraph, semantics: Semantics, candidate: Candidate) -> dict[str, Value]:
    """Return path_length, evidence_hops, beyond_radius, min_tool_calls, feasible, and sibling if it is one.

    A question about the whole schema has no evidence_hops and lies beyond any radius.
    """
    found: dict[str, Value] = {}
    if candidate.path_length is not None:
        found["path_length"] = candidate.path_length
    hops = evidence_hops(graph, candidate)
    if hops is not None:
        found["evidence_hops"] = hops
    if candidate.sibling:
        found["sibling"] = True
    calls = min_tool_calls(graph, semantics, candidate)
    return found | {
        "beyond_radius": hops is None or hops > RADIUS,
        "min_tool_calls": calls,
        "feasible": calls <= TOOL_BUDGET,
    }


def evidence_hops(graph: SchemaGraph, candidate: Candidate) -> int | None:
    """Return how far the farthest table that must be seen lies from the tables asked about.

    Measured in edges of either type, taken without direction; None when the whole schema must be seen.
    Of tied shortest paths it is the one given as gold.
    """
    if candidate.evidence is None:
        return None
    return max(1, distance_to_all(graph, candidate.subjects, candidate.evidence))


def min_tool_calls(graph: SchemaGraph, semantics: Semantics, candidate: Candidate) -> int:
    """Return the least number of tool calls of a plan that always ends with a certain answer.

    Every subtype but combined_impact is one call of a tool made for it. combined_impact needs the
    closure, and then either the foreign keys of every table they are followed from, or the silo and the
    keys of every other table in it, whichever is less. Where keys are followed without limit, one call
    shows all tables they join, so tables count once per group.

    For a depth between 1 and no limit the number is an upper bound.
    """
    if candidate.subtype != "combined_impact":
        return 1
    table = candidate.subjects[0]
    derived = set(closure(graph, table, "downstream"))
    starts = derived | {table} if semantics.impact_fk_from_table else derived
    unlimited = semantics.impact_fk_depth is None and semantics.impact_fk_direction == "undirected"
    groups = silos(graph, "fk") if unlimited else [(name,) for name in graph.names]
    asking_starts = 1 + _touched(groups, starts)
    if semantics.silo_edges != "fk+lineage":
        return asking_starts  # a silo of other edges says nothing about the keys that leave it
    silo = set(next(group for group in silos(graph) if table in group))
    return min(asking_starts, 2 + _touched(groups, silo - derived - {table}))


def _touched(groups: Sequence[Sequence[str]], tables: set[str]) -> int:
    return sum(not tables.isdisjoint(group) for group in groups)


def path_difficulty(candidate: Candidate) -> Difficulty:
    """Return the per-question label behind DW-Bench's Table 4: by path length for paths, else Table 2's."""
    if candidate.subtype in ("join_path", "hop_count") and candidate.path_length is not None:
        return "easy" if candidate.path_length <= 2 else "medium" if candidate.path_length == 3 else "hard"
    return SUBTYPE[candidate.subtype].difficulty

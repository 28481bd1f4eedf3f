"""What a report may group a question by, beyond its subtype."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from warebench.graph.build import SchemaGraph
from warebench.graph.lineage import closure
from warebench.graph.neighbourhood import distance_to_all, neighbour_lists
from warebench.graph.silos import silos
from warebench.questions.model import Difficulty, Value
from warebench.tracks.topology.candidates.model import Candidate
from warebench.tracks.topology.semantics import Semantics
from warebench.tracks.topology.subtypes import SUBTYPE

RADIUS = 3
"""Hops of the graph_augmented method's neighbourhood (DW-Bench, section 4)."""

TOOL_BUDGET = 3
"""Tool calls a question may take (DW-Bench, section 4)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Survey:
    """What the facets of all questions about one graph share, found once."""

    graph: SchemaGraph
    semantics: Semantics
    silo_of: Mapping[str, tuple[str, ...]]
    """Table -> its silo over keys and lineage."""
    near: Sequence[Sequence[int]]
    """Neighbours of every node, over edges of either type."""
    key_group_of: Mapping[str, str]
    """Table -> first name of the tables that one call of get_fk_neighbors shows with it."""


def survey(graph: SchemaGraph, semantics: Semantics) -> Survey:
    """Return what `facets` needs of a graph.

    Complexity: O(tables + edges).
    """
    unlimited = semantics.impact_fk_depth is None and semantics.impact_fk_direction == "undirected"
    groups = silos(graph, "fk") if unlimited else tuple((name,) for name in graph.names)
    return Survey(
        graph=graph,
        semantics=semantics,
        silo_of={name: silo for silo in silos(graph) for name in silo},
        near=neighbour_lists(graph),
        key_group_of={name: group[0] for group in groups for name in group},
    )


def facets(known: Survey, candidate: Candidate) -> dict[str, Value]:
    """Return path_length, evidence_hops, beyond_radius, min_tool_calls, feasible, and sibling if it is one.

    A question about the whole schema has no evidence_hops and lies beyond any radius.
    """
    found: dict[str, Value] = {}
    if candidate.path_length is not None:
        found["path_length"] = candidate.path_length
    hops = evidence_hops(known, candidate)
    if hops is not None:
        found["evidence_hops"] = hops
    if candidate.sibling:
        found["sibling"] = True
    calls = min_tool_calls(known, candidate)
    return found | {
        "beyond_radius": hops is None or hops > RADIUS,
        "min_tool_calls": calls,
        "feasible": calls <= TOOL_BUDGET,
    }


def evidence_hops(known: Survey, candidate: Candidate) -> int | None:
    """Return how far the farthest table that must be seen lies from the tables asked about.

    Measured in edges of either type, taken without direction; None when the whole schema must be seen.
    Of tied shortest paths it is the one given as gold.
    """
    if candidate.evidence is None:
        return None
    index = known.graph.index
    starts, ends = ([index[name] for name in names] for names in (candidate.subjects, candidate.evidence))
    return max(1, distance_to_all(known.near, starts, ends))


def min_tool_calls(known: Survey, candidate: Candidate) -> int:
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
    derived = set(closure(known.graph, table, "downstream"))
    starts = derived | {table} if known.semantics.impact_fk_from_table else derived
    asking_starts = 1 + _calls(known, starts)
    if known.semantics.silo_edges != "fk+lineage":
        return asking_starts  # a silo of other edges says nothing about the keys that leave it
    others = set(known.silo_of[table]) - derived - {table}
    return min(asking_starts, 2 + _calls(known, others))


def _calls(known: Survey, tables: set[str]) -> int:
    """Return how many calls of get_fk_neighbors show the keys of all these tables."""
    return len({known.key_group_of[name] for name in tables})


def path_difficulty(candidate: Candidate) -> Difficulty:
    """Return the per-question label behind DW-Bench's Table 4: by path length for paths, else Table 2's."""
    if candidate.subtype in ("join_path", "hop_count") and candidate.path_length is not None:
        return "easy" if candidate.path_length <= 2 else "medium" if candidate.path_length == 3 else "hard"
    return SUBTYPE[candidate.subtype].difficulty

"""Candidates of the three routing subtypes (DW-Bench, Table 2)."""

from collections.abc import Iterator

import rustworkx as rx

from warebench.answers.model import Boolean, Number, Path
from warebench.graph.paths import ShortestPaths, distances, shortest_paths, walkable
from warebench.tracks.topology.candidates.model import Candidate, Draw, pair_fact
from warebench.tracks.topology.candidates.turns import alternate, by_turns

STARTS = 400
"""Tables from which paths are searched; more would only cost time."""
ENDS = 25
"""Ends kept for one start and distance in a graph with more tables than STARTS."""


def direct_fk(draw: Draw) -> Iterator[Candidate]:
    """Yield yes and no by turns; a no is a reversed key, two keys apart, or unrelated, by turns."""
    keys = {(draw.graph.names[p], draw.graph.names[c]) for c, p in draw.graph.foreign_keys.edge_list()}
    pairs = sorted((parent, child) for parent, child in keys if parent != child)
    draw.random.shuffle(pairs)
    no = alternate(_reversed(pairs), _two_apart(draw, keys), _unrelated(draw, keys))
    answered = by_turns(
        ((pair, True) for pair in pairs), ((pair, False) for pair in no), balanced=draw.balanced
    )
    for (parent, child), answer in answered:
        yield Candidate(
            subtype="direct_fk",
            subjects=(parent, child),
            gold=Boolean(answer),
            method="warebench.graph.build.build_graph",
            fact=pair_fact("fk_path", parent, child),
            path_length=1 if answer else None,
            evidence=(parent, child),
        )


def join_path(draw: Draw) -> Iterator[Candidate]:
    """Yield shortest foreign-key paths of all lengths by turns."""
    for start, end, found in _paths(draw):
        yield Candidate(
            subtype="join_path",
            subjects=(start, end),
            gold=Path(found.path, found.steps),
            method="warebench.graph.paths.shortest_paths",
            fact=pair_fact("fk_path", start, end),
            path_length=found.hops,
            evidence=found.path,
        )


def hop_count(draw: Draw) -> Iterator[Candidate]:
    """Yield lengths of foreign-key paths; once these run out, the variant `lineage`."""
    for start, end, found in _paths(draw):
        yield _hops("", start, end, found)
    for start, end, found in _lineage_paths(draw):
        yield _hops("lineage", start, end, found)


def _hops(variant: str, start: str, end: str, found: ShortestPaths) -> Candidate:
    return Candidate(
        subtype="hop_count",
        variant=variant,
        subjects=(start, end),
        gold=Number(found.hops),
        method="warebench.graph.paths.shortest_paths",
        fact=pair_fact("lineage_path" if variant else "fk_path", start, end),
        path_length=found.hops,
        evidence=found.path,
    )


def _paths(draw: Draw) -> Iterator[tuple[str, str, ShortestPaths]]:
    direction = draw.semantics.fk_direction
    walk = walkable(draw.graph, direction)
    for start, end in _pairs(draw, walk, once=direction == "undirected"):
        found = shortest_paths(draw.graph, walk, start, end)
        if found:
            yield start, end, found


def _lineage_paths(draw: Draw) -> Iterator[tuple[str, str, ShortestPaths]]:
    walk = walkable(draw.graph, "downstream")
    for start, end in _pairs(draw, walk, once=False):
        found = shortest_paths(draw.graph, walk, start, end)
        if found and found.hops > 1:
            yield start, end, found


def _pairs(draw: Draw, walk: "rx.PyDiGraph[str, None]", *, once: bool) -> Iterator[tuple[str, str]]:
    """Yield pairs joined by a path, in seeded order, the distances taken by turns.

    With `once`, a pair comes in one order only.
    """
    by_hops: dict[int, list[tuple[str, str]]] = {}
    starts = [name for name in draw.tables() if walk.out_degree(draw.graph.index[name])][:STARTS]
    every = len(draw.graph.names) <= STARTS
    for start in starts:
        for hops, ends in _ends(draw, walk, start).items():
            kept = ends if every else draw.random.sample(ends, min(ENDS, len(ends)))
            by_hops.setdefault(hops, []).extend((start, end) for end in kept)
    for pairs in by_hops.values():
        draw.random.shuffle(pairs)
    seen = set()
    for pair in alternate(*[by_hops[hops] for hops in sorted(by_hops)]):
        key = frozenset(pair) if once else pair
        if key not in seen:
            seen.add(key)
            yield pair


def _ends(draw: Draw, walk: "rx.PyDiGraph[str, None]", start: str) -> dict[int, list[str]]:
    ends: dict[int, list[str]] = {}
    for node, hops in distances(walk, draw.graph.index[start], draw.semantics.max_hops).items():
        if hops:
            ends.setdefault(hops, []).append(draw.graph.names[node])
    return {hops: sorted(names) for hops, names in ends.items()}


def _reversed(pairs: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    # From the back, so that a key asked about with yes is asked about the wrong way round last.
    keys = set(pairs)
    return ((child, parent) for parent, child in reversed(pairs) if (child, parent) not in keys)


def _two_apart(draw: Draw, keys: set[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    walk = walkable(draw.graph, "undirected")
    for table in draw.tables():
        ends = [name for name in _two_away(draw, walk, table) if not {(table, name), (name, table)} & keys]
        if ends:
            yield table, draw.random.choice(ends)


def _two_away(draw: Draw, walk: "rx.PyDiGraph[str, None]", table: str) -> list[str]:
    reached = distances(walk, draw.graph.index[table], 2)
    return sorted(draw.graph.names[node] for node, hops in reached.items() if hops == 2)


def _unrelated(draw: Draw, keys: set[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for first, second in zip(draw.tables(), draw.tables(), strict=True):
        if first != second and not {(first, second), (second, first)} & keys:
            yield first, second

"""Choosing candidates: seeded, balanced over subtypes, without siblings."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from warebench.tracks.topology.candidates.generators import GENERATORS
from warebench.tracks.topology.candidates.model import Candidate, Draw
from warebench.tracks.topology.missing import Missing
from warebench.tracks.topology.semantics import Semantics


@dataclass(slots=True)
class _Pick:
    """What is chosen of one subtype so far."""

    quota: int
    source: Iterator[Candidate]
    chosen: list[Candidate] = field(default_factory=list)
    siblings: list[Candidate] = field(default_factory=list)


def choose(
    missing: Missing, semantics: Semantics, quotas: Mapping[str, int], seed: str, *, siblings: bool
) -> dict[str, list[Candidate]]:
    """Return the chosen candidates by subtype, at most as many as their quota.

    One candidate a subtype and round, so that subtypes share scarce facts fairly.

    Args:
        missing: The schema graph, and what of the source it lacks: questions that could change are withheld.
        semantics: The meaning of words.
        quotas: Questions wanted per subtype, in the order of the result.
        seed: Text that names set and catalog; a catalog's questions do not depend on the others.
        siblings: Whether questions may share a fact with others, and yes and no be unequally many, as
            the paper's counts demand. When they may not, a subtype still gets one question that does
            if it would have none at all.
    """
    picks = {}
    for name, quota in quotas.items():
        chance = random.Random(f"{seed}:{name}")  # noqa: S311 - repeatable choices, not secret ones
        draw = Draw(graph=missing.graph, semantics=semantics, random=chance, balanced=not siblings)
        picks[name] = _Pick(quota, missing.sieve(GENERATORS[name](draw)))
    shared: set[str] = set()
    facts: dict[str, set[str]] = {name: set() if siblings else shared for name in picks}
    while sum(_take(pick, facts[name]) for name, pick in picks.items()):
        pass  # one more round for those that still find something
    for pick in picks.values():
        lacking = pick.quota - len(pick.chosen) if siblings else int(not pick.chosen)
        pick.chosen += pick.siblings[:lacking]
    return _mark({name: pick.chosen for name, pick in picks.items()})


def _mark(chosen: dict[str, list[Candidate]]) -> dict[str, list[Candidate]]:
    """Mark each candidate whose fact an earlier one has."""
    seen: set[str] = set()
    for candidates in chosen.values():
        for position, candidate in enumerate(candidates):
            candidates[position] = replace(candidate, sibling=candidate.fact in seen)
            seen.add(candidate.fact)
    return chosen


def _take(pick: _Pick, facts: set[str]) -> bool:
    """Take the next candidate with a new fact; return whether there was one."""
    if len(pick.chosen) == pick.quota:
        return False
    for candidate in pick.source:
        if candidate.fact not in facts:
            facts.add(candidate.fact)
            pick.chosen.append(candidate)
            return True
        if len(pick.siblings) < pick.quota:
            pick.siblings.append(candidate)
    return False

"""Selection by maximal marginal relevance, and a pass so that no metric and no rule is left out.

Source: DI-Bench, Appendix D.2, equations 2 and 3.
"""

import random
from collections.abc import Iterable, Sequence

from warebench.tracks.intelligence.sampling.score import Chosen, Scales, fixed_score, moving_score
from warebench.tracks.intelligence.sampling.subgraph import Subgraph

DIVERSITY = 0.3
"""Lambda: the weight of the distance from what is selected already."""


def select(pool: Sequence[Subgraph], scales: Scales, target: int, seed: int) -> list[Subgraph]:
    """Return a good and varied subset in the order of selection, then those that coverage adds.

    Args:
        pool: Candidates.
        scales: What quality is scored by.
        target: How many to select; coverage may add some.
        seed: Decides between candidates that score alike.

    Complexity:
        O(target * pool): the distance to the nearest selected subgraph is kept for each candidate.
    """
    order = sorted(pool, key=lambda subgraph: subgraph.key)
    random.Random(f"{seed}:select").shuffle(order)  # noqa: S311 - repeatable
    fixed = {subgraph.key: fixed_score(subgraph, scales) for subgraph in order}
    nearest = dict.fromkeys(fixed, 1.0)
    nodes = {subgraph.key: subgraph.nodes for subgraph in order}
    chosen, selected = Chosen(), list[Subgraph]()

    def quality(subgraph: Subgraph) -> float:
        return fixed[subgraph.key] + moving_score(subgraph, chosen)

    def take(subgraph: Subgraph) -> None:
        selected.append(subgraph)
        chosen.add(subgraph)
        order.remove(subgraph)
        for other in order:
            distance = jaccard_distance(nodes[other.key], nodes[subgraph.key])
            nearest[other.key] = min(nearest[other.key], distance)

    while order and len(selected) < target:
        take(
            max(
                order,
                key=lambda one: (1 - DIVERSITY) * quality(one) + DIVERSITY * nearest[one.key],
            )
        )
    for missing in _uncovered(pool, selected):
        if missing not in _covered(selected):
            take(max((one for one in order if missing in nodes[one.key]), key=quality))
    return selected


def jaccard_distance(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the Jaccard distance of two sets, 0 when they are equal and 1 when they share nothing."""
    together = len(one | other)
    return 1 - len(one & other) / together if together else 0.0


def _uncovered(pool: Iterable[Subgraph], selected: Iterable[Subgraph]) -> list[str]:
    return sorted(_covered(pool) - _covered(selected))


def _covered(subgraphs: Iterable[Subgraph]) -> set[str]:
    return {node for one in subgraphs for node in one.nodes if node.startswith(("metric:", "rule:"))}

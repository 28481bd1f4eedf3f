"""Five scores of a subgraph, and their weighted sum.

Source: DI-Bench, Appendix D.1, equation 1.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from warebench.tracks.intelligence.sampling.subgraph import Subgraph

WEIGHTS = {"affinity": 0.25, "rules": 0.20, "metric": 0.20, "cardinality": 0.20, "joins": 0.15}
"""Semantic affinity, rule diversity, metric rarity, dimension cardinality, join complexity."""

TEMPORAL_CARDINALITY = 0.7
NO_DIMENSION = 0.1
"""Cardinality of a subgraph without dimensions: one group, as a dimension of one value has."""

ENOUGH_TABLES = 4


@dataclass(frozen=True, slots=True)
class Scales:
    """What scores look up: both are keyed by ids and do not change while subgraphs are selected."""

    affinity: Mapping[tuple[str, str], float]
    """(metric, dimension) to [0, 1]."""
    cardinality: Mapping[str, int]
    """Dimension to its number of distinct values; 0 for a temporal one."""


@dataclass(slots=True)
class Chosen:
    """How often metrics and rules were selected so far."""

    metrics: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)

    def add(self, subgraph: Subgraph) -> None:
        """Count a subgraph as selected."""
        self.metrics[subgraph.metric] += 1
        self.rules.update(subgraph.rules)


def fixed_score(subgraph: Subgraph, scales: Scales) -> float:
    """Return the part of the quality that stays: affinity, cardinality, joins."""
    names = subgraph.dimensions
    suits = [scales.affinity[subgraph.metric, name] for name in names]
    wide = [cardinality_score(scales.cardinality[name]) for name in names]
    return (
        # Without dimensions there is no pairing that could be implausible.
        WEIGHTS["affinity"] * (sum(suits) / len(suits) if suits else 1.0)
        + WEIGHTS["cardinality"] * (sum(wide) / len(wide) if wide else NO_DIMENSION)
        + WEIGHTS["joins"] * min(1.0, len(subgraph.tables) / ENOUGH_TABLES)
    )


def moving_score(subgraph: Subgraph, chosen: Chosen) -> float:
    """Return the part that falls as its rules and metric are selected; no rules are never selected."""
    fresh = [1.0 / (1 + chosen.rules[rule]) for rule in subgraph.rules]
    diversity = sum(fresh) / len(fresh) if fresh else 1.0
    return WEIGHTS["rules"] * diversity + WEIGHTS["metric"] / (1 + chosen.metrics[subgraph.metric])


def cardinality_score(distinct: int) -> float:
    """Return the score of a dimension with so many distinct values; 0 stands for a temporal one."""
    if distinct == 0:
        return TEMPORAL_CARDINALITY
    if distinct <= 2:
        return 0.1 if distinct == 1 else 0.5
    return 0.8 if distinct <= 5 else 1.0

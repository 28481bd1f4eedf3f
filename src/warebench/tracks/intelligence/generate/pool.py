"""Skeletons of one tier: those selected, and those left for what they do not yield."""

from dataclasses import dataclass

from warebench.tracks.intelligence.analyses.lab import Lab
from warebench.tracks.intelligence.knowledge.links import find_dimension
from warebench.tracks.intelligence.sampling.affinity import affinity
from warebench.tracks.intelligence.sampling.score import Scales, fixed_score
from warebench.tracks.intelligence.sampling.select import select
from warebench.tracks.intelligence.sampling.subgraph import Subgraph, enumerate_subgraphs


@dataclass(frozen=True, slots=True)
class Pool:
    """Skeletons in the order in which they are asked."""

    selected: tuple[Subgraph, ...]
    unused: tuple[Subgraph, ...]
    """The rest, best first."""


def draw_pool(lab: Lab, *, ruled: bool, target: int, seed: int) -> Pool:
    """Return the skeletons of a knowledge base that are asked with all governing rules, or without any.

    Args:
        lab: The knowledge base with its data.
        ruled: With rules.
        target: How many to select.
        seed: Decides between equals.
    """
    catalog = lab.opened.database.catalog
    every = list(enumerate_subgraphs(lab.knowledge, catalog, ruled=ruled))
    scales = _scales(lab, every)
    selected = select(every, scales, target, seed)
    taken = {subgraph.key for subgraph in selected}
    rest = [subgraph for subgraph in every if subgraph.key not in taken]
    rest.sort(key=lambda subgraph: (-fixed_score(subgraph, scales), subgraph.key))
    return Pool(tuple(selected), tuple(rest))


def _scales(lab: Lab, subgraphs: list[Subgraph]) -> Scales:
    catalog = lab.opened.database.catalog
    pairs = dict.fromkeys((subgraph.metric, name) for subgraph in subgraphs for name in subgraph.dimensions)
    names = dict.fromkeys(name for _, name in pairs)
    dimensions = {name: find_dimension(lab.knowledge, name) for name in names}
    return Scales(
        affinity={
            (metric, name): affinity(lab.knowledge, catalog, metric, dimensions[name])
            for metric, name in pairs
        },
        cardinality={
            # A column without a single value counts as one that has one: trivial.
            name: 0 if dimensions[name].kind == "temporal" else max(1, len(lab.frequency(name)))
            for name in names
        },
    )

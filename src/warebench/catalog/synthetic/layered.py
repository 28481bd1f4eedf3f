"""Pattern layered: realistic warehouse silos with deep snowflakes, plus a long tail of small ones.

A domain silo has `lineage_depth + 1` layers, raw -> staging -> (intermediate ...) -> core -> mart. The core
has `fk_depth + 1` levels of foreign keys: corrections of lines of facts at the bottom, facts, dimensions, and
what dimensions roll up to, each level referencing the next one up. Only facts and the dimensions they touch
have lineage (and half of what hangs below facts); what lies above them is reference data.

Why it is connected: between neighbouring layers, and between neighbouring levels, `spans` lays a connected
bipartite graph. Why lineage and keys have no cycle: both run strictly from layer to layer, level to level.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise

from warebench.catalog.synthetic.draft import DraftTable, Names, Silo, lap, spans
from warebench.catalog.synthetic.spec import SMALL_SIZES, SyntheticSpec
from warebench.catalog.synthetic.words import (
    BETWEEN,
    DETAILS,
    DOMAINS,
    LEVELS,
    LONERS,
    SMALL_SHAPES,
    STAGED,
    TOPICS,
    Domain,
)

SECOND_PARENT = 0.25
"""Chance that a table references one more table of the next level: diamonds, hence tied shortest paths."""
SHORTCUT = 0.05
"""Chance that a table also references a table two levels up."""
SECOND_ROLE = 0.1
"""Chance that a table references the same table twice, in two roles."""
DERIVED_DETAIL = 0.5
"""Chance that what hangs below a fact has lineage of its own; else only its key carries impact."""
SILOS_PER_TOPIC = 3
"""Small silos that share a topic, so that a name alone does not tell the silo."""

Pairs = list[tuple[str, str]]
Layer = list[DraftTable]


def draft_layered(
    spec: SyntheticSpec, sizes: Sequence[int], names: Names, rng: random.Random
) -> Iterator[Silo]:
    """Yield domain silos of the given sizes, then small silos, then isolated tables."""
    for index, size in enumerate(sizes):
        yield _draft_domain(spec, DOMAINS[index % len(DOMAINS)], size, names, rng)
    topics = rng.sample(TOPICS, len(TOPICS))
    shapes = rng.sample(SMALL_SHAPES, len(SMALL_SHAPES))
    for index in range(spec.small_silos):
        topic, turn = divmod(index, SILOS_PER_TOPIC)
        size = SMALL_SIZES[index % len(SMALL_SIZES)]
        yield _draft_small(lap(topics, topic), lap(shapes, topic + turn)[:size], names)
    for index in range(spec.isolated):
        yield Silo(tables=(names.table("", lap(LONERS, index), "record"),))


def _draft_domain(spec: SyntheticSpec, domain: Domain, size: int, names: Names, rng: random.Random) -> Silo:
    counts, core_count = _layer_counts(size, spec.lineage_depth, spec.fk_depth)
    early = _draft_early(domain, counts[:-1], names, rng)
    levels = _draft_core(domain, _level_counts(core_count, spec.fk_depth), names, rng)
    metrics = rng.sample(domain.metrics, len(domain.metrics))
    marts = [names.table("mart", lap(metrics, i), "mart") for i in range(counts[-1])]
    fed = _fed(levels, rng)
    lineage: Pairs = []
    for upper, lower in zip(early, [*early[1:], fed], strict=True):
        lineage += _derive(lower, upper, spec.max_sources, rng)
    # Marts hang on a core that foreign keys already join: they need not cover it.
    for mart in marts:
        sources = rng.sample(fed, min(len(fed), rng.randint(1, spec.max_sources)))
        lineage += [(mart.name, source.name) for source in sources]
    tables = [table for layer in (*early, *levels, marts) for table in layer]
    return Silo(tables=tuple(tables), foreign_keys=tuple(_reference(levels, rng)), lineage=tuple(lineage))


def _fed(levels: Sequence[Layer], rng: random.Random) -> Layer:
    """Return the core tables that derive from the layer above, in random order."""
    middle = _fact_levels(len(levels) - 1)
    details = [table for level in levels[: middle - 1] for table in level if rng.random() < DERIVED_DETAIL]
    fed = [*details, *levels[middle - 1], *levels[middle]]
    return rng.sample(fed, len(fed))


def _layer_counts(size: int, depth: int, fk_depth: int) -> tuple[list[int], int]:
    """Return tables per layer without the core (raw ... mart), and tables of the core."""
    spare = size - depth - fk_depth - 1
    share = 2 * spare // (2 * depth + 3)
    counts = [1 + share] * depth
    return counts, size - sum(counts)


def _fact_levels(fk_depth: int) -> int:
    return (fk_depth + 1) // 2


def _level_counts(core: int, fk_depth: int) -> list[int]:
    """Share the core over its levels: one each, the rest so that the middle gets twice the ends' share."""
    middle = _fact_levels(fk_depth)
    by_distance = sorted(range(fk_depth + 1), key=lambda level: abs(level - middle))
    turns = by_distance[: 1 + fk_depth // 2] + by_distance
    counts = [1] * (fk_depth + 1)
    for turn in range(core - len(counts)):
        counts[turns[turn % len(turns)]] += 1
    return counts


def _draft_early(domain: Domain, counts: Sequence[int], names: Names, rng: random.Random) -> list[Layer]:
    feeds = rng.sample(domain.feeds, len(domain.feeds))
    layers = [[names.table("raw", lap(feeds, i), "raw") for i in range(counts[0])]]
    for depth, count in enumerate(counts[1:]):
        prefix, verbs = ("int", BETWEEN) if depth else ("stg", STAGED)
        nouns = [f"{lap(feeds, i)}_{rng.choice(verbs)}" for i in range(count)]
        layers.append([names.table(prefix, noun, "staging") for noun in nouns])
    return layers


def _draft_core(domain: Domain, counts: Sequence[int], names: Names, rng: random.Random) -> list[Layer]:
    """Return the levels from the lowest children to the highest parents."""
    entities, events = (rng.sample(words, len(words)) for words in (domain.entities, domain.events))
    middle = _fact_levels(len(counts) - 1)
    levels: list[Layer] = []
    for level, count in enumerate(counts):
        if level < middle:
            below = middle - 1 - level
            tail = f"_{lap(DETAILS, below - 1)}" if below else ""
            levels.append([names.table("fact", lap(events, i) + tail, "fact") for i in range(count)])
        else:
            above = level - middle
            tail = f"_{lap(LEVELS, above - 1)}" if above else ""
            levels.append([names.table("dim", lap(entities, i) + tail, "dimension") for i in range(count)])
    return levels


def _derive(lower: Layer, upper: Layer, most: int, rng: random.Random) -> Pairs:
    """Return (downstream, upstream): each of `lower` from 1 to `most` of `upper`, all of `upper` used."""
    pairs: Pairs = []
    for table, run in zip(lower, spans(len(lower), len(upper)), strict=True):
        wanted = min(len(upper), rng.randint(1, most))
        sources = dict.fromkeys(run)
        while len(sources) < wanted:
            sources.setdefault(rng.randrange(len(upper)))
        pairs += [(table.name, upper[source].name) for source in sources]
    return pairs


def _reference(levels: Sequence[Layer], rng: random.Random) -> Pairs:
    """Return (child, parent) pairs between neighbouring levels, with extras as the chances say."""
    pairs: Pairs = []
    for level, (children, parents) in enumerate(pairwise(levels)):
        for child, run in zip(children, spans(len(children), len(parents)), strict=True):
            chosen = dict.fromkeys(parents[i].name for i in run)
            if rng.random() < SECOND_PARENT:
                chosen.setdefault(rng.choice(parents).name)
            if level + 2 < len(levels) and rng.random() < SHORTCUT:
                chosen.setdefault(rng.choice(levels[level + 2]).name)
            pairs += [(child.name, parent) for parent in chosen]
            if rng.random() < SECOND_ROLE:
                pairs.append((child.name, next(iter(chosen))))
    return pairs


def _draft_small(topic: str, shape: Sequence[tuple[str, int, str]], names: Names) -> Silo:
    tables = [names.table("", f"{topic}_{noun}", "record") for noun, _, _ in shape]
    keys: Pairs = []
    lineage: Pairs = []
    for table, (_, anchor, how) in zip(tables, shape, strict=True):
        match how:
            case "key":
                keys.append((table.name, tables[anchor].name))
            case "keyed":
                keys.append((tables[anchor].name, table.name))
            case "from":
                lineage.append((table.name, tables[anchor].name))
    return Silo(tables=tuple(tables), foreign_keys=tuple(keys), lineage=tuple(lineage))

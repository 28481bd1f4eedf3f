"""Pattern circulant: the rules of DW-Bench's released script (16 foreign keys, 89 lineage edges).

Layers raw, staging, core and mart hold a quarter, a quarter, the rest and a fifth of a silo. Below a layer
of n tables, table i derives from tables i and i+1 (mod n) of it; staging table 0 only from raw table 0. A
third of the core are facts, and every fact references every dimension. Lineage runs from layer to layer, so
it has no cycle.
"""

import random
from collections.abc import Iterator, Sequence

from warebench.catalog.synthetic.draft import DraftTable, Names, Silo, lap
from warebench.catalog.synthetic.spec import SyntheticSpec
from warebench.catalog.synthetic.words import RELEASED


def draft_circulant(
    spec: SyntheticSpec, sizes: Sequence[int], names: Names, rng: random.Random
) -> Iterator[Silo]:
    """Yield one silo per size; neither `spec` nor `rng` changes anything."""
    del spec, rng
    for index, size in enumerate(sizes):
        yield _draft_silo(index, size, names)


def _draft_silo(index: int, size: int, names: Names) -> Silo:
    words = RELEASED[index % len(RELEASED)]
    early, marts = (size + 1) // 4, size // 5
    core = size - 2 * early - marts
    facts = max(1, core // 3)
    raw = tuple(names.table("raw", lap(words.feeds, i), "raw") for i in range(early))
    staging = tuple(names.table("stg", lap(words.staged, i), "staging") for i in range(early))
    dims = tuple(names.table("dim", lap(words.entities, i), "dimension") for i in range(core - facts))
    fact = tuple(names.table("fact", lap(words.events, i), "fact") for i in range(facts))
    mart = tuple(names.table("mart", lap(words.metrics, i), "mart") for i in range(marts))
    lineage = [
        *_circle(staging[:1], raw[:1]),
        *_circle(staging[1:], raw, start=1),
        *_circle(dims + fact, staging),
        *_circle(mart, dims + fact),
    ]
    keys = tuple((child.name, parent.name) for child in fact for parent in dims)
    return Silo(tables=raw + staging + dims + fact + mart, foreign_keys=keys, lineage=tuple(lineage))


def _circle(
    takers: Sequence[DraftTable], givers: Sequence[DraftTable], start: int = 0
) -> Iterator[tuple[str, str]]:
    """Yield (downstream, upstream): taker i derives from givers i and i+1, counted round."""
    for i, taker in enumerate(takers, start):
        # A dict keeps the order and drops the repetition a single giver would make.
        for giver in dict.fromkeys((i % len(givers), (i + 1) % len(givers))):
            yield taker.name, givers[giver].name

"""Pattern chains: exact numbers of foreign keys and lineage edges, and disjoint lineage chains.

It meets what DW-Bench's Table 1 and Appendix D state of Syn-Logistics: 64 tables, 96 foreign keys, 35
lineage edges, five silos, "three parallel 4-hop lineage chains", read as three chains that share no table,
one in each of the first three silos. The other lineage edges are single steps raw -> core and core -> mart.

Facts and dimensions of a silo form a tree of foreign keys, every other table hangs on it by lineage; what
is left of both numbers is drawn from the pairs the roles allow. Lineage runs raw -> ... -> core -> mart, so
it has no cycle.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import pairwise

from warebench.catalog.synthetic.draft import DraftTable, Names, Silo, lap
from warebench.catalog.synthetic.spec import SyntheticSpec, refuse
from warebench.catalog.synthetic.words import BETWEEN, DOMAINS, STAGED, Domain

Pairs = list[tuple[str, str]]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Layers:
    chain: tuple[DraftTable, ...]
    """Raw to mart; empty where the silo has no chain. Its core and mart stand in the layers too."""
    raw: tuple[DraftTable, ...]
    dims: tuple[DraftTable, ...]
    facts: tuple[DraftTable, ...]
    marts: tuple[DraftTable, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Choice:
    """Pairs a silo must have, and pairs it may have: `steps`, and of each grid any left with any right."""

    needed: Pairs
    fixed: int = 0
    """How many of `needed` are no pairs the silo may have otherwise."""
    steps: Pairs
    grids: tuple[tuple[tuple[DraftTable, ...], tuple[DraftTable, ...]], ...]

    @property
    def size(self) -> int:
        """Most pairs the silo can have."""
        return self.fixed + len(self.steps) + sum(len(left) * len(right) for left, right in self.grids)

    def pair(self, place: int) -> tuple[str, str]:
        """Return the pair at a place below `size - fixed`."""
        if place < len(self.steps):
            return self.steps[place]
        place -= len(self.steps)
        for left, right in self.grids:
            if place < len(left) * len(right):
                return left[place // len(right)].name, right[place % len(right)].name
            place -= len(left) * len(right)
        raise IndexError(place)


def draft_chains(
    spec: SyntheticSpec, sizes: Sequence[int], names: Names, rng: random.Random
) -> Iterator[Silo]:
    """Yield one silo per size, the first `spec.chains` of them with a chain.

    Raises:
        BuildError: `foreign_keys` or `lineage` is too small to join the silos or too large for their tables.
    """
    layers = [
        _draft_layers(DOMAINS[i % len(DOMAINS)], size, spec.lineage_depth if i < spec.chains else 0, names)
        for i, size in enumerate(sizes)
    ]
    keys = _exact([_key_choice(layer) for layer in layers], spec.foreign_keys, "foreign_keys", rng)
    lineage = _exact([_lineage_choice(layer) for layer in layers], spec.lineage, "lineage", rng)
    for layer, silo_keys, silo_lineage in zip(layers, keys, lineage, strict=True):
        middle = layer.chain[1:-2]
        tables = layer.raw + middle + layer.dims + layer.facts + layer.marts
        yield Silo(tables=tables, foreign_keys=tuple(silo_keys), lineage=tuple(silo_lineage))


def _draft_layers(domain: Domain, size: int, depth: int, names: Names) -> _Layers:
    middle = max(0, depth - 2)
    spare = size - middle
    early = 1 + spare // 8
    core = spare - 2 * early
    facts = max(1, core * 3 // 7)
    raw = tuple(names.table("raw", lap(domain.feeds, i), "raw") for i in range(early))
    between = tuple(_between(domain, i, names) for i in range(middle))
    dims = tuple(names.table("dim", lap(domain.entities, i), "dimension") for i in range(core - facts))
    fact = tuple(names.table("fact", lap(domain.events, i), "fact") for i in range(facts))
    mart = tuple(names.table("mart", lap(domain.metrics, i), "mart") for i in range(early))
    chain = (raw[0], *between, dims[0], mart[0]) if depth else ()
    return _Layers(chain=chain, raw=raw, dims=dims, facts=fact, marts=mart)


def _between(domain: Domain, index: int, names: Names) -> DraftTable:
    if index == 0:
        return names.table("stg", f"{domain.feeds[0]}_{STAGED[0]}", "staging")
    return names.table("int", f"{domain.feeds[0]}_{lap(BETWEEN, index - 1)}", "staging")


def _key_choice(layers: _Layers) -> _Choice:
    """Return (child, parent) pairs: needed is a tree over the core; facts and marts may reference more."""
    first = layers.facts[0].name
    needed = [(first, dim.name) for dim in layers.dims]
    needed += [(fact.name, layers.dims[0].name) for fact in layers.facts[1:]]
    return _Choice(
        needed=needed, steps=_steps(layers.dims), grids=((layers.facts + layers.marts, layers.dims),)
    )


def _lineage_choice(layers: _Layers) -> _Choice:
    """Return (downstream, upstream) pairs: needed are the chain and one step per table off it."""
    core = layers.dims[1:] + layers.facts
    needed = [(later, earlier) for earlier, later in _steps(layers.chain)]
    fixed = len(needed)
    raw, marts = (layers.raw[1:], layers.marts[1:]) if layers.chain else (layers.raw, layers.marts)
    needed += [(core[i % len(core)].name, table.name) for i, table in enumerate(raw)]
    needed += [(mart.name, core[-1 - i % len(core)].name) for i, mart in enumerate(marts)]
    return _Choice(needed=needed, fixed=fixed, steps=[], grids=((core, raw), (marts, core)))


def _steps(tables: Sequence[DraftTable]) -> Pairs:
    return [(table.name, after.name) for table, after in pairwise(tables)]


def _exact(choices: Sequence[_Choice], total: int, field: str, rng: random.Random) -> list[Pairs]:
    """Return per silo all needed pairs and as many possible ones as make `total`, dealt out in turn."""
    needed, most = sum(len(c.needed) for c in choices), sum(c.size for c in choices)
    if not needed <= total <= most:
        raise refuse(
            f"these silos carry {needed} to {most} edges of this kind, not {total}",
            field,
            f"set `{field}` between {needed} and {most}, or change `tables`",
        )
    counts = [len(choice.needed) for choice in choices]
    open_silos = [(count, i) for i, count in enumerate(counts) if count < choices[i].size]
    heapify(open_silos)
    for _ in range(total - needed):
        # The silo with fewest edges so far is served first, the earlier one on a tie.
        count, i = heappop(open_silos)
        counts[i] = count + 1
        if counts[i] < choices[i].size:
            heappush(open_silos, (counts[i], i))
    return [_draw(choice, count, rng) for choice, count in zip(choices, counts, strict=True)]


def _draw(choice: _Choice, count: int, rng: random.Random) -> Pairs:
    """Return the needed pairs and random possible ones, `count` in all, without listing the possible."""
    # At most len(needed) - fixed of these places repeat a needed pair, so enough stay.
    places = rng.sample(range(choice.size - choice.fixed), count - choice.fixed)
    pairs = dict.fromkeys((*choice.needed, *(choice.pair(place) for place in places)))
    return list(pairs)[:count]

"""Pattern chains: exact numbers of foreign keys and lineage edges, and disjoint lineage chains of exact length.

It meets what DW-Bench's Table 1 and Appendix D state of Syn-Logistics: 64 tables, 96 foreign keys, 35 lineage
edges, five silos, "three parallel 4-hop lineage chains", read as three chains that share no table, one in each
of the first three silos. The other lineage edges are single steps raw -> core and core -> mart.

Facts and dimensions of a silo form a tree of foreign keys, every other table hangs on it by lineage; what is
left of both numbers is drawn from the pairs the roles allow. Lineage runs raw -> ... -> core -> mart, so it has
no cycle.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
    keys = _exact([_key_pairs(layer) for layer in layers], spec.foreign_keys, "foreign_keys", rng)
    lineage = _exact([_lineage_pairs(layer) for layer in layers], spec.lineage, "lineage", rng)
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


def _key_pairs(layers: _Layers) -> tuple[Pairs, Pairs]:
    """Return (child, parent) pairs that join the silo's core, and those that may be added."""
    first = layers.facts[0].name
    needed = [(first, dim.name) for dim in layers.dims]
    needed += [(fact.name, layers.dims[0].name) for fact in layers.facts[1:]]
    allowed = [(child.name, dim.name) for child in layers.facts + layers.marts for dim in layers.dims]
    allowed += [
        (lower.name, upper.name) for i, lower in enumerate(layers.dims) for upper in layers.dims[i + 1 :]
    ]
    taken = set(needed)
    return needed, [pair for pair in allowed if pair not in taken]


def _lineage_pairs(layers: _Layers) -> tuple[Pairs, Pairs]:
    """Return (downstream, upstream) pairs that hang every table on the core, and those that may be added."""
    core = layers.dims[1:] + layers.facts
    needed = [
        (later.name, earlier.name) for earlier, later in zip(layers.chain, layers.chain[1:], strict=False)
    ]
    loose_raw, loose_mart = (layers.raw[1:], layers.marts[1:]) if layers.chain else (layers.raw, layers.marts)
    needed += [(core[i % len(core)].name, raw.name) for i, raw in enumerate(loose_raw)]
    needed += [(mart.name, core[-1 - i % len(core)].name) for i, mart in enumerate(loose_mart)]
    allowed = [(table.name, raw.name) for table in core for raw in loose_raw]
    allowed += [(mart.name, table.name) for mart in loose_mart for table in core]
    taken = set(needed)
    return needed, [pair for pair in allowed if pair not in taken]


def _exact(choices: list[tuple[Pairs, Pairs]], total: int, field: str, rng: random.Random) -> list[Pairs]:
    """Return per silo all needed pairs and as many allowed ones as make `total`, dealt out in turn."""
    needed = sum(len(pairs) for pairs, _ in choices)
    most = needed + sum(len(allowed) for _, allowed in choices)
    if not needed <= total <= most:
        raise refuse(
            f"these silos carry {needed} to {most} edges of this kind, not {total}",
            field,
            f"set `{field}` between {needed} and {most}, or change `tables`",
        )
    picked = [list(pairs) for pairs, _ in choices]
    rest = [rng.sample(allowed, len(allowed)) for _, allowed in choices]
    left = total - needed
    while left:
        # The silo with fewest edges so far is served first, the earlier one on a tie.
        index = min((len(pairs), i) for i, pairs in enumerate(picked) if rest[i])[1]
        picked[index].append(rest[index].pop())
        left -= 1
    return picked

"""From a spec and a seed to a catalog."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from warebench.catalog.model import Catalog, ForeignKey, LineageEdge, Table
from warebench.catalog.synthetic.chains import draft_chains
from warebench.catalog.synthetic.circulant import draft_circulant
from warebench.catalog.synthetic.columns import dress
from warebench.catalog.synthetic.draft import Names, Silo
from warebench.catalog.synthetic.layered import draft_layered
from warebench.catalog.synthetic.spec import Pattern, SyntheticSpec, check_spec

Drafter = Callable[[SyntheticSpec, Sequence[int], Names, random.Random], Iterator[Silo]]

PATTERNS: Mapping[Pattern, Drafter] = {
    "layered": draft_layered,
    "chains": draft_chains,
    "circulant": draft_circulant,
}
"""How each pattern drafts its silos."""


def synthesise(spec: SyntheticSpec, seed: int) -> Catalog:
    """Return the catalog of a spec, the same bytes for the same spec and seed on every machine.

    Tables stand in alphabetical order, so that their order says nothing about silos; pattern circulant keeps
    the order of the script it reproduces, and its edges do not depend on the seed (its columns do).

    Args:
        spec: Sizes, up to 100,000 tables.
        seed: Of every random choice.

    Raises:
        BuildError: No catalog meets the spec; the error names the number to change.

    Complexity: Linear in tables and edges, but for the final sort.

    Reference: DW-Bench (arXiv 2604.18964), section 3.1 and Appendix D.
    """
    check_spec(spec)
    rng = random.Random(seed)  # noqa: S311  a benchmark needs repeatable choices, not secret ones
    sizes = _domain_sizes(spec, rng)
    tables: list[Table] = []
    keys: list[ForeignKey] = []
    lineage: list[LineageEdge] = []
    for silo in PATTERNS[spec.pattern](spec, sizes, Names(), rng):
        silo_tables, silo_keys = dress(silo, rng)
        tables += silo_tables
        keys += silo_keys
        lineage += [LineageEdge(downstream=down, upstream=up) for down, up in silo.lineage]
    if spec.pattern != "circulant":
        tables.sort(key=lambda table: table.name)
        keys.sort(key=lambda key: (key.child, key.parent, key.child_columns))
        lineage.sort(key=lambda edge: (edge.downstream, edge.upstream))
    return Catalog(
        name=spec.name,
        tables=tuple(tables),
        foreign_keys=tuple(keys),
        lineage=tuple(lineage),
        source=f"generated, pattern {spec.pattern}, seed {seed}",
    )


def _domain_sizes(spec: SyntheticSpec, rng: random.Random) -> list[int]:
    """Share the domain tables out: `largest` to the first silo, the rest evenly.

    Pattern layered then moves up to a fifth of a silo to its neighbour, so that sizes differ.
    """
    first = [spec.largest] if spec.largest else []
    silos, tables = spec.domain_silos - len(first), spec.domain_tables - sum(first)
    even = [tables // silos + (i < tables % silos) for i in range(silos)] if silos else []
    if spec.pattern == "layered":
        for i in range(0, silos - 1, 2):
            moved = rng.randint(0, min(even[i] // 5, even[i + 1] - spec.least_size))
            even[i] += moved
            even[i + 1] -= moved
    return first + even

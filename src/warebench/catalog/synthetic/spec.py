"""What a synthetic catalog is asked to be, and the refusal of what cannot be."""

from typing import Literal

import msgspec

from warebench.errors import BuildError

MAX_TABLES = 100_000
MAX_CIRCULANT_KEYS = 500_000
"""Pattern circulant makes a number of foreign keys quadratic in the size of a silo: refused beyond this."""
SMALL_SIZES = (2, 3, 3, 4, 5)
"""Sizes of small silos, taken in turn."""

Pattern = Literal["layered", "chains", "circulant"]
"""How the tables of a domain silo are wired; see the module of the same name."""


class SyntheticSpec(msgspec.Struct, frozen=True, kw_only=True):
    """Sizes of a synthetic catalog. A silo is a connected component of foreign keys and lineage.

    `silos` are made of `isolated` single tables, `small_silos` of two to five tables, and domain silos
    (carrier, procurement, healthcare, ...) which share the remaining tables.
    """

    name: str = "syn_logistics"
    pattern: Pattern = "layered"
    tables: int
    silos: int
    small_silos: int = 0
    """Of `silos`, those of two to five tables. Pattern layered only."""
    isolated: int = 0
    """Of `silos`, those of a single table without any edge. Pattern layered only."""
    largest: int = 0
    """Tables of the first domain silo; 0 shares evenly."""
    lineage_depth: int = 3
    """Lineage hops from the rawest to the last table of a domain silo (chains: of each chain)."""
    fk_depth: int = 6
    """Hops of the longest foreign key path, child to parent. Pattern layered only."""
    max_sources: int = 4
    """Most direct lineage sources of a table, unless covering the layer above needs more. Layered only."""
    chains: int = 0
    """Disjoint lineage chains of `lineage_depth` hops, at most one per silo. Pattern chains only."""
    foreign_keys: int = 0
    """Exact number of foreign keys. Pattern chains only; other patterns make what their rule gives."""
    lineage: int = 0
    """Exact number of lineage edges. Pattern chains only."""

    @property
    def domain_silos(self) -> int:
        """Silos that are neither small nor isolated."""
        return self.silos - self.small_silos - self.isolated

    @property
    def domain_tables(self) -> int:
        """Tables left for the domain silos."""
        small = sum(SMALL_SIZES[i % len(SMALL_SIZES)] for i in range(self.small_silos))
        return self.tables - small - self.isolated

    @property
    def least_size(self) -> int:
        """Fewest tables a domain silo of this spec can have."""
        match self.pattern:
            case "layered":
                return self.lineage_depth + self.fk_depth + 1
            case "chains":
                return self.lineage_depth + 4
            case "circulant":
                return 5


def refuse(what: str, field: str, fix: str) -> BuildError:
    """Return the error that says which number of the spec to change."""
    return BuildError(what, where=f"SyntheticSpec.{field}", fix=fix)


def check_spec(spec: SyntheticSpec) -> None:
    """Refuse a spec no catalog can meet.

    Raises:
        BuildError: It names the field to change and the bound it breaks.
    """
    _check_ranges(spec)
    _check_pattern(spec)
    if spec.domain_silos < 1:
        raise refuse(
            f"{spec.silos} silos: no domain silo beside {spec.small_silos} small, {spec.isolated} isolated",
            "silos",
            f"raise `silos` to at least {spec.small_silos + spec.isolated + 1}",
        )
    if 0 < spec.largest < spec.least_size:
        raise refuse(
            f"a domain silo has at least {spec.least_size} tables here, `largest` is {spec.largest}",
            "largest",
            f"raise `largest` to at least {spec.least_size}, or set it to 0",
        )
    needed = (spec.largest or spec.least_size) + (spec.domain_silos - 1) * spec.least_size
    if spec.domain_tables < needed:
        raise refuse(
            f"{spec.domain_silos} domain silos of at least {spec.least_size} tables need {needed}, "
            f"{spec.domain_tables} are left for them",
            "tables",
            f"raise `tables` to at least {spec.tables - spec.domain_tables + needed}, "
            "or lower `silos`, `lineage_depth` or `fk_depth`",
        )
    _check_sharing(spec)


def _check_sharing(spec: SyntheticSpec) -> None:
    if spec.largest and spec.domain_silos == 1 and spec.largest != spec.domain_tables:
        raise refuse(
            f"the only domain silo has {spec.domain_tables} tables, not {spec.largest}",
            "largest",
            "set `largest` to 0",
        )
    # In a silo of n tables, a tenth are facts and a fifth are dimensions.
    keys = spec.domain_tables**2 // (50 * spec.domain_silos)
    if spec.pattern == "circulant" and keys > MAX_CIRCULANT_KEYS:
        least = spec.domain_tables**2 // (50 * MAX_CIRCULANT_KEYS) + 1
        raise refuse(
            f"every fact references every dimension: about {keys} foreign keys",
            "silos",
            f"raise `silos` to at least {least}",
        )


def _check_ranges(spec: SyntheticSpec) -> None:
    least = {"tables": 1, "silos": 1, "lineage_depth": 2, "fk_depth": 1, "max_sources": 1}
    for field in ("small_silos", "isolated", "largest", "chains", "foreign_keys", "lineage"):
        least[field] = 0
    for field, bound in least.items():
        if getattr(spec, field) < bound:
            raise refuse(
                f"`{field}` is {getattr(spec, field)}", field, f"raise `{field}` to at least {bound}"
            )
    if spec.tables > MAX_TABLES:
        raise refuse(f"`tables` is {spec.tables}", "tables", f"lower `tables` to at most {MAX_TABLES}")


def _check_pattern(spec: SyntheticSpec) -> None:
    foreign = {
        "layered": ("chains", "foreign_keys", "lineage"),
        "chains": ("small_silos", "isolated"),
        "circulant": ("small_silos", "isolated", "chains", "foreign_keys", "lineage"),
    }
    for field in foreign[spec.pattern]:
        if getattr(spec, field):
            raise refuse(f"pattern {spec.pattern} does not take `{field}`", field, f"set `{field}` to 0")
    if spec.pattern == "circulant" and spec.lineage_depth != 3:
        raise refuse("pattern circulant has three lineage hops", "lineage_depth", "set `lineage_depth` to 3")
    if spec.chains > spec.silos:
        raise refuse(
            f"{spec.chains} chains do not fit {spec.silos} silos, one each",
            "chains",
            f"lower `chains` to at most {spec.silos}",
        )

"""How many questions of which subtype: the paper's counts, or a balanced set of any size."""

from dataclasses import dataclass

from warebench.tracks.topology.semantics import DEFAULT, PAPER, Semantics
from warebench.tracks.topology.subtypes import SUBTYPES

PAPER_COUNTS: dict[str, dict[str, int]] = {
    "adventureworks": {
        "forward": 27,
        "reverse": 18,
        "multi_source": 7,
        "combined_impact": 24,
        "direct_fk": 16,
        "join_path": 80,
        "hop_count": 20,
        "count": 1,
        "isolation": 10,
        "connected": 1,
        "membership": 3,
        "full_enumeration": 1,
    },
    "tpc_ds": {
        "direct_fk": 16,
        "join_path": 80,
        "hop_count": 20,
        "count": 1,
        "isolation": 5,
        "connected": 1,
        "membership": 3,
        "full_enumeration": 1,
    },
    "tpc_di": {
        "forward": 19,
        "reverse": 17,
        "transitive": 2,
        "combined_impact": 9,
        "direct_fk": 16,
        "join_path": 76,
        "hop_count": 20,
        "count": 1,
        "isolation": 10,
        "connected": 1,
        "membership": 9,
        "full_enumeration": 1,
    },
    "omop_cdm": {
        "forward": 6,
        "reverse": 16,
        "transitive": 2,
        "combined_impact": 2,
        "direct_fk": 16,
        "join_path": 80,
        "hop_count": 20,
        "count": 1,
        "isolation": 10,
        "connected": 1,
        "membership": 3,
        "full_enumeration": 1,
    },
    "syn_logistics": {
        "forward": 20,
        "reverse": 20,
        "multi_source": 42,
        "transitive": 29,
        "combined_impact": 34,
        "direct_fk": 36,
        "join_path": 26,
        "hop_count": 44,
        "count": 26,
        "isolation": 25,
        "connected": 25,
        "membership": 20,
        "full_enumeration": 25,
    },
}
"""Questions per data set and subtype, rebuilt from the released scripts; their sums are the paper's
Table 1 (208, 127, 181, 158, 372) and Table 2, 1,046 in all. See docs/fidelity.md."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """A named way to build a set."""

    name: str
    semantics: Semantics
    siblings: bool
    """Whether questions may share a fact."""


PROFILES: dict[str, Profile] = {
    "default": Profile(name="default", semantics=DEFAULT, siblings=False),
    "paper": Profile(name="paper", semantics=PAPER, siblings=True),
}


def quotas(profile: str, catalog: str, size: int, subtypes: tuple[str, ...]) -> dict[str, int]:
    """Return how many questions of each subtype to ask about a catalog.

    Args:
        profile: A name in PROFILES.
        catalog: Name of the catalog.
        size: Questions per subtype and catalog in the default profile.
        subtypes: Subtypes wanted; empty for all.
    """
    counts = PAPER_COUNTS[catalog] if profile == "paper" else {kind.name: size for kind in SUBTYPES}
    order = [kind.name for kind in SUBTYPES]
    return {name: counts[name] for name in order if counts.get(name) and (not subtypes or name in subtypes)}

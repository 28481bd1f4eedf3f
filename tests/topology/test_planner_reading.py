"""Reading is the inverse of phrasing: every template, every semantics, and names that want quoting."""

import itertools

import pytest

from warebench.errors import InternalError
from warebench.tracks.topology.phrase import TEMPLATES, phrase
from warebench.tracks.topology.planner.compute import KINDS
from warebench.tracks.topology.planner.plan import PLANS
from warebench.tracks.topology.planner.reading import read_question
from warebench.tracks.topology.semantics import Semantics

EXPECTED = {
    "forward": ("targets", 1, ()),
    "reverse": ("sources", 1, ()),
    "multi_source": ("sources", 1, ()),
    "multi_source.two_sources": ("sources", 1, ()),
    "transitive": ("closure", 1, ()),
    "combined_impact": ("impact", 1, ("impact",)),
    "direct_fk": ("direct_key", 2, ()),
    "join_path": ("key_path", 2, ("direction",)),
    "hop_count": ("key_hops", 2, ("direction",)),
    "hop_count.lineage": ("lineage_hops", 2, ()),
    "count": ("silo_count", 0, ("edges", "k=1")),
    "count.silo_size": ("silo_size", 1, ("edges",)),
    "count.silos_at_least": ("silo_count", 0, ("edges", "k=4")),
    "isolation": ("isolated", 1, ("edges",)),
    "connected": ("together", 2, ("edges",)),
    "membership": ("members", 1, ("edges",)),
    "full_enumeration": ("members", 1, ("edges",)),
}
NAMES = (("a", "b"), ("OLTP.Sales.Store", "store"), ("x`y? z", "it derives from directly"))
SEMANTICS = [
    Semantics(
        fk_direction=fk,
        silo_edges=silo,
        impact_fk_direction=impact,
        impact_fk_depth=depth,
        impact_fk_from_table=t,
    )
    for fk, silo, impact, depth, t in itertools.product(
        ("undirected", "parent_to_child", "child_to_parent"),
        ("fk+lineage", "fk", "lineage"),
        ("children", "undirected"),
        (None, 1, 2, 5),
        (True, False),
    )
]


def expected(name, tables, semantics):
    kind, count, stated = EXPECTED[name]
    details = {
        "impact": {
            "direction": semantics.impact_fk_direction,
            "depth": semantics.impact_fk_depth,
            "from_table": semantics.impact_fk_from_table,
        },
        "direction": {"direction": semantics.fk_direction},
        "edges": {"edges": semantics.silo_edges},
        "k=1": {"k": 1},
        "k=4": {"k": 4},
    }
    asked = {"kind": kind, "tables": list(tables[:count])}
    for part in stated:
        asked |= details[part]
    return asked


@pytest.mark.parametrize("name", TEMPLATES)
def test_round_trip(name):
    subtype, _, variant = name.partition(".")
    for tables, semantics in itertools.product(NAMES, SEMANTICS):
        subjects = tables[: EXPECTED[name][1]]
        text = phrase(subtype, variant, subjects, semantics, {"k": 4})
        assert read_question(text) == expected(name, tables, semantics)


def test_every_kind_is_computed_and_planned():
    kinds = {kind for kind, _, _ in EXPECTED.values()}
    assert set(KINDS) == set(PLANS) == kinds


def test_other_text_is_refused():
    with pytest.raises(InternalError, match="no template reads so"):
        read_question("Which tables are nice?")

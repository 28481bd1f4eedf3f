"""Subgraphs, their scores and their selection."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.intelligence import shop

from warebench.tracks.intelligence.knowledge.links import find_dimension
from warebench.tracks.intelligence.knowledge.read import read_knowledge
from warebench.tracks.intelligence.sampling.affinity import affinity
from warebench.tracks.intelligence.sampling.plausible import is_plausible
from warebench.tracks.intelligence.sampling.score import (
    WEIGHTS,
    Chosen,
    Scales,
    cardinality_score,
    fixed_score,
    moving_score,
)
from warebench.tracks.intelligence.sampling.select import DIVERSITY, jaccard_distance, select
from warebench.tracks.intelligence.sampling.subgraph import Subgraph, enumerate_subgraphs, time_dimension
from warebench.tracks.intelligence.sources import bundled_folder
from warebench.worlds import find_world

KNOWLEDGE = shop.make_knowledge()
ECOMMERCE = read_knowledge(bundled_folder("ecommerce"))


def test_subgraphs_of_the_shop() -> None:
    ruled = {one.key: one for one in enumerate_subgraphs(KNOWLEDGE, shop.CATALOG, ruled=True)}
    assert ruled["MV-REV-001+customer_state"].tables == ("customers", "orders", "items")
    assert ruled["MV-REV-001+order_date"].rules == ("BR-04", "BR-05")
    assert ruled["MV-DEL-001+customer_state"].tables == ("customers", "orders"), (
        "the way to the dimension counts"
    )
    assert "MV-DEL-001+order_status" not in ruled, "its status is fixed by the definition"
    plain = list(enumerate_subgraphs(KNOWLEDGE, shop.CATALOG, ruled=False))
    assert all(one.rules == () and one.key.endswith("-plain") for one in plain)
    assert max(len(one.dimensions) for one in plain) == 2


def test_the_time_of_a_composite_is_that_of_its_parts() -> None:
    found = time_dimension(KNOWLEDGE, shop.CATALOG, "MV-FUL-001")
    assert found is not None
    assert found.id == "order_date"
    assert time_dimension(ECOMMERCE, find_world("ecommerce").catalog, "MV-REV-005") is None


@pytest.mark.parametrize(
    ("metric", "dimension", "rules", "plausible"),
    [
        ("MV-ORD-002", "order_status", (), False),
        ("MV-ORD-001", "order_status", (), True),
        ("MV-REV-001", "order_status", (), True),
        ("MV-REV-001", "order_status", ("BR-07",), False),
        ("MV-REV-002", "customer_state", ("BR-12",), True),
        ("MV-PAY-001", "payment_type", (), False),
        ("MV-DEL-001", "purchase_date", (), True),
    ],
)
def test_dimensions_that_say_something(
    metric: str, dimension: str, rules: tuple[str, ...], plausible: bool
) -> None:
    catalog = find_world("ecommerce").catalog
    assert is_plausible(ECOMMERCE, catalog, metric, find_dimension(ECOMMERCE, dimension), rules) is plausible


def test_affinity_prefers_what_is_near_and_spoken_of() -> None:
    catalog = find_world("ecommerce").catalog

    def of(metric: str, dimension: str) -> float:
        return affinity(ECOMMERCE, catalog, metric, find_dimension(ECOMMERCE, dimension))

    assert of("MV-DEL-001", "customer_state") > of("MV-DEL-004", "customer_state"), "joined, or beyond"
    assert of("MV-REV-004", "category") > of("MV-REV-004", "item_position"), (
        "a position in a key is no property"
    )


@pytest.mark.parametrize(
    ("distinct", "score"), [(0, 0.7), (1, 0.1), (2, 0.5), (3, 0.8), (5, 0.8), (6, 1.0), (4000, 1.0)]
)
def test_cardinality_as_in_the_paper(distinct: int, score: float) -> None:
    assert cardinality_score(distinct) == score


def test_quality_by_hand() -> None:
    assert sum(WEIGHTS.values()) == pytest.approx(1.0)
    one = Subgraph(metric="M", tables=("a", "b"), dimensions=("d", "e"), rules=("R", "S"))
    scales = Scales(affinity={("M", "d"): 1.0, ("M", "e"): 0.5}, cardinality={"d": 2, "e": 9})
    assert fixed_score(one, scales) == pytest.approx(0.25 * 0.75 + 0.20 * 0.75 + 0.15 * 0.5)
    chosen = Chosen()
    assert moving_score(one, chosen) == pytest.approx(0.4)
    chosen.add(Subgraph(metric="M", tables=(), dimensions=(), rules=("R",)))
    assert moving_score(one, chosen) == pytest.approx(0.20 * (0.5 + 1) / 2 + 0.20 * 0.5)


names = st.sampled_from("abcdef")
sets = st.frozensets(names)
subgraphs = st.builds(
    Subgraph,
    metric=st.sampled_from("MN"),
    tables=st.frozensets(names, min_size=1).map(lambda found: tuple(sorted(found))),
    dimensions=st.frozensets(names, max_size=2).map(lambda found: tuple(sorted(found))),
    rules=st.frozensets(st.sampled_from("RST"), max_size=2).map(lambda found: tuple(sorted(found))),
)
pools = st.lists(subgraphs, unique_by=lambda one: one.key, max_size=8)
SCALES = Scales(
    affinity={(metric, name): 0.1 * place for metric in "MN" for place, name in enumerate("abcdef")},
    cardinality={name: place for place, name in enumerate("abcdef")},
)


@given(sets, sets, sets)
def test_jaccard_is_a_distance(one: frozenset[str], other: frozenset[str], third: frozenset[str]) -> None:
    assert jaccard_distance(one, one) == 0
    assert jaccard_distance(one, other) == jaccard_distance(other, one)
    assert 0 <= jaccard_distance(one, other) <= 1
    through = jaccard_distance(one, third) + jaccard_distance(third, other)
    assert jaccard_distance(one, other) <= through + 1e-12


@given(pools, st.integers(0, 9))
def test_selection_is_greedy_by_the_papers_formula(pool: list[Subgraph], target: int) -> None:
    selected = select(pool, SCALES, target, 42)
    assert selected == select(pool[::-1], SCALES, target, 42), "the order of the pool does not matter"
    assert len({one.key for one in selected}) == len(selected) >= min(target, len(pool))
    chosen = Chosen()
    for place, one in enumerate(selected[:target]):
        before = selected[:place]
        rest = [other for other in pool if other not in before]

        def value(item: Subgraph, before: list[Subgraph] = before, chosen: Chosen = chosen) -> float:
            far = min((jaccard_distance(item.nodes, other.nodes) for other in before), default=1.0)
            quality = fixed_score(item, SCALES) + moving_score(item, chosen)
            return (1 - DIVERSITY) * quality + DIVERSITY * far

        assert value(one) == pytest.approx(max(map(value, rest)))
        chosen.add(one)


@given(pools, st.integers(0, 2))
def test_no_metric_and_no_rule_is_left_out(pool: list[Subgraph], target: int) -> None:
    def covered(items: list[Subgraph]) -> set[str]:
        return {node for one in items for node in one.nodes if node.startswith(("metric:", "rule:"))}

    assert covered(select(pool, SCALES, target, 42)) == covered(pool)

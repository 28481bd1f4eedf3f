from collections.abc import Iterable
from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warebench.answers import mutate
from warebench.answers.canonical import canonical
from warebench.answers.compare import Verdict, compare
from warebench.answers.model import Abstain, Answer, Boolean, NameSet, Number, Path
from warebench.answers.mutate import equivalents, mutations, self_check
from warebench.answers.parse import Unparsed, kind_of, parse
from warebench.answers.render import render


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple({canonical(name): name for name in names if canonical(name).strip(".")}.values())


PART = st.text(alphabet="abAB_1\u00e9\u0131\u00df\u987e", min_size=1, max_size=4)
NAME = st.lists(PART, min_size=1, max_size=3).map(".".join)
CATALOGS = st.lists(NAME, min_size=1, max_size=12).map(_distinct).filter(bool)


@st.composite
def path_golds(draw: st.DrawFn, names: tuple[str, ...]) -> Path:
    """Return a shortest path of a random directed graph, with the steps of all tied ones."""
    pairs = st.tuples(st.sampled_from(names), st.sampled_from(names))
    graph = nx.DiGraph(draw(st.lists(pairs, max_size=40)))
    graph.add_nodes_from(names)
    start, end = draw(pairs)
    if not nx.has_path(graph, start, end):
        return Path((start,))
    tied = sorted(nx.all_shortest_paths(graph, start, end))
    steps = {step for path in tied for step in pairwise(path)}
    return Path(tuple(draw(st.sampled_from(tied))), tuple(sorted(steps)))


@st.composite
def golds(draw: st.DrawFn) -> tuple[Answer, tuple[str, ...]]:
    """Return a gold answer and the catalog's names."""
    names = draw(CATALOGS)
    subset = st.lists(st.sampled_from(names), unique=True).map(lambda chosen: tuple(sorted(chosen)))
    sets = st.builds(NameSet, subset, st.just(()) | subset)
    numbers = st.integers(min_value=-(10**6), max_value=10**6)
    kinds: list[st.SearchStrategy[Answer]] = [
        st.builds(Boolean, st.booleans()), st.builds(Number, numbers), sets, path_golds(names),
    ]  # fmt: skip
    return draw(st.one_of(kinds)), names


CATALOG = ("s.a", "s.b", "s.c", "s.d", "t.a")
DIAMOND = Path(("s.a", "s.b", "s.d"), (("s.a", "s.b"), ("s.a", "s.c"), ("s.b", "s.d"), ("s.c", "s.d")))


@given(golds())
@settings(max_examples=100, deadline=None)
def test_gold_is_right_and_stays_so_through_json(drawn: tuple[Answer, tuple[str, ...]]) -> None:
    gold, names = drawn
    read = parse(render(gold), kind_of(gold))
    assert not isinstance(read, Unparsed)
    for reply in (gold, read):
        for known in ((), names):
            verdict = compare(gold, reply, names=known)
            assert verdict.correct
            assert verdict.f1 == 1


@given(golds(), st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_all_mutations_are_rejected(drawn: tuple[Answer, tuple[str, ...]], seed: int) -> None:
    gold, names = drawn
    spoiled = mutations(gold, names, seed)
    assert len(spoiled) >= 3
    for reply in spoiled:
        assert not compare(gold, reply, names=names).correct, reply
        assert not compare(gold, reply).correct, reply


@given(golds(), st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_all_equivalents_are_accepted(drawn: tuple[Answer, tuple[str, ...]], seed: int) -> None:
    gold, names = drawn
    told = equivalents(gold, names, seed)
    assert told[0] == gold
    for reply in told:
        verdict = compare(gold, reply, names=names)
        assert verdict.correct, (reply, verdict)
        assert verdict.f1 == 1


@given(golds(), st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_both_survive_the_wire(drawn: tuple[Answer, tuple[str, ...]], seed: int) -> None:
    gold, names = drawn
    kind = kind_of(gold)
    for reply, truth in [(r, True) for r in equivalents(gold, names, seed)] + [
        (r, False) for r in mutations(gold, names, seed) if not isinstance(r, Abstain) and kind_of(r) == kind
    ]:
        read = parse(f"I am done.\n{render(reply)}", kind)
        assert isinstance(read, Boolean | Number | NameSet | Path), (reply, read)
        assert compare(gold, read, names=names).correct is truth, (reply, read)


def test_set_mutations_cover_each_fault() -> None:
    gold = NameSet(("s.a", "s.b"), optional=("s.c",))
    reasons = {compare(gold, reply, names=CATALOG).reason for reply in mutations(gold, CATALOG, 0)}
    assert reasons == {
        "missing names",
        "extra names",
        "missing and extra names",
        "kind mismatch",
        "abstained",
    }
    foreign = {name for r in mutations(gold, CATALOG, 0) if isinstance(r, NameSet) for name in r.names}
    assert foreign & {"s.d", "t.a"}


def test_empty_gold_has_mutations_that_name_a_table() -> None:
    spoiled = mutations(NameSet(()), CATALOG, 0)
    assert any(isinstance(reply, NameSet) and reply.names for reply in spoiled)
    assert NameSet(()) not in spoiled


def test_path_mutations_hold_reversal_and_swap() -> None:
    gold = Path(("s.a", "s.b", "s.c", "s.d"))
    spoiled = mutations(gold, CATALOG, 0)
    assert Path(gold.nodes[::-1]) in spoiled
    assert Path(("s.a", "s.c", "s.b", "s.d")) in spoiled


def test_equivalents_hold_the_tied_path_and_short_names() -> None:
    told = {reply.nodes for reply in equivalents(DIAMOND, CATALOG, 0) if isinstance(reply, Path)}
    assert ("s.a", "s.c", "s.d") in told
    # `a` ends two names of the catalog, the others one each.
    assert ("s.a", "b", "d") in told


def test_equal_seeds_give_equal_replies() -> None:
    gold = NameSet(CATALOG[:3])
    assert mutations(gold, CATALOG, 5) == mutations(gold, set(CATALOG), 5)
    assert len({mutations(gold, CATALOG, seed) for seed in range(20)}) > 1


@pytest.mark.parametrize(
    ("always", "complaint"), [(True, "accepted a mutation"), (False, "rejected an equivalent")]
)
def test_self_check_finds_a_broken_comparator(
    monkeypatch: pytest.MonkeyPatch, always: bool, complaint: str
) -> None:
    assert self_check(DIAMOND, CATALOG, 0) == ()
    verdict = Verdict(correct=always, f1=1.0, reason="equal", explanation="always")
    monkeypatch.setattr(mutate, "compare", lambda gold, reply, names: verdict)
    faults = self_check(DIAMOND, CATALOG, 0)
    assert faults
    assert all(fault.startswith(complaint) for fault in faults)

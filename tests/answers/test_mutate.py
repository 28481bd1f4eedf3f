from collections.abc import Iterable
from itertools import pairwise
from typing import get_args

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warebench.answers import mutate
from warebench.answers.canonical import canonical
from warebench.answers.compare import Verdict, compare
from warebench.answers.label import label
from warebench.answers.model import (
    Abstain,
    Answer,
    Boolean,
    Cell,
    Choice,
    Column,
    Field,
    NameSet,
    Number,
    Path,
    Quantity,
    Record,
    ScalarKind,
    Table,
    Text,
)
from warebench.answers.mutate import equivalents, mutations, self_check, wordings
from warebench.answers.parse import AnswerKind, Unparsed, kind_of, parse
from warebench.answers.render import render


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple({canonical(name): name for name in names if canonical(name).strip(".")}.values())


PART = st.text(alphabet="abAB_1\u00e9\u0131\u00df\u987e", min_size=1, max_size=4)
NAME = st.lists(PART, min_size=1, max_size=3).map(".".join)
CATALOGS = st.lists(NAME, min_size=1, max_size=12).map(_distinct).filter(bool)

SIZES = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(-(10**9), 10**9).map(float),
    st.integers(-(10**9), 10**9).map(lambda cents: cents / 100),
)
QUANTITIES = st.builds(
    Quantity, SIZES, st.sampled_from((0.0, 1e-9, 1e-4, 0.01)), st.sampled_from((0.0, 1e-6, 0.005, 0.5))
)
WORDS = st.text(alphabet="abCD 019.,-'/()\u00e9\u00df\u0131\u987e", min_size=1, max_size=12)
DAYS = st.dates().map(lambda day: day.isoformat())
VALUES = (WORDS | DAYS | st.integers(0, 999).map(str)).map(str.strip).filter(lambda value: value.strip(" .'"))
TEXTS = st.builds(Text, VALUES, st.lists(VALUES, max_size=2).map(tuple))

WHOLE = st.integers(-(10**6), 10**6)
SCALARS = st.one_of(st.builds(Boolean, st.booleans()), st.builds(Number, WHOLE), QUANTITIES, TEXTS)
LABELS = st.lists(
    st.text(alphabet="abXY_1 \u00e9", min_size=1, max_size=6).filter(lambda name: name.strip(" _")),
    min_size=1,
    max_size=4,
    unique_by=label,
)
RECORDS = LABELS.flatmap(
    lambda names: st.tuples(*(st.builds(Field, st.just(name), SCALARS) for name in names)).map(Record)
)
CELLS: dict[ScalarKind, st.SearchStrategy[Cell]] = {
    "boolean": st.booleans() | st.none(),
    "number": WHOLE | st.none(),
    # Few values, so that some lie within each other's tolerance.
    "quantity": SIZES | st.integers(0, 12).map(lambda tenths: tenths / 10) | st.none(),
    "text": VALUES | st.sampled_from(("SP", "sp", "RJ")),
}


@st.composite
def table_golds(draw: st.DrawFn) -> Table:
    """Return a table, with a key where its first column can be one."""
    columns = tuple(
        Column(
            name,
            draw(st.sampled_from(tuple(CELLS))),
            draw(st.sampled_from((0.0, 1e-4, 0.01))),
            draw(st.sampled_from((0.0, 0.005, 0.5))),
        )
        for name in draw(LABELS)
    )
    rows = tuple(draw(st.lists(st.tuples(*(CELLS[column.kind] for column in columns)), max_size=5)))
    can_name = columns[0].kind != "quantity" and len({row[0] for row in rows}) == len(rows)
    key = (columns[0].name,) if can_name and draw(st.booleans()) else ()
    return Table(columns, rows, draw(st.booleans()), key)


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
        QUANTITIES, TEXTS, st.builds(Choice, st.sampled_from("ABCDEZ")), RECORDS, table_golds(),
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


@pytest.mark.parametrize("kind", get_args(AnswerKind))
def test_gold_that_cannot_be_determined_passes_its_self_check(kind: AnswerKind) -> None:
    gold = Abstain("no currency is given", kind)
    assert kind_of(gold) == kind
    assert len(wordings(gold)) >= 3
    assert self_check(gold, CATALOG, seed=0) == ()


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
        assert not isinstance(read, Abstain | Unparsed), (reply, read)
        assert compare(gold, read, names=names).correct is truth, (reply, read)


@given(golds())
@settings(max_examples=150, deadline=None)
def test_all_wordings_are_read(drawn: tuple[Answer, tuple[str, ...]]) -> None:
    gold, names = drawn
    for text in wordings(gold):
        read = parse(text, kind_of(gold))
        assert not isinstance(read, Unparsed), (text, read)
        assert compare(gold, read, names=names).correct, (text, read)


def test_quantity_mutations_cover_each_fault() -> None:
    gold = Quantity(12.3456)
    said = [reply.value for reply in mutations(gold, (), 0) if isinstance(reply, Quantity)]
    assert {-12.3456, 12.3456 * 10, 12.35} <= set(said)
    # The floats just outside either end of 12.3456 -+ 0.00123456.
    assert min(abs(value - 12.34683456) for value in said) < 1e-12
    assert min(abs(value - 12.34436544) for value in said) < 1e-12
    kept = {reply.value for reply in equivalents(gold, (), 0) if isinstance(reply, Quantity)}
    assert 12.346 in kept
    assert max(kept) > 12.3468 > 12.3444 > min(kept)


def test_an_exact_quantity_has_neighbours_that_are_wrong() -> None:
    said = [reply.value for reply in mutations(Quantity(0.0), (), 0) if isinstance(reply, Quantity)]
    assert {5e-324, -5e-324} <= set(said)


def test_text_mutations_cover_numbers_and_dates() -> None:
    assert {Text("07"), Text("7.0")} <= set(mutations(Text("7"), (), 0))
    assert {Text("2020-02-28"), Text("2020-03-01")} <= set(mutations(Text("2020-02-29"), (), 0))
    assert Text("2020/02/29") in equivalents(Text("2020-02-29"), (), 0)


def test_choice_mutations_are_the_other_letters() -> None:
    spoiled = mutations(Choice("B"), (), 0)
    assert {Choice("A"), Choice("C"), Choice("D")} <= set(spoiled)
    assert Choice("B") not in spoiled


@pytest.mark.parametrize("value", ["yes/no", "<none>", "..", "...", "I do not know", "yes | no", "</think>"])
def test_a_string_under_answer_is_the_value_whatever_it_says(value: str) -> None:
    reply = parse(render(Text(value)), "text")
    assert not isinstance(reply, Unparsed)
    assert compare(Text(value), reply).correct
    assert not compare(Text("Oslo"), reply).correct


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


RANKING = Table(
    (Column("state"), Column("days", "quantity", 0.0, 0.05), Column("n", "number")),
    (("SP", 8.3, 3), ("RJ", 12.0, 4), ("AM", 26.25, 5)),
    ordered=True,
    key=("state",),
)


def test_table_mutations_cover_each_fault() -> None:
    reasons = {compare(RANKING, reply).reason for reply in mutations(RANKING, (), 0)}
    assert reasons == {
        "missing rows",
        "extra rows",
        "missing and extra rows",
        "wrong order",
        "kind mismatch",
        "abstained",
    }
    spoiled = [reply for reply in mutations(RANKING, (), 0) if isinstance(reply, Table)]
    names = {tuple(column.name for column in reply.columns) for reply in spoiled}
    assert ("state_2", "days", "n") in names
    scrambled = (("RJ", "8.3", "3"), ("AM", "12.0", "4"), ("SP", "26.25", "5"))
    assert scrambled in {reply.rows for reply in spoiled}


def test_record_mutations_cover_each_fault() -> None:
    gold = Record((Field("low", Quantity(1.0)), Field("high", Quantity(2.0)), Field("unit", Text("days"))))
    reasons = {compare(gold, reply).reason for reply in mutations(gold, (), 0)}
    assert reasons == {"missing fields", "wrong fields", "kind mismatch", "abstained"}
    swapped = Record((Field("low", Quantity(2.0)), Field("high", Quantity(1.0)), Field("unit", Text("days"))))
    assert swapped in mutations(gold, (), 0)


def test_self_check_finds_a_record_that_cannot_be_told() -> None:
    faults = self_check(Record((Field("answer", Text("x")),)), (), 0)
    assert any(fault.startswith("misread a wording") for fault in faults), faults


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

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warebench.answers.compare import compare, set_f1
from warebench.answers.model import (
    Abstain,
    Answer,
    Boolean,
    Choice,
    Column,
    Field,
    NameSet,
    Number,
    Path,
    Quantity,
    Record,
    Reply,
    Table,
    Text,
)

STEPS = (("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"))
DIAMOND = Path(("a", "b", "d"), STEPS)
TREND = Record(
    (
        Field("direction", Text("increasing")),
        Field("total_change_pct", Quantity(32.1, 0.0, 0.05)),
        Field("periods", Number(13)),
        Field("significant", Boolean(True)),
    )
)
STATES = (Column("state"), Column("days", "quantity", 0.0, 0.05))
RANKING = Table(STATES, (("SP", 8.3), ("RJ", 12.0), ("AM", 26.25)), ordered=True, key=("state",))
BREAKDOWN = Table(STATES, RANKING.rows, key=("state",))
UNKEYED = Table(
    (Column("x", "quantity", 0.0, 0.1), Column("y", "quantity", 0.0, 0.1)), ((1.0, 5.0), (1.1, 5.1))
)
SETS = st.frozensets(st.sampled_from("abcdef"))


def said(**fields: str) -> Record:
    """Return a record as a reply states it; two underscores stand for a space."""
    return Record(tuple(Field(name.replace("__", " "), Text(value)) for name, value in fields.items()))


def rows(header: str, *lines: str) -> Table:
    """Return a table as a reply states it, its values between spaces."""
    return Table(tuple(map(Column, header.split())), tuple(tuple(line.split()) for line in lines))


CASES: list[tuple[Answer, Reply, bool, float, str]] = [
    (Boolean(True), Boolean(True), True, 1, "equal"),
    (Boolean(True), Boolean(False), False, 0, "wrong value"),
    (Boolean(True), Number(1), False, 0, "kind mismatch"),
    (Number(1), Boolean(True), False, 0, "kind mismatch"),
    (Number(0), Boolean(False), False, 0, "kind mismatch"),
    (Number(5), Number(5), True, 1, "equal"),
    (Number(5), Number(6), False, 0, "wrong value"),
    (Number(5), Abstain(), False, 0, "abstained"),
    (NameSet(("a", "b")), NameSet(("B", "[A]", "a")), True, 1, "equal"),
    (NameSet(("a", "b")), NameSet(("a",)), False, 2 / 3, "missing names"),
    (NameSet(("a",)), NameSet(("a", "b")), False, 2 / 3, "extra names"),
    (NameSet(("a", "b")), NameSet(("a", "c")), False, 0.5, "missing and extra names"),
    (NameSet(("a", "b")), NameSet(()), False, 0, "missing names"),
    (NameSet(("a", "b")), Path(("a", "b")), False, 0, "kind mismatch"),
    # The reference takes any answer for an empty gold.
    (NameSet(()), NameSet(()), True, 1, "equal"),
    (NameSet(()), NameSet(("a",)), False, 0, "extra names"),
    (NameSet(()), Abstain(), False, 0, "abstained"),
    (Abstain(), Abstain("n/a"), True, 1, "rightly abstained"),
    (Abstain("no currency", "number"), Abstain(), True, 1, "rightly abstained"),
    (Abstain(kind="text"), Text("I do not know"), True, 1, "rightly abstained"),
    (Abstain(kind="number"), Number(0), False, 0, "wrong value"),
    (Abstain(kind="names"), NameSet(()), False, 0, "wrong value"),
    (Abstain(kind="text"), Text("none"), False, 0, "wrong value"),
    (Text("Oslo"), Text("cannot be determined"), False, 0, "abstained"),
    (Text("I do not know"), Text("I do not know"), True, 1, "equal"),
    # Target-node normalisation: the asked table is neither required nor forbidden.
    (NameSet(("a", "b"), ("a",)), NameSet(("b",)), True, 1, "equal"),
    (NameSet(("b",), ("a",)), NameSet(("A", "b")), True, 1, "equal"),
    (NameSet(("b",), ("a",)), NameSet(("a",)), False, 0, "missing names"),
    (NameSet((), ("a",)), NameSet(("a",)), True, 1, "equal"),
    (DIAMOND, Path(("A", "b", "D")), True, 1, "equal"),
    (DIAMOND, Path(("a", "c", "d")), True, 1, "alternative path"),
    # The reference compares paths as sets: order and direction did not count.
    (DIAMOND, Path(("d", "b", "a")), False, 1, "reversed path"),
    (DIAMOND, Path(("d", "c", "a")), False, 2 / 3, "wrong path"),
    (DIAMOND, Path(("b", "a", "d")), False, 1, "wrong path"),
    (DIAMOND, Path(("a", "d")), False, 0.8, "wrong path"),
    (DIAMOND, Path(("a", "b", "c", "d")), False, 6 / 7, "wrong path"),
    (DIAMOND, Path(("a", "x", "d")), False, 2 / 3, "wrong path"),
    (DIAMOND, Path(()), False, 0, "wrong path"),
    (DIAMOND, NameSet(("a", "b", "d")), False, 0, "kind mismatch"),
    (Path(("a", "b")), Path(("a", "b")), True, 1, "equal"),
    (Path(()), Path(()), True, 1, "equal"),
    (Path(()), Path(("a",)), False, 0, "wrong path"),
    (Path(("a",)), Path(("b",)), False, 0, "wrong path"),
    (Quantity(12.3456), Quantity(12.3456), True, 1, "equal"),
    # 1e-4 of 12.3456 is 0.00123: two decimals are too few, three suffice.
    (Quantity(12.3456), Quantity(12.346), True, 1, "equal"),
    (Quantity(12.3456), Quantity(12.35), False, 0, "outside tolerance"),
    (Quantity(12.3456), Quantity(-12.3456), False, 0, "outside tolerance"),
    (Quantity(-12.3456), Quantity(-12.346), True, 1, "equal"),
    (Quantity(0.3, 0, 0.1), Quantity(0.4), True, 1, "equal"),
    (Quantity(0.3, 0, 0.1), Quantity(0.4000001), False, 0, "outside tolerance"),
    (Quantity(0.0), Quantity(0.0), True, 1, "equal"),
    (Quantity(0.0), Quantity(1e-300), False, 0, "outside tolerance"),
    (Quantity(0.0, absolute=0.5), Quantity(-0.5), True, 1, "equal"),
    # The larger of the two tolerances counts.
    (Quantity(1000, 0.01, 1), Quantity(1010), True, 1, "equal"),
    (Quantity(10, 0.01, 1), Quantity(11), True, 1, "equal"),
    # The tolerance of the reply does not.
    (Quantity(10.0), Quantity(11.0, 0.5), False, 0, "outside tolerance"),
    (Quantity(5.0), Number(5), False, 0, "kind mismatch"),
    (Number(5), Quantity(5.0), False, 0, "kind mismatch"),
    (Quantity(5.0), Text("5"), False, 0, "kind mismatch"),
    (Quantity(5.0), Abstain(), False, 0, "abstained"),
    (Text("St. Louis, Mo."), Text("**st.  louis, MO**"), True, 1, "equal"),
    (Text("O'Hare"), Text("O\u2019Hare"), True, 1, "equal"),
    (Text("2020-01-05"), Text("January 5th, 2020"), True, 1, "equal"),
    (Text("2020-01-05"), Text("05/01/2020"), False, 0, "wrong value"),
    (Text("007"), Text("7"), False, 0, "wrong value"),
    (Text("7"), Text("7.0"), False, 0, "wrong value"),
    (Text("007", accept=("7",)), Text("7"), True, 1, "equal"),
    (Text("a", accept=("B",)), Text("b."), True, 1, "equal"),
    (Text("Charlotte"), Text("Charlotte Douglas"), False, 0, "wrong value"),
    (Text("a"), NameSet(("a",)), False, 0, "kind mismatch"),
    (Text("B"), Choice("B"), False, 0, "kind mismatch"),
    (Choice("B"), Choice("B"), True, 1, "equal"),
    (Choice("B"), Choice("C"), False, 0, "wrong value"),
    (Choice("B"), Text("B"), False, 0, "kind mismatch"),
    (Choice("B"), Abstain(), False, 0, "abstained"),
    (TREND, TREND, True, 1, "equal"),
    (TREND, said(direction="Increasing.", total_change_pct="32.1%", periods="13", significant="yes"),
     True, 1, "equal"),
    (TREND, said(Direction="increasing", Total__change__pct="32.1", periods="13", significant="yes", a="x"),
     True, 1, "equal"),
    (TREND, said(direction="increasing", total_change_pct="32.16", periods="13", significant="true"),
     False, 0.75, "wrong fields"),
    (TREND, said(direction="increasing", periods="13", significant="1"), False, 0.5, "missing fields"),
    (TREND, said(direction="increasing slightly", total_change_pct="n/a", periods="13.5", significant="no"),
     False, 0, "wrong fields"),
    (TREND, Record(()), False, 0, "missing fields"),
    (TREND, Text("increasing"), False, 0, "kind mismatch"),
    (TREND, Abstain(), False, 0, "abstained"),
    (RANKING, RANKING, True, 1, "equal"),
    (RANKING, rows("state days", "sp 8.34", "RJ 12", "AM 26.3"), True, 1, "equal"),
    (RANKING, rows("days n state", "8.3 1 SP", "12 2 RJ", "26.25 3 AM"), True, 1, "equal"),
    (RANKING, rows("", "SP 8.3", "RJ 12", "AM 26.25"), True, 1, "equal"),
    (RANKING, rows("SP RJ AM", "8.3 12 26.25"), True, 1, "equal"),
    (RANKING, rows("state days", "RJ 12", "SP 8.3", "AM 26.25"), False, 1, "wrong order"),
    (BREAKDOWN, rows("state days", "RJ 12", "SP 8.3", "AM 26.25"), True, 1, "equal"),
    # Each column holds the right values, but the rows are other ones.
    (BREAKDOWN, rows("state days", "SP 12", "RJ 8.3", "AM 26.25"), False, 1 / 3, "missing and extra rows"),
    (BREAKDOWN, rows("state days", "SP 8.3", "RJ 12"), False, 0.8, "missing rows"),
    (BREAKDOWN, rows("state days", "SP 8.3", "RJ 12", "AM 26.25", "AM 26.25"), False, 6 / 7, "extra rows"),
    (BREAKDOWN, rows("state average", "SP 8.3", "RJ 12", "AM 26.25"), False, 0, "missing and extra rows"),
    (BREAKDOWN, rows("", "SP 8.3 1", "RJ 12 2", "AM 26.25 3"), False, 0, "missing and extra rows"),
    (BREAKDOWN, Table((), ()), False, 0, "missing rows"),
    (BREAKDOWN, TREND, False, 0, "kind mismatch"),
    # 1.1 would fit both rows: it must be left to the one that 1.2 does not fit.
    (UNKEYED, rows("x y", "1.1 5", "1.2 5.1"), True, 1, "equal"),
    (UNKEYED, rows("x y", "1.1 5", "1.2 5.3"), False, 0.5, "missing and extra rows"),
    (Table(STATES, (("SP", None),)), Table((), (("SP", None),)), True, 1, "equal"),
    (Table(STATES, (("SP", None),)), rows("", "SP 0"), False, 0, "missing and extra rows"),
    (Table(STATES, (("SP", 0.0),)), Table((), (("SP", None),)), False, 0, "missing and extra rows"),
    (Table(STATES, ()), Table((), ()), True, 1, "equal"),
    (Table(STATES, ()), rows("state days", "SP 1"), False, 0, "extra rows"),
    (Table(STATES[:1], (("SP",), ("SP",))), rows("", "SP"), False, 2 / 3, "missing rows"),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "reply", "correct", "f1", "reason"), CASES)
def test_verdict(gold: Answer, reply: Reply, correct: bool, f1: float, reason: str) -> None:
    verdict = compare(gold, reply)
    assert (verdict.correct, verdict.reason) == (correct, reason)
    assert verdict.f1 == pytest.approx(f1)
    assert verdict.explanation


CATALOG = ("OLTP.Sales.Customer", "OLTP.Sales.Store", "DW.dbo.Customer", "Store", "DW.dbo.Date")


@pytest.mark.parametrize(
    ("wanted", "said", "correct"),
    [
        ("DW.dbo.Date", "date", True),
        ("DW.dbo.Date", "[dbo].[Date]", True),
        ("OLTP.Sales.Customer", "Sales.Customer", True),
        # Two tables end with it.
        ("OLTP.Sales.Customer", "Customer", False),
        # A table bears that very name, so it is not short for the other.
        ("OLTP.Sales.Store", "Store", False),
        ("Store", "store", True),
        # The end of a word is no part of a name.
        ("DW.dbo.Date", "ate", False),
        ("DW.dbo.Date", "OLTP.dbo.Date", False),
    ],
)
def test_unqualified_names_count_where_they_are_unique(wanted: str, said: str, correct: bool) -> None:
    assert compare(NameSet((wanted,)), NameSet((said,)), names=CATALOG).correct is correct
    assert compare(Path((wanted,)), Path((said,)), names=CATALOG).correct is correct


def test_unqualified_names_need_the_catalog() -> None:
    assert not compare(NameSet(("DW.dbo.Date",)), NameSet(("Date",))).correct


def test_an_alternative_path_may_be_unqualified() -> None:
    gold = Path(("s.a", "s.b", "s.d"), (("s.a", "s.b"), ("s.a", "s.c"), ("s.b", "s.d"), ("s.c", "s.d")))
    reply = Path(("a", "C", "d"))
    assert compare(gold, reply, names=("s.a", "s.b", "s.c", "s.d")).reason == "alternative path"


def test_long_explanations_are_cut() -> None:
    verdict = compare(NameSet(tuple(f"t{n:03}" for n in range(500))), NameSet(()))
    assert "t009 and 490 more" in verdict.explanation
    assert len(verdict.explanation) < 200


@given(SETS, SETS)
@settings(deadline=None)
def test_f1_is_symmetric_and_bounded(left: frozenset[str], right: frozenset[str]) -> None:
    assert set_f1(left, right) == set_f1(right, left)
    assert 0 <= set_f1(left, right) <= 1
    assert (set_f1(left, right) == 1) == (left == right)


@given(SETS.filter(bool), SETS.filter(bool))
@settings(deadline=None)
def test_f1_is_the_harmonic_mean(left: frozenset[str], right: frozenset[str]) -> None:
    precision, recall = len(left & right) / len(right), len(left & right) / len(left)
    expected = 2 * precision * recall / (precision + recall) if left & right else 0
    assert set_f1(left, right) == pytest.approx(expected)

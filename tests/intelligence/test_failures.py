"""Classes of failure from traces, and what one who applies no rule would answer."""

import pytest

from warebench.answers.model import Abstain, Boolean, Column, Field, Quantity, Record, Table, Text
from warebench.answers.parse import Unparsed
from warebench.questions.model import Certificate, Question
from warebench.tracks.intelligence.failures import (
    EXPLANATIONS,
    Trace,
    classify,
    figures_of,
    standard_answer,
)

RULES = ["rules/a.md", "rules/b.md"]
BOTH = frozenset(RULES)
NONE: frozenset[str] = frozenset()


def question(gold, ask="{}"):
    return Question(
        id="q",
        pair_id="q",
        track="intelligence",
        subtype="point_query",
        catalog="shop",
        text="How much?",
        gold=gold,
        certificate=Certificate(method="m", second_method="s", parameters={"ask": ask}, digest="d"),
        difficulty="easy",
        path_difficulty="easy",
        fact="f",
    )


def number(value):
    return Quantity(value, 0.0, 0.005)


def rows(*cells):
    columns = (Column("group"), Column("value", "quantity", 0.0, 0.005))
    return Table(columns, tuple(cells), key=("group",))


GOLD, STANDARD = number(12.34), number(15.0)


@pytest.mark.parametrize(
    ("reply", "found", "read", "numbers", "expected"),
    [
        (Unparsed("empty"), BOTH, BOTH, (1.0,), "no answer"),
        (Abstain(), NONE, NONE, None, "no answer"),
        (number(15.0), NONE, NONE, (15.0,), "rule never retrieved"),
        (number(15.0), frozenset(RULES[:1]), frozenset(RULES[:1]), (15.0,), "rule never retrieved"),
        (number(13.0), BOTH, frozenset(RULES[1:]), (13.0,), "rule found but not read"),
        (number(13.0), NONE, BOTH, None, "no query succeeded"),
        (number(15.0), NONE, BOTH, (7.0,), "retrieved but SQL unchanged"),
        (number(99.0), NONE, BOTH, (2.0, 15.0), "retrieved but SQL unchanged"),
        (number(99.0), NONE, BOTH, (12.34, 15.0), "applied wrongly"),
        (number(13.0), BOTH, BOTH, (13.0,), "applied wrongly"),
    ],
)
def test_the_first_obstacle_counts(reply, found, read, numbers, expected):
    trace = Trace(found=found, read=read, numbers=numbers)
    assert classify(question(GOLD), reply, RULES, STANDARD, trace) == expected
    assert expected in EXPLANATIONS


def test_without_a_standard_answer_it_is_applied_wrongly():
    trace = Trace(found=NONE, read=BOTH, numbers=(15.0,))
    assert classify(question(GOLD), STANDARD, RULES, None, trace) == "applied wrongly"


def test_every_row_of_the_standard_answer_must_come_back():
    gold, standard = rows(("SP", 1.0), ("RJ", 2.0)), rows(("SP", 1.0), ("RJ", 3.0))
    garbled = rows(("SP", 9.0))
    for numbers, expected in (
        ((1.0, 3.0), "retrieved but SQL unchanged"),
        ((1.0,), "applied wrongly"),
        ((1.0, 2.0, 3.0), "applied wrongly"),
    ):
        trace = Trace(found=NONE, read=BOTH, numbers=numbers)
        assert classify(question(gold), garbled, RULES, standard, trace) == expected


@pytest.mark.parametrize(
    ("answer", "values"),
    [
        (number(2.5), [2.5]),
        (Record((Field("significant", Boolean(True)), Field("p_value", number(0.01)))), []),
        (
            Record(
                (Field("value", number(7)), Field("threshold", number(5)), Field("result", Text("above")))
            ),
            [7.0],
        ),
        (rows(("SP", 1.0), ("RJ", None)), [1.0]),
        (Table((Column("group"),), (("SP",),)), []),
        (Text("annex B"), []),
    ],
)
def test_figures_are_numbers_that_a_query_returns(answer, values):
    assert [figure.value for figure in figures_of(answer)] == values


def test_the_standard_answer_is_that_of_the_matched_variant():
    assert standard_answer(question(GOLD), question(STANDARD)) == STANDARD


def test_a_counterfactual_without_rules_holds_its_own_standard_answer():
    gold = Record(
        (
            Field("actual", number(12.0)),
            Field("counterfactual", number(15.0)),
            Field("change", number(3.0)),
        )
    )
    ask = '{"analysis":"counterfactual","variant":"no_rules","metric":"M"}'
    found = standard_answer(question(gold, ask), None)
    assert found == Record(
        (
            Field("actual", number(15.0)),
            Field("counterfactual", number(15.0)),
            Field("change", number(0.0)),
        )
    )
    assert standard_answer(question(gold, ask.replace("no_rules", "parameter")), None) is None

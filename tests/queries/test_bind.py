"""Binding: values stand in questions as in tables, questions are distinct, defined and seldom trivial."""

import random
from datetime import UTC, date, datetime, time
from decimal import Decimal

import pytest

from warebench.queries.bind import bind, show
from warebench.queries.model import Count, Filter, Mean, Measure, Query
from warebench.queries.template import Parameter, Template

SHOWN = [
    ("a b", '"a b"'),
    ("", '""'),
    (7, "7"),
    (True, "true"),
    (2.0, "2"),
    (37.7581, "37.7581"),
    (Decimal("0.10"), "0.10"),
    (Decimal("1E+3"), "1000"),
    (date(2020, 2, 29), "2020-02-29"),
    (time(9, 5), "09:05:00"),
    (datetime(2020, 2, 29, 9, 5, tzinfo=UTC), "2020-02-29 09:05:00+00:00"),
]


def template(op: str, kind: str, **fields) -> Template:
    """Return a template with one parameter `x` drawn from the column `t.x`."""
    query = Query(
        table="t",
        alias="t",
        filters=(Filter(column="t.x", op=op, parameter="x"),),
        want=fields.pop("want", Count()),
    )
    return Template(
        database="drawn",
        subcategory="CC" if "contrast" in fields else "CNT",
        number=1,
        query=query,
        parameters=(Parameter(name="x", column="t.x", kind=kind),),
        **{"text": "How many rows have x {x}?", **fields},
    )


def rows_of(*cells) -> list[dict]:
    return [{"t.x": cell, "t.y": number} for number, cell in enumerate(cells)]


def chance() -> random.Random:
    return random.Random(1)  # noqa: S311


@pytest.mark.parametrize(("value", "text"), SHOWN)
def test_show(value, text):
    assert show(value) == text


def test_questions_are_distinct_and_missing_values_are_not_asked_for():
    bounds = bind(template("=", "value"), rows_of("a", "a", "b", None, "c"), 10, chance())
    assert {bound.text for bound in bounds} == {f'How many rows have x "{name}"?' for name in "abc"}
    assert {bound.text[-4:-1]: bound.outcome for bound in bounds} == {'"a"': 2, '"b"': 1, '"c"': 1}


def test_thresholds_leave_out_the_tails():
    asked = {
        bound.bindings[0]["x"]
        for bound in bind(template(">=", "threshold"), rows_of(*range(20)), 99, chance())
    }
    assert asked == set(range(2, 18))


def test_a_difference_is_of_two_values():
    difference = template(
        "=", "value", contrast="x", text="More {a} than {b}?", want=Mean(Measure(column="t.y"))
    )
    bounds = bind(difference, rows_of("a", "a", "b"), 10, chance())
    assert {bound.text: bound.outcome for bound in bounds} == {
        'More "a" than "b"?': -1.5,
        'More "b" than "a"?': 1.5,
    }


def test_questions_over_few_rows_come_last():
    bounds = bind(template("=", "value"), rows_of("a", *"bbb", "c", *"dddd"), 10, chance())
    assert [bound.outcome >= 3 for bound in bounds] == [True, True, False, False]


def test_nothing_to_ask_gives_no_question():
    assert bind(template("=", "value"), rows_of(None, None), 10, chance()) == []

"""Stage 1 of validation: every check finds its fault, and nothing else."""

import msgspec
import pytest
from tests.intelligence import shop

from warebench.answers.model import Column, Quantity, Table, Text
from warebench.tracks.intelligence.analyses.model import Ask
from warebench.tracks.intelligence.knowledge.model import Fact
from warebench.tracks.intelligence.validate.model import Task
from warebench.tracks.intelligence.validate.programmatic import find_faults, review

KNOWLEDGE = shop.make_knowledge()
ROWS = Task(
    text="What was the Average Delivery Time in 2018? Answer with one number: days, rounded to 2 decimals.",
    gold=Quantity(9.37, 1e-6, 0.005),
    tier="analytics",
    ask=Ask(analysis="point_query", metric="MV-DEL-001"),
    sql="SELECT 1",
)
FACT = Task(
    text="How many orders make a customer active? Answer with one number (unit: orders).",
    gold=Quantity(4.0, 0.0, 1e-9),
    tier="knowledge",
    fact=Fact(ask="How many orders make a customer active?", answer=4, quote="from 4 orders on"),
    document="rules/active_customer.md",
)


def _with(task: Task, **fields: object) -> Task:
    return msgspec.structs.replace(task, **fields)


def _asked(**fields: object) -> Ask:
    return msgspec.structs.replace(ROWS.ask, **fields)


WORDS = msgspec.structs.replace(FACT.fact, ask="Is it home or office?", answer="home")


@pytest.mark.parametrize(
    ("task", "fault"),
    [
        (ROWS, ""),
        (FACT, ""),
        (_with(ROWS, text="How long?"), "fewer than 20"),
        (_with(ROWS, ask=_asked(dimension="order_date")), "moment"),
        (_with(ROWS, ask=_asked(filters=(("order_date", "2018-01-01 14:03:22"),))), "moment"),
        (_with(ROWS, ask=_asked(dimension="customer_state")), ""),
        (_with(ROWS, text=ROWS.text + " Group by customer_id."), "raw name `customer_id`"),
        (_with(ROWS, text=ROWS.text + ' Write it under the key "order_id".'), ""),
        (_with(ROWS, text=ROWS.text + " Mind BR-02."), "names rule BR-02"),
        (_with(ROWS, text=ROWS.text + " Mind the delivery outliers."), "title of rule BR-02"),
        (_with(ROWS, text=ROWS.text + " Seller 3442f8959a84dea7ee197c632cb2df15."), "internal identifier"),
        (_with(ROWS, sql=""), "not executed"),
        (_with(ROWS, gold=Table((Column("group"),), (), False, ("group",))), "no rows"),
        (_with(FACT, gold=Text(" ")), "is empty"),
        (_with(ROWS, text=ROWS.text + " It is not 9.37 days."), "contains the answer"),
        (_with(ROWS, text=ROWS.text + " It is not 19.371 days."), ""),
        (_with(FACT, fact=WORDS, gold=Text("home")), "contains the answer"),
        (_with(FACT, fact=WORDS, gold=Text("hom")), ""),
    ],
)
def test_faults(task: Task, fault: str) -> None:
    found = find_faults(KNOWLEDGE, shop.CATALOG, task)
    if fault:
        assert any(fault in said for said in found), found
    else:
        assert found == []


def test_a_review_keeps_reasons_and_order() -> None:
    faulty = _with(ROWS, text="How long?")
    passed, rejected = review(KNOWLEDGE, shop.CATALOG, [FACT, faulty, ROWS])
    assert passed == [FACT, ROWS]
    (one,) = rejected
    assert (one.stage, one.analysis, one.text) == ("programmatic", "point_query", "How long?")
    assert "fewer than 20" in one.reason


def test_a_task_falls_with_its_matched_variant() -> None:
    passed, rejected = review(KNOWLEDGE, shop.CATALOG, [_with(ROWS, standard=_with(ROWS, sql=""))])
    assert not passed
    assert "not executed" in rejected[0].reason

"""Texts: words, paraphrases, formats, catalog pages."""

import re

import msgspec
import pytest
from tests.intelligence import shop

from warebench.tracks.intelligence.analyses.model import Ask
from warebench.tracks.intelligence.analyses.types import TYPES
from warebench.tracks.intelligence.knowledge.links import find_dimension, find_metric
from warebench.tracks.intelligence.knowledge.model import Fact
from warebench.tracks.intelligence.phrase.catalog import catalog_facts, metric_page, page_path
from warebench.tracks.intelligence.phrase.dictionary import dictionary_page, dictionary_path
from warebench.tracks.intelligence.phrase.leads import LEADS, RULED, STANDARD
from warebench.tracks.intelligence.phrase.text import fact_text, question_text
from warebench.tracks.intelligence.phrase.words import (
    amount,
    day,
    days,
    listed,
    member,
    number,
    period,
    places,
    population,
)
from warebench.tracks.intelligence.slice import Window

KNOWLEDGE = shop.make_knowledge()


def _window(first: str, last: str) -> Window:
    return Window(first=first, last=last)


@pytest.mark.parametrize(
    ("window", "said"),
    [
        (_window("2018-04-01", "2018-06-30"), "in the second quarter of 2018"),
        (_window("2018-07-01", "2018-12-31"), "in the second half of 2018"),
        (_window("2018-01-01", "2018-06-30"), "in the first half of 2018"),
        (_window("2018-01-01", "2018-12-31"), "in the year 2018"),
        (_window("2018-02-01", "2018-02-28"), "in February 2018"),
        (_window("2017-11-01", "2018-01-31"), "from 1 November 2017"),
        (_window("2018-02-01", "2018-04-30"), "from 1 February 2018"),
    ],
)
def test_a_period_says_its_days(window: Window, said: str) -> None:
    for text in (period(window), days(window)):
        assert day(window.first) in text
        assert day(window.last) in text
        assert "both days included" in text
    assert period(window).startswith(said)


@pytest.mark.parametrize(
    ("value", "said"), [(20.0, "20"), (0.5, "0.5"), (1234567.25, "1,234,567.25"), (-0.0, "0"), (1e-9, "0")]
)
def test_numbers(value: float, said: str) -> None:
    assert number(value) == said


def test_small_words() -> None:
    assert amount(20.0, "%") == "20 percent"
    assert [places(n) for n in (0, 1, 2)] == [
        "as a whole number",
        "rounded to 1 decimal",
        "rounded to 2 decimals",
    ]
    assert [listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])] == ["a", "a and b", "a, b and c"]
    filters = [("customer_state", "SP"), ("order_status", "shipped")]
    assert population(KNOWLEDGE, filters) == "for customer state São Paulo and order status shipped"
    assert population(KNOWLEDGE, []) == ""
    assert member(KNOWLEDGE, "customer_segment", "home") == "customer segment home"
    assert member(KNOWLEDGE, "customer_segment", "3") == "customer segment equal to 3"


def test_three_paraphrases_at_least() -> None:
    for kind in TYPES:
        variants = [key for key in LEADS if key.split(".")[0] == kind.name]
        assert variants
        assert all(len(LEADS[key]) == len(set(LEADS[key])) >= 3 for key in variants)
    assert len(RULED) == len(STANDARD) >= 3


def _ask(analysis: str, **fields: object) -> Ask:
    base = {"metric": "MV-DEL-002", "window": _window("2018-01-01", "2018-03-31"), "rules": ("BR-02",)}
    return msgspec.structs.replace(Ask(analysis=analysis, metric=""), **{**base, **fields})  # type: ignore[arg-type]


STATES = {"dimension": "customer_state", "members": ("SP", "RJ")}
ASKS = [
    (_ask("point_query"), ["one number", "percent", "rounded to 2 decimals"]),
    (_ask("point_query", variant="rows", **STATES), ['"group"', '"value"', "São Paulo and Rio de Janeiro"]),
    (
        _ask("trend", grain="quarter"),
        ['"direction"', '"total_change_pct"', '"peak_period"', "2018-Q2", "unrounded"],
    ),
    (
        _ask("comparison", **STATES),
        ['"value_a"', '"value_b"', '"higher"', "not its letter", "(a) São Paulo", "(b) Rio de Janeiro"],
    ),
    (
        _ask("ranking", dimension="customer_state", top=3),
        ["3 rows", "the highest value first", "stored", "rows that belong to no group"],
    ),
    (_ask("ranking", dimension="customer_state", top=3, ascending=True), ["the lowest value first"]),
    (
        _ask("significance", test="proportions", **STATES),
        [
            "two-proportion z-test",
            "at least 10 rows",
            "0.05",
            '"p_value"',
            '"welch", "proportions" or "fisher"',
        ],
    ),
    (
        _ask("significance", test="welch", **STATES),
        ["customer state São Paulo", "customer state Rio de Janeiro"],
    ),
    (_ask("significance", test="welch", **STATES), ["Welch's t-test", "two-sided"]),
    (_ask("threshold_crossing", threshold=1250.0), ["1,250 percent", '"threshold" (1250)']),
    (_ask("threshold_crossing", threshold=7.5), ["7.5 percent", '"result" ("above" or "below")']),
    (
        _ask("counterfactual", variant="parameter", parameter="grace_days", supposed=3.0),
        ['"grace days" were 3', '"actual"', '"counterfactual"', '"change"'],
    ),
    (_ask("decomposition", dimension="customer_state"), ["one row for each group", '"value"']),
]


@pytest.mark.parametrize(
    ("ask", "said"), ASKS, ids=[f"{a.analysis}-{a.variant or a.test or a.top}" for a, _ in ASKS]
)
def test_a_text_says_what_its_answer_needs(ask: Ask, said: list[str]) -> None:
    for seed in map(str, range(12)):
        text = question_text(KNOWLEDGE, ask, seed)
        assert "Late Delivery Rate" in text
        assert "1 January 2018" in text
        assert "{" not in text
        assert not [part for part in said if part not in text]
        assert not re.search(r"  |BR-|MV-|\.\.", text)


@pytest.mark.parametrize(
    "ask", [ask for ask, _ in ASKS], ids=lambda ask: f"{ask.analysis}-{ask.variant}-{ask.test}"
)
def test_rules_change_one_sentence(ask: Ask) -> None:
    for seed in map(str, range(12)):
        ruled = question_text(KNOWLEDGE, ask, seed)
        standard = question_text(KNOWLEDGE, msgspec.structs.replace(ask, rules=()), seed)
        (sentence,) = [one for one in RULED if one in ruled]
        (other,) = [one for one in STANDARD if one in standard]
        assert ruled.replace(sentence, "") == standard.replace(other, "")


def test_seeds_choose_paraphrases() -> None:
    assert len({question_text(KNOWLEDGE, ASKS[0][0], str(seed)) for seed in range(40)}) >= 6


def test_facts_are_asked_in_a_form() -> None:
    fact = Fact(ask="How many days?", answer=3, unit="days", quote="3 days")
    assert "one number (unit: days)" in fact_text(fact, "1")
    assert "few words" in fact_text(msgspec.structs.replace(fact, answer="three"), "1")


def test_pages_state_their_facts() -> None:
    for metric in KNOWLEDGE.metrics:
        page = metric_page(KNOWLEDGE, shop.CATALOG, metric)
        assert page.startswith(f"# {metric.name}\n")
        assert metric.description in page
        assert "```sql\nSELECT" in page
        for fact in catalog_facts(KNOWLEDGE, metric):
            assert fact.quote in page
    assert page_path(find_metric(KNOWLEDGE, "MV-FUL-001")) == "metrics/mv-ful-001.md"
    page = metric_page(KNOWLEDGE, shop.CATALOG, find_metric(KNOWLEDGE, "MV-FUL-001"))
    assert "- Made of: 2 metrics: Late Delivery Rate (MV-DEL-002); Average Delivery Time (MV-DEL-001)" in page
    assert "- Parameters: w late = 0.5; w days = 0.5" in page
    assert "- Filters and groups: customer state (customers.state); " in page


def test_a_dictionary_says_what_values_are_called() -> None:
    page = dictionary_page(find_dimension(KNOWLEDGE, "customer_state"))
    assert page.startswith("# Customer state\n\n- Column: customers.state\n")
    assert "| SP | São Paulo |\n" in page
    segment = find_dimension(KNOWLEDGE, "customer_segment")
    assert "called as they are stored" in dictionary_page(segment)
    assert dictionary_path(segment) == "dimensions/customer-segment.md"

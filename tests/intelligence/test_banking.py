"""The knowledge base of the bank: complete, readable, computable, and every rule matters."""

import random
import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from pathlib import Path
from statistics import mean
from typing import get_args

import pytest
from sqlglot import exp

import warebench.tracks.intelligence as track
from warebench.errors import EmptySlice
from warebench.tracks.intelligence.compute.run import Opened, answer, open_database
from warebench.tracks.intelligence.knowledge.check import check_knowledge
from warebench.tracks.intelligence.knowledge.check_data import check_data
from warebench.tracks.intelligence.knowledge.conflicts import scope_of
from warebench.tracks.intelligence.knowledge.expressions import parse_expression
from warebench.tracks.intelligence.knowledge.links import find_metric, governing_rules, touched_metrics
from warebench.tracks.intelligence.knowledge.model import RuleKind
from warebench.tracks.intelligence.knowledge.read import read_knowledge
from warebench.tracks.intelligence.knowledge.relation import resolve_relation
from warebench.tracks.intelligence.slice import Slice, Window
from warebench.tracks.intelligence.slicing import sliceable
from warebench.worlds import find_world, make_world

BANKING = find_world("banking").catalog
KNOWLEDGE = read_knowledge(Path(track.__file__).parent / "domains" / "banking")
BY_HAND = Path(__file__).parent / "banking_by_hand.sql"
METRICS = {metric.id: metric for metric in KNOWLEDGE.metrics}
RULES = {rule.id: rule for rule in KNOWLEDGE.rules}
EDGES = [(rule, metric) for rule in RULES for metric in touched_metrics(RULES[rule])]
GOVERNED = [(rule, metric) for metric in METRICS for rule in governing_rules(KNOWLEDGE, metric)]
SEED, SCALE = 1, 0.1
"""Small, and yet with a few loans and overdrafts of the crisis, and 20 units behind each figure."""


@pytest.fixture(scope="module")
def opened() -> Iterator[Opened]:
    with open_database(make_world("banking", seed=SEED, scale=SCALE)) as opened:
        yield opened


@pytest.fixture(scope="module")
def by_hand(opened: Opened) -> Mapping[str, float]:
    with opened.database.connect() as connection:
        connection.execute(BY_HAND.read_text(encoding="utf-8"))
        return dict(connection.execute("FROM by_hand").fetchall())


def test_is_as_large_as_the_paper_says() -> None:
    relations = [metric.relation for metric in METRICS.values() if metric.relation]
    assert len(METRICS) == len(KNOWLEDGE.metrics) == 29
    assert len(RULES) == len(KNOWLEDGE.rules) == 17
    assert len(KNOWLEDGE.dimensions) == 17
    assert sum(1 + len(relation.joins) for relation in relations) == 48
    assert sum(len(metric.components) for metric in METRICS.values()) == 11
    assert len(EDGES) == 79
    assert {rule.kind for rule in RULES.values()} == set(get_args(RuleKind))
    assert {metric.tier for metric in METRICS.values()} == {"L1", "L2", "L3"}


def test_eight_rules_and_dimensions_meet_in_scopes() -> None:
    assert sorted(_scoped()) == [
        ("CZ-06", "operation"),
        ("CZ-07", "order_purpose"),
        ("CZ-08", "loan_term"),
        ("CZ-12", "loan_term"),
        ("CZ-12", "statement_frequency"),
        ("CZ-13", "region"),
        ("CZ-14", "statement_frequency"),
        ("CZ-15", "loan_term"),
    ]


def test_agrees_with_the_catalog(opened: Opened) -> None:
    check_knowledge(KNOWLEDGE, BANKING)
    check_data(KNOWLEDGE, opened.database)


def test_documents_are_as_long_as_the_paper_says() -> None:
    words = [len(text.split()) for text in KNOWLEDGE.documents.values()]
    assert len(words) == 17
    assert min(words) >= 600
    assert max(words) <= 928
    assert 740 <= mean(words) <= 800


@pytest.mark.parametrize("rule", RULES)
def test_document_names_all_it_governs_and_refers_to(rule: str) -> None:
    text = KNOWLEDGE.documents[RULES[rule].document]
    for metric in METRICS:
        if rule in governing_rules(KNOWLEDGE, metric):
            assert METRICS[metric].name.removesuffix(" (CV)") in text
    assert set(re.findall(r"CZ-\d\d", text)) == {rule, *RULES[rule].refers_to, *RULES[rule].supersedes}


@pytest.mark.parametrize("rule", RULES)
def test_document_is_prose(rule: str) -> None:
    text = KNOWLEDGE.documents[RULES[rule].document]
    columns = {column.name for table in BANKING.tables for column in table.columns if "_" in column.name}
    assert not columns & set(re.findall(r"\w+", text))
    assert not re.search(r"\b(SELECT|WHERE|JOIN|COUNT|NULL)\b", text)


@pytest.mark.parametrize("rule", RULES)
def test_facts_stand_in_one_document_only(rule: str) -> None:
    facts = RULES[rule].facts
    assert len(facts) >= 4
    assert len({isinstance(fact.answer, str) for fact in facts}) == 2
    for fact in facts:
        places = [name for name, text in KNOWLEDGE.documents.items() if fact.quote in " ".join(text.split())]
        assert places == [RULES[rule].document]


def test_no_fact_is_asked_twice() -> None:
    asked = [fact.ask for rule in RULES.values() for fact in rule.facts]
    assert len(set(asked)) == len(asked)


@pytest.mark.parametrize(("rule", "metric"), GOVERNED)
def test_rule_changes_metric(opened: Opened, rule: str, metric: str) -> None:
    """Shown on the whole, by region, by district or by year; at the places that answers are given with."""
    places = (
        Slice(metric=metric, rules=(rule,)),
        Slice(metric=metric, rules=(rule,), group=("region",)),
        Slice(metric=metric, rules=(rule,), group=("district_name",)),
        Slice(metric=metric, rules=(rule,), grain="year"),
    )
    assert any(_changes(opened, item, METRICS[metric].decimals) for item in places)


@pytest.mark.parametrize("metric", METRICS)
def test_analyst_with_the_documents_finds_the_same(
    opened: Opened, by_hand: Mapping[str, float], metric: str
) -> None:
    wanted = Slice(metric=metric, rules=governing_rules(KNOWLEDGE, metric))
    found = answer(KNOWLEDGE, opened, wanted)
    assert found.rows[0][0] == pytest.approx(by_hand[metric], rel=1e-9)
    assert found.rows != found.base_rows


@pytest.mark.parametrize("seed", range(60))
def test_sql_and_memory_agree_on_chance_slices(opened: Opened, seed: int) -> None:
    wanted = _chance_slice(opened, random.Random(f"{seed}:slices"))  # noqa: S311
    try:
        found = answer(KNOWLEDGE, opened, wanted)
    except EmptySlice:
        return
    assert found.base_rows
    assert wanted.rules or found.rows == found.base_rows


def _scoped() -> set[tuple[str, str]]:
    found = set()
    for rule in RULES.values():
        for operation in rule.operations:
            if scope := scope_of(operation):
                relation = find_metric(KNOWLEDGE, operation.metrics[0]).relation
                assert relation
                tables = {place.alias: place.table for place in resolve_relation(relation, BANKING)}
                read = parse_expression(scope).find_all(exp.Column)
                columns = {(tables[column.table], column.name) for column in read}
                found |= {(rule.id, d.id) for d in KNOWLEDGE.dimensions if (d.table, d.column) in columns}
    return found


def _changes(opened: Opened, wanted: Slice, decimals: int) -> bool:
    found = answer(KNOWLEDGE, opened, wanted)
    before, after = (
        {row[:-1]: round(float(row[-1]), decimals) for row in rows} for rows in (found.base_rows, found.rows)
    )
    return before != after


def _chance_slice(opened: Opened, rng: random.Random) -> Slice:
    metric = rng.choice(sorted(METRICS))
    dimensions = sliceable(KNOWLEDGE, BANKING, metric)
    chosen = rng.choice(dimensions)
    stored = opened.database.tables[chosen.table][chosen.column].drop_null()
    first = date.fromisoformat("1993-01-01") + timedelta(days=rng.randrange(1900))
    return Slice(
        metric=metric,
        group=(rng.choice(dimensions).id,) if rng.random() < 0.6 else (),
        filters=((chosen.id, str(rng.choice(stored).as_py())),) if rng.random() < 0.3 else (),
        window=Window(first=str(first), last=str(first + timedelta(days=240)))
        if rng.random() < 0.5
        else None,
        grain=rng.choice(["", "month", "quarter", "year"]),
        rules=tuple(rule for rule in governing_rules(KNOWLEDGE, metric) if rng.random() < 0.7),
    )

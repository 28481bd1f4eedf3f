"""The same slices under three pairings of metric and rule."""

from pathlib import Path

import pytest
from tests.intelligence.chinook import EXAMPLE, write_chinook

from warebench.engine.load import read_database
from warebench.stats.intervals import wilson
from warebench.tracks.intelligence.build import Options, build
from warebench.tracks.intelligence.compute.run import open_database
from warebench.tracks.intelligence.knowledge.links import find_rule, touched_metrics
from warebench.tracks.intelligence.knowledge.read import read_knowledge
from warebench.tracks.intelligence.link.ablation import (
    Case,
    Pairing,
    cases_of_graph,
    cases_of_set,
    changes_answer,
    discriminative_validity,
    fit_rule,
    nearest_dense,
    nearest_tfidf,
    pair_rules,
    table_of,
)
from warebench.tracks.intelligence.slice import Slice, Window
from warebench.tracks.intelligence.stored import stored_knowledge

KNOWLEDGE = read_knowledge(EXAMPLE)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_chinook(tmp_path_factory.mktemp("ablation") / "chinook.sqlite")


def test_an_operation_that_does_not_fit_changes_nothing(source: Path) -> None:
    with open_database(read_database(source)) as opened:
        videos, active = find_rule(KNOWLEDGE, "CR-02"), find_rule(KNOWLEDGE, "CR-01")
        fitted = fit_rule(KNOWLEDGE, opened, "CH-SAL-002", videos)
        assert [operation.metrics for operation in fitted.operations] == [("CH-SAL-002",)] * 1
        assert fit_rule(KNOWLEDGE, opened, "CH-SAL-001", active).operations == ()
        assert not changes_answer(KNOWLEDGE, opened, Slice(metric="CH-SAL-001"), active)
        assert changes_answer(KNOWLEDGE, opened, Slice(metric="CH-SAL-001"), videos)
        assert touched_metrics(fit_rule(KNOWLEDGE, opened, "CH-REV-002", active)).keys() == {"CH-CUS-001"}


def test_a_rule_changes_only_what_its_days_touch(source: Path) -> None:
    rule = find_rule(KNOWLEDGE, "CR-03")
    with open_database(read_database(source)) as opened:
        for year, changed in (("2021", False), ("2023", True)):
            window = Window(first=f"{year}-01-01", last=f"{year}-12-31")
            wanted = Slice(metric="CH-REV-001", window=window)
            assert changes_answer(KNOWLEDGE, opened, wanted, rule) == changed


def test_drawn_slices_cover_every_link_and_repeat(source: Path) -> None:
    with open_database(read_database(source)) as opened:
        cases = cases_of_graph(KNOWLEDGE, opened, per_link=2, seed=1)
        assert cases == cases_of_graph(KNOWLEDGE, opened, per_link=2, seed=1)
        links = {(case.slice.metric, case.rule) for case in cases}
        assert len(cases) == 2 * len(links) == 14
        pairings = pair_rules(KNOWLEDGE, opened, cases, nearest=nearest_tfidf, seed=1)
    assert len(pairings) == 3 * len(cases)
    for pairing in pairings:
        assert (pairing.rule == pairing.case.rule) == (pairing.strategy == "graph")
    shares = discriminative_validity(pairings)
    assert shares["graph"].estimate > shares["semantic"].estimate


def test_rule_questions_of_a_set_are_cases(source: Path) -> None:
    question_set = build([read_database(source)], Options(knowledge=str(EXAMPLE), size=2, minimum=1))
    cases = cases_of_set(question_set, "chinook")
    ruled = [
        q
        for q in question_set.questions
        if q.facets.get("tier") == "rule" and q.subtype != "knowledge_retrieval"
    ]
    assert len(cases) == len(ruled) > 3
    assert all(case.slice.rules == () for case in cases)
    assert cases_of_set(question_set, "other") == []
    (database,) = question_set.databases.values()
    knowledge = stored_knowledge(question_set, "chinook")
    with open_database(database) as opened:
        pairings = pair_rules(knowledge, opened, cases, nearest=nearest_tfidf, seed=1)
    assert sum(p.changed for p in pairings if p.strategy == "graph") > len(cases) / 2


TEXTS = (
    "cats eat fish and mice",
    "dogs eat meat and bones",
    "cats chase mice and birds",
    "taxes are due in May",
)


def test_nearest_documents() -> None:
    assert nearest_tfidf(TEXTS)[:3] == [2, 0, 0]
    assert nearest_dense(TEXTS)[:3] == [2, 0, 0]


def test_shares_come_with_wilson_intervals() -> None:
    case = Case(Slice(metric="m"), "r")
    pairings = [Pairing(case, name, "r", n < 3) for name in ("graph", "random") for n in range(4)]
    found = discriminative_validity(pairings)
    assert found["graph"] == wilson(3, 4)
    assert found["semantic"].n == 0
    assert "| graph | 75.0% | 30.1% to 95.4% | 4 |" in table_of(found)

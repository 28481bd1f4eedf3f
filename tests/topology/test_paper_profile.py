"""The paper profile has exactly the paper's counts (DW-Bench, Tables 1 and 2)."""

from collections import Counter

import pytest

from warebench.catalog.bundled import BUNDLED, load_bundled
from warebench.questions.check import check_questions
from warebench.questions.model import QuestionSet
from warebench.tracks.topology.build import Options, build
from warebench.tracks.topology.certify import prove_set

TABLE_1 = {"adventureworks": 208, "tpc_ds": 127, "tpc_di": 181, "omop_cdm": 158, "syn_logistics": 372}
TABLE_2 = {
    "forward": 72,
    "reverse": 71,
    "multi_source": 49,
    "transitive": 33,
    "combined_impact": 69,
    "direct_fk": 100,
    "join_path": 342,
    "hop_count": 124,
    "count": 30,
    "isolation": 60,
    "connected": 29,
    "membership": 38,
    "full_enumeration": 29,
}


@pytest.fixture(scope="module")
def paper() -> QuestionSet:
    return build([load_bundled(name, preset="released") for name in BUNDLED], Options(profile="paper"))


def test_counts(paper):
    assert len(paper.questions) == 1046
    assert Counter(question.catalog for question in paper.questions) == TABLE_1
    assert Counter(question.subtype for question in paper.questions) == TABLE_2
    assert paper.manifest.shortfalls == ()


def test_clean(paper):
    assert check_questions(paper, prove_set) == []


def test_variants_that_fill_the_counts(paper):
    """These numbers stand in docs/fidelity.md."""
    variants = Counter(
        f"{question.subtype}.{question.variant}" for question in paper.questions if question.variant
    )
    assert variants == {
        "multi_source.two_sources": 42,
        "count.silo_size": 25,
        "hop_count.lineage": 17,
    }


def test_impact_collapses_on_adventureworks(paper):
    """Algorithm 1 gives the same 25 tables whatever is asked: the reason for the default's other depth."""
    answers = {
        question.gold.names
        for question in paper.questions
        if question.subtype == "combined_impact" and question.catalog == "adventureworks"
    }
    assert [len(names) for names in answers] == [25]


def test_difficulty_labels(paper):
    by_label = Counter(question.difficulty for question in paper.questions)
    assert by_label == {"easy": 273, "medium": 604, "hard": 169}

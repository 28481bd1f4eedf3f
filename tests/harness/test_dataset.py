import json

import pytest
from tests.harness.tiny import tiny_set

from warebench.errors import InternalError
from warebench.harness.dataset import find_question, index_questions, task_metadata, to_samples
from warebench.questions.model import QuestionSet


def test_samples_follow_the_set(question_set: QuestionSet) -> None:
    samples = to_samples(question_set)
    assert [sample.id for sample in samples] == [question.id for question in question_set.questions]
    assert samples[0].input == "Are customers and crm.notes connected?"
    assert json.loads(samples[2].target) == {"type": "names", "names": ["order lines"]}  # type: ignore[arg-type]
    assert len(to_samples(question_set, limit=2)) == 2


def test_metadata_holds_what_reports_group_by(question_set: QuestionSet) -> None:
    assert to_samples(question_set)[4].metadata == {
        "track": "tiny",
        "set_hash": question_set.manifest.questions_sha256,
        "obfuscation": "none",
        "catalog": "shop",
        "subtype": "join_path",
        "variant": "",
        "difficulty": "easy",
        "path_difficulty": "medium",
        "pair_id": "q-join_path",
        "fact": "fact-join_path",
        "facets": {"path_length": 2, "feasible": True},
    }


def test_gold_is_neither_in_input_nor_in_metadata(question_set: QuestionSet) -> None:
    sample = to_samples(question_set)[2]
    assert "order lines" not in json.dumps([sample.input, sample.metadata])


def test_index_finds_questions_and_refuses_strangers(question_set: QuestionSet) -> None:
    index = index_questions(question_set)
    assert find_question(index, "q-count").subtype == "count"
    assert index.tables["shop"][1] == "orders"
    with pytest.raises(InternalError, match="q-nobody"):
        find_question(index, "q-nobody")


def test_task_metadata_names_the_method() -> None:
    facts = task_metadata(tiny_set(), method="flat_text")
    assert (facts["method"], facts["track"], facts["obfuscation"]) == ("flat_text", "tiny", "none")

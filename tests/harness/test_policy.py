from pathlib import Path

import pytest
from inspect_ai.model import ChatMessageUser, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from tests.harness.conftest import run_task, tiny_task
from tests.harness.tiny import SHOP, tiny_set

from warebench.answers.model import NameSet
from warebench.answers.parse import kind_of, parse
from warebench.errors import InternalError, RunError
from warebench.harness.current import Asked, set_current
from warebench.harness.models.policy import chance
from warebench.questions.model import QuestionSet


def shown(question_set: QuestionSet, text: str) -> list[str]:
    """Return what the random policy says to each question when shown a text."""
    replies = []
    for question in question_set.questions:
        set_current(Asked(question=question, names=SHOP.table_names))
        replies.append(chance([ChatMessageUser(content=text)], [], question).text)
    return replies


def test_oracle_is_always_right(question_set: QuestionSet, tmp_path: Path) -> None:
    log = run_task(tiny_task(question_set), "tinypolicy/oracle", tmp_path)
    assert log.status == "success"
    assert [sample.scores["verdict"].value for sample in log.samples] == [{"em": 1.0, "f1": 1.0}] * 5
    assert all(sample.model_usage["tinypolicy/oracle"].output_tokens > 0 for sample in log.samples)


def test_random_answers_the_right_kind_with_visible_names(question_set: QuestionSet) -> None:
    replies = shown(question_set, "Tables: customers, order lines, crm.notes. Nothing else.")
    for question, text in zip(question_set.questions, replies, strict=True):
        reply = parse(text, kind_of(question.gold))
        assert type(reply) is type(question.gold)
        if isinstance(reply, NameSet):
            assert set(reply.names) <= {"customers", "order lines", "crm.notes"}


def test_random_is_the_same_every_time_and_not_the_gold(question_set: QuestionSet) -> None:
    text = "customers orders products crm.notes"
    assert shown(question_set, text) == shown(question_set, text)
    assert len(set(shown(question_set, text))) > 1
    assert all("order lines" not in reply for reply in shown(question_set, text))


def test_random_with_no_name_in_sight_says_an_empty_list(question_set: QuestionSet) -> None:
    assert shown(question_set, "nothing")[2] == '{"answer": []}'


def test_unknown_policy_suggests_a_known_one() -> None:
    with pytest.raises(RunError, match="Did you mean `oracle`"):
        get_model("tinypolicy/oracel", memoize=False)


def test_without_a_current_question_a_policy_is_our_bug(tmp_path: Path) -> None:
    @solver
    def forget() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            set_current(None)  # type: ignore[arg-type]
            return await generate(state)

        return solve

    log = run_task(tiny_task(tiny_set(), forget()), "tinypolicy/oracle", tmp_path)
    assert log.status == "error"
    assert InternalError.__name__ in log.samples[0].error.traceback
    assert "set_question" in log.samples[0].error.message

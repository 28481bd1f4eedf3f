from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from inspect_ai.log import EvalSample
from inspect_ai.model import ChatMessage, ChatMessageTool
from inspect_ai.tool import Tool, ToolInfo, tool
from tests.harness.conftest import run_task, tiny_task

from warebench.errors import BuildError
from warebench.harness.agent import LAST_TURN, tool_loop
from warebench.harness.current import current
from warebench.harness.models.policy import Call, Move, Policy, oracle
from warebench.questions.model import Question, QuestionSet

Add = Callable[[str, Policy], str]


@tool
def columns() -> Tool:
    async def execute(table: str) -> str:
        """List columns.

        Args:
            table: A table.
        """
        return f"columns of {table}, asked for {current().question.id}"

    return execute


def greedy(calls_per_turn: int) -> Policy:
    """Return a policy that calls tools as long as any are offered, then answers gold."""

    def move(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], question: Question) -> Move:
        if tools:
            return Move(
                calls=tuple(Call(tool="columns", arguments={"table": f"t{n}"}) for n in range(calls_per_turn))
            )
        return oracle(messages, tools, question)

    return move


def play(question_set: QuestionSet, model: str, budget: int, tmp_path: Path) -> EvalSample:
    task = tiny_task(question_set, tool_loop(lambda question: [columns()], budget))
    log = run_task(task, model, tmp_path, {"limit": 1})
    assert log.status == "success", log.samples[0].error
    return log.samples[0]


def answers(sample: EvalSample) -> list[str]:
    return [message.text for message in sample.messages if isinstance(message, ChatMessageTool)]


@pytest.mark.parametrize(
    ("budget", "per_turn", "executed", "refused"),
    [(3, 1, 3, 0), (3, 2, 3, 1), (3, 5, 3, 2), (1, 1, 1, 0), (0, 1, 0, 0)],
)
def test_calls_are_counted_executed_and_refused(
    question_set: QuestionSet,
    policy: Add,
    tmp_path: Path,
    budget: int,
    per_turn: int,
    executed: int,
    refused: int,
) -> None:
    sample = play(question_set, policy(f"greedy{per_turn}", greedy(per_turn)), budget, tmp_path)
    said = answers(sample)
    assert [text.startswith("columns of") for text in said].count(True) == executed
    assert [f"the budget of {budget} tool calls" in text for text in said].count(True) == refused
    calls = sample.store.get("tool_calls", [])
    assert [call["executed"] for call in calls] == [True] * executed + [False] * refused
    assert sample.scores["verdict"].value == {"em": 1.0, "f1": 1.0}


def test_every_call_has_an_answer_and_the_last_turn_is_announced(
    question_set: QuestionSet, policy: Add, tmp_path: Path
) -> None:
    sample = play(question_set, policy("greedy2", greedy(2)), 3, tmp_path)
    asked = [call.id for message in sample.messages for call in getattr(message, "tool_calls", None) or []]
    given = [message.tool_call_id for message in sample.messages if isinstance(message, ChatMessageTool)]
    assert asked == given
    assert [message.text for message in sample.messages].count(LAST_TURN) == 1


def test_tools_know_the_question_asked(question_set: QuestionSet, policy: Add, tmp_path: Path) -> None:
    sample = play(question_set, policy("greedy1", greedy(1)), 1, tmp_path)
    assert answers(sample) == ["columns of t0, asked for q-connected"]


def test_no_call_no_loop(question_set: QuestionSet, tmp_path: Path) -> None:
    sample = play(question_set, "tinypolicy/oracle", 3, tmp_path)
    assert len(sample.messages) == 2
    assert "tool_calls" not in sample.store


def test_calls_without_tools_on_offer_are_refused(
    question_set: QuestionSet, policy: Add, tmp_path: Path
) -> None:
    stubborn = policy(
        "stubborn", lambda *_: Move(text="more!", calls=(Call(tool="columns", arguments={"table": "t"}),))
    )
    sample = play(question_set, stubborn, 2, tmp_path)
    assert [call["executed"] for call in sample.store["tool_calls"]] == [True, True, False]
    assert sample.scores["verdict"].reason == "unparsed: no answer found"


def test_a_call_the_tool_cannot_take_is_answered(
    question_set: QuestionSet, policy: Add, tmp_path: Path
) -> None:
    def move(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], question: Question) -> Move:
        if len(messages) == 1:
            return Move(calls=(Call(tool="columns"), Call(tool="nonsense")))
        return oracle(messages, tools, question)

    sample = play(question_set, policy("clumsy", move), 3, tmp_path)
    assert len(answers(sample)) == 2
    assert [call["executed"] for call in sample.store["tool_calls"]] == [False, False]
    assert sample.scores["verdict"].value["em"] == 1.0


def test_negative_budget_is_refused() -> None:
    with pytest.raises(BuildError):
        tool_loop(lambda question: [], -1)

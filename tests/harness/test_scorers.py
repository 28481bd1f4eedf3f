import math
from pathlib import Path

import pytest
from inspect_ai.model import ChatCompletionChoice, ChatMessageAssistant, ModelOutput, StopReason
from tests.harness.conftest import run_task, tiny_task
from tests.harness.tiny import SHOP

from warebench.harness.current import set_question
from warebench.harness.dataset import index_questions
from warebench.harness.scorers import score_output
from warebench.questions.model import QuestionSet


def output(text: str, stop: StopReason = "stop") -> ModelOutput:
    message = ChatMessageAssistant(content=text)
    return ModelOutput(model="m", choices=[ChatCompletionChoice(message=message, stop_reason=stop)])


@pytest.mark.parametrize(
    ("number", "said", "em", "f1", "reason"),
    [
        (0, output('{"answer": false}'), 1.0, 1.0, "equal"),
        (0, output('{"answer": true}'), 0.0, 0.0, "wrong value"),
        (1, output("The answer is 1."), 1.0, 1.0, "equal"),
        (3, output('{"answer": ["orders"]}'), 0.0, 2 / 3, "missing names"),
        (3, output('{"answer": ["ORDERS", "products"]}'), 1.0, 1.0, "equal"),
        (3, output('{"answer": null}'), 0.0, 0.0, "abstained"),
        (4, output('{"answer": ["customers", "orders", "order lines"]}'), 0.0, 1.0, "reversed path"),
        (3, output('{"answer": ["orders", "prod', "max_tokens"), 0.0, 0.0, "unparsed: truncated"),
        (3, output("I like turtles"), 0.0, 0.0, "unparsed: no answer found"),
        (3, output("  "), 0.0, 0.0, "no_response"),
        (3, output("I must not say.", "content_filter"), 0.0, 0.0, "refusal"),
    ],
)
def test_verdicts_on_the_model(
    question_set: QuestionSet, number: int, said: ModelOutput, em: float, f1: float, reason: str
) -> None:
    score = score_output(said, question_set.questions[number], SHOP.table_names)
    assert score.value == {"em": em, "f1": pytest.approx(f1)}
    assert score.reason == reason
    assert score.explanation


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (output("prompt is too long", "model_length"), "context exceeded"),
        (output("", "max_tokens"), "empty output: length stop"),
        (output("", "content_filter"), "empty output: content filter"),
        (ModelOutput(model="m", choices=[]), "no output"),
    ],
)
def test_no_reading_is_unscored(question_set: QuestionSet, said: ModelOutput, reason: str) -> None:
    score = score_output(said, question_set.questions[0], SHOP.table_names)
    assert math.isnan(score.as_float())
    assert score.reason == reason


def test_metrics_leave_unscored_samples_out(question_set: QuestionSet, tmp_path: Path) -> None:
    from inspect_ai.solver import Generate, Solver, TaskState, solver

    replies = [output('{"answer": false}'), output("?"), output("", "max_tokens")]

    @solver
    def said() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            number = [question.id for question in question_set.questions].index(str(state.sample_id))
            state.output = replies[min(number, 2)]
            return state

        return solve

    log = run_task(tiny_task(question_set, said()), "tinypolicy/oracle", tmp_path)
    metrics = {score.name: score for score in log.results.scores}
    assert metrics["em"].metrics["accuracy"].value == 0.5
    assert (metrics["em"].scored_samples, metrics["em"].unscored_samples) == (2, 3)
    assert metrics["f1"].metrics["mean"].value == 0.5
    assert metrics["em"].metrics["stderr"].value == pytest.approx(0.5)


def test_a_sample_of_another_set_breaks_loudly(question_set: QuestionSet, tmp_path: Path) -> None:
    import msgspec

    other = msgspec.structs.replace(question_set, questions=question_set.questions[:1])
    task = tiny_task(question_set, set_question(index_questions(other)))
    log = run_task(task, "tinypolicy/oracle", tmp_path)
    assert log.status == "error"
    errors = {sample.id: sample.error for sample in log.samples}
    assert errors.pop("q-connected") is None
    assert all("is not a question of the set" in error.message for error in errors.values())

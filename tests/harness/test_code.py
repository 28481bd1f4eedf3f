from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from inspect_ai.log import EvalSample
from inspect_ai.model import ChatMessage
from inspect_ai.tool import ToolInfo
from tests.harness.conftest import run_task, tiny_task

from warebench.errors import RunError
from warebench.harness import code as code_module
from warebench.harness.bwrap import Limits
from warebench.harness.code import LAST_TURN, NO_BLOCK, STATELESS, code_loop, find_code
from warebench.harness.models.policy import Move, Policy, oracle
from warebench.questions.model import Question, QuestionSet

Add = Callable[[str, Policy], str]


def script(*turns: str) -> Policy:
    """Return a policy that says its turns in order and gold after the last."""

    def move(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], question: Question) -> Move:
        said = sum(message.role == "assistant" for message in messages)
        return Move(text=turns[said]) if said < len(turns) else oracle(messages, tools, question)

    return move


def block(code: str) -> str:
    return f"I look.\n```python\n{code}\n```"


def play(
    question_set: QuestionSet, model: str, tmp_path: Path, *, rounds: int = 3, unsafe_local: bool = False
) -> EvalSample:
    loop = code_loop(
        lambda question: {"question.txt": question.id.encode()},
        "tables = ['customers', 'orders']\n",
        rounds,
        Limits(wall_seconds=2),
        unsafe_local,
    )
    log = run_task(tiny_task(question_set, loop), model, tmp_path, {"limit": 1})
    assert log.status == "success", log.samples[0].error
    return log.samples[0]


def told(sample: EvalSample) -> list[str]:
    """Return what the loop told the model, the question left out."""
    return [message.text for message in sample.messages if message.role == "user"][1:]


@pytest.mark.usefixtures("sandbox")
def test_code_sees_preamble_and_files_and_the_model_its_output(
    question_set: QuestionSet, policy: Add, tmp_path: Path
) -> None:
    model = policy("looks", script(block("print(tables, open('question.txt').read())")))
    sample = play(question_set, model, tmp_path)
    (shown,) = told(sample)
    assert "['customers', 'orders'] q-connected" in shown
    assert f"2 rounds are left. {STATELESS}" in shown
    assert sample.store["code_runs"] == [{"exit_code": 0, "timed_out": False, "truncated": False}]
    assert sample.scores["verdict"].value == {"em": 1.0, "f1": 1.0}


@pytest.mark.usefixtures("sandbox")
def test_rounds_are_fresh_processes(question_set: QuestionSet, policy: Add, tmp_path: Path) -> None:
    model = policy("remembers", script(block("x = 1"), block("print(x)")))
    assert "NameError: name 'x' is not defined" in told(play(question_set, model, tmp_path))[1]


@pytest.mark.usefixtures("sandbox")
def test_after_the_last_round_code_is_not_run(question_set: QuestionSet, policy: Add, tmp_path: Path) -> None:
    model = policy("never", script(*[block("print(1)")] * 9))
    sample = play(question_set, model, tmp_path, rounds=2)
    assert len(sample.store["code_runs"]) == 2
    assert told(sample)[1].endswith(LAST_TURN)
    assert sample.scores["verdict"].reason == "unparsed: no answer found"


@pytest.mark.usefixtures("sandbox")
def test_errors_and_timeouts_are_told(question_set: QuestionSet, policy: Add, tmp_path: Path) -> None:
    model = policy("fails", script(block("1 / 0"), block("while True: pass")))
    failed, stopped = told(play(question_set, model, tmp_path))
    assert "ZeroDivisionError" in failed
    assert "(Exit code 1.)" in failed
    assert "took too long" in stopped


@pytest.mark.usefixtures("sandbox")
def test_an_answer_without_code_ends_the_loop(question_set: QuestionSet, tmp_path: Path) -> None:
    sample = play(question_set, "tinypolicy/oracle", tmp_path)
    assert told(sample) == []
    assert "code_runs" not in sample.store


@pytest.mark.usefixtures("sandbox")
def test_neither_code_nor_answer_costs_a_round(
    question_set: QuestionSet, policy: Add, tmp_path: Path
) -> None:
    sample = play(question_set, policy("vague", script("Let me think about that.")), tmp_path)
    assert told(sample)[0].startswith(NO_BLOCK)
    assert sample.scores["verdict"].value["em"] == 1.0


def test_without_a_sandbox_the_loop_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_module, "sandbox_available", lambda: "no bwrap")
    with pytest.raises(RunError, match="--unsafe-local"):
        code_loop(lambda question: {}, "", 1, Limits())


def test_unsafe_local_is_loud_and_leaves_a_mark(
    question_set: QuestionSet,
    policy: Add,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(code_module, "sandbox_available", lambda: "no bwrap")
    model = policy("unsafe", script(block("print(tables)")))
    sample = play(question_set, model, tmp_path, unsafe_local=True)
    assert "UNSAFE: model-written code runs as this user" in caplog.text
    assert sample.store["unsafe_local"] is True
    assert "customers" in told(sample)[0]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("```python\nprint(1)\n```", "print(1)\n"),
        ("```Python3\nprint(1)\n```", "print(1)\n"),
        ("a ```py\r\nprint(1)\n``` b", "print(1)\n"),
        ("```python\nx = 1\n```\nthen\n```python\nprint(x)\n```", "x = 1\nprint(x)\n"),
        ("```python\nprint(1)", "print(1)\n"),
        ('```json\n{"answer": 1}\n```', None),
        ('```\n{"answer": true}\n```', None),
        ("```\nprint(1)\n```", "print(1)\n"),
        ("Output:\n```\n7\n```\n```python\nprint(1)\n```", "print(1)\n"),
        ('```\n7\n```\n{"answer": true}', None),
        ("```bash\nls\n```", None),
        ("<think>\n```python\nprint(1)\n```\n</think>\nno", None),
        ("no code", None),
    ],
)
def test_find_code(question_set: QuestionSet, text: str, code: str | None) -> None:
    assert find_code(text, question_set.questions[0]) == code


@pytest.mark.usefixtures("sandbox")
@pytest.mark.parametrize(
    "prose",
    ["Yes, let me look at the tables first.", "Let me look.", "**Yes**", "Answer: Yes", "The answer is yes"],
)
def test_prose_does_not_end_the_loop(
    prose: str, question_set: QuestionSet, policy: Add, tmp_path: Path
) -> None:
    sample = play(question_set, policy("talks", script(prose, block("print(1)"))), tmp_path)
    assert told(sample)[0].startswith(NO_BLOCK)
    assert len(sample.store["code_runs"]) == 1
    assert sample.scores["verdict"].value == {"em": 1.0, "f1": 1.0}

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from inspect_ai import eval_set
from tests.harness.conftest import tiny_task

from warebench.errors import RunError
from warebench.harness.models.policy import Policy, oracle
from warebench.harness.run import DEFAULTS, run
from warebench.questions.model import QuestionSet

Add = Callable[[str, Policy], str]


def test_success_names_its_logs(question_set: QuestionSet, tmp_path: Path) -> None:
    result = run([tiny_task(question_set)], ["tinypolicy/oracle", "tinypolicy/random"], tmp_path / "new")
    assert result.success
    assert len(result.logs) == 2
    assert all(log.is_file() for log in result.logs)
    assert result.errors == ()


def test_a_folder_that_takes_no_log_is_named(
    question_set: QuestionSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")

    def full(**_: object) -> None:
        raise OSError(28, "No space left on device")

    for folder, why in (
        (tmp_path / "file" / "logs", "Not a directory"),
        (tmp_path / "logs", "No space left"),
    ):
        with pytest.raises(RunError, match=f"no log can be written: {why}") as caught:
            run([tiny_task(question_set)], ["tinypolicy/oracle"], folder)
        assert caught.value.where == str(folder)
        assert "--log-dir" in caught.value.fix
        monkeypatch.setattr("tempfile.TemporaryFile", full)


def test_finished_work_is_not_run_again(question_set: QuestionSet, policy: Add, tmp_path: Path) -> None:
    asked: list[str] = []

    def counting(messages: object, tools: object, question: object) -> object:
        asked.append(question.id)  # type: ignore[attr-defined]
        return oracle(messages, tools, question)  # type: ignore[arg-type]

    model = policy("counting", counting)  # type: ignore[arg-type]
    first = run([tiny_task(question_set)], [model], tmp_path)
    second = run([tiny_task(question_set)], [model], tmp_path)
    assert first.logs == second.logs
    assert len(asked) == 5


def test_an_error_is_retried_once_and_told(question_set: QuestionSet, policy: Add, tmp_path: Path) -> None:
    tries: list[int] = []

    def broken(messages: object, tools: object, question: object) -> object:
        tries.append(1)
        raise OSError("the wire broke")

    result = run([tiny_task(question_set)], [policy("broken", broken)], tmp_path)  # type: ignore[arg-type]
    assert not result.success
    assert len(tries) == 10
    assert result.errors == ("tiny on tinypolicy/broken: 5 of 5 samples errored: OSError: the wire broke",)


def test_how_far_a_run_is_is_told(
    question_set: QuestionSet, policy: Add, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warebench.harness.progress.EVERY", 0.05)
    told: list[str] = []

    def slow(messages: object, tools: object, question: object) -> object:
        time.sleep(0.2)
        return oracle(messages, tools, question)  # type: ignore[arg-type]

    model = policy("slow", slow)  # type: ignore[arg-type]
    run([tiny_task(question_set)], [model], tmp_path, options={"max_samples": 1}, tell=told.append)
    assert told[0] == "Asking 5 questions in all; conditions: 1."
    assert "3 of 5 done" in told


def test_a_server_that_does_not_answer_is_given_up(
    question_set: QuestionSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The default is minutes: here it is one wait."""
    pytest.importorskip("openai", reason="extra `local` is not installed")
    assert DEFAULTS["max_retries"] is not None
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setattr("warebench.harness.progress.EVERY", 0.5)
    told: list[str] = []
    options = {"max_retries": 1, "limit": 1, "retry_attempts": 0}
    result = run([tiny_task(question_set)], ["ollama/nope"], tmp_path, options=options, tell=told.append)
    assert not result.success
    assert result.errors[0].endswith("errored: APIConnectionError, however often it was sent again")
    assert any("sent again: is the model's server up" in line for line in told)


def test_a_torn_log_is_named(question_set: QuestionSet, tmp_path: Path) -> None:
    (log,) = run([tiny_task(question_set)], ["tinypolicy/oracle"], tmp_path).logs
    torn = log.read_bytes()[:300]
    log.write_bytes(torn)
    with pytest.raises(RunError, match="torn or unreadable") as caught:
        run([tiny_task(question_set)], ["tinypolicy/oracle"], tmp_path)
    assert log.name in caught.value.where
    assert log.read_bytes() == torn


def test_options_override_defaults(question_set: QuestionSet, tmp_path: Path) -> None:
    result = run([tiny_task(question_set)], ["tinypolicy/oracle"], tmp_path, options={"log_format": "json"})
    assert result.logs[0].suffix == ".json"


def test_what_inspect_refuses_is_a_user_error(question_set: QuestionSet, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="nosuchprovider"):
        run([tiny_task(question_set)], ["nosuchprovider/x"], tmp_path)


def test_a_bug_inside_an_eval_is_not_said_to_be_a_bad_start(
    question_set: QuestionSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks_late(*words: object, **options: object) -> object:
        eval_set(*words, **options)  # type: ignore[arg-type]
        raise ValueError("bug")

    monkeypatch.setattr("warebench.harness.run.eval_set", breaks_late)
    with pytest.raises(ValueError, match="bug"):
        run([tiny_task(question_set)], ["tinypolicy/oracle"], tmp_path)

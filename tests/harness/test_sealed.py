"""No log holds a key, whatever the server says."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelCall, ModelOutput
from tests.harness.conftest import tiny_task

from warebench.errors import RunError
from warebench.harness.logs import read_logs
from warebench.harness.models.policy import Move, Policy
from warebench.harness.run import run
from warebench.harness.sealed import _cleaned, refuse_stored, seal_logging
from warebench.questions.model import QuestionSet
from warebench.secrets import mask_values

Add = Callable[[str, Policy], str]
KEY = "zq-4711-geheimnis-0815"


class Refused(Exception):
    """As providers raise it: a text, and the body of the answer."""

    def __init__(self, message: str, body: object) -> None:
        super().__init__(message)
        self.message, self.body = message, body


def refusing(*_: Any) -> Any:
    try:
        raise OSError(f"GET with {KEY}")
    except OSError as error:
        raise Refused(f"401: wrong key {KEY}", {"error": {"message": [f"key {KEY}"]}}) from error


def echoing(*_: Any) -> Any:
    return Move(text=f"The request was blocked. You sent the key {KEY}.")


@pytest.mark.parametrize("answer", [refusing, echoing])
def test_an_echoed_key_is_in_no_log_and_no_score(
    question_set: QuestionSet,
    policy: Add,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: Any,
) -> None:
    monkeypatch.setenv("TINY_API_KEY", KEY)
    result = run([tiny_task(question_set)], [policy(answer.__name__, answer)], tmp_path, options={"limit": 1})
    whole = "".join(read_eval_log(str(log)).model_dump_json() for log in tmp_path.rglob("*.eval"))
    assert "***" in whole
    assert KEY not in whole
    assert KEY not in str(result)
    assert KEY not in read_logs(tmp_path).scores.to_csv()


def test_what_a_provider_returns_is_cleaned_in_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TINY_API_KEY", KEY)
    output = ModelOutput.from_content("m", f"I know {KEY}")
    call = ModelCall.create({"headers": [{"x-key": KEY}]}, {"error": f"not {KEY}"})
    cleaned = _cleaned((output, call), mask_values)
    assert cleaned[0].completion == "I know ***"
    assert KEY not in cleaned[1].model_dump_json()
    innocent = ModelOutput.from_content("m", "SELECT password = 'abcdefgh'")
    assert _cleaned(innocent, mask_values) is innocent


@pytest.mark.parametrize(
    ("arguments", "refused"),
    [
        ({"api_key": KEY, "aws_secret_access_key": KEY, "timeout": 3}, False),
        ({"base_url": "http://127.0.0.1:8000/v1"}, False),
        ({"base_url": f"http://ann:{KEY}@127.0.0.1/v1"}, True),
        ({"base_url": f"https://h/v1?api_key={KEY}"}, True),
        ({"client_secret": KEY}, True),
        ({"default_headers": f"Authorization: {KEY}"}, False),
    ],
)
def test_arguments_that_lie_in_the_log_hold_no_secret(arguments: dict[str, Any], refused: bool) -> None:
    if not refused:
        refuse_stored(arguments)
        return
    with pytest.raises(RunError, match="would be stored in the log") as caught:
        refuse_stored(arguments)
    assert KEY not in str(caught.value)


def test_what_a_library_logs_is_masked(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("TINY_API_KEY", KEY)
    before = logging.getLogRecordFactory()
    try:
        seal_logging()
        seal_logging()
        logging.getLogger("some.library").warning("sent %s with %d", KEY, 3)
        logging.getLogger("some.library").warning("sent %d", 3)
    finally:
        logging.setLogRecordFactory(before)
    assert [record.getMessage() for record in caplog.records] == ["sent *** with 3", "sent 3"]

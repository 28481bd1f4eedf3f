"""The real local model. Small prompts: a loaded machine computes some tens of tokens a second."""

import asyncio
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from inspect_ai.model import GenerateConfig, ModelAPI, get_model, modelapi
from inspect_ai.tool import ToolInfo
from tests.harness.conftest import run_task, tiny_task

from warebench.errors import MissingExtra, RunError
from warebench.harness.models import server
from warebench.harness.models.local import GEMMA, local_provider
from warebench.harness.models.server import ServerKey
from warebench.questions.model import QuestionSet

pytestmark = pytest.mark.local_model


@modelapi(name="tinylocal")
def tiny_local_provider() -> type[ModelAPI]:
    return local_provider()


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    pytest.importorskip("xllamacpp", reason="extra `local` is not installed")
    pytest.importorskip("openai", reason="extra `local` is not installed")


@pytest.fixture(autouse=True)
def stopped() -> Iterator[None]:
    yield
    server.stop_all()


def test_the_whole_way_from_question_to_verdict(question_set: QuestionSet, tmp_path: Path) -> None:
    options = {"model_args": {"context": 1024}, "limit": 2}
    log = run_task(tiny_task(question_set), f"tinylocal/{GEMMA}", tmp_path, options)
    assert log.status == "success", [sample.error for sample in log.samples]
    for sample in log.samples:
        assert sample.output.completion.startswith('{"answer":')
        usage = sample.model_usage[f"tinylocal/{GEMMA}"]
        assert usage.input_tokens + (usage.input_tokens_cache_read or 0) > 10
        assert 0 < usage.output_tokens <= 256
        assert set(sample.scores["verdict"].value) == {"em", "f1"}


def test_a_prompt_that_does_not_fit_is_unscored(question_set: QuestionSet, tmp_path: Path) -> None:
    import msgspec

    long = msgspec.structs.replace(question_set.questions[0], id="q-long", text="orders and customers " * 500)
    asked = msgspec.structs.replace(question_set, questions=(long,))
    log = run_task(tiny_task(asked), f"tinylocal/{GEMMA}", tmp_path, {"model_args": {"context": 512}})
    assert log.status == "success"
    score = log.samples[0].scores["verdict"]
    assert score.reason == "context exceeded"
    assert score.value != score.value  # NaN


def test_one_server_is_shared_and_stops_with_its_last_user() -> None:
    async def use() -> str:
        async with get_model(f"tinylocal/{GEMMA}", context=512, memoize=False) as first:
            async with get_model(f"tinylocal/{GEMMA}", context=512, memoize=False):
                (running,) = server._RUNNING.values()
                assert running.users == 2
                address = running.address
            assert [entry.users for entry in server._RUNNING.values()] == [1]
            config = GenerateConfig(max_tokens=4)
            assert (await first.generate("Hello", config=config)).usage.output_tokens <= 4
        return address

    started = time.monotonic()
    address = asyncio.run(use())
    assert time.monotonic() - started < 60
    assert server._RUNNING == {}
    assert address.startswith("http://127.0.0.1:")
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(f"{address}/health", timeout=2)  # noqa: S310


def test_tools_may_be_offered() -> None:
    """The server refuses a grammar beside tools, with HTTP 400."""

    async def use() -> str:
        tool = ToolInfo(name="look", description="Look it up.")
        async with get_model(f"tinylocal/{GEMMA}", context=1024, memoize=False) as model:
            found = await model.generate("Hello", tools=[tool], config=GenerateConfig(max_tokens=8))
        return str(found.stop_reason)

    assert asyncio.run(use()) in ("stop", "max_tokens", "tool_calls")


def test_weights_that_are_none_do_not_start(tmp_path: Path) -> None:
    (tmp_path / "no.gguf").write_bytes(b"not a model")
    with pytest.raises(RunError, match="does not start"):
        server.acquire(ServerKey(weights=tmp_path / "no.gguf", context=512))
    assert server._RUNNING == {}


@pytest.mark.parametrize(("name", "arguments"), [("gemma-3-270n", {}), (GEMMA, {"context": 100_000})])
def test_what_cannot_be_is_refused(name: str, arguments: dict[str, int]) -> None:
    with pytest.raises(RunError):
        get_model(f"tinylocal/{name}", memoize=False, **arguments)


def test_a_missing_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(MissingExtra, match=r"pip install 'warebench\[local\]'"):
        local_provider()

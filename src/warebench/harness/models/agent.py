"""Agents of the user's own, as models: `--model agent/KIND:PLACE`. They find the way to the data themselves.

An agent gets one question as JSON and says its answer as text, in the form that the prompt asks for:
`{"id": ..., "track": ..., "catalog": ..., "question": ..., "prompt": ...}`; `prompt` is what a model would
read. It may reply with an object: `{"text": ..., "usage": {"input_tokens": ..., "output_tokens": ...}}`.
"""

import asyncio
import csv
import importlib
import inspect
import json
import os
import shlex
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage
from inspect_ai.tool import ToolChoice, ToolInfo

from warebench.bounds import read_whole
from warebench.errors import RunError, did_you_mean
from warebench.harness.current import current

Agent = Callable[[Mapping[str, str]], Awaitable[Any]]
"""From a question as JSON data to what the agent said: text, or an object with text and usage."""

LONGEST_REPLY = 10_000_000
"""Bytes of one reply; more is an error of the sample."""
PATIENCE = 600.0
"""Seconds for one reply where `--attempt-timeout` says nothing."""
PAUSES = (0.5, 2.0)
"""Seconds before a question is posted again whose connection broke: small servers drop what comes at once."""


class AgentAPI(ModelAPI):
    """A model that asks an agent."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
    ) -> None:
        """Open the agent.

        Args:
            model_name: KIND:PLACE, see `KINDS`.
            base_url: Not used.
            api_key: Sent to a http agent as a bearer token.
            config: Of Inspect.

        Raises:
            RunError: There is no such kind, or nothing at that place.
        """
        super().__init__(model_name, base_url, api_key, ["WAREBENCH_AGENT_KEY"], config or GenerateConfig())
        kind, _, place = model_name.partition(":")
        if kind not in KINDS:
            raise RunError(
                f"no kind of agent is called `{kind}`",
                where=f"model agent/{model_name}",
                fix=did_you_mean(kind, KINDS),
            )
        key = api_key or os.environ.get("WAREBENCH_AGENT_KEY", "")
        self._ask = KINDS[kind](f"{kind}:{place}" if kind in WHOLE else place, key)

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Return the agent's answer as the reply of a model.

        Raises:
            RunError: The method offers tools, which an agent does not take.
        """
        if tools:
            raise RunError("an agent brings its own tools", fix="Ask it with --method question.")
        asked = current().question
        question = {
            "id": asked.id,
            "track": asked.track,
            "catalog": asked.catalog,
            "question": asked.text,
            "prompt": "\n\n".join(message.text for message in input),
        }
        said = await asyncio.wait_for(self._ask(question), config.attempt_timeout or PATIENCE)
        return _output(said, f"agent/{self.model_name}")


def _output(said: Any, model: str) -> ModelOutput:
    usage: Mapping[str, Any] = {}
    if isinstance(said, Mapping) and isinstance(said.get("text"), str):
        found = said.get("usage")
        usage = found if isinstance(found, Mapping) else {}
        said = said["text"]
    text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False, default=str)
    if len(text.encode("utf-8", "replace")) > LONGEST_REPLY:
        raise ValueError(f"the agent's reply is longer than {LONGEST_REPLY:,} bytes")
    output = ModelOutput.from_content(model, text)
    sent, got = (_count(usage.get(name)) for name in ("input_tokens", "output_tokens"))
    output.usage = ModelUsage(input_tokens=sent, output_tokens=got, total_tokens=sent + got)
    return output


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value >= 0 else 0


def python_agent(place: str, key: str) -> Agent:
    """Return a function of the user's as an agent.

    Args:
        place: MODULE:FUNCTION, importable from the working folder; the function takes the question as a dict
            and returns the answer, or awaits it. One that is not async runs in a thread.
        key: Not used.

    Raises:
        RunError: There is no such module or function.
    """
    module, _, name = place.partition(":")
    where = f"agent python:{place}"
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        function = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise RunError(
            f"the agent cannot be imported: {error}", where=where, fix="Write python:MODULE:FUNCTION."
        ) from error

    async def ask(question: Mapping[str, str]) -> Any:
        if inspect.iscoroutinefunction(function):
            return await function(dict(question))
        said = await asyncio.to_thread(function, dict(question))
        return await said if inspect.isawaitable(said) else said

    return ask


def command_agent(place: str, key: str) -> Agent:
    """Return a command line as an agent: the question as JSON on its stdin, the answer on its stdout.

    Args:
        place: The command, split as a shell splits words; no shell runs it.
        key: Not used.

    Raises:
        RunError: The command is empty.
    """
    words = shlex.split(place)
    if not words:
        raise RunError("the agent's command is empty", fix="Write command:PROGRAM ARGUMENTS.")

    async def ask(question: Mapping[str, str]) -> Any:
        try:
            process = await asyncio.create_subprocess_exec(
                *words,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise RuntimeError(
                f"the agent's command {words[0]} cannot be started: {error.strerror}"
            ) from error
        try:
            out, err = await process.communicate(json.dumps(question, ensure_ascii=False).encode())
        finally:
            if process.returncode is None:  # out of time: its children go with it
                os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
        if process.returncode:
            last = err.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no message"]
            raise RuntimeError(f"the agent's command ended with {process.returncode}: {last[0]}")
        return _read(out.decode("utf-8", "replace"))

    return ask


def http_agent(place: str, key: str) -> Agent:
    """Return an endpoint as an agent: the question is posted as JSON, the answer is the body.

    Args:
        place: Address, http or https.
        key: Sent as a bearer token where there is one.
    """
    headers = {"authorization": f"Bearer {key}"} if key else {}
    context = httpx.create_ssl_context()  # read once: certificates of a client cost more than its question

    async def ask(question: Mapping[str, str]) -> Any:
        async with httpx.AsyncClient(timeout=PATIENCE, headers=headers, verify=context) as client:
            for pause in PAUSES:
                try:
                    return _read(await _post(client, place, question))
                except (httpx.NetworkError, httpx.RemoteProtocolError):
                    await asyncio.sleep(pause)
            return _read(await _post(client, place, question))

    return ask


async def _post(client: httpx.AsyncClient, place: str, question: Mapping[str, str]) -> str:
    async with client.stream("POST", place, json=dict(question)) as response:
        body = bytearray()
        async for part in response.aiter_bytes():
            body += part
            if len(body) > LONGEST_REPLY:
                raise ValueError(f"the agent's reply is longer than {LONGEST_REPLY:,} bytes")
        if response.is_error:
            raise RuntimeError(f"the agent answered with HTTP status {response.status_code}")
    return body.decode("utf-8", "replace")


def _read(said: str) -> Any:
    """Return an object with `text` where the agent wrote one, else what it wrote, as it is."""
    try:
        value = json.loads(said)
    except (ValueError, RecursionError):
        return said
    return value if isinstance(value, dict) and isinstance(value.get("text"), str) else said


def answers_agent(place: str, key: str) -> Agent:
    """Return answers made elsewhere as an agent; a question without one is an error of its sample.

    Args:
        place: JSON Lines with `id` and `answer`, or CSV with these columns.
        key: Not used.

    Raises:
        RunError: The file cannot be read, or a line lacks id or answer, or an id stands in it twice.
    """
    answers = read_answers(Path(place))

    async def ask(question: Mapping[str, str]) -> Any:
        if question["id"] not in answers:
            raise RuntimeError(f"{Path(place).name} holds no answer to this question")
        return answers[question["id"]]

    return ask


def read_answers(path: Path) -> dict[str, Any]:
    """Return the answers of a file by question id; an answer that is no text is read as {"answer": ...}.

    Raises:
        RunError: The file cannot be read, a line lacks id or answer, or an id stands in it twice.
    """
    answers: dict[str, Any] = {}
    for number, row in _rows(path):
        if not isinstance(row, dict) or not isinstance(row.get("id"), str) or "answer" not in row:
            raise RunError(
                "a line of the answers lacks `id` or `answer`",
                where=f"{path}, line {number}",
                fix='Write one object a line: {"id": "...", "answer": ...}.',
            )
        if row["id"] in answers:
            raise RunError(f"two answers to {row['id']}", where=f"{path}, line {number}", fix="Keep one.")
        value = row["answer"]
        answers[row["id"]] = value if isinstance(value, str) else json.dumps({"answer": value})
    return answers


def _rows(path: Path) -> Sequence[tuple[int, Any]]:
    try:
        text = read_whole(path, RunError).decode("utf-8-sig")
        if path.suffix.lower() == ".csv":
            return list(enumerate(csv.DictReader(text.splitlines(keepends=True)), start=2))
        lines = enumerate(text.split("\n"), start=1)
        return [(number, json.loads(line)) for number, line in lines if line.strip()]
    except (OSError, ValueError, RecursionError, csv.Error) as error:
        raise RunError(
            f"the answers cannot be read: {error}",
            where=str(path),
            fix="Give JSON Lines or CSV with `id` and `answer`, as `warebench export` writes the questions.",
        ) from error


WHOLE = ("http", "https")
"""Kinds whose name is part of the place."""

KINDS: Mapping[str, Callable[[str, str], Agent]] = {
    "python": python_agent,
    "command": command_agent,
    "http": http_agent,
    "https": http_agent,
    "answers": answers_agent,
}
"""Kinds of agent by name."""


def agent_provider() -> type[ModelAPI]:
    """Return the provider class to register under the name `agent`."""
    return AgentAPI

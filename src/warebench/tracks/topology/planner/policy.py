"""`policy/planner`: reads the prompt, reasons, and moves. It never looks at the question's gold."""

import json
import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool
from inspect_ai.tool import ToolInfo

from warebench.errors import InternalError
from warebench.harness.fence import fenced
from warebench.harness.models.policy import Move
from warebench.questions.model import Question
from warebench.tracks.topology.planner.compute import compute
from warebench.tracks.topology.planner.plan import Known, NeedCalls, follow, label
from warebench.tracks.topology.planner.reading import Asked, read_question
from warebench.tracks.topology.planner.view import read_schema

_QUESTION = re.compile(r"^Question: (.*?)\n\nAnswer with ", re.DOTALL | re.MULTILINE)
_SCHEMA = fenced("schema")
_ALGORITHM = re.compile(r"\AAlgorithm output: (.*)$", re.MULTILINE)
_CALLS = re.compile(r"at most (\d+) tool calls in all")
_ROUNDS = re.compile(r"At most (\d+) blocks are run")
_PRINTED = re.compile(r"^Output:\n```\n(.*?)\n```", re.DOTALL | re.MULTILINE)


def planner(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], question: Question) -> Move:
    """Move as a perfect reasoner does who sees only the messages and the tools.

    It computes answers from the schema text where there is one, calls tools along a sound plan (and
    abstains when the plan does not fit in the budget), writes Python where it may, and copies an
    algorithm's output.

    Args:
        messages: The conversation so far.
        tools: The tools on offer.
        question: Not looked at.
    """
    prompt = next(message.text for message in messages if message.role == "user")
    asked = read_question(_read(_QUESTION, prompt))
    if _ALGORITHM.search(prompt):
        return _answer(json.loads(_read(_ALGORITHM, prompt)))
    if schema := _SCHEMA.search(prompt):
        view = read_schema(schema["data"])
        return _answer(compute(asked, view.tables, view.keys, view.lineage))
    if _CALLS.search(prompt):
        return _call_tools(asked, int(_read(_CALLS, prompt)), messages)
    return _write_code(asked, int(_read(_ROUNDS, prompt)), messages)


def _call_tools(asked: Asked, budget: int, messages: Sequence[ChatMessage]) -> Move:
    known = _results(messages)
    try:
        return _answer(follow(asked, known, budget))
    except NeedCalls as need:
        if len(known) + len(need.calls) > budget:
            return _answer(None)
        return Move(calls=tuple(need.calls))


def _results(messages: Sequence[ChatMessage]) -> Known:
    asked_for = {
        call.id: label(call.function, call.arguments)
        for message in messages
        if isinstance(message, ChatMessageAssistant)
        for call in message.tool_calls or []
    }
    answers = [message for message in messages if isinstance(message, ChatMessageTool)]
    return {asked_for[answer.tool_call_id or ""]: json.loads(answer.text) for answer in answers}


def _write_code(asked: Asked, rounds: int, messages: Sequence[ChatMessage]) -> Move:
    if printed := _PRINTED.search(messages[-1].text):
        return Move(text=printed[1].strip().splitlines()[-1])
    if rounds == 0 or len(messages) > 2:
        return _answer(None)
    return Move(text=f"```python\n{program(asked)}```")


def program(asked: Asked) -> str:
    """Return Python that prints the answer line, given FK, LINEAGE and TABLES."""
    source = files(__package__).joinpath("compute.py").read_text(encoding="utf-8")
    call = f"compute({asked!r}, TABLES, FK, LINEAGE)"
    return f'{source}\n\nimport json\n\nprint(json.dumps({{"answer": {call}}}, ensure_ascii=False))\n'


def _answer(value: Any) -> Move:
    return Move(text=json.dumps({"answer": value}, ensure_ascii=False))


def _read(pattern: re.Pattern[str], prompt: str) -> str:
    found = pattern.search(prompt)
    if found is None:
        raise InternalError(f"the prompt holds nothing that reads like {pattern.pattern}")
    return found[1]

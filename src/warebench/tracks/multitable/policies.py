"""Policies of this track: guessers that see the options alone, and one that executes the gold SQL."""

import json
import statistics
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from inspect_ai.model import ChatMessage, ChatMessageTool
from inspect_ai.tool import ToolInfo

from warebench.harness.models.policy import Call, Move, Policy
from warebench.queries.fill import fill_sql
from warebench.questions.model import Question
from warebench.tracks.multitable.ask import restore
from warebench.tracks.multitable.choices import LETTERS

Guess = Callable[[Sequence[str]], int]
"""From the texts of the options to the position of one."""


def guesser(guess: Guess) -> Policy:
    """Return the policy that answers an option by looking at the options alone."""

    def policy(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], question: Question) -> Move:
        if not question.options:
            return _answer(None)
        return _answer(LETTERS[guess([option.text for option in question.options])])

    return policy


def sql_gold(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], question: Question) -> Move:
    """Execute the certificate's SQL by whatever way the method offers; answer null where there is none.

    With a tool `query` it calls it and answers what comes back; asked for a query it writes it.
    """
    if any(tool.name == "query" for tool in tools):
        results = [message for message in messages if isinstance(message, ChatMessageTool)]
        if not results:
            return Move(calls=(Call(tool="query", arguments={"sql": gold_sql(question)}),))
        rows = json.loads(results[-1].text).get("rows") or [[None]]
        return _answer(rows[0][0])
    if "```sql" in messages[-1].text:
        return Move(text=f"```sql\n{gold_sql(question)}\n```")
    return _answer(None)


def gold_sql(question: Question) -> str:
    """Return the certificate's SQL with its parameters filled in; a difference is one query too."""
    return fill_sql(question.certificate.sql, restore(question.certificate.parameters))


def _answer(value: Any) -> Move:
    return Move(text=json.dumps({"answer": value}, ensure_ascii=False))


def _sizes(options: Sequence[str]) -> list[tuple[float, str]]:
    """Return what to sort options by: their numbers, or their texts where any is no number."""
    try:
        return [(float(option), "") for option in options]
    except ValueError:
        return [(0.0, option) for option in options]


def _ranked(options: Sequence[str]) -> list[int]:
    sizes = _sizes(options)
    return sorted(range(len(options)), key=lambda at: sizes[at])


def _by_magnitude(options: Sequence[str]) -> list[int]:
    sizes = _sizes(options)
    return sorted(range(len(options)), key=lambda at: (abs(sizes[at][0]), sizes[at][1]))


def _middle(options: Sequence[str]) -> int:
    """Return the number nearest to the mean, or the second text in alphabetical order."""
    sizes = [size for size, _ in _sizes(options)]
    if not any(sizes):
        return _ranked(options)[1]
    mean = statistics.fmean(sizes)
    return min(range(len(options)), key=lambda at: abs(sizes[at] - mean))


def _longest(options: Sequence[str]) -> int:
    return max(range(len(options)), key=lambda at: len(options[at]))


GUESSES: Mapping[str, Guess] = MappingProxyType(
    {
        "options_first": lambda options: 0,
        "options_smallest": lambda options: _ranked(options)[0],
        "options_second": lambda options: _by_magnitude(options)[1],
        "options_middle": _middle,
        "options_largest": lambda options: _ranked(options)[-1],
        "options_longest": _longest,
    }
)
"""Ways to guess; `options_second` takes the second smallest magnitude: gold, by the paper's multipliers."""

POLICIES: Mapping[str, Policy] = MappingProxyType(
    {name: guesser(guess) for name, guess in GUESSES.items()} | {"sql_gold": sql_gold}
)
"""What the track adds to `policy/...`."""

"""Policies: deterministic stand-ins for a model, so that every method runs without one.

`--model policy/<name>`. A policy sees what a model sees, and the question asked (gold included).
"""

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, assert_never

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo

from warebench.answers.model import (
    Abstain,
    Answer,
    Boolean,
    Choice,
    Field,
    NameSet,
    Number,
    Path,
    Quantity,
    Record,
    Scalar,
    Table,
    Text,
)
from warebench.answers.parse import AnswerKind, kind_of
from warebench.answers.render import render
from warebench.errors import RunError, did_you_mean
from warebench.harness.current import current
from warebench.questions.model import Question

_CHARACTERS_PER_TOKEN = 4
_LARGEST_NUMBER = 10
_MOST_NAMES = 5
_WORD = re.compile(r"[\w.]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """One tool call."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Move:
    """What a policy does in one turn: say something, call tools, or both."""

    text: str = ""
    calls: tuple[Call, ...] = ()


Policy = Callable[[Sequence[ChatMessage], Sequence[ToolInfo], Question], Move]
"""A pure function of the messages so far, the tools offered and the question."""


class PolicyAPI(ModelAPI):
    """A model whose every turn is a policy's move. Use `policy_provider` to bind a table of policies."""

    policies: ClassVar[Mapping[str, Policy]] = MappingProxyType({})

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        if model_name not in self.policies:
            raise RunError(
                f"no policy is named `{model_name}`",
                where=f"model policy/{model_name}",
                fix=did_you_mean(model_name, self.policies),
            )
        if model_args:
            raise RunError(
                f"a policy takes no arguments, got {', '.join(sorted(model_args))}", fix="Leave -M out."
            )

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Return the policy's move as model output."""
        move = self.policies[self.model_name](input, tools, current().question)
        return _to_output(move, input, f"policy/{self.model_name}")


def policy_provider(policies: Mapping[str, Policy]) -> type[ModelAPI]:
    """Return the provider class to register under the name `policy`.

    Args:
        policies: Name to policy: those of this module (`POLICIES`) and those of the tracks.
    """
    return type("BoundPolicyAPI", (PolicyAPI,), {"policies": MappingProxyType(dict(policies))})


def oracle(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], question: Question) -> Move:
    """Answer gold at once: the score of a method's scorer and parser when the model is perfect."""
    return Move(text=render(question.gold))


def chance(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], question: Question) -> Move:
    """Answer a random value of the right kind, with names the prompt shows; seeded by the question's id."""
    draw = random.Random(question.id)  # noqa: S311 - must be reproducible, not secret
    return Move(text=render(_random_answer(question.gold, _visible_names(messages), draw)))


POLICIES: Mapping[str, Policy] = MappingProxyType({"oracle": oracle, "random": chance})
"""Policies that need to know no track."""


_PLAIN: Mapping[AnswerKind, Answer] = MappingProxyType(
    {
        "boolean": Boolean(True), "number": Number(0), "quantity": Quantity(0.0), "text": Text(""),
        "names": NameSet(()), "path": Path(()), "choice": Choice("A"), "record": Record(()),
    }
)  # fmt: skip
"""One answer of each kind, of which a random one takes the kind alone."""


def _random_answer(gold: Answer, names: Sequence[str], draw: random.Random) -> Answer:
    match gold:
        case Boolean() | Number() | Quantity() | Text():
            return _random_scalar(kind_of(gold), names, draw)
        case NameSet():
            return NameSet(tuple(sorted(_draw_names(names, 1, draw))))
        case Path():
            return Path(tuple(_draw_names(names, 2, draw)))
        case Choice():
            return Choice(draw.choice("ABCD"))
        case Record(fields):
            told = [Field(field.name, _random_scalar(kind_of(field.value), names, draw)) for field in fields]
            return Record(tuple(told))
        case Table():
            return _random_table(gold, names, draw)
        case Abstain(_, kind):
            # No answer tells how many fields or rows one would have.
            return _random_answer(_PLAIN.get(kind, Table((), ())), names, draw)
        case _:
            assert_never(gold)


def _random_scalar(kind: AnswerKind, names: Sequence[str], draw: random.Random) -> Scalar:
    if kind == "boolean":
        return Boolean(draw.random() < 0.5)
    if kind == "text":
        return Text(draw.choice(names) if names else "?")
    number = draw.randint(0, _LARGEST_NUMBER)
    return Number(number) if kind == "number" else Quantity(float(number))


def _random_table(gold: Table, names: Sequence[str], draw: random.Random) -> Table:
    """Return as many rows as gold has: their number stands in most questions."""
    kinds = [column.kind for column in gold.columns]
    rows = tuple(tuple(_random_scalar(kind, names, draw).value for kind in kinds) for _ in gold.rows)
    return Table(gold.columns, rows)


def _draw_names(names: Sequence[str], least: int, draw: random.Random) -> list[str]:
    return draw.sample(names, min(len(names), draw.randint(least, _MOST_NAMES)))


def _visible_names(messages: Iterable[ChatMessage]) -> list[str]:
    """Return the catalog's table names that stand in the messages, in catalog order."""
    text = "\n".join(message.text for message in messages)
    words = {word.strip(".") for word in _WORD.findall(text)}
    # a name with spaces or other marks is no single word
    return [name for name in current().names if name in words or (not _WORD.fullmatch(name) and name in text)]


def _to_output(move: Move, messages: Sequence[ChatMessage], model: str) -> ModelOutput:
    calls = [
        ToolCall(id=f"call_{len(messages)}_{number}", function=call.tool, arguments=dict(call.arguments))
        for number, call in enumerate(move.calls)
    ]
    message = ChatMessageAssistant(
        content=move.text, tool_calls=calls or None, model=model, source="generate"
    )
    read = sum(len(earlier.text) for earlier in messages) // _CHARACTERS_PER_TOKEN
    written = (len(move.text) + sum(len(str(call)) for call in move.calls)) // _CHARACTERS_PER_TOKEN
    # without usage Inspect counts tokens itself, with a tokenizer it has to download
    return ModelOutput(
        model=model,
        choices=[ChatCompletionChoice(message=message, stop_reason="tool_calls" if calls else "stop")],
        usage=ModelUsage(input_tokens=read, output_tokens=written, total_tokens=read + written),
    )

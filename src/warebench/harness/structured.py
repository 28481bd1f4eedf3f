"""The answer as one JSON line: asked of every model, and a schema for those that can be constrained."""

from typing import Any

from inspect_ai.model import ChatMessageUser, Model, ModelName, ResponseSchema
from inspect_ai.solver import Generate, TaskState
from inspect_ai.util import JSONSchema

from warebench.answers.parse import AnswerKind, Unparsed, parse

LAST_LINE = """\
The last line of your final reply is one JSON object {"answer": ...} and nothing else. \
If the question cannot be answered, it is {"answer": null}."""

CONSTRAINED = "State your answer as one JSON object and nothing else."

_SCALAR = JSONSchema(anyOf=[JSONSchema(type=kind) for kind in ("string", "number", "boolean", "null")])
_OBJECT = JSONSchema(type="object", additionalProperties=_SCALAR)
_NAMES = JSONSchema(type="array", items=JSONSchema(type="string"))
_VALUES: dict[AnswerKind, JSONSchema] = {
    "boolean": JSONSchema(type="boolean"),
    "number": JSONSchema(type="integer"),
    "names": _NAMES,
    "path": _NAMES,
    "quantity": JSONSchema(type="number"),
    "text": JSONSchema(type="string"),
    "choice": JSONSchema(type="string", enum=["A", "B", "C", "D"]),
    # Names of fields and columns stand in the question: a schema that names them would give some away.
    "record": _OBJECT,
    "table": JSONSchema(type="array", items=_OBJECT),
}


def answer_schema(kind: AnswerKind) -> ResponseSchema:
    """Return the schema of `{"answer": ...}` for schema-constrained output."""
    return one_key_schema("answer", _VALUES[kind])


def one_key_schema(key: str, value: JSONSchema) -> ResponseSchema:
    """Return the schema of an object with one key, whose value may be null."""
    either = JSONSchema(anyOf=[value, JSONSchema(type="null")])
    content: dict[str, Any] = {"type": "object", "properties": {key: either}, "required": [key]}
    return ResponseSchema(name=key, json_schema=JSONSchema(**content, additionalProperties=False))


def is_structured(asked: bool | None, model: Model) -> bool:
    """Return whether output is constrained: as asked, else for models of provider `local` only."""
    return ModelName(model).api == "local" if asked is None else asked


async def answer_at_last(state: TaskState, generate: Generate, kind: AnswerKind) -> TaskState:
    """Ask once more, under a schema, when a loop ended without a readable answer.

    Turns of a loop cannot be constrained: they hold calls or code.
    """
    if not isinstance(parse(state.output.completion, kind), Unparsed):
        return state
    state.messages.append(ChatMessageUser(content=CONSTRAINED))
    state.tool_choice = "none"
    return await generate(state, tool_calls="none", response_schema=answer_schema(kind))

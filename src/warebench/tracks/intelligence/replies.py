"""Models that are asked while a set is built or rules are linked: one JSON object out of each reply."""

import json
from dataclasses import dataclass
from typing import Any

from inspect_ai.model import ChatMessageUser, GenerateConfig, Model, ResponseSchema, get_model

# inspect_ai exports no name for errors the user can act on
from inspect_ai._util.error import PrerequisiteError  # isort: skip

from warebench.errors import BuildError, UserError

RETRIES = 3
"""Inspect asks a server that does not answer for ever, unless it is told how often."""

TROUBLES = {
    "max_tokens": "cut off at the model's token limit",
    "model_length": "the prompt is too long for the model",
    "content_filter": "held back by the model's provider",
}
"""Why a model stopped, where that tells why no object can be read."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model replied."""

    text: str
    said: dict[str, Any] | None
    """The JSON object in it; None where there is none."""
    trouble: str
    """Why there is none; empty where there is one."""


def open_model(name: str) -> Model:
    """Return a model of Inspect.

    Args:
        name: `provider/model`.

    Raises:
        BuildError: Inspect knows no such model, or it cannot be used here.
    """
    try:
        return get_model(name)
    except (PrerequisiteError, ValueError) as error:
        raise BuildError(
            f"the model cannot be used: {error}", where=name, fix="Give provider/model, as for Inspect."
        ) from error


async def ask(model: Model, prompt: str, schema: ResponseSchema) -> Reply:
    """Return a model's reply.

    Raises:
        BuildError: The model does not answer, or refuses to be asked.
    """
    config = GenerateConfig(temperature=0.0, response_schema=schema, max_retries=RETRIES)
    try:
        output = await model.generate([ChatMessageUser(content=prompt)], config=config)
    except UserError:
        raise
    # Each provider raises errors of its own, of no common type.
    except Exception as error:
        told = error.__cause__ or error
        raise BuildError(
            f"the model does not answer: {type(told).__name__}: {' '.join(str(told).split())[:300]}",
            where=str(model),
            fix="Check its address and key, or leave the model out.",
        ) from error
    stopped = TROUBLES.get(output.stop_reason, "")
    said = read_object(output.completion, cut=bool(stopped))
    trouble = "" if said is not None else stopped or "no JSON object"
    return Reply(output.completion, said, trouble)


def read_object(text: str, *, cut: bool = False) -> dict[str, Any] | None:
    """Return the first JSON object in a text, whatever stands around it; None where there is none.

    Args:
        text: A reply.
        cut: It was cut off: what can be read after its first brace may be a part of an object without an end.
    """
    decoder = json.JSONDecoder()
    for start, letter in enumerate(text):
        if letter == "{":
            try:
                found, _ = decoder.raw_decode(text, start)
            except (json.JSONDecodeError, RecursionError):
                if cut:
                    return None
                continue
            return found if isinstance(found, dict) else None
    return None

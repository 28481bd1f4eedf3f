"""A reply as the one JSON line a model is asked to end with; `parse` reads it back."""

import json
from typing import assert_never

from warebench.answers.model import Abstain, Boolean, Choice, NameSet, Number, Path, Quantity, Reply, Text


def render(reply: Reply) -> str:
    """Return the JSON line `{"answer": ...}` that states a reply.

    Args:
        reply: Gold or a reply; optional names and alternative steps of gold are not stated.

    Example:
        >>> render(NameSet(("a", "b")))
        '{"answer": ["a", "b"]}'
    """
    return json.dumps({"answer": _value(reply)}, ensure_ascii=False)


def _value(reply: Reply) -> bool | float | str | list[str] | None:
    match reply:
        case Boolean(value):
            return value
        case Number(value):
            return value
        case NameSet(names):
            return list(names)
        case Path(nodes):
            return list(nodes)
        case Quantity(value):
            return value
        case Text(value):
            return value
        case Choice(letter):
            return letter
        case Abstain():
            return None
        case _:
            assert_never(reply)

"""A reply as the one JSON line a model is asked to end with; `parse` reads it back."""

import json
from typing import assert_never

from warebench.answers.model import (
    Abstain,
    Boolean,
    Cell,
    Choice,
    NameSet,
    Number,
    Path,
    Quantity,
    Record,
    Reply,
    Table,
    Text,
)

Json = Cell | list[str] | dict[str, Cell] | list[dict[str, Cell]] | list[list[Cell]]
"""A reply's value as Python's `json` takes it."""


def render(reply: Reply) -> str:
    """Return the JSON line `{"answer": ...}` that states a reply.

    Args:
        reply: Gold or a reply; optional names and alternative steps of gold are not stated.

    Example:
        >>> render(NameSet(("a", "b")))
        '{"answer": ["a", "b"]}'
    """
    return json.dumps({"answer": _value(reply)}, ensure_ascii=False)


def _value(reply: Reply) -> Json:
    match reply:
        case Boolean(value) | Number(value) | Quantity(value) | Text(value):
            return value
        case NameSet(names) | Path(names):
            return list(names)
        case Choice(letter):
            return letter
        case Record(fields):
            return {field.name: field.value.value for field in fields}
        case Table():
            return _rows(reply)
        case Abstain():
            return None
        case _:
            assert_never(reply)


def _rows(table: Table) -> list[dict[str, Cell]] | list[list[Cell]]:
    if not table.columns:
        return [list(row) for row in table.rows]
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]

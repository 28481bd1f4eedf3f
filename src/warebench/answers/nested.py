"""JSON of two levels as models write it: an object, or a list of objects, lists or values."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from warebench.answers.lenient import Bare, Fault, after_space, read_string, read_value
from warebench.answers.listing import is_elision


@dataclass(frozen=True, slots=True)
class Object:
    """Named values in the order they are written; what lies deeper is kept as its text."""

    pairs: tuple[tuple[str, str], ...]


Item = Object | tuple[str, ...] | str
"""A row as an object or a list, or a single value."""

Nested = Object | tuple[Item, ...] | str | Fault
"""A value of two levels at most, or why there is none."""


class NestedSpan(NamedTuple):
    """A value and the position behind it."""

    value: Nested
    end: int


_BARE_KEY = re.compile(r"[^\s:,{}\[\]\"'][^:,{}\[\]\"'\n]{0,200}")
_BARE_CELL = re.compile(r"[^,\[\]{}\"\u201c`\n]++")
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|\\.|[\[\]{}]', re.DOTALL)
_QUOTES = "\"'\u201c\u2018`"


def read_nested(text: str, start: int) -> NestedSpan:
    """Read the value that starts at a position, without recursion and in linear time.

    Args:
        text: The text, ending where the value must have ended.
        start: Position of the value or of whitespace before it.

    Returns:
        The value and the position behind it. A fault is `TRUNCATED` where the text ends first, or items
        were left out.
    """
    at = after_space(text, start)
    if text[at : at + 1] == "{":
        return NestedSpan(*_read_object(text, at))
    if text[at : at + 1] == "[":
        return NestedSpan(*_read_list(text, at))
    return NestedSpan(*read_value(text, at))


def _read_object(text: str, at: int) -> tuple[Object | Fault, int]:
    pairs: list[tuple[str, str]] = []
    at = after_space(text, at + 1)
    while at < len(text) and text[at] != "}":
        pair, at = _read_pair(text, at)
        if isinstance(pair, Fault):
            # `{"a": 1, ...}` leaves pairs out; `{...}` is the form of an answer.
            return (Fault.TRUNCATED if pairs and text.startswith(("...", "\u2026"), at) else pair), at
        pairs.append(pair)
        at, fault = _after_item(text, at, "}")
        if fault:
            return fault, at
    if at >= len(text):
        return Fault.TRUNCATED, at
    if pairs and all(is_elision(value) for _, value in pairs):
        return Fault.MALFORMED, at
    return Object(tuple(pairs)), at + 1


def _read_pair(text: str, at: int) -> tuple[tuple[str, str] | Fault, int]:
    name, end = _read_key(text, at)
    if isinstance(name, Fault):
        return name, end
    end = after_space(text, end)
    if end == len(text):
        return Fault.TRUNCATED, end
    if text[end] != ":":
        return Fault.MALFORMED, at
    value, end = _read_cell(text, after_space(text, end + 1))
    return (value if isinstance(value, Fault) else (name, value)), end


def _read_key(text: str, at: int) -> tuple[str | Fault, int]:
    if text[at] in _QUOTES:
        value, end = read_string(text, at)
        return (value if isinstance(value, str) else Fault.TRUNCATED), end
    bare = _BARE_KEY.match(text, at)
    return (bare.group().strip(), bare.end()) if bare else (Fault.MALFORMED, at)


def _read_cell(text: str, at: int) -> tuple[str | Fault, int]:
    if at == len(text):
        return Fault.TRUNCATED, at
    if text[at] in "[{":
        return _skip(text, at)
    if text[at] in _QUOTES:
        value, end = read_string(text, at)
        return (value if isinstance(value, str) else Fault.TRUNCATED), end
    bare = _BARE_CELL.match(text, at)
    if not bare:
        return Fault.MALFORMED, at
    # What the end of the text cuts may have been longer: 1 of 12.
    return (Bare(bare.group().strip()) if bare.end() < len(text) else Fault.TRUNCATED), bare.end()


def _skip(text: str, at: int) -> tuple[str | Fault, int]:
    """Return the text of a value that lies too deep."""
    depth = 0
    for token in _TOKEN.finditer(text, at):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth == 0:
            return text[at : token.end()], token.end()
    return Fault.TRUNCATED, len(text)


def _read_list(text: str, at: int) -> tuple[tuple[Item, ...] | Fault, int]:
    items: list[Item] = []
    at = after_space(text, at + 1)
    while at < len(text) and text[at] != "]":
        item, at = _read_item(text, at)
        if isinstance(item, Fault):
            return item, at
        items.append(item)
        at, fault = _after_item(text, at, "]")
        if fault:
            return fault, at
    if at >= len(text):
        return Fault.TRUNCATED, at
    elided = [isinstance(item, str) and is_elision(item) for item in items]
    if any(elided):
        return (Fault.MALFORMED if all(elided) else Fault.TRUNCATED), at
    return tuple(items), at + 1


def _read_item(text: str, at: int) -> tuple[Item | Fault, int]:
    if text[at] == "{":
        return _read_object(text, at)
    if text[at] == "[":
        return read_value(text, at)
    return _read_cell(text, at)


def _after_item(text: str, at: int, closing: str) -> tuple[int, Fault | None]:
    """Return the position of the next item or of the closing bracket."""
    at = after_space(text, at)
    if at < len(text) and text[at] == ",":
        return after_space(text, at + 1), None
    return at, (Fault.MALFORMED if at < len(text) and text[at] != closing else None)

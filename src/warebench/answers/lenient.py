"""JSON as models write it: one flat value, read without recursion and in linear time."""

import json
import re
from enum import Enum
from typing import NamedTuple


class Fault(Enum):
    """Why no value could be read."""

    MALFORMED = "malformed"
    TRUNCATED = "truncated"
    NESTED = "nested"


class Bare(str):
    """Text that stands where a value should, without quotes: a number, a word, an arrow chain."""

    __slots__ = ()


Value = str | tuple[str, ...] | Fault
"""A string (`Bare` when unquoted), a flat list of strings, or why there is neither."""


class Span(NamedTuple):
    """A value and the position behind it."""

    value: Value
    end: int


_STRING = re.compile(
    r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
    r"|'[^'\\]*+(?:\\.[^'\\]*+)*+'"
    r"|\u201c[^\u201d]*+\u201d|\u2018[^\u2019]*+\u2019|`[^`]*+`",
    re.DOTALL,
)
_QUOTES = "\"'\u201c\u2018`"
_SPACE = re.compile(r"\s*+")
_BARE_ITEM = re.compile(r"[^,\[\]{}\"\u201c`\n]++")
_BARE_VALUE = re.compile(r"[^{}\[\]\"\u201c`\n]++")
_NEXT_KEY = re.compile(r",\s?'?\w++'?\s?:|,\s?'")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"} | {char: char for char in "\"'\\/_[]"}


def read_value(text: str, start: int) -> Span:
    """Read the value that starts at a position.

    Args:
        text: The text, ending where the value must have ended.
        start: Position of the value or of whitespace before it.

    Returns:
        The value and the position behind it. A fault is `TRUNCATED` only where the text ends first.
    """
    at = after_space(text, start)
    if at == len(text):
        return Span(Fault.TRUNCATED, at)
    if text[at] == "[":
        return _read_list(text, at)
    if text[at] == "{":
        return Span(Fault.NESTED, at)
    if text[at] in _QUOTES:
        return read_string(text, at)
    return _read_bare(text, at)


def after_space(text: str, start: int) -> int:
    """Return the position of the first character that is no whitespace."""
    found = _SPACE.match(text, start)
    return found.end() if found else start


def read_string(text: str, at: int) -> Span:
    """Read the string whose opening quote stands at a position."""
    found = _STRING.match(text, at)
    if not found:
        return Span(Fault.TRUNCATED, len(text))
    return Span(_unescaped(found.group()), found.end())


def _unescaped(quoted: str) -> str:
    if "\\" not in quoted:
        return quoted[1:-1]
    if quoted[0] == '"':
        try:
            return str(json.loads(quoted, strict=False))
        except ValueError:
            pass  # An escape JSON does not know, such as the Markdown `\_`.
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[0]), quoted[1:-1])


def _read_bare(text: str, at: int) -> Span:
    found = _BARE_VALUE.match(text, at)
    if not found:
        return Span(Fault.MALFORMED, at)
    bare = found.group()
    following = _NEXT_KEY.search(bare)
    end = found.start() + following.start() if following else found.end()
    # What the end of the text cuts may have been longer: 1 of 12.
    if end == len(text) and not bare[-1].isspace():
        whole = bare.casefold() in ("true", "false", "null")
        return Span(Bare(bare) if whole else Fault.TRUNCATED, end)
    stripped = text[at:end].rstrip(", \t\r\\")
    return Span(Bare(stripped), at + len(stripped))


def _read_list(text: str, at: int) -> Span:
    items: list[str] = []
    at = after_space(text, at + 1)
    while at < len(text) and text[at] != "]":
        item, at = _read_item(text, at)
        if isinstance(item, Fault):
            return Span(item, at)
        items.append(item)
        at = after_space(text, at)
        if at < len(text) and text[at] == ",":
            at = after_space(text, at + 1)
        elif at < len(text) and text[at] != "]":
            return Span(Fault.MALFORMED, at)
    if at >= len(text):
        return Span(Fault.TRUNCATED, at)
    return Span(tuple(items), at + 1)


def _read_item(text: str, at: int) -> tuple[str | Fault, int]:
    if text[at] in "[{":
        return Fault.NESTED, at
    if text[at] in _QUOTES:
        found = _STRING.match(text, at)
        if not found:
            return Fault.TRUNCATED, len(text)
        return _unescaped(found.group()), found.end()
    bare = _BARE_ITEM.match(text, at)
    if not bare:
        return Fault.MALFORMED, at
    return Bare(bare.group().strip()), bare.end()

"""The part of a reply that is meant for the reader: what stands behind the model's thinking."""

import re

_TAG = r"(?:think|thinking|thought|thoughts|reasoning|scratchpad|analysis)"
_END = re.compile(
    rf"</{_TAG}>|\[/THINK\]|\u25c1/think\u25b7|<\|end_of_thought\|>|<\|channel\|>final<\|message\|>"
    r"|(?<![A-Za-z])assistantfinal",
    re.IGNORECASE,
)
_START = re.compile(
    rf"^[ \t]*(?:<{_TAG}>|\[THINK\]|\u25c1think\u25b7|<\|begin_of_thought\|>"
    r"|<\|channel\|>analysis<\|message\|>)",
    re.IGNORECASE | re.MULTILINE,
)
_END_OF_TEXT = re.compile(r"(?:\s*+(?:<\|[^|<>\n]{1,40}\|>|</s>|<end_of_turn>))+\s*\Z")


def after_thinking(text: str) -> str:
    """Return what follows the last end of thinking, without the tokens that end a turn.

    Thinking that never ends holds no answer: of such a reply only what stands before it is returned.
    A mark in quotes, such as the value of a cell, is text like any other.

    Args:
        text: The whole reply.
    """
    ends = [found for found in _END.finditer(text) if not _is_quoted(text, found)]
    said = text[ends[-1].end() :] if ends else text
    opened = next((found for found in _START.finditer(said) if not _is_quoted(said, found)), None)
    return _END_OF_TEXT.sub("", said[: opened.start()] if opened else said)


def _is_quoted(text: str, found: re.Match[str]) -> bool:
    start = text.rfind("\n", 0, found.start()) + 1
    end = text.find("\n", found.end())
    before, behind = text[start : found.start()], text[found.end() : end if end >= 0 else len(text)]
    ticked = before.endswith("`") and behind.startswith("`")
    return ticked or ('"' in behind and before.count('"') % 2 == 1)

"""Fenced blocks of a reply, paired line by line."""

import re
from typing import NamedTuple


class Block(NamedTuple):
    """What stands between two fences."""

    tag: str
    """The language named behind the first fence, in lower case; empty where there is none."""
    text: str


_OPENING = re.compile(
    r"(?P<before>[^`~\n]*?)(?P<mark>`{3,}|~{3,}|^'{3}(?=\w))[ \t]*"
    r"(?P<tag>\{?[A-Za-z][\w+#.-]*\}?)?(?P<rest>[^\n]*)"
)
_STATEMENT = re.compile(r"\s*(?:select|with)\b", re.IGNORECASE)


def fenced_blocks(text: str) -> list[Block]:
    r"""Return the fenced blocks of a text in order; one that is never closed ends with the text.

    A block may stand behind words, in a list or a Markdown quotation, or on one line; a fence that
    names a language opens a block even where the one before was not closed.

    Args:
        text: A reply.

    Example:
        >>> fenced_blocks("```json\n{}\n```\n```sql\nSELECT 1\n```")[1]
        Block(tag='sql', text='SELECT 1')
    """
    blocks: list[Block] = []
    mark, tag, quoted = "", "", False
    lines: list[str] = []
    for raw in text.splitlines():
        line = re.sub(r"^\s*> ?", "", raw) if quoted else raw
        opening = _OPENING.match(line)
        if mark and mark in line:
            before = line[: line.index(mark)]
            blocks.append(Block(tag, "\n".join([*lines, before]).strip("\n \t")))
            mark, lines = "", []
            if not opening or before.strip() or not opening["tag"]:
                quoted = False
                continue
        elif mark:
            lines.append(line)
            continue
        if not opening:
            continue
        tag = (opening["tag"] or "").strip("{}").casefold()
        rest = opening["rest"]
        if opening["mark"] in rest:
            blocks.append(_one_line(opening))
            continue
        mark, quoted = opening["mark"], opening["before"].strip() == ">"
        lines = [rest] if _STATEMENT.match(rest) else []
    return [*blocks, Block(tag, "\n".join(lines).strip("\n \t"))] if mark else blocks


def _one_line(opening: re.Match[str]) -> Block:
    tag, rest = opening["tag"] or "", opening["rest"].split(opening["mark"])[0]
    if _STATEMENT.fullmatch(tag):
        return Block("", (tag + rest).strip())
    return Block(tag.strip("{}").casefold(), rest.strip())

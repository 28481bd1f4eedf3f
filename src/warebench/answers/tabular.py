"""Records and tables written as text: CSV, Markdown tables, a JSON object a line, `name: value` lines."""

import csv
import re
from collections.abc import Sequence

from warebench.answers.fences import fenced_blocks
from warebench.answers.label import label
from warebench.answers.markup import one_line, unmarked
from warebench.answers.model import Column, Field, Record, Table, Text
from warebench.answers.nested import Object, read_nested
from warebench.answers.outcome import Reading, Unparsed

_PAIR = re.compile(
    r"(?:[-*+\u2022] |\d{1,3}[.)] )?[*_`\"]{0,3}([^\W\d][\w -]{0,60})[*_`\"]{0,3} ?[:=][*_]{0,3} ?(\S.*)"
)
_PAIRS = re.compile(r"[,;] (?=[*_`\"]{0,3}[^\W\d][\w -]{0,60}[*_`\"]{0,3} ?[:=])")
_RULE = re.compile(r"\|?[ :|-]*-[ :|-]*\|?")
_LONGEST_LINE = 10_000
_SEPARATORS = ("\t", ",", ";")


def last_paragraph(text: str) -> list[str]:
    """Return the lines of the last fenced block, or else those behind the last blank line.

    Args:
        text: A reply without any stricter form of an answer.
    """
    blocks = [block.text for block in fenced_blocks(text) if block.text]
    paragraph = blocks[-1] if blocks else re.split(r"\n[ \t]*\n", text.strip())[-1]
    return [line.strip() for line in paragraph.splitlines() if line.strip()]


def read_table_lines(lines: Sequence[str]) -> Reading:
    """Return the table that lines are, each of them; None where one of them is anything else.

    The first line of a CSV or Markdown table names the columns, and an empty cell there is no value.

    Args:
        lines: Lines without blank ones.
    """
    lines = _behind_title(lines)
    if len(lines) < 2 or max(map(len, lines)) > _LONGEST_LINE:
        return None
    rows = _markdown(lines) or _separated(lines)
    if len(rows) < 2:
        return None
    names = [one_line(name) for name in rows[0]]
    distinct = {label(name) for name in names}
    if len(distinct) < len(names) or not all(distinct):
        return None
    cells = tuple(tuple(one_line(cell) or None for cell in row) for row in rows[1:])
    return Table(tuple(map(Column, names)), cells)


def read_json_lines(lines: Sequence[str]) -> tuple[Object, ...] | None:
    """Return the objects of lines that hold one each, a comma behind it or not; None for anything else.

    Args:
        lines: Lines without blank ones.
    """
    read = [read_nested(line, 0) for line in lines if line.startswith("{")]
    whole = all(line[end:].strip(", ") == "" for line, (_, end) in zip(lines, read, strict=False))
    objects = tuple(value for value, _ in read if isinstance(value, Object))
    return objects if len(lines) > 1 and len(objects) == len(lines) and whole else None


def read_record_lines(lines: Sequence[str]) -> Reading:
    """Return the record of `name: value` lines or of `name = value, name = value` on one line.

    Args:
        lines: Lines without blank ones. The first may say what follows, and end with a colon.
    """
    said = _behind_title(lines)
    parts = _PAIRS.split(said[0]) if len(said) == 1 else said
    found = [_PAIR.fullmatch(part) for part in parts]
    if len(found) < 2 or not all(found):
        return None
    pairs = [(one_line(pair[1]), unmarked(pair[2].rstrip(",;"))) for pair in found if pair]
    if len({label(name) for name, _ in pairs}) < len(pairs):
        return Unparsed("ambiguous: a name stands twice")
    return Record(tuple(Field(name, Text(value)) for name, value in pairs))


def _behind_title(lines: Sequence[str]) -> Sequence[str]:
    return lines[1:] if len(lines) > 1 and lines[0].endswith(":") else lines


def _markdown(lines: Sequence[str]) -> list[list[str]]:
    is_table = len(lines) > 2 and all("|" in line for line in lines) and _RULE.fullmatch(lines[1])
    if not is_table:
        return []
    rows = [line.removeprefix("|").removesuffix("|").split("|") for line in lines if line != lines[1]]
    return [[unmarked(cell) for cell in row] for row in rows] if len({len(row) for row in rows}) == 1 else []


def _separated(lines: Sequence[str]) -> list[list[str]]:
    """Return the rows of lines that one separator parts into as many cells each, two at least."""
    for separator in _SEPARATORS:
        rows = list(csv.reader(lines, delimiter=separator, skipinitialspace=True))
        if len({len(row) for row in rows}) == 1 and len(rows[0]) > 1:
            return [[cell.strip() for cell in row] for row in rows]
    return []

"""Rows of a table: brought into gold's columns, and matched with gold's rows, each as a whole."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from warebench.answers.cell import canonical_cell
from warebench.answers.label import label
from warebench.answers.matching import most_pairs
from warebench.answers.model import Boolean, Cell, Column, Number, Quantity, Table, Text
from warebench.answers.scalar import is_near, read_as, scalar
from warebench.answers.words import is_missing

Value = str | bool | int | Quantity | None
"""A cell as it is compared: a text in canonical form, a number with its tolerance, or no value."""

UNREADABLE = "\0"
"""Stands for what is no value of its column's kind; no text is spelled so."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Match:
    """How the rows of a reply fit those of gold."""

    matched: int
    """Gold rows that have a row of their own in the reply, wherever it stands."""
    said: int
    """Rows of the reply."""
    in_order: bool
    """Whether every row stands where it stands in gold."""


def match_rows(gold: Table, reply: Table) -> Match:
    """Return how many rows of gold a reply states, each as a whole.

    Texts, booleans and whole numbers must be equal, quantities within tolerance, and no value is equal to
    no value only. Each row of the reply counts for one row of gold, in the matching that serves most.

    Complexity:
        O(g + r) for g gold and r reply rows whose exact values are distinct; O(g * r) tests and
        O(g^2 * r) steps at worst, where all rows share them.
    """
    wanted = gold_values(gold)
    said = reply_values(gold, reply)
    alike = len(wanted) == len(said)
    in_order = alike and all(_fits(*pair) for pair in zip(wanted, said, strict=True))
    matched = len(wanted) if in_order else _matched(wanted, said)
    return Match(matched=matched, said=len(said), in_order=in_order)


def gold_values(gold: Table) -> list[tuple[Value, ...]]:
    """Return gold's rows as they are compared."""
    return [
        tuple(_gold_value(column, cell) for column, cell in zip(gold.columns, row, strict=True))
        for row in gold.rows
    ]


def reply_values(gold: Table, reply: Table) -> list[tuple[Value, ...]]:
    """Return a reply's rows in gold's columns as they are compared; a row of another width stays one."""
    return [
        tuple(_said_value(column, cell) for column, cell in zip(gold.columns, row, strict=True))
        if len(row) == len(gold.columns)
        else (UNREADABLE,) * len(row)
        for row in align(gold, reply)
    ]


def align(gold: Table, reply: Table) -> Sequence[tuple[Cell, ...]]:
    """Return a reply's rows in the order of gold's columns.

    Columns are found by name, further ones are left out and missing ones have no value. Rows without
    names are taken as they stand, without a row that names the columns. Where gold has two columns
    and none is named, the names of the reply are values of the first: `{"SP": 3}` is the row SP, 3.
    """
    wanted = [label(column.name) for column in gold.columns]
    if not reply.columns:
        header = bool(reply.rows) and [label(str(cell)) for cell in reply.rows[0]] == wanted
        return reply.rows[1:] if header else reply.rows
    names = [label(column.name) for column in reply.columns]
    if len(wanted) == 2 and set(wanted).isdisjoint(names) and 1 in (len(names), len(reply.rows)):
        pairs = [zip(reply.columns, row, strict=True) for row in reply.rows]
        return [(column.name, cell) for row in pairs for column, cell in row]
    places = [names.index(name) if name in names else None for name in wanted]
    return [tuple(None if at is None else row[at] for at in places) for row in reply.rows]


def _gold_value(column: Column, cell: Cell) -> Value:
    value = scalar(column, cell)
    return canonical_cell(value.value) if isinstance(value, Text) else _plain(value)


def _said_value(column: Column, cell: Cell) -> Value:
    value = read_as(cell, column.kind)
    if value is None:
        return None if cell is None or is_missing(cell) else UNREADABLE
    return canonical_cell(value.value) if isinstance(value, Text) else _plain(value)


def _plain(value: Boolean | Number | Quantity | None) -> Value:
    return value.value if isinstance(value, Boolean | Number) else value


def value_fits(gold: Value, said: Value) -> bool:
    """Tell whether two values of one column are equal, quantities within gold's tolerance."""
    if isinstance(gold, Quantity):
        return isinstance(said, Quantity) and is_near(gold, said.value)
    return gold == said


def _fits(gold: tuple[Value, ...], said: tuple[Value, ...]) -> bool:
    return len(gold) == len(said) and all(value_fits(*pair) for pair in zip(gold, said, strict=True))


def _matched(wanted: list[tuple[Value, ...]], said: list[tuple[Value, ...]]) -> int:
    """Return the size of a largest matching; rows that differ in an exact value never meet."""
    groups: dict[tuple[object, ...], tuple[list[tuple[Value, ...]], list[tuple[Value, ...]]]]
    groups = defaultdict(lambda: ([], []))
    for side, rows in enumerate((wanted, said)):
        for row in rows:
            groups[tuple(isinstance(cell, Quantity) or (cell,) for cell in row)][side].append(row)
    return sum(_most_rows(golds, replies) for golds, replies in groups.values() if golds and replies)


def _most_rows(golds: list[tuple[Value, ...]], replies: list[tuple[Value, ...]]) -> int:
    if not any(isinstance(cell, Quantity) for cell in golds[0]):
        return min(len(golds), len(replies))
    fitting = [[at for at, said in enumerate(replies) if _fits(gold, said)] for gold in golds]
    return most_pairs(fitting)

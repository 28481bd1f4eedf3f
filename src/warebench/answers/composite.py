"""From an object or a list of rows to a record or a table."""

from collections.abc import Sequence
from typing import Literal

from warebench.answers.label import label
from warebench.answers.lenient import Bare, Fault, read_value
from warebench.answers.markup import one_line
from warebench.answers.model import Column, Field, Record, Table, Text
from warebench.answers.nested import Object, read_nested
from warebench.answers.outcome import TRUNCATED, Reading, Unparsed
from warebench.answers.tabular import read_json_lines, read_record_lines, read_table_lines

CompositeKind = Literal["record", "table"]

_MOST_COLUMNS = 256
_KEYS = ("answer", "final_answer", "finalanswer")
_WRAPPERS = ("rows", "table", "data", "result", "results")
_NULLS = ("null", "none")


def read_composite(value: Object | tuple[object, ...], kind: CompositeKind) -> Reading:
    """Return an object as a record, or rows as a table.

    Values stay the texts that were stated, since only gold knows what they are to be. A table's rows
    may be objects, lists, single values, or objects of one pair each (`[{"SP": 3}, {"RJ": 2}]`), which
    are rows of two values; an object is a table of one row.

    Args:
        value: What `read_nested` returned.
        kind: What it is to be.
    """
    if kind == "record":
        if isinstance(value, tuple) and len(value) == 1 and isinstance(value[0], Object):
            value = value[0]
        return _record(value) if isinstance(value, Object) else Unparsed("a list is not a record answer")
    if isinstance(value, Object) and len(value.pairs) == 1 and label(value.pairs[0][0]) in _WRAPPERS:
        inner = read_nested(value.pairs[0][1], 0).value
        value = inner if isinstance(inner, tuple) else value
    by_column = _columns(value) if isinstance(value, Object) else None
    if by_column:
        return by_column
    rows = (value,) if isinstance(value, Object) else value
    objects = [row for row in rows if isinstance(row, Object)]
    if len(objects) == len(rows):
        return _table(objects)
    lists = [row for row in rows if isinstance(row, tuple)]
    values = [row for row in rows if isinstance(row, str)]
    if len(rows) not in (len(lists), len(values)):
        return Unparsed("rows of several forms")
    return Table((), tuple(tuple(map(_cell, row)) for row in (lists or [(said,) for said in values])))


def read_composite_text(text: str, kind: CompositeKind) -> Reading:
    """Return what a text that is nothing but an object, a list or lines of a table means; else None."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    objects = read_json_lines(lines) if kind == "table" else None
    if objects:
        return read_composite(objects, kind)
    stripped = text.strip().strip("*").strip().removesuffix(".")
    if stripped[:1] not in ("{", "["):
        return read_table_lines(lines) if kind == "table" else read_record_lines(lines)
    value, end = read_nested(stripped, 0)
    if value is Fault.TRUNCATED:
        return TRUNCATED
    if isinstance(value, Fault | str) or end != len(stripped) or _is_wrapped(value):
        return None
    return read_composite(value, kind)


def _columns(value: Object) -> Table | None:
    """Read `{"region": ["North", "South"], "sales": [1, 2]}`: a list for each column."""
    lists = [read_value(said, 0).value for _, said in _pairs(value) if said[:1] == "["]
    columns = [items for items in lists if isinstance(items, tuple)]
    if not columns or len(columns) < len(value.pairs) or len(set(map(len, columns))) > 1:
        return None
    names = [name for name, _ in _pairs(value)]
    if len(set(map(label, names))) < len(names):
        return None
    return Table(
        tuple(map(Column, names)), tuple(tuple(map(_cell, row)) for row in zip(*columns, strict=True))
    )


def _is_wrapped(value: Object | tuple[object, ...]) -> bool:
    """Tell `{"answer": ...}`, whose value was not fit to be read, from an answer."""
    return isinstance(value, Object) and any(label(name) in _KEYS for name, _ in value.pairs[:1])


def _record(value: Object) -> Record:
    # A name that stands twice means what it was given last, as in JSON.
    last = {label(name): (name, _cell(said)) for name, said in _pairs(value)}
    fields = [Field(name, Text(said)) for name, said in last.values() if said is not None]
    return Record(tuple(fields))


def _table(rows: Sequence[Object]) -> Reading:
    read = [_pairs(row) for row in rows]
    names = {label(name): name for row in read for name, _ in row}
    if len(names) > 1 and all(len(row) == 1 for row in read):
        return Table((), tuple((name, _cell(said)) for ((name, said),) in read))
    if len(names) > _MOST_COLUMNS and len(rows) > 1:
        return Unparsed("more columns than any table")
    if rows and not names:
        return Unparsed("rows without values")
    cells = [{label(name): _cell(said) for name, said in row} for row in read]
    return Table(
        tuple(map(Column, names.values())), tuple(tuple(row.get(name) for name in names) for row in cells)
    )


def _pairs(value: Object) -> list[tuple[str, str]]:
    """Return the pairs with names that a file can hold, without those that have none."""
    pairs = [(one_line(name), said) for name, said in value.pairs]
    return [(name, said) for name, said in pairs if name]


def _cell(said: str) -> str | None:
    return None if isinstance(said, Bare) and said.casefold() in _NULLS else one_line(said)

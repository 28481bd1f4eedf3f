"""Rows of gold SQL as an answer."""

from collections.abc import Iterable

from warebench.answers.label import label
from warebench.answers.model import Cell, Column, ScalarKind, Table
from warebench.engine.run import Rows
from warebench.tracks.budget.result import plain_rows


def to_table(found: Rows, *, ordered: bool) -> Table:
    """Return the rows of a query as an answer.

    Columns keep the names the query gives them; one without a name or with that of a column before it gets
    its number. Kinds are those of the values: SQLite's columns have none of their own.

    Args:
        found: What the query returned.
        ordered: Whether the order of the rows counts.

    Raises:
        ValueError: A column mixes numbers and texts, or holds what is no finite number.
    """
    rows = plain_rows(found.rows)
    if not ordered:
        # Their order is the engine's choice; equal sets give equal bytes.
        rows = tuple(sorted(rows, key=lambda row: [(type(cell).__name__, repr(cell)) for cell in row]))
    kinds = [_kind(row[place] for row in rows) for place in range(len(found.columns))]
    columns = (Column(name=name, kind=kind) for name, kind in zip(_names(found.columns), kinds, strict=True))
    return Table(columns=tuple(columns), rows=rows, ordered=ordered)


def _names(given: Iterable[str]) -> list[str]:
    names: dict[str, str] = {}
    for number, name in enumerate(given, start=1):
        unique = name if label(name) and label(name) not in names else f"{name}_{number}".strip("_")
        while label(unique) in names or not label(unique):
            unique = f"{unique}_{number}"
        names[label(unique)] = unique
    return list(names.values())


def _kind(cells: Iterable[Cell]) -> ScalarKind:
    types = {type(cell) for cell in cells} - {type(None)}
    if types == {bool}:
        return "boolean"
    if types == {int}:
        return "number"
    # What fits no kind is refused by the table.
    return "quantity" if types and types <= {int, float} else "text"

"""Wrong and right answers near a gold record or table, and the words they come in."""

import json
import math
import random
from collections.abc import Iterator
from itertools import islice, pairwise

from warebench.answers.cell import canonical_cell
from warebench.answers.label import label
from warebench.answers.model import (
    Boolean,
    Cell,
    Column,
    Field,
    NameSet,
    Number,
    Quantity,
    Record,
    Reply,
    Scalar,
    Table,
    Text,
)
from warebench.answers.nearby import right_quantities, right_texts, wrong_quantities, wrong_texts
from warebench.answers.render import render
from warebench.answers.tolerance import is_within

_EACH = 3
"""Wrong values tried of a field, and swaps of rows."""

Row = tuple[Cell, ...]


def wrong_records(gold: Record) -> Iterator[Reply]:
    """Yield records without a field, with one renamed, with a wrong value, or with two values swapped."""
    fields = gold.fields
    yield from (NameSet(tuple(field.name for field in fields)), Number(0), Table((), ()))
    if not fields:
        return
    yield Record(())
    for at, field in enumerate(fields):
        before, after = fields[:at], fields[at + 1 :]
        yield Record(before + after)
        yield Record((*before, Field(_unused(field.name, [f.name for f in fields]), field.value), *after))
        for value in islice(_wrong_scalars(field.value), _EACH):
            yield Record((*before, Field(field.name, value), *after))
    for first, second in pairwise(fields):
        if _differ(first.value, second.value):
            swapped = {first.name: second.value, second.name: first.value}
            yield Record(tuple(Field(field.name, swapped.get(field.name, field.value)) for field in fields))


def right_records(gold: Record) -> Iterator[Record]:
    """Yield the fields in another order, under names in other marks, stated as texts, and one field more."""
    fields = gold.fields
    names = [field.name for field in fields]
    yield Record(fields[::-1])
    yield Record((*fields, Field(_unused("note", names), Text("..."))))
    yield Record(tuple(Field(f"**{field.name.replace('_', ' ')}**", field.value) for field in fields))
    yield Record(tuple(Field(field.name, Text(_stated(field.value.value))) for field in fields))
    for at, field in enumerate(fields):
        for value in islice(_right_scalars(field.value), _EACH):
            yield Record((*fields[:at], Field(field.name, value), *fields[at + 1 :]))


def composite_wordings(gold: Record | Table) -> Iterator[str]:
    """Yield texts that state a record or table."""
    stated = json.loads(render(gold))
    yield f"```json\n{json.dumps(stated, indent=2)}\n```"
    yield f"Answer: {json.dumps(stated['answer'], ensure_ascii=False)}"
    yield f"The final answer is {stated!r}."


def wrong_tables(gold: Table, rng: random.Random) -> Iterator[Reply]:
    """Yield tables with a row too few or too many, a wrong cell, a scrambled column or a swapped order."""
    yield from (NameSet(()), Number(len(gold.rows)), Record(()))
    yield _rows(gold, (*gold.rows, ("0",) * len(gold.columns)))
    if not gold.rows:
        return
    at = rng.randrange(len(gold.rows))
    before, row, after = gold.rows[:at], gold.rows[at], gold.rows[at + 1 :]
    yield Table((), ())
    yield _rows(gold, before + after)
    yield _rows(gold, (*before, row, row, *after))
    yield _rows(gold, (*gold.rows, *gold.rows))
    for place, column in enumerate(gold.columns):
        others = [column.name for column in gold.columns]
        for cell in _foreign_cells(gold, place):
            yield _rows(gold, (*before, (*row[:place], cell, *row[place + 1 :]), *after))
        if any(row[place] is not None for row in gold.rows):
            spoiled = list(_as_stated(gold.columns))
            spoiled[place] = Column(_unused(column.name, others))
            yield Table(tuple(spoiled), tuple(tuple(_text(cell) for cell in row) for row in gold.rows))
    yield from (_rows(gold, rows) for rows in (*_scrambled(gold), *islice(_swapped(gold), _EACH)))


def right_tables(gold: Table, rng: random.Random) -> Iterator[Table]:
    """Yield the rows as lists, stated as texts, with columns in another order or one more, or shuffled."""
    columns, rows = _as_stated(gold.columns), gold.rows
    texts = tuple(tuple(_text(cell) for cell in row) for row in rows)
    yield Table((), rows)
    yield Table((), (tuple(column.name for column in columns), *texts))
    yield Table(columns, texts)
    yield Table(columns[::-1], tuple(row[::-1] for row in texts))
    note = Column(_unused("note", [column.name for column in columns]))
    yield Table((*columns, note), tuple((*row, "?") for row in texts))
    for at, column in enumerate(gold.columns):
        if column.kind == "quantity":
            moved = tuple((*row[:at], _moved(column, row[at]), *row[at + 1 :]) for row in rows)
            yield _rows(gold, moved)
    if not gold.ordered:
        yield _rows(gold, tuple(rng.sample(rows, len(rows))))


def _wrong_scalars(gold: Scalar) -> Iterator[Scalar]:
    match gold:
        case Boolean(value):
            yield Boolean(not value)
        case Number(value):
            yield from (Number(value + 1), Number(value - 1), Number(value * 10 + 7))
        case Quantity():
            yield from (wrong for wrong in wrong_quantities(gold) if isinstance(wrong, Quantity))
        case Text():
            yield from (wrong for wrong in wrong_texts(gold) if isinstance(wrong, Text))


def _right_scalars(gold: Scalar) -> Iterator[Scalar]:
    if isinstance(gold, Quantity):
        yield from right_quantities(gold)
    if isinstance(gold, Text):
        yield from right_texts(gold)


def _differ(left: Scalar, right: Scalar) -> bool:
    """Tell whether either is wrong in the place of the other; only what surely is."""
    if isinstance(left, Quantity) and isinstance(right, Quantity):
        return not is_within(left, right.value)
    return type(left) is type(right) and not isinstance(left, Text) and left != right


def _rows(gold: Table, rows: tuple[Row, ...]) -> Table:
    """Return other rows under gold's columns, as a reply that promises nothing of them."""
    return Table(_as_stated(gold.columns), tuple(tuple(_text(cell) for cell in row) for row in rows))


def _as_stated(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    return tuple(Column(column.name) for column in columns)


def _text(cell: Cell) -> str | None:
    return None if cell is None else _stated(cell)


def _stated(cell: bool | float | str) -> str:
    return cell if isinstance(cell, str) else json.dumps(cell)


def _foreign_cells(gold: Table, place: int) -> Iterator[Cell]:
    """Yield values that no row of gold has in a column, however its rows are matched."""
    kind = gold.columns[place].kind
    cells = [row[place] for row in gold.rows]
    if None not in cells:
        yield None
    numbers = [abs(cell) for cell in cells if isinstance(cell, int | float)]
    if kind == "text":
        known = {canonical_cell(cell) for cell in cells if isinstance(cell, str)}
        yield next(f"absent {n}" for n in range(len(cells) + 1) if f"absent {n}" not in known)
    elif kind == "number":
        yield max(numbers, default=0) + 1
    elif kind == "quantity":
        # Farther from every number than its tolerance, which is less than the number or the amount.
        far = 2 * max(numbers, default=0.0) + gold.columns[place].absolute + 1
        if math.isfinite(far):
            yield far
    if kind == "quantity" and len(gold.rows) == 1 and cells[0] is not None:
        column = gold.columns[place]
        only = Quantity(float(cells[0]), column.relative, column.absolute)
        yield from (wrong.value for wrong in islice(_wrong_scalars(only), _EACH))


def _scrambled(gold: Table) -> Iterator[tuple[Row, ...]]:
    """Yield the rows with one column's values each a row further, where that makes other rows."""
    for place in range(len(gold.columns)):
        exact = [at for at, column in enumerate(gold.columns) if at != place and column.kind != "quantity"]
        rest = [tuple(_folded(row[at]) for at in exact) for row in gold.rows]
        cells = [row[place] for row in gold.rows]
        turned = [*cells[1:], *cells[:1]]
        # Rows told apart by what knows no tolerance have a partner each, which then has another value.
        pairs = zip(cells, turned, strict=True)
        if len(set(rest)) == len(rest) and any(_cells_differ(gold.columns[place], *pair) for pair in pairs):
            moved = zip(gold.rows, turned, strict=True)
            yield tuple((*row[:place], cell, *row[place + 1 :]) for row, cell in moved)


def _swapped(gold: Table) -> Iterator[tuple[Row, ...]]:
    """Yield an ordered table's rows with two neighbours swapped."""
    if not gold.ordered:
        return
    for at in range(len(gold.rows) - 1):
        pair = gold.rows[at], gold.rows[at + 1]
        if any(_cells_differ(*cells) for cells in zip(gold.columns, *pair, strict=True)):
            yield (*gold.rows[:at], *pair[::-1], *gold.rows[at + 2 :])


def _folded(cell: Cell) -> Cell:
    return canonical_cell(cell) if isinstance(cell, str) else cell


def _cells_differ(column: Column, left: Cell, right: Cell) -> bool:
    if left is None or right is None:
        return left is not right
    if column.kind == "quantity":
        pair = [Quantity(float(cell), column.relative, column.absolute) for cell in (left, right)]
        return not is_within(pair[0], pair[1].value)
    return _folded(left) != _folded(right)


def _moved(column: Column, cell: Cell) -> Cell:
    """Return the quantity at the upper end of the tolerance."""
    if not isinstance(cell, int | float):
        return cell
    ends = right_quantities(Quantity(float(cell), column.relative, column.absolute))
    return max(end.value for end in ends)


def _unused(name: str, names: list[str]) -> str:
    known = {label(other) for other in names}
    return next(f"{name}_{n}" for n in range(2, len(names) + 3) if label(f"{name}_{n}") not in known)

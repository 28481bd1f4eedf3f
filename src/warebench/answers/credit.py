"""Partial credit for records and tables: what a report shows beside exact match."""

import math

import msgspec

from warebench.answers.label import label
from warebench.answers.model import Number, Quantity, Record, Reply, Table
from warebench.answers.rows import Value, gold_values, match_rows, reply_values, value_fits
from warebench.answers.scalar import is_right


class Credit(msgspec.Struct, frozen=True, kw_only=True):
    """Shares of gold in [0, 1]; NaN where gold has none of it."""

    rows: float
    """Rows stated whole, or fields that are right; of a ranking, wherever they stand."""
    keys: float
    """Rows whose key is stated, or fields that are."""
    numbers: float
    """Numbers (whole ones and quantities, not the key's) that are right in the row of their key, or field."""


def credit(gold: Record | Table, reply: Reply) -> Credit:
    """Return how much of a record or table a reply has right.

    A reply of another kind has nothing right. Further rows and fields take nothing away here: they
    count in `compare`, whose `f1` is over rows.

    Args:
        gold: The answer of the question. A table without a key has no keys and no numbers to find.
        reply: What the model said.

    Reference:
        Partial credit by rows, keys and numbers beside exact match is ours; DI-Bench has exact match only.
    """
    if isinstance(gold, Record):
        return _of_record(gold, reply if isinstance(reply, Record) else Record(()))
    return _of_table(gold, reply if isinstance(reply, Table) else Table((), ()))


def _of_record(gold: Record, reply: Record) -> Credit:
    said = {label(field.name): field.value.value for field in reply.fields}
    right = [is_right(field.value, said.get(label(field.name))) for field in gold.fields]
    numbers = [
        truth
        for field, truth in zip(gold.fields, right, strict=True)
        if isinstance(field.value, Number | Quantity)
    ]
    named = [label(field.name) in said for field in gold.fields]
    return Credit(rows=_share(right), keys=_share(named), numbers=_share(numbers))


def _of_table(gold: Table, reply: Table) -> Credit:
    matched = match_rows(gold, reply).matched
    rows = matched / len(gold.rows) if gold.rows else math.nan
    if not gold.key:
        return Credit(rows=rows, keys=math.nan, numbers=math.nan)
    names = [column.name for column in gold.columns]
    key = [names.index(name) for name in gold.key]
    said: dict[tuple[Value, ...], tuple[Value, ...]] = {}
    for row in reply_values(gold, reply):
        if len(row) == len(names):
            said.setdefault(tuple(row[at] for at in key), row)
    wanted = [(row, said.get(tuple(row[at] for at in key))) for row in gold_values(gold)]
    numeric = [at for at, column in enumerate(gold.columns) if column.kind in ("number", "quantity")]
    numbers = [
        found is not None and value_fits(row[at], found[at])
        for row, found in wanted
        for at in numeric
        if at not in key and row[at] is not None
    ]
    return Credit(rows=rows, keys=_share([found is not None for _, found in wanted]), numbers=_share(numbers))


def _share(truths: list[bool]) -> float:
    return sum(truths) / len(truths) if truths else math.nan

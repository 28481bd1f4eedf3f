"""Whether two queries returned the same result: comparison of executed SQL.

Values are compared as values, not as texts: a number equals a number of another type (1 is 1.0 and is
TRUE), never a text; NULL equals NULL, and the empty text only where a comparison says so; NaN equals NaN;
texts are equal to the character. A date equals its ISO text, and midnight of that day, be it a moment or
the text of one: SQLite has no dates, and other engines return one or the other for the same expression.
Names and types of columns do not matter.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal

import msgspec

from warebench.answers.columns import Finding, Tolerance, find_columns
from warebench.answers.sql_value import Value, canonical_value

Rows = Sequence[Sequence[object]]
"""Rows as a database driver returns them."""

ResultReason = Literal["equal", "column count", "row count", "values", "rows", "order", "undecided"]
"""Why a verdict is what it is; only the first is right. `values`: some column has no counterpart; `rows`:
columns match one by one, but not as rows; `undecided`: more orders of columns than may be tried."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What equal means for the result of one question."""

    ordered: bool = False
    """Whether the order of rows counts: the gold query has an ORDER BY at its top level."""
    order_keys: tuple[int, ...] = ()
    """Gold's columns that it is ordered by. Neighbouring rows with equal keys may then come in any order;
    with no key (it is ordered by what is not returned) every row has its place."""
    duplicates: bool = True
    """Whether a row counts as often as it occurs; else once."""
    columns: Literal["given", "permuted"] = "permuted"
    """`permuted`: columns may come in another order, the same for all rows."""
    nulls: Literal["equal", "blank"] = "equal"
    """`equal`: NULL equals NULL. `blank`: the empty text too, as where rows were loaded from CSV."""
    relative: float = 1e-9
    """Share of gold's number by which another may be off; whole numbers are compared exactly."""
    absolute: float = 1e-12
    """Amount by which a number may be off; the larger tolerance counts."""

    def __post_init__(self) -> None:
        if not (0 <= self.relative < 1 and 0 <= self.absolute < float("inf")):
            raise ValueError(f"no tolerance: relative {self.relative}, absolute {self.absolute}")
        if any(key < 0 for key in self.order_keys):
            raise ValueError(f"columns are counted from 0: {self.order_keys}")


STRICT = Comparison()
"""Rows in any order, as often as they occur, columns in any order."""


class ResultVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The judgement of one result."""

    correct: bool
    reason: ResultReason
    explanation: str


def compare_results(gold: Rows, got: Rows, comparison: Comparison = STRICT) -> ResultVerdict:
    """Judge a query's result against that of the gold query.

    Columns are never matched one by one: rows are equal as wholes, under one order of the columns. In a
    column of whole numbers on both sides no tolerance applies, so neighbouring ids stay apart.

    Args:
        gold: Rows of the gold query.
        got: Rows of the other query.
        comparison: What equal means.

    Returns:
        The verdict. It is `undecided` (and wrong) where columns are so alike that finding their order
        would take more than a few seconds; never for columns in gold's own order.

    Complexity:
        O(c^2 * n log n) for c columns and n rows; the search for the order of columns is cut off.

    Reference:
        Zhong, Yu and Klein, Semantic Evaluation for Text-to-SQL with Distilled Test Suites (EMNLP 2020),
        its `result_eq`: one permutation of columns, pruned by their values.
    """
    wanted, said = _canonical(gold, comparison), _canonical(got, comparison)
    if not comparison.duplicates:
        wanted, said = list(dict.fromkeys(wanted)), list(dict.fromkeys(said))
    widths = sorted({len(row) for row in wanted}), sorted({len(row) for row in said})
    if wanted and said and (widths[0] != widths[1] or len(widths[0]) > 1):
        return _wrong("column count", f"expected {widths[0][0]} columns, got {widths[1][0]}")
    if len(wanted) != len(said):
        return _wrong("row count", f"expected {len(wanted)} rows, got {len(said)}")
    return _compare_rows(wanted, said, comparison)


def compare_as_bird(gold: Rows, got: Rows) -> ResultVerdict:
    """Judge a query's result as BIRD's own program does: the two sets of rows are equal in Python.

    Args:
        gold: Rows of the gold query.
        got: Rows of the other query.

    Reference:
        BIRD (Li et al., NeurIPS 2023): `set(predicted) == set(gold)`, which drops duplicates and order.
    """
    try:
        equal = set(map(tuple, got)) == set(map(tuple, gold))
    except TypeError:
        # A list or struct, which SQLite does not have; BIRD's own program stops here.
        equal = {repr(tuple(row)) for row in got} == {repr(tuple(row)) for row in gold}
    return _right(len(gold)) if equal else _wrong("rows", "the sets of rows differ")


def _compare_rows(
    wanted: list[tuple[Value, ...]], said: list[tuple[Value, ...]], how: Comparison
) -> ResultVerdict:
    if wanted == said:
        return _right(len(wanted))
    tolerance = Tolerance(relative=how.relative, absolute=how.absolute)
    fixed = how.columns == "given"
    anywhere = [0] * len(wanted)
    places = list(_places(wanted, how)) if how.ordered else anywhere
    found = find_columns(wanted, said, places, tolerance, fixed=fixed)
    if found == "equal":
        return _right(len(wanted))
    if found == "rows" and how.ordered:
        unordered = find_columns(wanted, said, anywhere, tolerance, fixed=fixed)
        if unordered == "equal":
            return _wrong("order", "the rows are right, but not their order")
    return _wrong(found, _EXPLANATIONS[found])


_EXPLANATIONS: dict[Finding, str] = {
    "values": "some column of gold has no counterpart with the same values",
    "rows": "every column has a counterpart, but the rows differ",
    "undecided": "the columns are so alike that their order was not found in time",
}


def _places(wanted: list[tuple[Value, ...]], how: Comparison) -> Iterator[int]:
    """Yield the place of each row in the order: the row's number, or that of its run of equal keys."""
    if not how.order_keys:
        yield from range(len(wanted))
        return
    if max(how.order_keys) >= len(wanted[0]):
        raise ValueError(f"gold has {len(wanted[0])} columns, and no order keys {how.order_keys}")
    runs = groupby(wanted, key=lambda row: tuple(row[key] for key in how.order_keys))
    for number, (_, rows) in enumerate(runs):
        yield from (number for _ in rows)


def _canonical(rows: Rows, how: Comparison) -> list[tuple[Value, ...]]:
    found = [tuple(map(canonical_value, row)) for row in rows]
    if how.nulls == "equal":
        return found
    return [tuple(None if value == "" else value for value in row) for row in found]


def _right(rows: int) -> ResultVerdict:
    return ResultVerdict(correct=True, reason="equal", explanation=f"all {rows} rows are right")


def _wrong(reason: ResultReason, explanation: str) -> ResultVerdict:
    return ResultVerdict(correct=False, reason=reason, explanation=explanation)

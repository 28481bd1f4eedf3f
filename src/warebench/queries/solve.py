"""The second interpreter: a query in plain Python over rows, row by row as a person would do it."""

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, assert_never

from warebench.engine.database import Database
from warebench.queries.model import (
    Aggregate,
    Correlation,
    Count,
    Mean,
    Measure,
    Query,
    Top,
    Total,
    Undefined,
    Value,
    Want,
)

Cell = Any
"""A cell as Python sees it: int, Decimal, float, str, bool, date, time or None."""

Row = Mapping[str, Cell]
"""Cells by `alias.column`."""

OPERATORS: dict[str, Callable[[Cell, Cell], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}


Outcome = Cell | Undefined


def join_rows(database: Database, query: Query) -> list[dict[str, Cell]]:
    """Return the joined rows of a query before any filter, cells by `alias.column`."""
    rows = _named(database, query.table, query.alias)
    for join in query.joins:
        lefts = [left for left, _ in join.on]
        rights = [f"{join.alias}.{right}" for _, right in join.on]
        partners: dict[tuple[Cell, ...], list[dict[str, Cell]]] = {}
        for row in _named(database, join.table, join.alias):
            partners.setdefault(tuple(row[right] for right in rights), []).append(row)
        rows = [
            row | partner
            for row in rows
            for partner in partners.get(tuple(row[left] for left in lefts), ())
            if None not in [row[left] for left in lefts]
        ]
    return rows


def keep(rows: Iterable[Row], query: Query, parameters: Mapping[str, Cell]) -> list[Row]:
    """Return the rows that pass every filter."""
    tests = [(f.column, OPERATORS[f.op], parameters[f.parameter]) for f in query.filters]
    return [
        row
        for row in rows
        if all(row[column] is not None and test(row[column], value) for column, test, value in tests)
    ]


def answer(rows: Iterable[Row], want: Want) -> Outcome:
    """Return the answer over the rows that passed the filters.

    Sums of whole numbers and decimals are exact; means and correlations are floats.
    """
    match want:
        case Value(column):
            return _only({row[column] for row in rows} - {None}, "values")
        case Top(group, by, highest):
            return _top(rows, group, by, highest=highest)
        case Correlation(x, y):
            return _correlation(rows, x, y)
        case Count() | Total() | Mean():
            return aggregate(rows, want)
        case _:
            assert_never(want)


def aggregate(rows: Iterable[Row], want: Aggregate) -> Outcome:
    """Return a count, sum or mean."""
    match want:
        case Count(""):
            return sum(1 for _ in rows)
        case Count(distinct):
            return len({row[distinct] for row in rows} - {None})
        case Total(measure):
            numbers = _numbers(rows, measure)
            return _total(numbers) if numbers else Undefined("no row has a value")
        case Mean(measure):
            numbers = _numbers(rows, measure)
            return float(_total(numbers)) / len(numbers) if numbers else Undefined("no row has a value")
        case _:
            assert_never(want)


def _named(database: Database, table: str, alias: str) -> list[dict[str, Cell]]:
    return [
        {f"{alias}.{column}": cell for column, cell in row.items()}
        for row in database.tables[table].to_pylist()
    ]


def _only(values: set[Cell], what: str) -> Outcome:
    return next(iter(values)) if len(values) == 1 else Undefined(f"{len(values)} {what}")


def _top(rows: Iterable[Row], group: str, by: Aggregate, *, highest: bool) -> Outcome:
    groups: dict[Cell, list[Row]] = {}
    for row in rows:
        if row[group] is not None:
            groups.setdefault(row[group], []).append(row)
    all_scores: dict[Cell, Cell] = {key: aggregate(mine, by) for key, mine in groups.items()}
    scores = {key: score for key, score in all_scores.items() if not isinstance(score, Undefined)}
    if len(scores) < 2:
        return Undefined("fewer than two groups")
    best = max(scores.values()) if highest else min(scores.values())
    # Means are floats: what differs in the last digit only is a tie to anyone who reads the question.
    winners = {key for key, score in scores.items() if math.isclose(score, best, rel_tol=1e-9)}
    return _only(winners, "groups tie")


def _correlation(rows: Iterable[Row], x: Measure, y: Measure) -> Outcome:
    both = [(_number(row, x), _number(row, y)) for row in rows]
    pairs = [(float(a), float(b)) for a, b in both if a is not None and b is not None]
    if len(pairs) < 3:
        return Undefined("fewer than three pairs")
    xs, ys = [a for a, _ in pairs], [b for _, b in pairs]
    if min(xs) == max(xs) or min(ys) == max(ys):
        return Undefined("a constant column")
    mean_x, mean_y = math.fsum(xs) / len(pairs), math.fsum(ys) / len(pairs)
    covariance = math.fsum((a - mean_x) * (b - mean_y) for a, b in pairs)
    spread_x = math.fsum((a - mean_x) ** 2 for a in xs)
    spread_y = math.fsum((b - mean_y) ** 2 for b in ys)
    return covariance / math.sqrt(spread_x * spread_y)


def _numbers(rows: Iterable[Row], measure: Measure) -> list[Cell]:
    return [number for row in rows if (number := _number(row, measure)) is not None]


def _number(row: Row, measure: Measure) -> Cell:
    first = row[measure.column]
    if not measure.minus or first is None:
        return first
    second = row[measure.minus]
    if second is None:
        return None
    # Python does not subtract a float from a decimal.
    mixed = isinstance(first, float) != isinstance(second, float)
    return float(first) - float(second) if mixed else first - second


def _total(numbers: Sequence[Cell]) -> int | float:
    """Return the sum: exact for whole numbers and decimals, correctly rounded for floats."""
    if any(isinstance(number, float) for number in numbers):
        return math.fsum(float(number) for number in numbers)
    total = sum(numbers)
    return int(total) if total == int(total) else float(total)

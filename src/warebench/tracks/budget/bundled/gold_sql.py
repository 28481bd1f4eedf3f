"""Queries as people write them: literals in place, ORDER BY and LIMIT for the largest group."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, assert_never

from warebench.errors import InternalError
from warebench.queries.model import (
    Aggregate,
    Correlation,
    Count,
    Mean,
    Measure,
    Query,
    Top,
    Total,
    Value,
    Want,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A question with its SQL, and the answer that Python found."""

    text: str
    sql: str
    rows: tuple[tuple[Any, ...], ...]
    """In any order."""


def write_sql(query: Query, binding: Mapping[str, Any]) -> str:
    """Return a query as DuckDB SQL.

    `Top` takes the first of its groups, so it has to be known that there is no tie.

    Args:
        query: Aliases stand before columns where there are joins.
        binding: Values of its parameters.
    """
    want = query.want
    tests = [
        f"{_name(query, item.column)} {item.op} {literal(binding[item.parameter])}" for item in query.filters
    ]
    if isinstance(want, Top | Value):
        # Groups without a name are no answer.
        tests.append(f"{_name(query, want.group if isinstance(want, Top) else want.column)} IS NOT NULL")
    where = f" WHERE {' AND '.join(tests)}" if tests else ""
    return f"SELECT {_selected(query, want)} FROM {_source(query)}{where}{_tail(query, want)}"  # noqa: S608 - own names


def literal(value: object) -> str:
    """Return a value as it stands in SQL."""
    match value:
        case bool():
            return str(value).upper()
        case int() | float() | Decimal():
            return str(value)
        case str():
            return "'" + value.replace("'", "''") + "'"
        case date():
            return f"DATE '{value.isoformat()}'"
    raise InternalError(f"no literal for {value!r}")


def _name(query: Query, column: str) -> str:
    return column if query.joins else column.partition(".")[2]


def _source(query: Query) -> str:
    if not query.joins:
        return query.table
    joins = [
        f"JOIN {join.table} AS {join.alias} ON "
        + " AND ".join(f"{left} = {join.alias}.{right}" for left, right in join.on)
        for join in query.joins
    ]
    return " ".join([f"{query.table} AS {query.alias}", *joins])


def _selected(query: Query, want: Want) -> str:
    match want:
        case Value(column):
            return f"DISTINCT {_name(query, column)}"
        case Top(group):
            return _name(query, group)
        case Correlation(x, y):
            return f"corr({_number(query, y)}, {_number(query, x)})"
        case Count() | Total() | Mean():
            return _aggregate(query, want)
        case _:
            assert_never(want)


def _tail(query: Query, want: Want) -> str:
    if not isinstance(want, Top):
        return ""
    order = "DESC" if want.highest else "ASC"
    group, score = _name(query, want.group), _aggregate(query, want.by)
    return f" GROUP BY {group} ORDER BY {score} {order} NULLS LAST LIMIT 1"


def _aggregate(query: Query, want: Aggregate) -> str:
    match want:
        case Count(""):
            return "COUNT(*)"
        case Count(distinct):
            return f"COUNT(DISTINCT {_name(query, distinct)})"
        case Total(measure):
            return f"SUM({_number(query, measure)})"
        case Mean(measure):
            return f"AVG({_number(query, measure)})"
        case _:
            assert_never(want)


def _number(query: Query, measure: Measure) -> str:
    first = _name(query, measure.column)
    return f"{first} - {_name(query, measure.minus)}" if measure.minus else first

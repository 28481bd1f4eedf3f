"""The first interpreter: a query as DuckDB SQL with named parameters."""

from typing import assert_never

from warebench.engine.database import quote
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
)


def to_sql(query: Query) -> str:
    """Return the query as SQL; parameters are `$name`.

    The result has one row and one column, `answer`, but where a question would be worthless: Value yields
    every distinct value and Top every tied group, or nothing where there is no second group; other answers
    are NULL where there is none.
    """
    want = query.want
    match want:
        case Value(column):
            return f"SELECT DISTINCT {name(column)} AS answer {_body(query)} AND {name(column)} IS NOT NULL"
        case Top(group, by, highest):
            return (
                f"SELECT {name(group)} AS answer {_body(query)} AND {name(group)} IS NOT NULL "
                f"GROUP BY {name(group)} HAVING {_aggregate(by)} IS NOT NULL "
                f"QUALIFY {_ties_with_best(_aggregate(by), highest=highest)} AND count(*) OVER () >= 2"
            )
        case Correlation(x, y):
            return f"SELECT {_correlation(_float(x), _float(y))} AS answer {_body(query)}"
        case Count() | Total() | Mean():
            return f"SELECT {_aggregate(want)} AS answer {_body(query)}"
        case _:
            assert_never(want)


def name(column: str) -> str:
    """Return `alias.column` quoted for DuckDB."""
    alias, _, rest = column.partition(".")
    return f"{quote(alias)}.{quote(rest)}"


def _body(query: Query) -> str:
    joins = [
        f"JOIN {quote(join.table)} AS {quote(join.alias)} ON "
        + " AND ".join(f"{name(left)} = {quote(join.alias)}.{quote(right)}" for left, right in join.on)
        for join in query.joins
    ]
    filters = [f"{name(item.column)} {item.op} ${item.parameter}" for item in query.filters]
    source = f"FROM {quote(query.table)} AS {quote(query.alias)}"
    return " ".join([source, *joins, "WHERE", " AND ".join(filters or ["true"])])


def _ties_with_best(score: str, *, highest: bool) -> str:
    # Means are floats: what differs in the last digit only is a tie to anyone who reads the question.
    best = f"{'max' if highest else 'min'}({score}) OVER ()"
    return f"abs({score} - {best}) <= 1e-9 * greatest(abs({score}), abs({best}))"


def _correlation(x: str, y: str) -> str:
    # Two pairs always lie on a line, and DuckDB says NaN of a constant column.
    return f"CASE WHEN regr_count({y}, {x}) >= 3 THEN nullif(corr({y}, {x}), CAST('nan' AS DOUBLE)) END"


def _aggregate(want: Aggregate) -> str:
    match want:
        case Count(""):
            return "count(*)"
        case Count(distinct):
            return f"count(DISTINCT {name(distinct)})"
        case Total(measure):
            return f"sum({_number(measure)})"
        case Mean(measure):
            # DuckDB averages in floating point; a sum over a count stays exact for decimals.
            return f"(CAST(sum({_number(measure)}) AS DOUBLE) / count({_number(measure)}))"
        case _:
            assert_never(want)


def _number(measure: Measure) -> str:
    if not measure.minus:
        return f"({name(measure.column)})"
    # DuckDB subtracts in the type of the columns, where small and unsigned integers overflow.
    return f"(CAST(0 AS HUGEINT) + {name(measure.column)} - {name(measure.minus)})"


def _float(measure: Measure) -> str:
    return f"CAST({_number(measure)} AS DOUBLE)"

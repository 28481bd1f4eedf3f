"""Whether a join repeats the rows whose quantity is aggregated."""

from collections import Counter as Tally
from collections.abc import Sequence

from warebench.queries.bind import Bound
from warebench.queries.model import Count, Top, Value, wanted_columns
from warebench.queries.solve import Row, keep


def is_repeated(bound: Bound, rows: Sequence[Row]) -> bool:
    """Return whether a row of a parent whose quantity is aggregated stands twice behind the answer.

    Rows of the query's first table stand once where joins lead to unique keys. Those of a parent stand once
    for each child that passes the filters.

    Args:
        bound: A question.
        rows: Joined rows of its query.
    """
    query = bound.template.query
    group = query.want.group if isinstance(query.want, Top) else ""
    want = query.want.by if isinstance(query.want, Top) else query.want
    measured = () if isinstance(want, Value | Count) else wanted_columns(want)
    aliases = {column.partition(".")[0] for column in measured}
    if query.alias in aliases:
        return False
    keys = [
        [group, *(f"{join.alias}.{right}" for _, right in join.on)]
        for join in query.joins
        if join.alias in aliases
    ]
    return any(
        max(Tally(tuple(row.get(name) for name in key) for row in kept).values(), default=0) > 1
        for kept in (keep(rows, query, binding) for binding in bound.bindings)
        for key in keys
    )

"""The second method: a bound question answered by DuckDB."""

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import duckdb

from warebench.queries.model import Query, Undefined
from warebench.queries.sql import to_sql


def prove(connection: duckdb.DuckDBPyConnection, query: Query, bindings: Sequence[Mapping[str, Any]]) -> Any:
    """Return the answer that SQL finds, or Undefined when it finds none or several.

    Args:
        connection: Holds the database.
        query: The query.
        bindings: One binding, or two whose difference is asked for.
    """
    sql = to_sql(query)
    answers: list[Any] = []
    for binding in bindings:
        rows = connection.execute(sql, dict(binding)).fetchall()
        if len(rows) != 1 or rows[0][0] is None:
            return Undefined(f"{len(rows)} answers")
        answers.append(rows[0][0])
    return answers[0] if len(answers) == 1 else answers[0] - answers[1]


def agree(one: object, other: object) -> bool:
    """Return whether two methods found the same; floating sums may differ in their last digits."""
    if isinstance(one, (int, float)) and isinstance(other, (int, float, Decimal)):
        return math.isclose(float(one), float(other), rel_tol=1e-9, abs_tol=1e-9)
    return type(one) is type(other) and one == other

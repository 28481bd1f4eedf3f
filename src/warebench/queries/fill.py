"""SQL with `$name` parameters to SQL with the values in place, as somebody would type it."""

from collections.abc import Mapping, Sequence
from datetime import time
from typing import Any

import sqlglot
from sqlglot import exp


def fill_sql(sql: str, bindings: Sequence[Mapping[str, Any]]) -> str:
    """Return one DuckDB query with its values in it.

    Args:
        sql: What `to_sql` wrote.
        bindings: One binding, or two whose difference is asked for.
    """
    sides = [_filled(sql, binding) for binding in bindings]
    return sides[0] if len(sides) == 1 else f"SELECT ({sides[0]}) - ({sides[1]}) AS answer"


def _filled(sql: str, binding: Mapping[str, Any]) -> str:
    def put(node: exp.Expr) -> exp.Expr:
        return _literal(binding[node.name]) if isinstance(node, (exp.Parameter, exp.Placeholder)) else node

    return sqlglot.parse_one(sql, dialect="duckdb").transform(put).sql("duckdb")


def _literal(value: object) -> exp.Expr:
    if isinstance(value, time):
        return exp.cast(exp.Literal.string(value.isoformat()), "TIME")
    return exp.convert(value)

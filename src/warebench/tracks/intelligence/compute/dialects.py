"""SQL of a slice in the dialect of a database."""

from typing import Literal

from sqlglot import exp

Dialect = Literal["duckdb", "postgres", "mysql"]
"""As sqlglot calls them; `mysql` is MariaDB too."""


def to_dialect(tree: exp.Expr, dialect: Dialect = "duckdb", *, pretty: bool = True) -> str:
    """Return the text of a query that `base_sql` or `apply_rules` made.

    PostgreSQL compares texts byte by byte, MariaDB only in columns of a `_bin` collation.

    Args:
        tree: The query.
        dialect: The database.
        pretty: On several lines.
    """
    tree = tree.copy()
    if dialect == "mysql":
        tree = tree.transform(_to_mysql)
    return tree.sql(dialect=dialect, pretty=pretty, copy=False)


def _to_mysql(node: exp.Expr) -> exp.Expr:
    match node:
        case exp.Extract() if node.name == "DOW":
            # MariaDB counts from 1.
            return exp.Paren(
                this=exp.Sub(this=exp.DayOfWeek(this=node.expression), expression=exp.Literal.number(1))
            )
        case exp.Least() | exp.Greatest() if node.expressions:
            return _over_gaps(node)
        case exp.Ordered():
            node.set("nulls_first", True)
    return node


def _over_gaps(node: exp.Least | exp.Greatest) -> exp.Expr:
    """Return LEAST or GREATEST of what is there: MariaDB's has no value when one is missing."""
    first, *others = [_to_mysql(item.copy()) for item in (node.this, *node.expressions)]
    for other in others:
        pair = exp.Anonymous(this=type(node).__name__.upper(), expressions=[first.copy(), other.copy()])
        first = exp.Coalesce(this=pair, expressions=[first.copy(), other.copy()])
    return first

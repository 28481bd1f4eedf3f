"""What equal means for the result of one question."""

from typing import Literal

from sqlglot import exp

from warebench.answers.model import Table
from warebench.answers.result import BIRD, Comparison
from warebench.tracks.budget.labels.model import Dialect, Unlabelled
from warebench.tracks.budget.labels.parse import parse_query
from warebench.tracks.budget.labels.terms import is_star, position

Compare = Literal["strict", "bird"]
COMPARES: tuple[Compare, ...] = ("strict", "bird")


def find_comparison(gold: Table, sql: str, dialect: Dialect, compare: Compare) -> Comparison:
    """Return how results of a question are compared.

    Strict: rows count as often as they occur, columns may come in another order, and the order of the rows
    counts where gold is ordered. Rows that gold's own ORDER BY leaves tied may come in any order, as far as
    what it sorts by is among the columns it returns.

    Args:
        gold: The result of the gold query.
        sql: The gold query.
        dialect: Of the query.
        compare: Strict, or BIRD's sets of rows.
    """
    if compare == "bird":
        return BIRD
    return Comparison(
        ordered=gold.ordered, order_keys=_order_keys(gold, sql, dialect) if gold.ordered else ()
    )


def _order_keys(gold: Table, sql: str, dialect: Dialect) -> tuple[int, ...]:
    query = parse_query(sql, dialect)
    order = None if isinstance(query, Unlabelled) else query.args.get("order")
    if isinstance(query, Unlabelled) or order is None:
        return ()
    places = [_place(term.this, query, gold) for term in order.expressions]
    return tuple(place for place in places if place is not None) if None not in places else ()


def _place(term: exp.Expr, query: exp.Expr, gold: Table) -> int | None:
    """Return the column of the result that a term of ORDER BY is, or None where it is none."""
    if (number := position(term)) is not None:
        return number - 1 if 0 < number <= len(gold.columns) else None
    selected = query.selects if isinstance(query, exp.Query) else []
    starred = any(is_star(item) for item in selected)
    if not starred and len(selected) == len(gold.columns):
        for place, item in enumerate(selected):
            if item.unalias() == term or _is_called(term, item.alias_or_name):
                return place
    named = [place for place, column in enumerate(gold.columns) if _is_called(term, column.name)]
    return named[0] if starred and len(named) == 1 else None


def _is_called(term: exp.Expr, name: str) -> bool:
    return isinstance(term, exp.Column) and bool(name) and term.name.lower() == name.lower()

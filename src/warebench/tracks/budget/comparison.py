"""What equal means for the result of one question: as its gold SQL says, or as its source declares."""

from collections.abc import Mapping
from typing import Literal, get_args, get_origin, get_type_hints

import msgspec
from sqlglot import exp

from warebench.answers.model import Table
from warebench.answers.result import Comparison
from warebench.errors import did_you_mean
from warebench.sql.labels.model import Dialect, Unlabelled
from warebench.sql.labels.parse import parse_query
from warebench.sql.labels.terms import is_star, position, selected_place

Compare = Literal["strict", "bird"]
COMPARES: tuple[Compare, ...] = ("strict", "bird")
"""How a run compares results: as each question declares it, or as BIRD's own program does."""

KINDS = get_type_hints(Comparison)


def derive_comparison(gold: Table, sql: str, dialect: Dialect) -> Comparison:
    """Return the comparison that a gold query asks for by itself.

    Rows count as often as they occur, columns may come in another order, and the order of the rows counts
    where gold is ordered. Rows that gold's own ORDER BY leaves tied may come in any order, as far as what it
    sorts by is among the columns it returns.

    Args:
        gold: The result of the gold query.
        sql: The gold query.
        dialect: Of the query.
    """
    return Comparison(
        ordered=gold.ordered, order_keys=_order_keys(gold, sql, dialect) if gold.ordered else ()
    )


def declare_comparison(derived: Comparison, declared: Mapping[str, object], gold: Table) -> Comparison:
    """Return a derived comparison with what the source of the question declares in its place.

    Args:
        derived: What the gold query asks for.
        declared: Fields of a comparison by name.
        gold: The result of the gold query.

    Raises:
        ValueError: A field is unknown, a value does not fit, or the comparison does not fit gold.
    """
    for name, value in declared.items():
        if name not in KINDS:
            raise ValueError(f"a comparison has no `{name}`. {did_you_mean(name, KINDS)}")
        words = get_args(KINDS[name]) if get_origin(KINDS[name]) is Literal else ()
        if words and value not in words:
            raise ValueError(f"`{name}` is not `{value}`. {did_you_mean(str(value), words)}")
    fields = {**msgspec.to_builtins(derived), **declared}
    if not fields["ordered"] and "order_keys" not in declared:
        fields["order_keys"] = ()
    made = msgspec.convert(fields, Comparison)
    if fault := find_misfit(made, gold):
        raise ValueError(fault)
    return made


def find_misfit(comparison: Comparison, gold: Table) -> str:
    """Return why a comparison does not fit the result of gold; empty where it does."""
    if comparison.ordered and not gold.ordered:
        return "the order of rows is to count, and the gold query has no ORDER BY of its own"
    if comparison.order_keys and not comparison.ordered:
        return "it has order keys, and the order of rows is not to count"
    beyond = [key for key in comparison.order_keys if key >= len(gold.columns)]
    return f"gold has {len(gold.columns)} columns, and no order keys {beyond}" if beyond else ""


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
        return selected_place(term, selected)
    named = [place for place, column in enumerate(gold.columns) if _is_called(term, column.name)]
    return named[0] if starred and len(named) == 1 else None


def _is_called(term: exp.Expr, name: str) -> bool:
    return isinstance(term, exp.Column) and bool(name) and term.name.lower() == name.lower()

"""Evaluate expressions over columns of values: sqlglot parses them and nothing more."""

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from functools import reduce
from typing import Any

import numpy as np
from sqlglot import exp

from warebench.tracks.intelligence.compute.values import (
    DAY,
    Array,
    Values,
    alike,
    arithmetic,
    both,
    choose,
    compare,
    constant,
    count_places,
    cut_off,
    divide,
    either,
    opposite,
    part_of_moment,
)

Columns = Callable[[str, str], Values]
"""Values by alias and column; the alias is empty for the name of a measure, a component or a parameter."""

COMPARISONS: Mapping[type[exp.Expr], Callable[[Any, Any], Any]] = {
    exp.EQ: operator.eq, exp.NEQ: operator.ne, exp.LT: operator.lt, exp.LTE: operator.le, exp.GT: operator.gt,
    exp.GTE: operator.ge,
}  # fmt: skip
ARITHMETIC: Mapping[type[exp.Expr], Callable[[Any, Any], Any]] = {
    exp.Add: operator.add, exp.Sub: operator.sub, exp.Mul: operator.mul,
}  # fmt: skip
DIVISIONS: Mapping[type[exp.Expr], Callable[[Any, Any], Any]] = {
    exp.Div: operator.truediv, exp.IntDiv: cut_off, exp.Mod: np.fmod,
}  # fmt: skip


def evaluate(node: exp.Expr, columns: Columns) -> Values:
    """Return the values of an expression, one a row, or one for all where it names no column.

    Args:
        node: Tree of an expression of the language.
        columns: What its names stand for.
    """
    kind = type(node)
    for table, combine in ((COMPARISONS, compare), (ARITHMETIC, arithmetic), (DIVISIONS, divide)):
        if kind in table:
            sides = evaluate(node.this, columns), evaluate(node.expression, columns)
            return combine(*sides, table[kind])
    return EVALUATORS[kind](node, columns)


def _literal(node: Any, columns: Columns) -> Values:
    if node.is_string:
        return constant(node.name)
    return replace(constant(float(node.name)), places=count_places(node.name))


def _sign(node: Any, columns: Columns) -> Values:
    found = evaluate(node.this, columns)
    return Values("number", np.asarray(-found.data), found.there, places=found.places)


def _absolute(node: Any, columns: Columns) -> Values:
    found = evaluate(node.this, columns)
    return Values("number", np.asarray(np.abs(found.data)), found.there, places=found.places)


def _is_null(node: Any, columns: Columns) -> Values:
    there = evaluate(node.this, columns).there
    return Values("truth", ~there, np.ones_like(there))


def _in(node: Any, columns: Columns) -> Values:
    item = evaluate(node.this, columns)
    found = [compare(item, evaluate(option, columns), operator.eq) for option in node.expressions]
    return reduce(either, found)


def _between(node: Any, columns: Columns) -> Values:
    item, low, high = (evaluate(part, columns) for part in (node.this, node.args["low"], node.args["high"]))
    return both(compare(item, low, operator.ge), compare(item, high, operator.le))


def _coalesce(node: Any, columns: Columns) -> Values:
    items = [evaluate(item, columns) for item in (node.this, *node.expressions)]
    return reduce(lambda first, second: choose(first.there, first, second), items)


def _nullif(node: Any, columns: Columns) -> Values:
    item = evaluate(node.this, columns)
    same = compare(item, evaluate(node.expression, columns), operator.eq).true()
    return replace(item, there=item.there & ~same)


def _extreme(node: Any, columns: Columns) -> Values:
    """Return LEAST or GREATEST of what is there."""
    items = alike([evaluate(item, columns) for item in (node.this, *node.expressions)])
    better = operator.le if isinstance(node, exp.Least) else operator.ge
    return reduce(lambda first, second: _better(first, second, better), items)


def _date_diff(node: Any, columns: Columns) -> Values:
    end, start = evaluate(node.this, columns), evaluate(node.expression, columns)
    return arithmetic(_days(end), _days(start), operator.sub)


def _better(first: Values, second: Values, better: Callable[[Array, Array], Array]) -> Values:
    wins = np.asarray(better(first.data, second.data))
    return choose(first.there & (wins | ~second.there), first, second)


def _like(node: Any, columns: Columns) -> Values:
    """Return where a text fits a pattern of % and _."""
    item = evaluate(node.this, columns)
    pattern = "".join({"%": ".*", "_": "."}.get(sign, re.escape(sign)) for sign in node.expression.name)
    words = item.words if item.words is not None else np.array([], dtype=object)
    fits = np.array([bool(re.fullmatch(pattern, word, re.DOTALL)) for word in words] or [False])
    data = np.asarray(fits[item.data.astype(np.int64)])
    return Values("truth", ~data if node.args.get("negate") else data, item.there)


def _case(node: Any, columns: Columns) -> Values:
    subject = evaluate(node.this, columns) if node.this else None
    default = node.args.get("default")
    found = evaluate(default, columns) if default else constant(None)
    for branch in reversed(node.args["ifs"]):
        condition = evaluate(branch.this, columns)
        if subject is not None:
            condition = compare(subject, condition, operator.eq)
        found = choose(condition.true(), evaluate(branch.args["true"], columns), found)
    return found


def _days(item: Values) -> Values:
    days = np.asarray(np.floor_divide(item.data, DAY).astype(np.float64))
    return Values("number", days, item.there, places=0)


def _date(node: Any, columns: Columns) -> Values:
    if node.this.is_string:
        days = date.fromisoformat(node.this.name).toordinal() - date(1970, 1, 1).toordinal()
        return Values("moment", np.array(days * DAY), np.ones((), bool))
    item = evaluate(node.this, columns)
    return Values("moment", np.asarray(np.floor_divide(item.data, DAY) * DAY), item.there)


EVALUATORS: Mapping[type[exp.Expr], Callable[[Any, Columns], Values]] = {
    exp.Column: lambda node, columns: columns(node.table, node.name),
    exp.Placeholder: lambda node, columns: columns("", node.name),
    exp.Literal: _literal,
    exp.Boolean: lambda node, columns: constant(bool(node.this)),
    exp.Null: lambda node, columns: constant(None),
    exp.Paren: lambda node, columns: evaluate(node.this, columns),
    exp.Neg: _sign,
    exp.Abs: _absolute,
    exp.And: lambda node, columns: both(evaluate(node.left, columns), evaluate(node.right, columns)),
    exp.Or: lambda node, columns: either(evaluate(node.left, columns), evaluate(node.right, columns)),
    exp.Not: lambda node, columns: opposite(evaluate(node.this, columns)),
    exp.Is: _is_null,
    exp.In: _in,
    exp.Between: _between,
    exp.Like: _like,
    exp.Case: _case,
    exp.Coalesce: _coalesce,
    exp.Nullif: _nullif,
    exp.Least: _extreme,
    exp.Greatest: _extreme,
    exp.DateDiff: _date_diff,
    exp.Extract: lambda node, columns: part_of_moment(evaluate(node.expression, columns), node.name),
    exp.Cast: _date,
}
"""Everything else of the language."""

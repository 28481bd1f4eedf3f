"""Evaluate formulas over columns of values."""

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from functools import reduce
from typing import Any

import numpy as np

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
from warebench.tracks.intelligence.knowledge.grammar import Node, read_formula

Columns = Callable[[str, str], Values]
"""Values by alias and column; the alias is empty for the name of a measure, a component or a parameter."""

OPERATORS: Mapping[str, tuple[Callable[..., Values], Callable[[Any, Any], Any]]] = {
    "=": (compare, operator.eq), "<>": (compare, operator.ne), "<": (compare, operator.lt),
    "<=": (compare, operator.le), ">": (compare, operator.gt), ">=": (compare, operator.ge),
    "+": (arithmetic, operator.add), "-": (arithmetic, operator.sub), "*": (arithmetic, operator.mul),
    "/": (divide, operator.truediv), "//": (divide, cut_off), "%": (divide, np.fmod),
}  # fmt: skip


def evaluate(text: str, columns: Columns) -> Values:
    """Return the values of an expression, one a row, or one for all where it names no column.

    Args:
        text: An expression of the language, as a knowledge base writes it.
        columns: What its names stand for.
    """
    return _evaluate(read_formula(text), columns)


def _evaluate(node: Node, columns: Columns) -> Values:
    if not node.parts:
        return LEAVES[node.name](node, columns)
    parts = [_evaluate(part, columns) for part in node.parts]
    if node.name in OPERATORS:
        combine, operation = OPERATORS[node.name]
        return combine(*parts, operation)
    return FUNCTIONS[node.name](node, parts)


def _number(node: Node, _: Columns) -> Values:
    return replace(constant(float(node.word)), places=count_places(node.word))


def _day(node: Node, _: Columns) -> Values:
    days = date.fromisoformat(node.word).toordinal() - date(1970, 1, 1).toordinal()
    return Values("moment", np.array(days * DAY), np.ones((), bool))


def _negative(_: Node, parts: list[Values]) -> Values:
    (found,) = parts
    return Values("number", np.asarray(-found.data), found.there, places=found.places)


def _absolute(_: Node, parts: list[Values]) -> Values:
    (found,) = parts
    return Values("number", np.asarray(np.abs(found.data)), found.there, places=found.places)


def _is_null(_: Node, parts: list[Values]) -> Values:
    return Values("truth", ~parts[0].there, np.ones_like(parts[0].there))


def _in(_: Node, parts: list[Values]) -> Values:
    item, *options = parts
    return reduce(either, [compare(item, option, operator.eq) for option in options])


def _between(_: Node, parts: list[Values]) -> Values:
    item, low, high = parts
    return both(compare(item, low, operator.ge), compare(item, high, operator.le))


def _coalesce(_: Node, parts: list[Values]) -> Values:
    return reduce(lambda first, second: choose(first.there, first, second), parts)


def _nullif(_: Node, parts: list[Values]) -> Values:
    item, other = parts
    same = compare(item, other, operator.eq).true()
    return replace(item, there=item.there & ~same)


def _extreme(node: Node, parts: list[Values]) -> Values:
    """Return LEAST or GREATEST of what is there."""
    better = operator.le if node.name == "LEAST" else operator.ge
    return reduce(lambda first, second: _better(first, second, better), alike(parts))


def _better(first: Values, second: Values, better: Callable[[Array, Array], Array]) -> Values:
    wins = np.asarray(better(first.data, second.data))
    return choose(first.there & (wins | ~second.there), first, second)


def _date_diff(_: Node, parts: list[Values]) -> Values:
    start, end = parts
    return arithmetic(_days(end), _days(start), operator.sub)


def _like(node: Node, parts: list[Values]) -> Values:
    """Return where a text fits a pattern of % and _."""
    (item,) = parts
    pattern = "".join({"%": ".*", "_": "."}.get(sign, re.escape(sign)) for sign in node.word)
    words = item.words if item.words is not None else np.array([], dtype=object)
    fits = np.array([bool(re.fullmatch(pattern, word, re.DOTALL)) for word in words] or [False])
    return Values("truth", np.asarray(fits[item.data.astype(np.int64)]), item.there)


def _case(_: Node, parts: list[Values]) -> Values:
    subject, found, *branches = parts
    for when, then in zip(branches[-2::-2], branches[::-2], strict=True):
        found = choose(compare(subject, when, operator.eq).true(), then, found)
    return found


def _days(item: Values) -> Values:
    days = np.asarray(np.floor_divide(item.data, DAY).astype(np.float64))
    return Values("number", days, item.there, places=0)


def _cut_to_day(_: Node, parts: list[Values]) -> Values:
    (item,) = parts
    return Values("moment", np.asarray(np.floor_divide(item.data, DAY) * DAY), item.there)


LEAVES: Mapping[str, Callable[[Node, Columns], Values]] = {
    "column": lambda node, columns: columns(node.alias, node.word),
    "parameter": lambda node, columns: columns("", node.word),
    "number": _number,
    "text": lambda node, _: constant(node.word),
    "day": _day,
    "TRUE": lambda _, __: constant(True),
    "FALSE": lambda _, __: constant(False),
    "NULL": lambda _, __: constant(None),
}
FUNCTIONS: Mapping[str, Callable[[Node, list[Values]], Values]] = {
    "NEGATIVE": _negative,
    "ABS": _absolute,
    "AND": lambda _, parts: both(*parts),
    "OR": lambda _, parts: either(*parts),
    "NOT": lambda _, parts: opposite(*parts),
    "IS NULL": _is_null,
    "IN": _in,
    "BETWEEN": _between,
    "LIKE": _like,
    "CASE": _case,
    "COALESCE": _coalesce,
    "NULLIF": _nullif,
    "LEAST": _extreme,
    "GREATEST": _extreme,
    "DATE_DIFF": _date_diff,
    "EXTRACT": lambda node, parts: part_of_moment(parts[0], node.word),
    "DAY": _cut_to_day,
}

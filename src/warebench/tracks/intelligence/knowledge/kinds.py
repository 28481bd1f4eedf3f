"""Kinds of values: what a condition, a sum or a difference of days can be made of."""

import re
from collections.abc import Callable
from typing import Literal

from sqlglot import exp

from warebench.errors import KnowledgeError

Kind = Literal["whole", "number", "text", "date", "timestamp", "truth", "any"]
"""`whole` numbers are numbers; `any` is the kind of NULL and of columns whose type is unknown."""

TYPES: tuple[tuple[str, Kind], ...] = (
    (r"BOOL", "truth"),
    (r"U?(TINY|SMALL|MEDIUM|BIG|HUGE)?INT(EGER)?\d*(?!\w)|(BIG|SMALL)?SERIAL|YEAR", "whole"),
    (r"FLOAT|DOUBLE|REAL|DEC|NUM|MONEY", "number"),
    (r"TIMESTAMP|DATETIME", "timestamp"),
    (r"DATE", "date"),
    (r"(N?VAR|BP|N)?CHAR|TEXT|STRING|(LONG|MEDIUM|TINY)TEXT|CLOB|UUID|ENUM", "text"),
)  # fmt: skip
"""Beginnings of type names to kinds."""

Lookup = Callable[[exp.Column | exp.Placeholder], Kind]
"""Kind of a column or parameter; raises KnowledgeError for one that does not exist."""

NUMBERS = ("whole", "number")
MOMENTS = ("date", "timestamp")


def kind_of_type(name: str) -> Kind:
    """Return the kind of a column by its type as a database spells it."""
    return next((kind for start, kind in TYPES if re.match(start, name, re.IGNORECASE)), "any")


def infer_kind(node: exp.Expr, lookup: Lookup) -> Kind:
    """Return the kind of an expression's value.

    Args:
        node: Tree of an expression of the language.
        lookup: Kinds of its columns and parameters.

    Raises:
        KnowledgeError: Values of unlike kinds meet, or a name is unknown.
    """
    match node:
        case exp.Column() | exp.Placeholder():
            return lookup(node)
        case exp.Paren():
            return infer_kind(node.this, lookup)
        case exp.Literal():
            return "text" if node.is_string else "whole" if node.name.isdigit() else "number"
        case exp.Null():
            return "any"
        case exp.Abs() | exp.Neg():
            return _need(node.this, lookup, NUMBERS)
        case exp.Add() | exp.Sub() | exp.Mul() | exp.Div() | exp.IntDiv() | exp.Mod():
            return _arithmetic(node, lookup)
        case exp.Func() if not isinstance(node, exp.Connector):
            return _function(node, lookup)
        case _:
            return _truth(node, lookup)


def _function(node: exp.Expr, lookup: Lookup) -> Kind:
    match node:
        case exp.Extract():
            _need(node.expression, lookup, MOMENTS)
            return "whole"
        case exp.DateDiff():
            _need(node.this, lookup, MOMENTS)
            _need(node.expression, lookup, MOMENTS)
            return "whole"
        case exp.Cast():
            return _cast(node, lookup)
        case exp.Case():
            return _case(node, lookup)
        case exp.Nullif():
            return _one_kind([infer_kind(node.this, lookup), infer_kind(node.expression, lookup)], node)
        case _:
            return _one_kind([infer_kind(item, lookup) for item in (node.this, *node.expressions)], node)


def _truth(node: exp.Expr, lookup: Lookup) -> Kind:
    match node:
        case exp.And() | exp.Or():
            _need(node.this, lookup, ("truth",))
            _need(node.expression, lookup, ("truth",))
        case exp.Not():
            _need(node.this, lookup, ("truth",))
        case exp.Is():
            infer_kind(node.this, lookup)
        case exp.Like():
            _need(node.this, lookup, ("text",))
        case exp.Between():
            parts = (node.this, node.args["low"], node.args["high"])
            _one_kind([infer_kind(part, lookup) for part in parts], node)
        case exp.In():
            _one_kind([infer_kind(part, lookup) for part in (node.this, *node.expressions)], node)
        case exp.EQ() | exp.NEQ() | exp.LT() | exp.LTE() | exp.GT() | exp.GTE():
            _one_kind([infer_kind(node.this, lookup), infer_kind(node.expression, lookup)], node)
    return "truth"


def _arithmetic(node: exp.Binary, lookup: Lookup) -> Kind:
    whole = isinstance(node, exp.IntDiv | exp.Mod)
    allowed = ("whole",) if whole else NUMBERS
    sides = {_need(node.left, lookup, allowed), _need(node.right, lookup, allowed)}
    return "whole" if whole or (sides == {"whole"} and not isinstance(node, exp.Div)) else "number"


def _cast(node: exp.Cast, lookup: Lookup) -> Kind:
    if node.this.is_string:
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", node.this.name):
            raise KnowledgeError(f"`{node.this.name}` is no day", fix="write DATE '2018-01-31'")
    else:
        _need(node.this, lookup, MOMENTS)
    return "date"


def _case(node: exp.Case, lookup: Lookup) -> Kind:
    subject = infer_kind(node.this, lookup) if node.this else "truth"
    results = []
    for branch in node.args["ifs"]:
        _one_kind([subject, infer_kind(branch.this, lookup)], node)
        results.append(infer_kind(branch.args["true"], lookup))
    if default := node.args.get("default"):
        results.append(infer_kind(default, lookup))
    return _one_kind(results, node)


def _need(node: exp.Expr, lookup: Lookup, allowed: tuple[str, ...]) -> Kind:
    kind = infer_kind(node, lookup)
    if kind != "any" and kind not in allowed:
        raise KnowledgeError(
            f"`{node.sql()}` is a {kind}, not a {' or '.join(allowed)}",
            fix=f"take a column or expression that is a {' or '.join(allowed)}",
        )
    return kind


def _one_kind(kinds: list[Kind], node: exp.Expr) -> Kind:
    """Return what kinds have in common: number for both sorts of numbers, timestamp for both of moments."""
    known = [kind for kind in dict.fromkeys(kinds) if kind != "any"]
    if len(known) < 2:
        return known[0] if known else "any"
    for family, common in ((NUMBERS, "number"), (MOMENTS, "timestamp")):
        if all(kind in family for kind in known):
            return common  # type: ignore[return-value]
    raise KnowledgeError(
        f"`{node.sql()}` mixes {' and '.join(known)}",
        fix=f"write all of it as a {known[0]}: texts stand in '...', days as DATE '2018-01-31'",
    )

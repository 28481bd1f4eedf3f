"""The expression language of knowledge bases: a part of SQL that every database computes alike.

Columns, numbers, texts, `DATE '2018-01-01'`, `:parameter`; + - * / // %; comparisons, AND, OR, NOT, IN
(literals), BETWEEN, IS NULL, LIKE with a plain pattern; CASE, COALESCE, NULLIF, ABS, LEAST, GREATEST;
`DATE_DIFF('day', a, b)` in calendar days; `EXTRACT(YEAR FROM x)`; `CAST(x AS DATE)`. Logic has three values,
as in SQL. `/` always gives a fraction, `//` cuts it off; dividing by zero gives no value. LEAST and GREATEST
pass over missing values.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from math import isfinite

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from warebench.errors import KnowledgeError

UNITS = ("YEAR", "QUARTER", "MONTH", "DAY", "DOW", "HOUR")
"""What EXTRACT takes out of a moment; DOW is 0 on Sundays."""

PLAIN = (
    exp.Abs, exp.Add, exp.And, exp.Boolean, exp.Case, exp.Coalesce, exp.Div, exp.EQ,
    exp.GT, exp.GTE, exp.Greatest, exp.Identifier, exp.If, exp.IntDiv, exp.LT, exp.LTE, exp.Least,
    exp.Literal, exp.Mod, exp.Mul, exp.NEQ, exp.Neg, exp.Not, exp.Null, exp.Nullif, exp.Or, exp.Paren,
    exp.Sub, exp.DataType, exp.Var,
)  # fmt: skip
"""Nodes that need no second look."""

PARAMETER = re.compile(r"""'(?:[^']|'')*'|"[^"]*"|(?<![:\w]):([A-Za-z_]\w*)""")
"""A text or a quoted name, to be left alone, or `:parameter`."""

LANGUAGE = (
    "use columns, numbers, texts, + - * / // %, comparisons, AND, OR, NOT, IN, BETWEEN, LIKE, IS NULL, CASE, "
    "COALESCE, NULLIF, ABS, LEAST, GREATEST, DATE_DIFF('day', a, b), EXTRACT; sums and counts are measures"
)
"""What to do about a construct that is not of the language."""

UNSTABLE = (exp.Rand, exp.CurrentDate, exp.CurrentTime, exp.CurrentTimestamp, exp.Uuid)
UNSTABLE_NAMES = ("now", "today", "random", "setseed", "uuid", "gen_random_uuid", "nextval", "txid_current")


@lru_cache(maxsize=4096)
def parse_expression(text: str) -> exp.Expr:
    """Return the tree of an expression of the language; it is shared: copy before changing it.

    Args:
        text: SQL as DuckDB spells it.

    Raises:
        KnowledgeError: It cannot be parsed, or leaves the language; the message names the construct.
    """
    try:
        # DuckDB's grammar takes `(:a` for the start of an alias, and `$a` for a parameter everywhere.
        plain = PARAMETER.sub(lambda found: f"${found[1]}" if found[1] else found[0], text)
        tree = sqlglot.parse_one(plain, dialect="duckdb")
    except (SqlglotError, RecursionError) as error:
        raise _not_one(text) from error
    if tree.key == "block":
        raise _not_one(text)
    tree = tree.transform(_spell)
    tree.pop_comments()
    for node in tree.walk():
        if reason := _refuse(node):
            raise KnowledgeError(f"`{text}`: {reason}", fix=LANGUAGE)
    return tree


def _not_one(text: str) -> KnowledgeError:
    return KnowledgeError(
        f"`{text}` is not one SQL expression", fix="write a condition or a value such as o.price > 10"
    )


def columns_of(tree: exp.Expr) -> Iterator[tuple[str, str]]:
    """Yield the (alias, column) that an expression reads; the alias of a bare name is empty."""
    for node in tree.find_all(exp.Column):
        yield node.table, node.name


def parameters_of(tree: exp.Expr) -> Iterator[str]:
    """Yield the `:parameters` that an expression reads."""
    for node in tree.find_all(exp.Placeholder):
        yield node.name


def conjuncts(tree: exp.Expr) -> list[exp.Expr]:
    """Return the conditions that an expression joins by AND."""
    tree = tree.unnest()
    if isinstance(tree, exp.And):
        return [*conjuncts(tree.left), *conjuncts(tree.right)]
    return [tree]


def _spell(node: exp.Expr) -> exp.Expr:
    """Return one kind of node for each of: parameters, DATE_PART and EXTRACT, units."""
    if isinstance(node, exp.Parameter):
        return exp.Placeholder(this=node.name)
    if isinstance(node, exp.Anonymous) and node.name.lower() == "date_part" and len(node.expressions) == 2:
        unit, moment = node.expressions
        return exp.Extract(this=exp.var(unit.name.upper()), expression=moment)
    if isinstance(node, exp.Extract):
        unit = {"DAYOFWEEK": "DOW"}.get(node.name.upper(), node.name.upper())
        return exp.Extract(this=exp.var(unit), expression=node.expression)
    return node


def _refuse(node: exp.Expr) -> str:
    """Return why a node is not of the language, or nothing."""
    if isinstance(node, UNSTABLE) or (
        isinstance(node, exp.Anonymous) and node.name.lower() in UNSTABLE_NAMES
    ):
        return f"`{_name(node)}` changes from one run to the next"
    if isinstance(node, exp.AggFunc):
        return f"`{_name(node)}` is an aggregate: measures aggregate, expressions do not"
    if isinstance(node, exp.Literal) and not node.is_string and not isfinite(float(node.name)):
        return f"{node.name} is too large a number"
    if isinstance(node, PLAIN):
        return (
            "write CASE, not IF" if isinstance(node, exp.If) and not isinstance(node.parent, exp.Case) else ""
        )
    return _refuse_part(node)


def _refuse_part(node: exp.Expr) -> str:
    match node:
        case exp.Column():
            return "" if not node.args.get("db") else f"`{node.sql()}` has more than one dot"
        case exp.Placeholder():
            return "" if node.name else "a parameter needs a name, as in :days"
        case exp.Cast():
            return (
                "" if node.to.is_type("date") and type(node) is exp.Cast else "only CAST(x AS DATE) is known"
            )
        case exp.Is():
            return "" if isinstance(node.expression, exp.Null) else "IS is for NULL only"
        case exp.In():
            literal = node.expressions and all(map(_literal, node.expressions))
            return "" if literal else "IN takes a list of numbers or texts"
        case exp.Between():
            return "" if node.args.get("symmetric") is None else "BETWEEN is never SYMMETRIC"
        case exp.Like():
            plain = node.expression.is_string and "\\" not in node.expression.name
            return "" if plain else "LIKE takes a text without backslashes"
        case exp.DateDiff():
            unit = node.args.get("unit")
            return "" if unit and unit.name.upper() == "DAY" else "DATE_DIFF counts 'day' only"
        case exp.Extract():
            return "" if node.name in UNITS else f"EXTRACT takes {', '.join(UNITS)}"
        case _:
            return f"`{_name(node)}` is not known"


def _literal(node: exp.Expr) -> bool:
    inner = node.this if isinstance(node, exp.Neg) else node
    return isinstance(inner, exp.Literal)


def _name(node: exp.Expr) -> str:
    if isinstance(node, exp.Anonymous):
        return node.name.upper()
    return node.sql_name() if isinstance(node, exp.Func) else node.key.upper()

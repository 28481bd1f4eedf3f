"""SQL trees of expressions and aggregates, such that DuckDB, PostgreSQL and MariaDB compute them alike."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp
from sqlglot.dialects import DuckDB, MySQL

from warebench.tracks.intelligence.knowledge.expressions import parse_expression
from warebench.tracks.intelligence.knowledge.kinds import Lookup, infer_kind
from warebench.tracks.intelligence.knowledge.model import Measure, Metric

PLAIN = re.compile(r"[a-z_][a-z0-9_]*")
RESERVED = (
    frozenset(DuckDB.Generator.RESERVED_KEYWORDS) | frozenset(MySQL.Generator.RESERVED_KEYWORDS) | {"user"}
)
"""Words that one database or another takes for its own; PostgreSQL's are among them."""

AGGREGATES = {
    "count": exp.Count,
    "sum": exp.Sum,
    "avg": exp.Avg,
    "min": exp.Min,
    "max": exp.Max,
    "stddev": exp.StddevSamp,
}


@dataclass(frozen=True, slots=True)
class Names:
    """What stands for the names in an expression."""

    metric: Metric
    lookup: Lookup
    """Kinds of names."""
    parameters: Mapping[str, float]
    bare: Mapping[str, exp.Expr] = field(default_factory=dict)
    """Tree of each name without a table: a measure, a column of units, a component's value."""


def expression_tree(text: str, names: Names) -> exp.Expr:
    """Return the SQL of an expression of the language; numbers that stand for parameters carry their name.

    Division gives a fraction on every database, and nothing where the divisor is zero.
    """
    tree = parse_expression(text).copy()
    for node in reversed(list(tree.walk(bfs=False))):
        new = _translate(node, names)
        if new is not node:
            if node is tree:
                tree = new
            else:
                node.replace(new)
    return tree


def aggregate_tree(measure: Measure, name: str, names: Names) -> exp.Expr:
    """Return the SQL of a measure; it carries the measure's name."""
    where = expression_tree(measure.where, names) if measure.where else None
    value = expression_tree(measure.value, names) if measure.value else None
    return build_aggregate(measure, name, value, where, names)


def build_aggregate(
    measure: Measure,
    name: str,
    value: exp.Expr | None,
    where: exp.Expr | None,
    names: Names,
) -> exp.Expr:
    """Return an aggregate of a value for the rows of a condition; both are trees."""
    tree: exp.Expr
    if value is None:
        tree = exp.Count(this=case(where, exp.Literal.number(1)) if where else exp.Star())
    elif measure.aggregate == "count_distinct":
        tree = exp.Count(this=exp.Distinct(expressions=[case(where, value) if where else value]))
    else:
        moment = infer_kind(parse_expression(measure.value), names.lookup) in ("date", "timestamp")
        number = value if moment else double(value)
        tree = AGGREGATES[measure.aggregate](this=case(where, number) if where else number)
    tree.meta["measure"] = name
    return tree


def case(where: exp.Expr, value: exp.Expr, other: exp.Expr | None = None) -> exp.Case:
    """Return CASE WHEN where THEN value ELSE other END."""
    return exp.Case(ifs=[exp.If(this=where, true=value)], default=other)


def double(tree: exp.Expr) -> exp.Expr:
    """Return a number as a double: sums and quotients of decimals differ from database to database."""
    return tree if is_double(tree) else exp.cast(tree, "double")


def is_double(tree: exp.Expr) -> bool:
    """Return whether a value is a double already, whatever its columns are."""
    match tree:
        case exp.Div() | exp.Sum() | exp.Avg() | exp.StddevSamp():
            return True
        case exp.Cast():
            return tree.is_type("double")
        case exp.Paren() | exp.Neg() | exp.Abs():
            return is_double(tree.this)
        case exp.Mul() | exp.Add() | exp.Sub():
            return is_double(tree.left) or is_double(tree.right)
        case _:
            return False


def number(value: float) -> exp.Expr:
    """Return a number as SQL writes it, without a point where it is whole."""
    tree = exp.Literal.number(repr(int(abs(value)) if value.is_integer() else abs(value)))
    return exp.Neg(this=tree) if value < 0 else tree


def parameter(name: str, value: float) -> exp.Expr:
    """Return the number that stands for a parameter; it carries the parameter's name."""
    tree = number(float(value))
    tree.meta["parameter"] = name
    return tree


def identifier(name: str) -> exp.Identifier:
    """Return a name, in quotes where a database needs them."""
    return exp.to_identifier(name, quoted=not PLAIN.fullmatch(name) or name in RESERVED)


def column(alias: str, name: str) -> exp.Column:
    """Return alias.name."""
    return exp.Column(this=identifier(name), table=identifier(alias))


def _translate(node: exp.Expr, names: Names) -> exp.Expr:
    match node:
        case exp.Placeholder():
            return parameter(node.name, names.parameters[node.name])
        case exp.Column() if node.table:
            return column(node.table, node.name)
        case exp.Column() if node.name in names.parameters:
            return parameter(node.name, names.parameters[node.name])
        case exp.Column():
            return names.bare[node.name].copy()
        case exp.Div():
            node.set("this", double(node.this))
            node.set("expression", _divisor(node.expression))
        case exp.IntDiv() | exp.Mod():
            node.set("expression", _divisor(node.expression))
        case exp.DateDiff():
            node.set("this", _day(node.this, names))
            node.set("expression", _day(node.expression, names))
    return node


def _divisor(tree: exp.Expr) -> exp.Expr:
    zero = exp.Literal.number(0)
    guarded = isinstance(tree, exp.Nullif) and tree.expression == zero
    if guarded or (tree.is_number and float(tree.name) != 0 and not tree.meta):
        return tree
    return exp.Nullif(this=tree, expression=zero)


def _day(tree: exp.Expr, names: Names) -> exp.Expr:
    """Return a moment as a day: what DATE_DIFF means by hours differs from database to database."""
    bare = isinstance(tree, exp.Column) and names.bare
    if tree.is_type("date") or (isinstance(tree, exp.Column) and not bare and names.lookup(tree) == "date"):
        return tree
    return exp.cast(tree, "date")

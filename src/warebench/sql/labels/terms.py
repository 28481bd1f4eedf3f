"""Reading parts of a SELECT off the parser's tree."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlglot import exp

from warebench.sql.labels.model import Role

TIES = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.Between, exp.Is, exp.NullSafeEQ)
"""Comparisons that can join two relations."""


def as_list(part: Any) -> list[exp.Expr]:
    """Return the nodes of an argument, whatever form it has."""
    if isinstance(part, exp.Expr):
        return [part]
    return [item for item in part if isinstance(item, exp.Expr)] if isinstance(part, list) else []


def children(node: exp.Expr) -> Iterator[tuple[str, list[exp.Expr]]]:
    """Yield the arguments of a node that hold nodes."""
    for name, part in node.args.items():
        if found := as_list(part):
            yield name, found


def role_of(node: exp.Expr, argument: str, role: Role) -> Role:
    """Return what an argument of a node is read for, inside an expression read for `role`."""
    if isinstance(node, exp.Window) and argument == "partition_by":
        return "group"
    return "order" if isinstance(node, exp.Ordered) else role


def is_star(node: exp.Expr) -> bool:
    """Return whether a select item is `*` or `t.*`."""
    return isinstance(node, exp.Star) or (isinstance(node, exp.Column) and isinstance(node.this, exp.Star))


def excluded(star: exp.Expr) -> list[str]:
    """Return the names DuckDB's `* EXCLUDE (...)` and `* REPLACE (...)` take out of a star."""
    taken = [*as_list(star.args.get("except_")), *as_list(star.args.get("replace"))]
    return [node.alias_or_name for node in taken]


def replacements(star: exp.Expr) -> list[exp.Expr]:
    """Return the expressions of `* REPLACE (...)`."""
    return as_list(star.args.get("replace"))


def group_terms(select: exp.Select) -> list[exp.Expr]:
    """Return the terms of GROUP BY; for DuckDB's ALL the select items without an aggregate."""
    group = select.args.get("group")
    if group is None:
        return []
    if group.args.get("all"):
        return [item for item in select.expressions if not item.find(exp.AggFunc) and not is_star(item)]
    parts = ("expressions", "grouping_sets", "cube", "rollup")
    return [node for part in parts for node in as_list(group.args.get(part))]


def order_terms(query: exp.Expr) -> list[exp.Expr]:
    """Return the terms of ORDER BY without their direction; for DuckDB's ALL the positions."""
    order = query.args.get("order")
    terms: list[exp.Expr] = [item.this for item in order.expressions] if order else []
    if len(terms) == 1 and isinstance(terms[0], exp.Var) and terms[0].name.upper() == "ALL":
        items = query.selects if isinstance(query, exp.Query) else []
        return [exp.Literal.number(place + 1) for place in range(len(items))]
    return terms


def position(node: exp.Expr) -> int | None:
    """Return the place of a select item that a term names by number, from 1."""
    if isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit() and int(node.name) > 0:
        return int(node.name)
    return None


def selected_place(term: exp.Expr, selected: Sequence[exp.Expr]) -> int | None:
    """Return which select item a term of ORDER BY is, from 0, as databases look it up; None where none is.

    An output name hides a column of that name; then the same expression counts, and last a column that only
    one of the two qualifies.

    Args:
        term: One term; no number, see `position`.
        selected: The items; no star among them.
    """
    for same in (_is_output_name, _is_expression, _is_column):
        for place, item in enumerate(selected):
            if same(term, item):
                return place
    return None


def _is_output_name(term: exp.Expr, item: exp.Expr) -> bool:
    return is_plain(term) and item.alias_or_name.lower() == term.name.lower()


def _is_expression(term: exp.Expr, item: exp.Expr) -> bool:
    return item.unalias() == term


def _is_column(term: exp.Expr, item: exp.Expr) -> bool:
    if not (isinstance(term, exp.Column) and isinstance(item, exp.Column)):
        return False
    return not (term.table and item.table) and item.name.lower() == term.name.lower()


def is_plain(node: exp.Expr) -> bool:
    """Return whether a term is one unqualified name."""
    return isinstance(node, exp.Column) and not node.table and not is_star(node)


def conjuncts(condition: exp.Expr) -> list[exp.Expr]:
    """Return the parts of a condition that AND ties together, brackets taken off."""
    parts: list[exp.Expr] = []
    waiting = [condition]
    while waiting:
        node = waiting.pop()
        while isinstance(node, exp.Paren):
            node = node.this
        if isinstance(node, exp.And):
            waiting += [node.expression, node.this]
        else:
            parts.append(node)
    return parts


def may_join(part: exp.Expr) -> bool:
    """Return whether a condition can join: any comparison in ON, an equality of two columns in WHERE."""
    clause = part.find_ancestor(exp.Join, exp.Where, exp.Having, exp.Qualify)
    if isinstance(clause, exp.Join):
        return isinstance(part, TIES) or part.find(*TIES) is not None
    if not isinstance(clause, exp.Where) or not isinstance(part, exp.EQ):
        return False
    return isinstance(part.this, exp.Column) and isinstance(part.expression, exp.Column)


def own_columns(node: exp.Expr) -> list[exp.Column]:
    """Return the column references of an expression outside the queries in it."""
    found: list[exp.Column] = []
    waiting: list[exp.Expr] = [node]
    while waiting:
        item = waiting.pop()
        if isinstance(item, exp.Column):
            found += [] if is_star(item) else [item]
        elif not isinstance(item, exp.Query):
            waiting += [child for _, group in children(item) for child in group]
    return found

"""Queries that are wrong in one place: what a list of examples should tell from the right ones."""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from sqlglot import exp

from warebench.sql.labels import terms
from warebench.sql.labels.model import Dialect

Change = Literal["join", "filter", "comparison", "group", "distinct", "bound", "order", "null rule"]

BOUNDS: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.GT: exp.GTE,
    exp.GTE: exp.GT,
    exp.LT: exp.LTE,
    exp.LTE: exp.LT,
}
OPPOSITES: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.EQ: exp.NEQ, exp.NEQ: exp.EQ, exp.GT: exp.LT, exp.LT: exp.GT, exp.GTE: exp.LTE, exp.LTE: exp.GTE
}  # fmt: skip


class Mutant(NamedTuple):
    """A query with one change."""

    change: Change
    sql: str
    row: str
    """The kind of row without which it gives what the query gives."""


Try = Iterator[tuple[Change, str, exp.Expr, Callable[[exp.Expr], exp.Expr | None]]]
"""What is changed, the row that tells, the node, and what stands in its place; None takes it out."""


def mutate(query: exp.Expr, dialect: Dialect) -> Iterator[Mutant]:
    """Yield the query with one change each, every text once; O(nodes) changes.

    Whether a mutant means something else only running it tells: a join that no row can leave is none.

    Args:
        query: A parsed query; it stays as it is.
        dialect: Whose SQL mutants are written in.
    """
    seen = {query.sql(dialect=dialect)}
    for change, row, node, replace in _changes(query, dialect):
        place = next(place for place, other in enumerate(query.walk()) if other is node)
        copy = query.copy()
        target = list(copy.walk())[place]
        made = replace(target)
        if made is None:
            target.pop()
        elif made is not target:
            target.replace(made)
        sql = copy.sql(dialect=dialect)
        if sql not in seen:
            seen.add(sql)
            yield Mutant(change, sql, row)


def _changes(query: exp.Expr, dialect: Dialect) -> Try:
    for node in list(query.walk()):
        yield from _comparisons(node, dialect)
        yield from _of_rows(node, dialect)
        yield from _of_values(node, dialect)


def _comparisons(node: exp.Expr, dialect: Dialect) -> Try:
    written = node.sql(dialect=dialect)
    if type(node) in OPPOSITES and node.find_ancestor(exp.Where, exp.Having):
        yield "comparison", f"a row that meets `{written}`", node, _as(OPPOSITES)
    if type(node) in BOUNDS:
        yield "bound", f"a row where the two sides of `{written}` are equal", node, _as(BOUNDS)


def _of_rows(node: exp.Expr, dialect: Dialect) -> Try:
    match node:
        case exp.Where() | exp.Having():
            yield from _filters(node, dialect)
        case exp.Join():
            yield from _joins(node, dialect)
        case exp.Group() if len(node.expressions) > 1:
            for term in node.expressions:
                told = f"two groups that differ in `{term.sql(dialect=dialect)}` alone"
                yield "group", told, term, lambda _: None
        case exp.Select() if node.args.get("distinct"):
            yield "distinct", "two rows that are equal in what is selected", node, _without("distinct")
        case exp.Limit() if (place := terms.position(node.expression)) is not None:
            yield "bound", f"more than {place} rows", node.expression, _one_more
        case _:
            pass


def _of_values(node: exp.Expr, dialect: Dialect) -> Try:
    match node:
        case exp.Distinct() if isinstance(node.parent, exp.AggFunc) and len(node.expressions) == 1:
            told = f"two rows with the same value in `{node.expressions[0].sql(dialect=dialect)}`"
            yield "distinct", told, node, lambda found: found.expressions[0].copy()
        case exp.Ordered():
            told = f"two rows that differ in `{node.this.sql(dialect=dialect)}`"
            yield "order", told, node, _reversed
        case exp.Count() if isinstance(node.this, exp.Column):
            told = f"a row where `{node.this.sql(dialect=dialect)}` is NULL"
            yield "null rule", told, node, lambda _: exp.Count(this=exp.Star())
        case exp.Coalesce():
            yield "null rule", f"a row where `{node.this.sql(dialect=dialect)}` is NULL", node, _first
        case _:
            pass


def _filters(clause: exp.Expr, dialect: Dialect) -> Try:
    parts = terms.conjuncts(clause.this)
    if len(parts) == 1:
        yield "filter", f"a row that fails `{parts[0].sql(dialect=dialect)}`", clause, lambda _: None
        return
    for part in parts:
        told = f"a row that fails `{part.sql(dialect=dialect)}` and meets the other conditions"
        yield "filter", told, part, lambda _: exp.true()


def _joins(join: exp.Expr, dialect: Dialect) -> Try:
    name = join.this.sql(dialect=dialect)
    if join.args.get("side"):
        yield "join", f"a row that has no partner in `{name}`", join, _without("side")
    elif join.args.get("on") or join.args.get("using"):
        yield "join", f"a row that has no partner in `{name}`", join, _to_left


def _as(kinds: dict[type[exp.Expr], type[exp.Expr]]) -> Callable[[exp.Expr], exp.Expr]:
    return lambda node: kinds[type(node)](this=node.this.copy(), expression=node.expression.copy())


def _without(part: str) -> Callable[[exp.Expr], exp.Expr]:
    def change(node: exp.Expr) -> exp.Expr:
        node.set(part, None)
        return node

    return change


def _to_left(join: exp.Expr) -> exp.Expr:
    join.set("side", "LEFT")
    join.set("kind", None)
    return join


def _reversed(item: exp.Expr) -> exp.Expr:
    item.set("desc", not item.args.get("desc"))
    item.set("nulls_first", not item.args.get("nulls_first"))
    return item


def _one_more(number: exp.Expr) -> exp.Expr:
    return exp.Literal.number(int(number.name) + 1)


def _first(node: exp.Expr) -> exp.Expr:
    found: exp.Expr = node.this.copy()
    return found

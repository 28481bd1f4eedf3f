"""Making variants of a query: one part alone, with the expressions it is ordered by."""

from collections.abc import Callable, Iterable

from sqlglot import exp

from warebench.sql.labels import terms
from warebench.sql.lint.model import Database


def alone(node: exp.Expr) -> exp.Expr:
    """Return a query inside another as a query of its own, with the common table expressions it sees."""
    copy = node.copy()
    while isinstance(copy, exp.Subquery):
        copy = copy.this
    expressions = _ctes_around(node)
    own = copy.args.get("with_")
    if own is not None:
        expressions += own.expressions
    if expressions:
        recursive = any(clause.args.get("recursive") for clause in _clauses(node))
        clause = exp.With(expressions=[cte.copy() for cte in expressions], recursive=recursive)
        copy.set("with_", clause)
    return copy


def _clauses(node: exp.Expr) -> list[exp.With]:
    found = []
    parent: exp.Expr | None = node
    while parent is not None:
        if isinstance(clause := parent.args.get("with_"), exp.With):
            found.append(clause)
        parent = parent.parent
    return found


def _ctes_around(node: exp.Expr) -> list[exp.CTE]:
    found: list[exp.CTE] = []
    inside, parent = node, node.parent
    while parent is not None:
        clause = parent.args.get("with_")
        if isinstance(clause, exp.With):
            found = [cte for cte in clause.expressions if cte is not inside] + found
        inside, parent = (inside, parent.parent) if isinstance(parent, exp.With) else (parent, parent.parent)
    return found


def keyed(query: exp.Expr, width: int) -> tuple[exp.Expr, list[str], list[exp.Ordered]] | None:
    """Return a query without its cut as relation `q` with columns c0.., and the terms that order it.

    The expressions of ORDER BY become further columns, since a term need not be selected.

    Args:
        query: A query of its own, with ORDER BY.
        width: Columns it gives.

    Returns:
        The WITH clause, the names of the key columns, the terms over `q`; None where a term cannot be
        expressed so.
    """
    body = query.copy()
    for part in ("order", "limit", "offset"):
        body.set(part, None)
    clause = body.args.get("with_")
    body.set("with_", None)
    names = [f"c{place}" for place in range(width)]
    keys: list[str] = []
    for item in query.args["order"].expressions:
        key = _key(query, body, item.this, names)
        if key is None:
            return None
        keys.append(key)
    columns = [exp.to_identifier(name) for name in names]
    cte = exp.CTE(this=body, alias=exp.TableAlias(this=exp.to_identifier("q_"), columns=columns))
    recursive = bool(clause and clause.args.get("recursive"))
    around = exp.With(expressions=[*(clause.expressions if clause else []), cte], recursive=recursive)
    ordered = [
        exp.Ordered(
            this=exp.column(key), desc=item.args.get("desc"), nulls_first=item.args.get("nulls_first")
        )
        for key, item in zip(keys, query.args["order"].expressions, strict=True)
    ]
    return around, keys, ordered


def _key(query: exp.Expr, body: exp.Expr, term: exp.Expr, names: list[str]) -> str | None:
    """Return the column of `q` that holds a term, added to `body` where the query does not select it."""
    selected = query.selects if isinstance(query, exp.Query) else []
    starred = any(terms.is_star(item) for item in selected)
    if (place := terms.position(term)) is not None:
        return names[place - 1] if place <= len(selected) and not starred else None
    if not starred and (found := terms.selected_place(term, selected)) is not None:
        return names[found]
    if not isinstance(body, exp.Select) or body.args.get("distinct"):
        return None
    names.append(f"c{len(names)}")
    body.select(term.copy(), copy=False)
    return names[-1]


def over(around: exp.Expr, *columns: str | exp.Expr) -> exp.Select:
    """Return `WITH ... q AS (...) SELECT columns FROM q`."""
    select = exp.select(*columns).from_("q_")
    select.set("with_", around.copy())
    return select


def replaced(query: exp.Expr, nodes: Iterable[exp.Expr], change: Callable[[exp.Expr], exp.Expr]) -> exp.Expr:
    """Return a copy of a query in which the copies of some of its nodes are changed."""
    marked = {id(node) for node in nodes}
    places = [place for place, node in enumerate(query.walk()) if id(node) in marked]
    copy = query.copy()
    found = list(copy.walk())
    for place in reversed(places):
        found[place].replace(change(found[place]))
    return copy


def uncut(select: exp.Select) -> exp.Select:
    """Return a SELECT as a query of its own, without order and cut."""
    copy = alone(select)
    for part in ("order", "limit", "offset"):
        copy.set(part, None)
    if not isinstance(copy, exp.Select):
        raise TypeError(copy.key)
    return copy


def aggregates(select: exp.Select) -> list[exp.AggFunc]:
    """Return the aggregates of a SELECT, but for those of windows and of queries inside it."""
    parts = [*select.expressions, *terms.as_list(select.args.get("having")), *terms.order_terms(select)]
    return [
        node
        for part in parts
        for node in part.find_all(exp.AggFunc)
        if node.find_ancestor(exp.Select) in (select, None) and not isinstance(node.parent, exp.Window)
    ]


def count(inner: exp.Select, condition: str, database: Database) -> int:
    """Return how many rows of a query meet a condition; 0 where it does not run.

    Args:
        inner: The query; it is changed.
        condition: Over its outputs.
        database: Where it runs.
    """
    clause = inner.args.get("with_")
    inner.set("with_", None)
    outer = exp.select("COUNT(*)").from_(inner.subquery("groups_")).where(condition)
    outer.set("with_", clause)
    rows = database.rows(outer)
    return int(rows[0][0]) if rows else 0

"""Faults of window functions: which of tied rows comes first is the engine's choice."""

from collections.abc import Iterator

from sqlglot import exp

from warebench.sql.labels import terms
from warebench.sql.labels.walk import Walk
from warebench.sql.lint.model import Database, Fault, Rows, bag
from warebench.sql.lint.variant import replaced

PLACED = (exp.RowNumber, exp.FirstValue, exp.LastValue, exp.NthValue, exp.Lag, exp.Lead, exp.Ntile)
"""Functions whose value hangs on the order of single rows; RANK and sums take tied rows together."""


def check_windows(query: exp.Expr, rows: Rows, walk: Walk, database: Database) -> Iterator[Fault]:
    """Yield a fault where two orders that a window leaves open give different results.

    Tied rows are ordered by where they are stored, then the other way round; rows of a derived table, by all
    of its columns.
    """
    found = [
        node
        for node in query.find_all(exp.Window)
        if isinstance(node.this.this if isinstance(node.this, exp.IgnoreNulls) else node.this, PLACED)
    ]
    if not found:
        return
    for down in (False, True):
        waiting = [_breakers(node, walk, database) for node in found]
        # `replaced` begins with the last node.
        result = database.rows(replaced(query, found, lambda node: _broken(node, waiting.pop(), down)))  # noqa: B023
        if result is not None and bag(result) != bag(rows):
            detail = ", ".join(node.sql(dialect=database.dialect) for node in found)
            yield Fault(code="tie_in_window", detail=detail)
            return


def _breakers(node: exp.Expr, walk: Walk, database: Database) -> list[exp.Expr]:
    """Return terms that tell all rows of a window apart, as far as there are any."""
    select = node.find_ancestor(exp.Select)
    if select is None or id(select) not in walk.scopes:
        return []
    if select.args.get("group"):
        return [term.copy() for term in terms.group_terms(select) if terms.position(term) is None]
    return [
        exp.column(name, table=relation.name or None, quoted=True)
        for relation in walk.scopes[id(select)].relations
        for name in (["rowid"] if relation.table else [output.name for output in relation.outputs])
    ]


def _broken(node: exp.Expr, breakers: list[exp.Expr], down: bool) -> exp.Expr:
    window = node.copy()
    order = window.args.get("order")
    ordered = [exp.Ordered(this=term, desc=down) for term in breakers]
    if ordered:
        window.set("order", exp.Order(expressions=[*(order.expressions if order else []), *ordered]))
    return window

"""Faults of GROUP BY: values an engine may choose."""

from collections.abc import Iterator

from sqlglot import exp

from warebench.sql.labels import terms
from warebench.sql.labels.scope import Match
from warebench.sql.labels.walk import Walk
from warebench.sql.lint.model import Database, Fault, Rows
from warebench.sql.lint.variant import aggregates, count, uncut


def check_grouping(query: exp.Expr, walk: Walk, database: Database) -> Iterator[Fault]:
    """Yield a fault for each column that is neither grouped nor aggregated and varies within a group.

    Only SQLite runs such queries. With exactly one MIN or MAX, SQLite takes the values from a row of that
    minimum or maximum; then only rows tied there are a fault, and it is found where there is no HAVING.
    """
    if database.dialect != "sqlite":
        return
    for select in query.find_all(exp.Select):
        if select.args.get("group") or aggregates(select):
            for column in _bare_columns(select, walk):
                if _varies(select, column, database):
                    yield Fault(code="bare_column", detail=column.sql(dialect=database.dialect))


def _bare_columns(select: exp.Select, walk: Walk) -> list[exp.Column]:
    grouped = terms.group_terms(select)
    keys = [walk.meanings.get(id(node)) for node in grouped if isinstance(node, exp.Column)]
    named = {name for node in grouped for name in _selected(select, node)}
    found: dict[str, exp.Column] = {}
    # What GROUP BY leaves open is open in HAVING and ORDER BY too; an alias there has no relation.
    items = [*select.expressions, *terms.as_list(select.args.get("having")), *terms.order_terms(select)]
    for item in items:
        if terms.is_star(item) or id(item) in named or item.unalias() in grouped:
            continue
        for column in terms.own_columns(item):
            if column.find_ancestor(exp.AggFunc, exp.Window, exp.Select) is select and not _is_key(
                walk.meanings.get(id(column)), keys
            ):
                found.setdefault(column.sql(), column)
    return list(found.values())


def _selected(select: exp.Select, term: exp.Expr) -> Iterator[int]:
    """Yield the select items (by `id`) a term of GROUP BY stands for, by position or alias."""
    place = terms.position(term)
    for number, item in enumerate(select.expressions):
        if place == number + 1 or (
            terms.is_plain(term) and isinstance(item, exp.Alias) and item.alias.lower() == term.name.lower()
        ):
            yield id(item)


def _is_key(meaning: Match | None, keys: list[Match | None]) -> bool:
    if meaning is None or meaning.relation is None or not meaning.bases:
        return True
    return any(key and key.relation is meaning.relation and key.bases == meaning.bases for key in keys)


def _varies(select: exp.Select, column: exp.Column, database: Database) -> bool:
    extremes = [node for node in aggregates(select) if isinstance(node, exp.Min | exp.Max)]
    if len(extremes) == 1:
        return _varies_at_extreme(select, column, extremes[0], database)
    inner = uncut(select)
    inner.set("distinct", None)
    if column.find_ancestor(exp.Having):
        inner.set("having", None)
    inner.select(
        exp.alias_(exp.Count(this=exp.Distinct(expressions=[column.copy()])), "values_"),
        exp.alias_(exp.Count(this=column.copy()), "filled_"),
        exp.alias_(exp.Count(this=exp.Star()), "rows_"),
        copy=False,
    )
    return bool(count(inner, "values_ > 1 OR (filled_ > 0 AND filled_ < rows_)", database))


def _varies_at_extreme(select: exp.Select, column: exp.Column, extreme: exp.Expr, database: Database) -> bool:
    if select.args.get("having"):
        return False
    keys = [node for node in terms.group_terms(select) if isinstance(node, exp.Column)]
    if len(keys) != len(terms.group_terms(select)):
        return False
    plain = uncut(select)
    plain.set("group", None)
    plain.set("distinct", None)
    plain.set("expressions", [*(key.copy() for key in keys), extreme.this.copy(), column.copy()])
    rows = [row for row in database.rows(plain) or () if row[-2] is not None]
    best: dict[str, set[str]] = {}
    extremes: dict[str, object] = {}
    for row in (
        sorted(rows, key=lambda row: row[-2], reverse=isinstance(extreme, exp.Max)) if _alike(rows) else ()
    ):
        group = repr(tuple(row[:-2]))
        if extremes.setdefault(group, row[-2]) == row[-2]:
            best.setdefault(group, set()).add(repr(row[-1]))
    return any(len(values) > 1 for values in best.values())


def _alike(rows: Rows) -> bool:
    """Return whether values can be ordered as SQLite orders them: all numbers, or all text."""
    return all(isinstance(row[-2], str) for row in rows) or all(
        isinstance(row[-2], int | float) for row in rows
    )

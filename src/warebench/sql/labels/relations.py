"""From FROM to relations: stored tables, derived tables, common table expressions, table functions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from sqlglot import exp

from warebench.sql.labels.lookup import Unresolved
from warebench.sql.labels.scope import Base, Output, Relation, Scope
from warebench.sql.labels.sources import cte_of, is_named
from warebench.sql.labels.terms import as_list
from warebench.sql.labels.walk import Walk

Derive = Callable[[exp.Expr, Scope | None], tuple[Output, ...]]
"""Resolves a query inside FROM and returns its outputs."""

JSON_COLUMNS = ("key", "value", "type", "atom", "id", "parent", "fullkey", "path")
FUNCTION_COLUMNS = {"json_each": JSON_COLUMNS, "json_tree": JSON_COLUMNS}
"""Columns of table functions that SQLite's documentation lists."""


def read_from(select: exp.Select, scope: Scope, walk: Walk, derive: Derive) -> list[exp.Expr]:
    """Fill `scope` with the relations of a SELECT, in order, and return its ON conditions."""
    clause = select.args.get("from_")
    conditions: list[exp.Expr] = []
    items = [(clause.this, None)] if clause else []
    items += [(join.this, join) for join in [*select.args.get("joins", []), *select.args.get("laterals", [])]]
    for item, join in items:
        _add(item, join if isinstance(join, exp.Join) else None, scope, walk, derive)
    for source, join in items:
        conditions += [node.args["on"] for node in _joins(source, join) if node.args.get("on")]
    return conditions


def _joins(source: exp.Expr, join: exp.Expr | None) -> Iterator[exp.Join]:
    if isinstance(join, exp.Join):
        yield join
    for inner in source.args.get("joins") or []:
        yield from _joins(inner.this, inner)
    if isinstance(source, exp.Subquery | exp.Paren) and isinstance(source.this, exp.Table | exp.Subquery):
        yield from _joins(source.this, None)


def _add(item: exp.Expr, join: exp.Join | None, scope: Scope, walk: Walk, derive: Derive) -> None:
    if isinstance(item, exp.Subquery | exp.Paren) and isinstance(item.this, exp.Table | exp.Subquery):
        if item.alias:
            raise Unresolved("unsupported", f"joined tables under one alias {item.alias}")
        _add(item.this, join, scope, walk, derive)
    else:
        relation = _read(item, scope, walk, derive)
        if join is not None:
            relation = _merge(relation, join, scope, walk)
        scope.relations = (*scope.relations, relation)
    for inner in item.args.get("joins") or []:
        _add(inner.this, inner, scope, walk, derive)


def _read(item: exp.Expr, scope: Scope, walk: Walk, derive: Derive) -> Relation:
    match item:
        case exp.Table() if is_named(item):
            relation = _named(item, walk, derive)
        case exp.Subquery() | exp.Values():
            relation = Relation(name=item.alias, outputs=derive(item, scope.outer))
        case exp.Lateral() if isinstance(item.this, exp.Subquery):
            relation = Relation(name=item.alias, outputs=derive(item.this, replace(scope)))
        case exp.Table() | exp.Unnest() | exp.Lateral():
            relation = _function(item)
        case _:
            raise Unresolved("unsupported", item.key)
    if any(item.args.get(part) for part in ("pivots", "sample")):
        raise Unresolved("unsupported", "PIVOT, UNPIVOT or TABLESAMPLE")
    return _rename(relation, item)


def _named(item: exp.Table, walk: Walk, derive: Derive) -> Relation:
    name = item.alias or item.name
    if (cte := cte_of(item, walk.dialect)) is not None:
        return Relation(name=name, outputs=cte_outputs(cte, walk, derive))
    table = None if item.args.get("catalog") else walk.index.find(item.text("db"), item.name)
    if table is None:
        raise Unresolved("unknown_table", item.sql(dialect=walk.dialect))
    walk.tables.add(table.name)
    outputs = tuple(
        Output(column.name, frozenset({Base(table.name, column.name)})) for column in table.columns
    )
    return Relation(name=name, database=item.text("db"), outputs=outputs, table=table)


def _function(item: exp.Expr) -> Relation:
    called = item.this.name.lower() if isinstance(item.this, exp.Anonymous) else ""
    outputs = tuple(Output(name, frozenset()) for name in FUNCTION_COLUMNS.get(called, ()))
    return Relation(name=item.alias or called, outputs=outputs, unknown=not outputs)


def cte_outputs(cte: exp.CTE, walk: Walk, derive: Derive) -> tuple[Output, ...]:
    """Return the outputs of a common table expression, resolved when it is first read.

    A recursive one reads the outputs of its first side.
    """
    if id(cte) in walk.ctes:
        return walk.ctes[id(cte)]
    if id(cte) in walk.open:
        raise Unresolved("unsupported", f"circular reference: {cte.alias}")
    walk.open.add(id(cte))
    if isinstance(cte.this, exp.SetOperation):
        walk.ctes[id(cte)] = _renamed(derive(cte.this.left, None), cte)
    walk.ctes[id(cte)] = _renamed(derive(cte.this, None), cte)
    walk.open.discard(id(cte))
    return walk.ctes[id(cte)]


def _merge(relation: Relation, join: exp.Join, scope: Scope, walk: Walk) -> Relation:
    """Note the columns USING and NATURAL compare, and hide them in the later relation."""
    natural = join.method.upper() == "NATURAL"
    names = [node.name for node in as_list(join.args.get("using"))]
    if natural:
        earlier = {output.name.lower() for other in scope.relations for output in other.outputs}
        names = [output.name for output in relation.outputs if output.name.lower() in earlier]
    for name in names:
        sides = [*(other.find(name, qualified=False) for other in scope.relations)]
        left = next((output for output in sides if output is not None), None)
        right = relation.find(name, qualified=True)
        if left is None or right is None:
            raise Unresolved("unknown_column", name)
        walk.use(left.bases | right.bases, "join")
    return replace(relation, merged=frozenset(name.lower() for name in names))


def _rename(relation: Relation, item: exp.Expr) -> Relation:
    if not item.args.get("alias") or not item.alias_column_names:
        return relation
    return replace(relation, outputs=_renamed(relation.outputs, item), unknown=False)


def _renamed(outputs: Sequence[Output], item: exp.Expr) -> tuple[Output, ...]:
    """Return outputs under the names of `AS x(a, b)`; further ones keep theirs."""
    names = item.alias_column_names
    if len(names) > len(outputs):
        outputs = [*outputs, *(Output(name, frozenset()) for name in names[len(outputs) :])]
    return tuple(
        Output(names[place] if place < len(names) else output.name, output.bases)
        for place, output in enumerate(outputs)
    )


def value_outputs(values: exp.Values) -> tuple[Output, ...]:
    """Return the outputs of VALUES, named as SQLite names them."""
    width = len(values.expressions[0].expressions) if values.expressions else 0
    return tuple(Output(f"column{place + 1}", frozenset()) for place in range(width))


def function_arguments(select: exp.Select) -> list[exp.Expr]:
    """Return the arguments of the table functions of a SELECT."""
    clause = select.args.get("from_")
    sources = [clause.this] if clause else []
    sources += [join.this for join in select.args.get("joins") or []]
    return [
        node
        for item in sources
        if isinstance(item, exp.Table | exp.Unnest | exp.Lateral) and not isinstance(item.this, exp.Subquery)
        for node in (as_list(item.args.get("expressions")) or as_list(item.this))
        if not isinstance(node, exp.Identifier)
    ]


def expand(item: exp.Expr, scope: Scope, left_out: set[str]) -> list[Output]:
    """Return the outputs of `*` or `t.*`, less the names that are left out."""
    qualifier = item.text("table") if isinstance(item, exp.Column) else ""
    called = [relation for relation in scope.relations if relation.is_called(qualifier, "")]
    if not called:
        raise Unresolved("unknown_table", item.sql())
    return [
        output
        for relation in called
        for output in relation.outputs
        if output.name.lower() not in left_out and (qualifier or output.name.lower() not in relation.merged)
    ]

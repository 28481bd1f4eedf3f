"""Faults of joins: rows that another table repeats."""

from collections.abc import Iterator

from sqlglot import exp

from warebench.sql.labels import terms
from warebench.sql.labels.scope import Relation
from warebench.sql.labels.walk import Walk
from warebench.sql.lint.model import Database, Fault, Rows, bag
from warebench.sql.lint.variant import aggregates, count, uncut

INNER = frozenset({"", "CROSS", "INNER"})

COUNTED = (exp.Sum, exp.Avg, exp.Count)
"""Aggregates that a row changes each time it occurs."""


def check_joins(query: exp.Expr, rows: Rows, walk: Walk, database: Database) -> Iterator[Fault]:
    """Yield a fault where one row of the selected tables comes out several times because of another table.

    Found for a plain SELECT with inner joins of stored tables; elsewhere it is not decided.
    """
    if not isinstance(query, exp.Select) or not query.args.get("joins") or len(bag(rows)) == len(rows):
        return
    if any(query.args.get(part) for part in ("distinct", "group", "limit")) or aggregates(query):
        return
    if any(join.side or join.kind.upper() not in INNER for join in query.args["joins"]):
        return
    scope = walk.scopes[id(query)]
    selected = _selected_relations(query, walk)
    if selected and len(selected) < len(scope.relations) and all(r.table for r in scope.relations):
        inner = uncut(query)
        inner.set("expressions", [exp.alias_(exp.Count(this=exp.Star()), "rows_")])
        inner.group_by(*(exp.column("rowid", table=name, quoted=True) for name in selected), copy=False)
        if repeated := count(inner, "rows_ > 1", database):
            yield Fault(code="join_duplicates", detail=f"{repeated} rows of {', '.join(selected)}")


def _selected_relations(query: exp.Select, walk: Walk) -> list[str]:
    names: dict[str, None] = {}
    for item in query.expressions:
        if terms.is_star(item) or item.find(exp.Query):
            return []
        for column in terms.own_columns(item):
            meaning = walk.meanings.get(id(column))
            if meaning is not None and meaning.relation is not None:
                names[meaning.relation.name] = None
    return list(names)


def check_fan_out(query: exp.Expr, walk: Walk, database: Database) -> Iterator[Fault]:
    """Yield a fault for each sum, average or count that takes a row of a table several times in one group.

    Decided on the rows. Only what reads one stored table, and is not DISTINCT, can be: an expression over
    several tables is meant for each pair. `count(*)` counts the rows of the join, which is asked where
    each table serves for something; a table of which nothing but its key to one other is read does not, and
    there the rows that are counted may be either's.
    """
    for select in query.find_all(exp.Select):
        if not select.args.get("joins") or id(select) not in walk.scopes:
            continue
        for node in aggregates(select):
            relation = _counted(node, select, walk)
            if relation is not None and (repeated := _repeated(select, relation, database)):
                taken = f"takes {repeated} rows of {relation.name} several times"
                yield Fault(code="join_duplicates", detail=f"{node.sql(dialect=database.dialect)} {taken}")
                break


def _counted(node: exp.Expr, select: exp.Select, walk: Walk) -> Relation | None:
    """Return the one stored table whose rows an aggregate takes."""
    if not isinstance(node, COUNTED) or isinstance(node.this, exp.Distinct):
        return None
    columns = terms.own_columns(node)
    if isinstance(node, exp.Count) and not columns:
        return _idle(select, walk)
    if isinstance(node, exp.Count) and select.args.get("group"):
        return None  # in a group of t, count(t.x) is often written for count(*)
    met = [meaning.relation for column in columns if (meaning := walk.meanings.get(id(column)))]
    found = {id(relation): relation for relation in met if relation is not None and relation.table}
    return next(iter(found.values())) if len(found) == 1 and len(met) == len(columns) else None


def _idle(select: exp.Select, walk: Walk) -> Relation | None:
    """Return the table of which nothing is read but the column that ties it to one other."""
    scope = walk.scopes[id(select)]
    if select.args.get("group") or any(join.side for join in select.args["joins"]):
        return None
    used: dict[int, set[int]] = {}
    clauses = [item for name in ("where", "having", "order") for item in terms.as_list(select.args.get(name))]
    for part in [*select.expressions, *clauses, *select.args["joins"]]:
        for column in part.find_all(exp.Column):
            meaning = walk.meanings.get(id(column))
            if meaning is not None and meaning.relation is not None:
                used.setdefault(id(meaning.relation), set()).add(id(column))
    ties = [node for join in select.args["joins"] for node in join.find_all(exp.EQ)]
    for relation in scope.relations:
        mine = used.get(id(relation), set())
        tied = [node for node in ties if {id(node.this), id(node.expression)} & mine]
        if relation.table and len(mine) == len(tied) == 1:
            return relation
    return None


def _repeated(select: exp.Select, relation: Relation, database: Database) -> int:
    """Return how many rows of a table come several times in one group."""
    inner = uncut(select)
    groups = [term.copy() for term in terms.group_terms(select)]
    if any(terms.position(term) is not None or not isinstance(term, exp.Column) for term in groups):
        return 0
    for part in ("distinct", "having", "group"):
        inner.set(part, None)
    row = exp.column("rowid", table=relation.name, quoted=True)
    inner.set(
        "expressions",
        [exp.alias_(exp.Count(this=exp.Star()), "rows_"), exp.alias_(exp.Max(this=row), "row_")],
    )
    inner.group_by(*groups, row.copy(), copy=False)
    return count(inner, "rows_ > 1 AND row_ IS NOT NULL", database)

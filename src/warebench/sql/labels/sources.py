"""Which names after FROM are tables of the database, and which are common table expressions."""

from sqlglot import exp

from warebench.sql.labels.model import Dialect


def base_tables(query: exp.Expr, dialect: Dialect) -> list[exp.Table]:
    """Return every reference to a stored table, in the order of the text; O(nodes · depth).

    References inside a common table expression that nothing reads are included.
    """
    tables = [
        table for table in query.find_all(exp.Table) if is_named(table) and cte_of(table, dialect) is None
    ]
    return sorted(tables, key=lambda table: int(table.this.meta.get("start", 0)))


def is_named(table: exp.Table) -> bool:
    """Return whether a table is given by name, not by a function such as `json_each(...)`."""
    return isinstance(table.this, exp.Identifier)


def cte_of(table: exp.Table, dialect: Dialect) -> exp.CTE | None:
    """Return the common table expression a name stands for, the innermost first.

    SQLite sees every expression of a WITH clause, itself and later ones included (its documentation of
    WITH allows them in any order); DuckDB those before, and itself in WITH RECURSIVE.
    """
    if table.args.get("db") or not is_named(table):
        return None
    inside: exp.Expr = table
    node = table.parent
    while node is not None:
        clause = node.args.get("with_")
        if isinstance(clause, exp.With):
            for cte in _visible(clause, inside, dialect):
                if cte.alias.lower() == table.name.lower():
                    return cte
        # The walk passes from a CTE through its WITH clause: that clause decides by position.
        inside, node = (inside, node.parent) if isinstance(node, exp.With) else (node, node.parent)
    return None


def _visible(clause: exp.With, inside: exp.Expr, dialect: Dialect) -> list[exp.CTE]:
    expressions: list[exp.CTE] = clause.expressions
    if dialect == "sqlite" or not isinstance(inside, exp.CTE):
        return expressions
    place = next((number for number, cte in enumerate(expressions) if cte is inside), None)
    if place is None:
        return expressions
    return expressions[: place + 1] if clause.args.get("recursive") else expressions[:place]

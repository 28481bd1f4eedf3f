"""What a gold query is like: its subtype, and what else a report groups by."""

from typing import Literal

from sqlglot import exp

from warebench.questions.model import Difficulty, Value
from warebench.sql.labels import Labels
from warebench.sql.namespace import Pool

Subtype = Literal["lookup", "join", "multi_join", "nested"]

DIFFICULTY: dict[Subtype, Difficulty] = {
    "lookup": "easy",
    "join": "medium",
    "multi_join": "hard",
    "nested": "hard",
}


def classify(query: exp.Expr, labels: Labels) -> Subtype:
    """Return the subtype of a gold query: nested where it holds more than one SELECT, else by its tables."""
    if sum(1 for _ in query.find_all(exp.Select)) > 1:
        return "nested"
    tables = len(labels.tables)
    return "lookup" if tables == 1 else "join" if tables == 2 else "multi_join"


def is_ordered(query: exp.Expr) -> bool:
    """Return whether a query has an ORDER BY of its own: the order of its rows is part of the answer."""
    inner = query
    while isinstance(inner, exp.Subquery) and not inner.args.get("order"):
        inner = inner.this
    return bool(inner.args.get("order"))


def facets(query: exp.Expr, labels: Labels, pool: Pool) -> dict[str, Value]:
    """Return what a report may group questions by.

    Args:
        query: The gold query.
        labels: What it reads.
        pool: All tables; those of gold whose bare name another database has too are collisions.
    """
    return {
        "tables": len(labels.tables),
        "columns": len(labels.columns),
        "joins": sum(1 for _ in query.find_all(exp.Join)),
        "collisions": sum(len(pool.homonyms.get(name.lower(), ())) > 1 for name in labels.tables),
        "ordered": is_ordered(query),
    }

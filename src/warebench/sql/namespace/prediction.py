"""What a model's SQL reads of the pool, found without running it."""

from typing import Literal, assert_never

import msgspec
from sqlglot import exp

from warebench.sql.labels.model import Dialect, Reason, Unlabelled
from warebench.sql.labels.parse import parse_query
from warebench.sql.labels.sources import base_tables, is_named
from warebench.sql.namespace.pool import Pool, PooledTable
from warebench.sql.namespace.rewrite import database_of

Kind = Literal[
    "query",
    "unqualified",
    "unknown_table",
    "table_function",
    "write",
    "several_statements",
    "not_a_query",
    "unread",
]
"""What a prediction is.

query: every table it reads is in the pool; only this kind is worth running.
unqualified: a table is named without its database.
unknown_table: a table is named that the pool lacks.
table_function: it reads through a function that may reach files or tables named in text.
write, several_statements, not_a_query: it is not one query.
unread: it is empty, too long, does not parse, or is built in a way that hides what it reads.
"""

HARMLESS = frozenset(
    {
        "json_each",
        "json_tree",
        "generate_series",
        "range",
        "unnest",
        "generateseries",
        "explodinggenerateseries",
    }
)
"""Table functions that read nothing but their arguments."""


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """What a model's SQL reads."""

    kind: Kind
    tables: tuple[PooledTable, ...] = ()
    """Tables of the pool it reads by qualified name, sorted."""
    unqualified: tuple[str, ...] = ()
    """Names as written that say no database, although the pool may have the table."""
    unknown: tuple[str, ...] = ()
    """Names as written that the pool lacks; qualified ones with their database."""
    functions: tuple[str, ...] = ()
    """Table functions that are not harmless."""
    detail: str = ""
    """The parser's words where there is no query."""

    @property
    def databases(self) -> tuple[str, ...]:
        """Databases whose tables it reads, sorted."""
        return tuple(sorted({pooled.database for pooled in self.tables}))


def read_prediction(sql: str, pool: Pool, dialect: Dialect) -> Prediction:
    """Return which tables of the pool a model's SQL reads; never raises, O(length of the SQL).

    A bare name is never resolved, not even where one table of the pool has it: whether a prediction is
    right must not depend on which further databases are in the pool, and in the pool the name means
    nothing. Translate predictions of the unprefixed mode with `from_bare` first. A table in a common table
    expression counts as read even where nothing reads the expression.

    Args:
        sql: What the model wrote.
        pool: The pool's index.
        dialect: Whose rules read the SQL.

    Source: BudgetSchemaBench (arXiv 2610.00092), section 3, the source-namespace contract.
    """
    query = parse_query(sql, dialect)
    if isinstance(query, Unlabelled):
        return Prediction(kind=_kind(query.reason), detail=f"{query.reason}: {query.detail}")
    tables: set[PooledTable] = set()
    unqualified: set[str] = set()
    unknown: set[str] = set()
    for reference in base_tables(query, dialect):
        database = database_of(reference)
        if found := pool.find(database, reference.name):
            tables.add(found)
        elif not reference.text("db") and reference.name.lower() in pool.homonyms:
            unqualified.add(reference.name)
        else:
            unknown.add(_written(reference))
    return _prediction(tables, unqualified, unknown, _functions(query))


def _prediction(
    tables: set[PooledTable], unqualified: set[str], unknown: set[str], functions: set[str]
) -> Prediction:
    kind: Kind = "query"
    if functions:
        kind = "table_function"
    elif unknown:
        kind = "unknown_table"
    elif unqualified:
        kind = "unqualified"
    return Prediction(
        kind=kind,
        tables=tuple(sorted(tables)),
        unqualified=tuple(sorted(unqualified)),
        unknown=tuple(sorted(unknown)),
        functions=tuple(sorted(functions)),
    )


def _kind(reason: Reason) -> Kind:
    match reason:
        case "write" | "several_statements" | "not_a_query":
            return reason
        case "empty" | "too_long" | "unparsable" | "unsupported":
            return "unread"
        case "unknown_table" | "unknown_column" | "ambiguous_column":
            return "unread"
        case _:
            assert_never(reason)


def _written(reference: exp.Table) -> str:
    parts = (reference.text("catalog"), reference.text("db"), reference.name)
    return ".".join(part for part in parts if part)


def _functions(query: exp.Expr) -> set[str]:
    """Return what stands in the place of a table and is neither a table's name, a subquery nor harmless."""
    called = [table.this for table in query.find_all(exp.Table) if not is_named(table)]
    called += [lateral.this for lateral in query.find_all(exp.Lateral)]
    names = {
        _function(node)
        for node in called
        if node is not None and not isinstance(node, exp.Query | exp.Subquery)
    }
    shown = {node.key for node in query.find_all(exp.Describe, exp.Show, exp.Summarize)}
    return (names - HARMLESS) | shown


def _function(node: exp.Expr) -> str:
    return (node.name if isinstance(node, exp.Anonymous | exp.Dot) else node.key).lower()

"""Resolving one column reference, as SQLite's `lookupName` and DuckDB's binder do."""

from sqlglot import exp

from warebench.sql.labels.model import Dialect, Reason, Unlabelled
from warebench.sql.labels.scope import ROWIDS, Match, Output, Relation, Scope

LITERAL = Match(None, frozenset())


class Unresolved(Exception):
    """A name has no meaning; caught where the labels of the query are made."""

    def __init__(self, reason: Reason, detail: str) -> None:
        self.why = Unlabelled(reason=reason, detail=detail)
        super().__init__(detail)


def look_up(column: exp.Column, scope: Scope, dialect: Dialect) -> Match:
    """Return what a column reference means; the innermost query that knows the name wins.

    In each query a column of FROM comes before the alias of a select item. Text in double quotes that
    names no column is a string in SQLite.

    Raises:
        Unresolved: No column has this name, or several have.
    """
    for level in scope.outwards():
        match = _in_scope(column, level, dialect)
        if match is not None:
            return match
    if dialect == "sqlite" and not column.table and _quoted(column):
        return LITERAL
    raise Unresolved("unknown_column", column.sql(dialect=dialect))


def _in_scope(column: exp.Column, scope: Scope, dialect: Dialect) -> Match | None:
    called = [relation for relation in scope.relations if relation.is_called(column.table, _database(column))]
    hits = [(relation, output) for relation in called if (output := _find(relation, column))]
    if len(hits) > 1:
        raise Unresolved("ambiguous_column", column.sql(dialect=dialect))
    if hits:
        return Match(hits[0][0], hits[0][1].bases)
    if column.name.lower() in ROWIDS[dialect] and (found := _rowid(called)):
        return found
    if not column.table and (bases := scope.aliases.get(column.name.lower())) is not None:
        return Match(None, bases)
    unknown = [relation for relation in called if relation.unknown]
    if len(unknown) == 1:
        return Match(unknown[0], frozenset())
    return _field(column, scope, dialect) if dialect == "duckdb" and column.table else None


def _field(column: exp.Column, scope: Scope, dialect: Dialect) -> Match | None:
    """Return the column whose field is read: `address.city`, of a column `address`."""
    first = column.args.get("db") or column.args["table"]
    return _in_scope(exp.column(first.copy()), scope, dialect)


def _find(relation: Relation, column: exp.Column) -> Output | None:
    return relation.find(column.name, qualified=bool(column.table))


def _rowid(called: list[Relation]) -> Match | None:
    stored = [(relation, output) for relation in called if (output := relation.rowid())]
    return Match(stored[0][0], stored[0][1].bases) if len(stored) == 1 else None


def _quoted(column: exp.Column) -> bool:
    return isinstance(column.this, exp.Identifier) and bool(column.this.quoted)


def _database(column: exp.Column) -> str:
    return column.text("db")

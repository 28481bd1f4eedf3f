"""Faults of values: numbers compared as text, floats compared for equality."""

import re
from collections import Counter
from collections.abc import Iterator

from sqlglot import exp

from warebench.engine.database import quote
from warebench.sql.labels.scope import Base
from warebench.sql.labels.walk import Walk
from warebench.sql.lint.model import Database, Fault, Rows, bag
from warebench.sql.lint.variant import replaced

NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")
COMPARISONS = (exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.Ordered, exp.Min, exp.Max)
"""Where a value's place in an order matters."""

MISSING = frozenset({"", "-", "?", "n/a", "na", "nan", "none", "null", "unknown"})
"""Words that stand for no value, in small letters."""

TEXT_TYPES = ("char", "text", "clob", "string")
FLOAT_TYPES = ("real", "floa", "doub")
TOLERANCE = "1e-9"


def check_text_numbers(query: exp.Expr, rows: Rows, walk: Walk, database: Database) -> Iterator[Fault]:
    """Yield a fault for each text column of numbers whose order by value gives another result."""
    columns: dict[Base, list[exp.Column]] = {}
    for column in query.find_all(exp.Column):
        base = _text_base(column, walk)
        if base is not None and _is_compared(column):
            columns.setdefault(base, []).append(column)
    for base in sorted(columns):
        words = _placeholders(base, database)
        if words is None:
            continue
        result = database.rows(_by_value(query, columns[base], words, database))
        if result is not None and _values(result, query) != _values(rows, query):
            besides = f" (with {', '.join(map(repr, words))} for no value)" if words else ""
            yield Fault(code="text_numbers", detail=f"{base.table}.{base.column}{besides}")


def _text_base(column: exp.Column, walk: Walk) -> Base | None:
    meaning = walk.meanings.get(id(column))
    if meaning is None or len(meaning.bases) != 1:
        return None
    (base,) = meaning.bases
    return base if _has_type(base, walk, TEXT_TYPES) else None


def _has_type(base: Base, walk: Walk, words: tuple[str, ...]) -> bool:
    table = walk.index.tables[base.table.lower()]
    declared = next(column.type.lower() for column in table.columns if column.name == base.column)
    return any(word in declared for word in words)


def _is_compared(column: exp.Column) -> bool:
    parent = column.parent
    while isinstance(parent, exp.Paren | exp.Distinct):
        parent = parent.parent
    return isinstance(parent, COMPARISONS)


def _placeholders(base: Base, database: Database) -> list[str] | None:
    """Return the words a column of numbers uses for no value; None where text order is no trouble.

    It is none where the column holds other text than numbers, or sorts as text as it does by value.
    """
    name = quote(base.column)
    found = database.execute(f"SELECT DISTINCT {name} FROM {quote(base.table)} WHERE {name} IS NOT NULL")  # noqa: S608
    if isinstance(found, str) or not all(isinstance(row[0], str) for row in found):
        return None
    words = sorted(row[0] for row in found if row[0].strip().lower() in MISSING)
    values = sorted(row[0] for row in found if row[0] not in words)
    if len(values) < 2 or not all(NUMBER.fullmatch(value) for value in values):
        return None
    in_order = values == sorted(values, key=lambda value: (float(value), value))
    return None if in_order and not words else words


def _by_value(query: exp.Expr, columns: list[exp.Column], words: list[str], database: Database) -> exp.Expr:
    """Return the query with the given column references read as numbers, placeholders as NULL."""
    kind = "REAL" if database.dialect == "sqlite" else "DOUBLE"

    def as_number(column: exp.Expr) -> exp.Expr:
        value: exp.Expr = column.copy()
        for word in words:
            value = exp.Nullif(this=value, expression=exp.Literal.string(word))
        return exp.cast(value, kind)

    return replaced(query, columns, as_number)


def _values(rows: Rows, query: exp.Expr) -> list[tuple[object, ...]] | Counter[str]:
    """Return rows with numbers for numeric text; a multiset where no order was asked for."""
    plain = [
        tuple(
            float(c) if isinstance(c, int | float) or (isinstance(c, str) and NUMBER.fullmatch(c)) else c
            for c in row
        )
        for row in rows
    ]
    return plain if query.args.get("order") else bag(plain)


def check_floats(query: exp.Expr, rows: Rows, walk: Walk, database: Database) -> Iterator[Fault]:
    """Yield a fault where equality of floats, taken with a tolerance of 1e-9, gives another result."""
    marked = [node for node in query.find_all(exp.EQ) if _is_float(node, walk)]
    if not marked:
        return
    result = database.rows(replaced(query, marked, lambda node: _loosely(node, database)))
    if result is not None and bag(result) != bag(rows):
        texts = [node.sql(dialect=database.dialect) for node in marked]
        yield Fault(code="float_equality", detail=", ".join(texts))


def _is_float(node: exp.EQ, walk: Walk) -> bool:
    if node.find(exp.Avg, exp.Div):
        return True
    meanings = (walk.meanings.get(id(side)) for side in (node.this, node.expression))
    bases = [base for meaning in meanings if meaning is not None for base in meaning.bases]
    return any(_has_type(base, walk, FLOAT_TYPES) for base in bases)


def _loosely(node: exp.Expr, database: Database) -> exp.Expr:
    left, right = (side.sql(dialect=database.dialect) for side in (node.this, node.expression))
    sql = f"(ABS(({left}) - ({right})) <= {TOLERANCE} * (ABS({left}) + ABS({right})))"
    return exp.maybe_parse(sql, dialect=database.dialect)

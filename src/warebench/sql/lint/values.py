"""Faults of values: numbers compared or added up as text, floats compared for equality."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from sqlglot import exp

from warebench.engine.database import quote
from warebench.sql.labels import terms
from warebench.sql.labels.scope import Base
from warebench.sql.labels.walk import Walk
from warebench.sql.lint.model import Database, Fault, Rows, bag
from warebench.sql.lint.numbers import MISSING, as_number, read_number
from warebench.sql.lint.variant import alone, replaced

COMPARISONS = (exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.Ordered, exp.Min, exp.Max)
"""Where a value's place in an order matters."""

ARITHMETIC = (exp.Sum, exp.Avg, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Neg)
"""Where SQLite takes the number at the start of a text, and 0 where there is none."""

TEXT_TYPES = ("char", "text", "clob", "string")
FLOAT_TYPES = ("real", "floa", "doub")
TOLERANCE = "1e-9"


class Texts(NamedTuple):
    """What a column of text holds."""

    words: list[str]
    """Those that stand for no value."""
    numbers: list[str]
    others: list[str]


def check_text_numbers(query: exp.Expr, rows: Rows, walk: Walk, database: Database) -> Iterator[Fault]:
    """Yield a fault for each text column of numbers whose order, or sum, by value gives another result."""
    for base, places in sorted(_read_by_value(query, walk).items()):
        held = _texts(base, walk, database)
        if held is None:
            continue
        adding = [node for column, node in places if _is(column, ARITHMETIC)]
        if adding and held.others:
            detail = f"{base.table}.{base.column} holds {held.others[0]!r}"
            yield Fault(code="text_arithmetic", detail=detail)
        elif not held.others and (adding or not _sorts_alike(held)):
            yield from _check_variant(query, rows, base, [node for _, node in places], held, database)


def _read_by_value(query: exp.Expr, walk: Walk) -> dict[Base, list[tuple[exp.Expr, exp.Expr]]]:
    """Return by stored column each reference to it whose value counts, and the node that stands for it."""
    found: dict[Base, list[tuple[exp.Expr, exp.Expr]]] = {}
    for column in query.find_all(exp.Column):
        if _is(column, (*COMPARISONS, *ARITHMETIC)) and (base := _one_base(column, walk)):
            found.setdefault(base, []).append((column, column))
    for select in query.find_all(exp.Select):
        for term in terms.order_terms(select):
            place = terms.position(term)
            if place is None or place > len(select.expressions):
                continue
            item = select.expressions[place - 1].unalias()
            if isinstance(item, exp.Column) and (base := _one_base(item, walk)):
                found.setdefault(base, []).append((term, term))
    return found


def _one_base(column: exp.Column, walk: Walk) -> Base | None:
    meaning = walk.meanings.get(id(column))
    return next(iter(meaning.bases)) if meaning is not None and len(meaning.bases) == 1 else None


def _is(node: exp.Expr, kinds: tuple[type[exp.Expr], ...]) -> bool:
    """Return whether a node is an operand of one of these kinds."""
    parent = node.parent
    while isinstance(parent, exp.Paren | exp.Distinct):
        parent = parent.parent
    return isinstance(parent, kinds)


def _has_type(base: Base, walk: Walk, words: tuple[str, ...]) -> bool:
    table = walk.index.tables[base.table.lower()]
    declared = next(column.type.lower() for column in table.columns if column.name == base.column)
    return any(word in declared for word in words)


def _texts(base: Base, walk: Walk, database: Database) -> Texts | None:
    """Return the texts of a column; None where it holds none, or one number alone.

    In SQLite any column may hold text, whatever its type; only there numbers may stand beside it.
    """
    name, table = quote(base.column), quote(base.table)
    if database.dialect == "sqlite":
        condition = f"typeof({name}) = 'text'"
    elif _has_type(base, walk, TEXT_TYPES):
        condition = f"{name} IS NOT NULL"
    else:
        return None
    found = database.execute(f"SELECT DISTINCT {name} FROM {table} WHERE {condition}")  # noqa: S608 - quoted
    if isinstance(found, str) or not found:
        return None
    held = Texts([], [], [])
    for text in sorted(str(row[0]) for row in found):
        if text.strip().lower() in MISSING:
            held.words.append(text)
        else:
            (held.others if read_number(text) is None else held.numbers).append(text)
    # One word for no value is enough where the column's numbers are no texts.
    enough = len(held.numbers) > 1 or held.others or not _has_type(base, walk, TEXT_TYPES)
    return held if enough else None


def _sorts_alike(held: Texts) -> bool:
    """Return whether texts stand in the order of their values, and none of them for no value."""
    values = [read_number(text) or 0.0 for text in held.numbers]
    return not held.words and values == sorted(values)


def _check_variant(
    query: exp.Expr, rows: Rows, base: Base, nodes: list[exp.Expr], held: Texts, database: Database
) -> Iterator[Fault]:
    besides = f" (with {', '.join(map(repr, held.words))} for no value)" if held.words else ""
    variant = _by_value(query, nodes, held, database)
    result = database.rows(variant)
    if result is None:
        return
    if _values(result, query) != _values(rows, query):
        yield Fault(code="text_numbers", detail=f"{base.table}.{base.column}{besides}")
    elif changed := sum(_moved(select, nodes, held, database) for select in query.find_all(exp.Select)):
        detail = f"{base.table}.{base.column}{besides}: {changed} other rows, and by chance the same result"
        yield Fault(code="text_numbers", detail=detail)


def _by_value(query: exp.Expr, nodes: list[exp.Expr], held: Texts, database: Database) -> exp.Expr:
    """Return the query with nodes read as numbers, and so the texts they are compared with."""
    kind = "REAL" if database.dialect == "sqlite" else "DOUBLE"
    constants = [text for node in nodes for text in _constants(node)]

    def change(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Literal) and node.is_string:
            return exp.Literal.number(read_number(node.name) or 0.0)
        place = terms.position(node)
        select = node.find_ancestor(exp.Select) if place is not None else None
        column = select.expressions[place - 1].unalias() if select is not None and place else node
        sql = as_number(column.sql(dialect=database.dialect), held.words, held.numbers, kind)
        return exp.maybe_parse(sql, dialect=database.dialect)

    return replaced(query, [*nodes, *constants], change)


def _constants(node: exp.Expr) -> list[exp.Expr]:
    """Return the texts that a column is compared with, as far as they are numbers."""
    parent = node.parent
    if not isinstance(parent, exp.GT | exp.GTE | exp.LT | exp.LTE | exp.Between):
        return []
    parts = [part for _, group in terms.children(parent) for part in group]
    return [
        part
        for part in parts
        if isinstance(part, exp.Literal) and part.is_string and read_number(part.name) is not None
    ]


def _moved(select: exp.Select, nodes: list[exp.Expr], held: Texts, database: Database) -> int:
    """Return how many rows the WHERE of a SELECT keeps or drops by text and not by value."""
    where = select.args.get("where")
    inside = [node for node in nodes if where is not None and node.find_ancestor(exp.Where) is where]
    if where is None or not inside:
        return 0
    changed = _by_value(where.this, inside, held, database)
    written = (side.sql(dialect=database.dialect) for side in (where.this, changed))
    sides = [f"CASE WHEN {side} THEN 1 ELSE 0 END" for side in written]
    plain = alone(select)
    for part in ("group", "having", "order", "limit", "offset", "distinct", "windows"):
        plain.set(part, None)
    plain.set("expressions", [exp.Count(this=exp.Star())])
    plain.set("where", exp.Where(this=exp.maybe_parse(" <> ".join(sides), dialect=database.dialect)))
    found = database.rows(plain)
    return int(found[0][0]) if found else 0


def _values(rows: Rows, query: exp.Expr) -> list[tuple[object, ...]] | Counter[str]:
    """Return rows with numbers for numeric text; a multiset where no order was asked for."""
    plain = [tuple(_value(cell) for cell in row) for row in rows]
    return plain if query.args.get("order") else bag(plain)


def _value(cell: object) -> object:
    if isinstance(cell, str):
        number = read_number(cell)
        return cell if number is None else number
    return float(cell) if isinstance(cell, int | float) else cell


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

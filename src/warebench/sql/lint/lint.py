"""A second verdict on gold SQL: is its result the only right one?"""

import re
from collections.abc import Iterator

from sqlglot import exp

from warebench.catalog.model import Catalog
from warebench.sql.labels.index import CatalogIndex
from warebench.sql.labels.label import resolve_parsed
from warebench.sql.labels.model import Dialect, Unlabelled
from warebench.sql.labels.parse import parse_query
from warebench.sql.labels.walk import Walk
from warebench.sql.lint.clock import check_clock
from warebench.sql.lint.cuts import check_cuts
from warebench.sql.lint.grouping import check_grouping
from warebench.sql.lint.joins import check_fan_out, check_joins
from warebench.sql.lint.model import Database, Execute, Fault, Rows, bag
from warebench.sql.lint.values import check_floats, check_text_numbers
from warebench.sql.lint.windows import check_windows

NULLS_STATED = re.compile(r"\bnulls\s+(first|last)\b", re.IGNORECASE)
"""A query that says where NULLs stand leaves no engine a choice; the parser drops those words where they
say what the engine does anyway."""


def lint(sql: str, catalog: Catalog, execute: Execute, dialect: Dialect) -> list[Fault]:
    """Return what makes the result of a gold query an accident; an empty list when nothing was found.

    Every fault is proved by running the query or a variant of it (without its LIMIT, with NULLs at the
    other end, with numbers for text), or stands in the text (the clock). What no run can decide is not
    reported; a query of which no variant can be made is said to be unchecked.

    Args:
        sql: One gold query.
        catalog: Its database.
        execute: Runs SQL on that database; the caller sets limits of time and memory.
        dialect: Whose SQL it is.
    """
    rows = execute(sql)
    if isinstance(rows, str):
        return [Fault(code="not_executable", detail=rows)]
    database = Database(execute=execute, dialect=dialect)
    faults = [*_check_result(rows), *_check_query(sql, rows, catalog, database)]
    stated = NULLS_STATED.search(sql) is not None
    return [fault for fault in faults if fault.code != "null_order" or not stated]


def _check_result(rows: Rows) -> Iterator[Fault]:
    if not rows:
        yield Fault(code="empty_result", detail="no row")
    elif all(cell is None for row in rows for cell in row):
        yield Fault(code="empty_result", detail="only NULL")


def _check_query(sql: str, rows: Rows, catalog: Catalog, database: Database) -> Iterator[Fault]:
    query = parse_query(sql, database.dialect)
    if isinstance(query, Unlabelled):
        yield Fault(code="unchecked", detail=f"{query.reason}: {query.detail}")
        return
    clock = list(check_clock(query))
    yield from clock
    walk = resolve_parsed(query, CatalogIndex(catalog), database.dialect)
    if isinstance(walk, Unlabelled):
        yield Fault(code="unchecked", detail=f"{walk.reason}: {walk.detail}")
        return
    yield from _check_variants(query, rows, walk, database, moving=bool(clock))


def _check_variants(
    query: exp.Expr, rows: Rows, walk: Walk, database: Database, *, moving: bool
) -> Iterator[Fault]:
    # Variants are rendered from the parsed query: where that alone changes the result they prove nothing.
    rendered = database.rows(query)
    if rendered is None or bag(rendered) != bag(rows):
        if not moving:
            yield Fault(code="unchecked", detail="rendered anew it gives another result")
        return
    if _counts_nothing(query, rows):
        yield Fault(code="empty_result", detail="a count of no row")
    yield from check_cuts(query, rows, database)
    yield from check_text_numbers(query, rows, walk, database)
    yield from check_floats(query, rows, walk, database)
    yield from check_grouping(query, walk, database)
    yield from check_joins(query, rows, walk, database)
    yield from check_fan_out(query, walk, database)
    yield from check_windows(query, rows, walk, database)


def _counts_nothing(query: exp.Expr, rows: Rows) -> bool:
    """Return whether every cell is the count of no row, or NULL beside one: nothing was found."""
    if not isinstance(query, exp.Select) or query.args.get("group") or len(rows) != 1:
        return False
    items = [item.unalias() for item in query.expressions]
    counted = [cell for item, cell in zip(items, rows[0], strict=False) if isinstance(item, exp.Count)]
    others = [cell for item, cell in zip(items, rows[0], strict=False) if not isinstance(item, exp.Count)]
    return bool(counted) and not any(counted) and all(cell is None for cell in others)

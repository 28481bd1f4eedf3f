"""Check a knowledge base against rows: joins that find one row, moments that are days, no NaN."""

from collections.abc import Iterable, Iterator

import pyarrow as pa
import pyarrow.compute as pc

from warebench.engine.database import Database
from warebench.errors import KnowledgeError, UserError
from warebench.tracks.intelligence.knowledge.check import raise_faults
from warebench.tracks.intelligence.knowledge.expressions import columns_of, parse_expression
from warebench.tracks.intelligence.knowledge.kinds import NUMBERS, Kind, kind_of_type
from warebench.tracks.intelligence.knowledge.model import Calendar, Knowledge, Metric
from warebench.tracks.intelligence.knowledge.relation import (
    Place,
    find_table,
    find_type,
    reach,
    resolve_relation,
    split_column,
)

ARROW: tuple[tuple[str, Kind], ...] = (
    ("is_boolean", "truth"),
    ("is_integer", "whole"),
    ("is_floating", "number"),
    ("is_decimal", "number"),
    ("is_date", "date"),
    ("is_timestamp", "timestamp"),
    ("is_string", "text"),
    ("is_large_string", "text"),
)
"""Tests of Arrow types to kinds."""


def check_data(knowledge: Knowledge, database: Database) -> None:
    """Refuse a database on which a knowledge base that passed `check_knowledge` would be computed wrongly.

    Args:
        knowledge: The knowledge base.
        database: Its database.

    Raises:
        KnowledgeError: A join fans out, a column holds NaN or values of another kind than the catalog says,
            or numbers that are no days stand for days.
    """
    raise_faults(_faults(knowledge, database))


def _faults(knowledge: Knowledge, database: Database) -> Iterator[KnowledgeError]:
    joins: dict[tuple[str, tuple[str, ...]], str] = {}
    columns: dict[tuple[str, str], Calendar] = {(d.table, d.column): d.calendar for d in knowledge.dimensions}
    for metric in knowledge.metrics:
        if metric.relation is None:
            continue
        for place in _places(knowledge, metric, database):
            joins.setdefault((place.table, tuple(own for _, _, own in place.on)), metric.id)
        columns.update(_columns(metric, database))
    for (table, own), name in joins.items():
        yield from _fan_out(database, table, own, name)
    for (table, column), calendar in columns.items():
        yield from _cells(database, table, column, calendar)


def _places(knowledge: Knowledge, metric: Metric, database: Database) -> Iterable[Place]:
    """Return the tables of a metric and those on the way to every dimension."""
    if metric.relation is None:
        return []
    places = resolve_relation(metric.relation, database.catalog)
    found = dict.fromkeys(places)
    for dimension in knowledge.dimensions:
        try:
            found.update(dict.fromkeys(reach(places, database.catalog, dimension)[0]))
        except UserError:
            continue
    return found


def _columns(metric: Metric, database: Database) -> dict[tuple[str, str], Calendar]:
    """Return the columns that a metric reads, and the calendar of its time."""
    if metric.relation is None:
        return {}
    tables = {place.alias: place.table for place in resolve_relation(metric.relation, database.catalog)}
    measures = [*metric.measures.values(), *(metric.entity.measures.values() if metric.entity else ())]
    texts = [*metric.relation.where, *(text for m in measures for text in (m.value, m.where))]
    read = [pair for text in texts if text for pair in columns_of(parse_expression(text)) if pair[0]]
    found: dict[tuple[str, str], Calendar] = {(tables[alias], column): "" for alias, column in read}
    if metric.time:
        alias, column = split_column(metric.time)
        found[tables[alias], column] = metric.calendar
    return found


def _fan_out(database: Database, table: str, own: tuple[str, ...], metric: str) -> Iterator[KnowledgeError]:
    if not own:
        return
    keys = database.tables[table].select(list(own)).drop_null()
    if keys.group_by(list(own)).aggregate([]).num_rows < keys.num_rows:
        yield KnowledgeError(
            f"a join to `{table}` fans out: several rows have one {', '.join(own)}, and count again",
            where=f"metric {metric}",
            fix="join on columns that are unique there",
        )


def _cells(database: Database, table: str, column: str, calendar: Calendar) -> Iterator[KnowledgeError]:
    cells = database.tables[table].column(column)
    where = f"table {table}, column {column}"
    said = kind_of_type(find_type(find_table(database.catalog, table), column))
    kind = kind_of_cells(cells.type)
    if kind != said and "any" not in (said, kind) and not {kind, said} <= {*NUMBERS}:
        yield KnowledgeError(
            f"the column holds {kind}s, and the catalog says {said}",
            where=where,
            fix=f"declare the column as what it holds, or store {said}s in it",
        )
    if (
        pa.types.is_floating(cells.type)
        and not pc.all(pc.is_finite(cells.drop_null())).as_py()
        and len(cells)
    ):
        yield KnowledgeError("the column holds NaN or infinity", where=where, fix="make such cells missing")
    if calendar == "yymmdd" and (odd := _odd_day(cells)) is not None:
        yield KnowledgeError(f"`{odd}` is no day written as yymmdd", where=where, fix="correct the cell")


def kind_of_cells(kind: pa.DataType) -> Kind:
    """Return the kind of an Arrow type."""
    return next((word for test, word in ARROW if getattr(pa.types, test)(kind)), "any")


def _odd_day(cells: pa.ChunkedArray) -> int | None:
    """Return a number that is no day of the twentieth century, or later ones written on from it."""
    numbers = pc.unique(cells.drop_null())
    for number in numbers.to_pylist():
        if number < 0 or not 1 <= number // 100 % 100 <= 12 or not 1 <= number % 100 <= 31:
            return int(number)
    return None

"""Changes of one table that keep every key of its database: what a counterfactual is made of."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from warebench.catalog.model import Catalog
from warebench.engine.database import Database
from warebench.queries.bind import Bound
from warebench.queries.model import Query, Top, Value
from warebench.queries.solve import join_rows, keep

TRIES = 24
"""Changes of each kind and column."""


@dataclass(frozen=True, slots=True)
class Change:
    """A table after a change."""

    what: str
    """In words."""
    rows: pa.Table


def change_table(database: Database, bound: Bound, table: str, rng: random.Random) -> Iterator[Change]:
    """Yield changes of a table, those first that are the likeliest to change the answer to a question.

    Cells are only moved within their column, so types and missing values stay. Primary keys stay unique,
    columns that a foreign key leads to stay as they are, and a foreign key takes only values it had.

    Args:
        database: What the question is about.
        bound: The question.
        table: One of the tables that it joins.
        rng: Seeded chance.
    """
    rows = database.tables[table]
    primary = next(each.primary_key for each in database.catalog.tables if each.name == table)
    for change in _propose(database, bound, table, rng):
        if change.rows != rows and _is_unique(change.rows, primary):
            yield change


def exchange_names(database: Database, bound: Bound, spared: str, rng: random.Random) -> Iterator[Database]:
    """Yield databases in which the entities that a question names have changed places with those of a row.

    Each value that an equality filter names is exchanged for that of another joined row, wherever it stands,
    in all tables but one.

    Args:
        database: What the question is about.
        bound: The question.
        spared: The table that stays as it is.
        rng: Seeded chance.
    """
    query = bound.template.query
    rows = join_rows(database, query)
    for row in rng.sample(rows, min(TRIES, len(rows))):
        tables = dict(database.tables)
        for item in query.filters:
            alias, _, column = item.column.partition(".")
            table, pair = query.sources[alias], (bound.bindings[0][item.parameter], row[item.column])
            if table != spared and item.op == "=" and None not in pair:
                if column in _keys(database.catalog, query, table):
                    return
                tables[table] = _exchanged(tables[table], column, *pair)
        yield Database(catalog=database.catalog, tables=tables)


def _propose(database: Database, bound: Bound, table: str, rng: random.Random) -> Iterator[Change]:
    query, rows = bound.template.query, database.tables[table]
    references = list(_references(database.catalog, table))
    fixed = _keys(database.catalog, query, table)
    free = sorted(set(_columns(query, table)) - fixed)
    for column, value in _named(bound, table):
        if column not in fixed:
            yield from _exchanges(rows, column, value, rng)
    for columns in [*([column] for column in free), *references]:
        for _ in range(TRIES):
            yield _moved(rows, columns, rng.sample(range(rows.num_rows), rows.num_rows), "in another order")
    for columns in references:
        for _ in range(TRIES):
            yield _moved(rows, columns, rng.choices(range(rows.num_rows), k=rows.num_rows), "drawn anew")
    for row in _behind(database, bound, table)[:TRIES]:
        for columns in [*references, free, *([column] for column in free)]:
            yield from _swaps(rows, columns, row, rng)


def _keys(catalog: Catalog, query: Query, table: str) -> set[str]:
    """Return the columns of a table that are part of a primary or foreign key, or joined on."""
    found = {column for each in catalog.tables if each.name == table for column in each.primary_key}
    for key in catalog.foreign_keys:
        found |= set(key.child_columns) if key.child == table else set()
        found |= set(key.parent_columns) if key.parent == table else set()
    for join in query.joins:
        found |= {right for _, right in join.on} if join.table == table else set()
        lefts = [left.partition(".") for left, _ in join.on]
        found |= {column for alias, _, column in lefts if query.sources[alias] == table}
    return found


def _references(catalog: Catalog, table: str) -> Iterator[Sequence[str]]:
    """Yield the foreign keys of a table of which no column is referred to by another."""
    led_to = {column for key in catalog.foreign_keys if key.parent == table for column in key.parent_columns}
    for key in catalog.foreign_keys:
        if key.child == table and not led_to & set(key.child_columns):
            yield key.child_columns


def _columns(query: Query, table: str) -> Iterator[str]:
    """Yield the columns of a table that decide the answer."""
    for name in query.columns:
        alias, _, column = name.partition(".")
        if query.sources[alias] == table:
            yield column


def _named(bound: Bound, table: str) -> Iterator[tuple[str, Any]]:
    """Yield columns of a table with the one value that the question names or asks for."""
    query, want = bound.template.query, bound.template.query.want
    named = [
        (item.column, bound.bindings[0][item.parameter]) for item in query.filters if item.op in ("=", "<>")
    ]
    if isinstance(want, Value | Top):
        named.insert(0, (want.column if isinstance(want, Value) else want.group, bound.outcome))
    for name, value in named:
        alias, _, column = name.partition(".")
        if query.sources[alias] == table:
            yield column, value


def _behind(database: Database, bound: Bound, table: str) -> list[int]:
    """Return the positions of the rows of a table that stand behind the answer."""
    query = bound.template.query
    kept = [row for each in bound.bindings for row in keep(join_rows(database, query), query, each)]
    rows = database.tables[table].to_pylist()
    found: dict[int, None] = {}
    for alias in (alias for alias, name in query.sources.items() if name == table):
        parts = [{column: row[f"{alias}.{column}"] for column in rows[0]} for row in kept]
        found |= dict.fromkeys(at for at, row in enumerate(rows) if row in parts)
    return list(found)


def _exchanges(rows: pa.Table, column: str, value: Any, rng: random.Random) -> Iterator[Change]:
    """Yield the table with a value and another one of its column exchanged wherever they stand."""
    others = sorted(set(rows[column].to_pylist()) - {None, value})
    for other in rng.sample(others, min(TRIES, len(others))):
        yield Change(f"{column}: {value!r} and {other!r} exchanged", _exchanged(rows, column, value, other))


def _exchanged(rows: pa.Table, column: str, one: Any, other: Any) -> pa.Table:
    swap = {one: other, other: one}
    cells = [swap.get(cell, cell) for cell in rows[column].to_pylist()]
    return _replace(rows, {column: pa.array(cells, rows[column].type)})


def _swaps(rows: pa.Table, columns: Sequence[str], row: int, rng: random.Random) -> Iterator[Change]:
    """Yield the table with some cells of a row exchanged for those of another row."""
    for other in rng.sample(range(rows.num_rows), min(TRIES, rows.num_rows)):
        order = list(range(rows.num_rows))
        order[row], order[other] = other, row
        yield _moved(rows, columns, order, f"rows {row} and {other} exchanged")


def _moved(rows: pa.Table, columns: Sequence[str], order: Sequence[int], how: str) -> Change:
    positions = pa.array(np.array(order, dtype=np.int64))
    changed = {column: rows[column].combine_chunks().take(positions) for column in columns}
    return Change(f"{', '.join(columns)}: {how}", _replace(rows, changed))


def _replace(rows: pa.Table, columns: Mapping[str, pa.Array]) -> pa.Table:
    arrays = [columns.get(name, rows[name]) for name in rows.column_names]
    return pa.Table.from_arrays(arrays, schema=rows.schema)


def _is_unique(rows: pa.Table, columns: Sequence[str]) -> bool:
    return not columns or rows.group_by(list(columns)).aggregate([]).num_rows == rows.num_rows

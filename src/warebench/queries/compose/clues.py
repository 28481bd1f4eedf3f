"""Clues to what a number measures: keys and other columns around it, and how its values lie among them."""

import datetime
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from warebench.catalog.model import Table
from warebench.engine.database import Database
from warebench.queries.compose.measures import FIRST_DAY, LAST_DAY, Clues, Values
from warebench.queries.compose.naming import is_calendar, singular, words

MOST_ROWS = 20_000
"""Rows whose groups are looked at: the first ones, so that groups stay whole."""

GROUPS = 20
"""Groups of two and more rows from which something is said about all groups."""

NEARLY = 0.95
"""Share of those groups of which it holds; a few slips are no evidence against it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Surroundings:
    """A table, its keys, and what rows of all tables are called."""

    table: Table
    rows: pa.Table
    foreign: tuple[str, ...]
    """Columns that are a foreign key by themselves."""
    nouns: frozenset[str]
    per_period: bool

    @classmethod
    def of(cls, database: Database, table: Table) -> "Surroundings":
        """Return what surrounds the columns of a table."""
        keys = [key.child_columns for key in database.catalog.foreign_keys if key.child == table.name]
        foreign = tuple(dict.fromkeys(columns[0] for columns in keys if len(columns) == 1))
        names = (words(item.name.rpartition(".")[2])[-1:] for item in database.catalog.tables)
        rows = database.tables[table.name]
        return cls(
            table=table,
            rows=rows.slice(0, MOST_ROWS),
            foreign=foreign,
            nouns=frozenset(singular(word) for name in names for word in name),
            per_period=_is_per_period(table, rows, {column for columns in keys for column in columns}),
        )


def _is_per_period(table: Table, rows: pa.Table, foreign: set[str]) -> bool:
    """Return whether a row is told by a foreign key and a point in time, and by nothing else of its own."""
    own = [name for name in table.primary_key if name not in foreign]
    if not table.primary_key and foreign:
        own = [name for name in rows.column_names if is_calendar(name)]
    return len(own) >= 1 and all(_is_moment(name, rows.schema.field(name).type) for name in own)


def _is_moment(name: str, kind: pa.DataType) -> bool:
    return is_calendar(name) or pa.types.is_temporal(kind)


def clues_of(name: str, around: Surroundings, *, is_key: bool) -> Clues:
    """Return the clues to a column of numbers.

    Args:
        name: The column.
        around: Its table and what is known beside it.
        is_key: Whether keys or its values make it an identifier.
    """
    cells = around.rows.column(name)
    described = next(column.description for column in around.table.columns if column.name == name)
    return Clues(
        name=name,
        key="it is a key or counts the rows" if is_key else "",
        description=described,
        nouns=around.nouns,
        per_period=around.per_period,
        values=None if is_key or cells.null_count == len(cells) else _values(name, cells, around),
    )


def _values(name: str, cells: pa.ChunkedArray, around: Surroundings) -> Values:
    known = cells.drop_null()
    ends = pc.min_max(known).as_py()
    whole = pa.types.is_integer(known.type) or bool(pc.all(pc.equal(pc.floor(known), known)).as_py())
    others = [column for column in around.foreign if column != name]
    groups = {column: _groups(around.rows.column(column), cells) for column in others}
    return Values(
        present=len(known),
        distinct=pc.count_distinct(known).as_py(),
        whole=whole,
        low=float(ends["min"]),
        high=float(ends["max"]),
        dates=whole and FIRST_DAY <= ends["min"] <= ends["max"] <= LAST_DAY and _are_dates(known),
        position_within=next((column for column in others if whole and _mostly(groups[column], _runs)), ""),
        copied_from=next((column for column in others if _mostly(groups[column], _is_one)), ""),
    )


def _groups(key: pa.ChunkedArray, cells: pa.ChunkedArray) -> list[list[float]]:
    """Return the values of each group of two and more rows."""
    groups: dict[object, list[float]] = defaultdict(list)
    for at, value in zip(key.to_pylist(), cells.to_pylist(), strict=True):
        if at is not None and value is not None:
            groups[at].append(value)
    return [group for group in groups.values() if len(group) > 1]


def _mostly(groups: Sequence[Sequence[float]], holds: Callable[[Sequence[float]], bool]) -> bool:
    return len(groups) >= GROUPS and sum(map(holds, groups)) >= NEARLY * len(groups)


def _runs(group: Sequence[float]) -> bool:
    return min(group) in (0, 1) and len(set(group)) == len(group) == max(group) - min(group) + 1


def _is_one(group: Sequence[float]) -> bool:
    return len(set(group)) == 1


def _are_dates(known: pa.ChunkedArray) -> bool:
    try:
        for value in pc.unique(known).to_pylist():
            number = int(value)
            datetime.date(number // 10000, number // 100 % 100, number % 100)
    except ValueError:
        return False
    return True

"""A query over several tables: joins, filters and one of seven operators. Data, not code.

Columns are written `alias.column`, as in SQL; an alias stands for one use of a table.
"""

from dataclasses import dataclass
from typing import Literal, assert_never

import msgspec

Operator = Literal["=", "<>", ">=", "<=", ">", "<"]


class Join(msgspec.Struct, frozen=True, kw_only=True):
    """An inner join: `table` comes in under `alias` where every pair of columns is equal."""

    table: str
    alias: str
    on: tuple[tuple[str, str], ...]
    """Pairs (column of an earlier alias, column name of the joined table)."""


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """Keep rows whose column compares so with a parameter; rows without a value are dropped."""

    column: str
    op: Operator
    parameter: str


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """A number of a row: a column, or one column minus another."""

    column: str
    minus: str = ""


class Value(msgspec.Struct, frozen=True, tag="value"):
    """The one distinct value of a column (entity lookup)."""

    column: str


class Count(msgspec.Struct, frozen=True, tag="count"):
    """Number of rows, or of distinct values of a column."""

    distinct: str = ""


class Total(msgspec.Struct, frozen=True, tag="sum"):
    """Sum of a measure over the rows that have it."""

    measure: Measure


class Mean(msgspec.Struct, frozen=True, tag="mean"):
    """Arithmetic mean of a measure over the rows that have it."""

    measure: Measure


class Correlation(msgspec.Struct, frozen=True, tag="correlation"):
    """Pearson correlation of two measures over the rows that have both."""

    x: Measure
    y: Measure


class Top(msgspec.Struct, frozen=True, tag="top"):
    """The group with the largest (or smallest) aggregate; defined only without a tie."""

    group: str
    by: Count | Total | Mean
    highest: bool = True


@dataclass(frozen=True, slots=True)
class Undefined:
    """There is no answer that a question could ask for."""

    reason: str


Want = Value | Count | Total | Mean | Correlation | Top
Aggregate = Count | Total | Mean


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of a database, up to the values of its parameters."""

    table: str
    alias: str
    joins: tuple[Join, ...] = ()
    filters: tuple[Filter, ...] = ()
    want: Want

    @property
    def sources(self) -> dict[str, str]:
        """Table by alias, in join order."""
        return {self.alias: self.table} | {join.alias: join.table for join in self.joins}

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that decide the answer: of the filters, then of what is wanted."""
        return (*(item.column for item in self.filters), *wanted_columns(self.want))


def asked_column(want: Want) -> str:
    """Return the column whose values are looked up, grouped by or told apart; empty where there is none."""
    match want:
        case Value(column) | Count(column):
            return column
        case Top(group):
            return group
        case _:
            return ""


def wanted_columns(want: Want) -> tuple[str, ...]:
    """Return the columns that are looked up, grouped by, counted or measured."""
    match want:
        case Value(column):
            return (column,)
        case Count(distinct):
            return (distinct,) if distinct else ()
        case Total(measure) | Mean(measure):
            return (measure.column, measure.minus) if measure.minus else (measure.column,)
        case Correlation(x, y):
            return (*wanted_columns(Total(x)), *wanted_columns(Total(y)))
        case Top(group, by):
            return (group, *wanted_columns(by))
        case _:
            assert_never(want)

"""Gold of a slice: executed SQL, and the same found again in memory."""

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal

import duckdb
import msgspec

from warebench.engine.database import Database
from warebench.errors import BuildError, EmptySlice, GoldDisagreement
from warebench.tracks.intelligence.compute.dialects import to_dialect
from warebench.tracks.intelligence.compute.frame import Table, compute
from warebench.tracks.intelligence.compute.rewrite import apply_rules
from warebench.tracks.intelligence.compute.rows import Store
from warebench.tracks.intelligence.compute.sql import VALUE, base_sql, group_columns
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.slice import Key, Slice

TOLERANCE = 1e-9
"""Relative, and absolute near zero: what sums of floats in another order may differ by."""

Row = tuple[str | int | float | bool, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """A database that slices are computed on: loaded once into DuckDB, and kept for the second method."""

    database: Database
    connection: duckdb.DuckDBPyConnection
    store: Store
    proved: dict[tuple[Slice, str], Table] = field(default_factory=dict)
    """What both methods found before, by slice and SQL: counterfactuals ask for the same slices again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """The answer of a slice, with and without its rules."""

    columns: tuple[str, ...]
    """Grouping columns, then `value`."""
    rows: tuple[Row, ...]
    """In the order of the grouping columns; groups without a value are left out."""
    sql: str
    """DuckDB's dialect; returns `rows`, and groups without a value."""
    base_rows: tuple[Row, ...]
    base_sql: str
    size: int
    """Rows of the data behind `base_rows`; the fewest of a composite's components."""


@contextmanager
def open_database(database: Database) -> Iterator[Opened]:
    """Yield a database to compute many slices on."""
    connection = database.connect()
    try:
        yield Opened(database, connection, Store(database))
    finally:
        connection.close()


def answer(knowledge: Knowledge, source: Database | Opened, wanted: Slice) -> Result:
    """Return the rows of a slice, found by SQL and again in memory.

    The numbers are those of the second method, whose sums are exact: DuckDB's depend on the order of its
    threads.

    Args:
        knowledge: The knowledge base, checked (`check_knowledge`, `check_data`).
        source: The database, best opened by `open_database` where there are many slices.
        wanted: The slice.

    Raises:
        BuildError: The slice asks for something that is not there.
        StraddleError: A rule that is not about single rows holds for a part of the slice.
        EmptySlice: No row of the data is in it, or it has no value under the standard definition.
        GoldDisagreement: The two methods differ: a bug of warebench.
    """
    if isinstance(source, Database):
        with open_database(source) as opened:
            return answer(knowledge, opened, wanted)
    base = base_sql(knowledge, source.database.catalog, wanted)
    ruled = apply_rules(base, knowledge, source.database.catalog, wanted)
    plain = msgspec.structs.replace(wanted, rules=())
    texts = to_dialect(ruled), to_dialect(base)
    standard = _prove(knowledge, source, plain, texts[1])
    if not standard.rows or not standard.values:
        raise EmptySlice(
            f"no row of the data is in this slice of {wanted.metric}", fix="ask for another slice"
        )
    found = _prove(knowledge, source, wanted, texts[0]) if wanted.rules else standard
    return Result(
        columns=(*group_columns(wanted), VALUE),
        rows=_rows(found),
        sql=texts[0],
        base_rows=_rows(standard),
        base_sql=texts[1],
        size=standard.rows,
    )


def find_values(knowledge: Knowledge, source: Opened, wanted: Slice) -> Mapping[Key, float]:
    """Return the values of a slice by group, found by SQL and again in memory; an empty slice has none.

    Raises:
        BuildError: As `answer`.
        GoldDisagreement: The two methods differ.
    """
    base = base_sql(knowledge, source.database.catalog, wanted)
    ruled = apply_rules(base, knowledge, source.database.catalog, wanted) if wanted.rules else base
    return _prove(knowledge, source, wanted, to_dialect(ruled)).values


def execute(source: Opened, sql: str) -> dict[Key, float]:
    """Return the values that SQL gives, by group; groups without a value are left out.

    Raises:
        BuildError: Numbers of a formula are too large for DuckDB's decimals.
    """
    try:
        return read_rows(source.connection.execute(sql).fetchall())
    except duckdb.OutOfRangeException as error:
        raise BuildError(
            f"a formula cannot be computed: {str(error).splitlines()[0]}",
            where=sql,
            fix="declare decimals of fewer digits, or take the product apart",
        ) from error


def read_rows(rows: list[tuple[object, ...]]) -> dict[Key, float]:
    """Return values by group from the rows of any database; decimals are numbers too."""
    plain = [tuple(float(cell) if isinstance(cell, Decimal) else cell for cell in row) for row in rows]
    return {tuple(row[:-1]): float(row[-1]) for row in plain if row[-1] is not None}  # type: ignore[arg-type]


def same_values(one: Mapping[Key, float], other: Mapping[Key, float]) -> bool:
    """Return whether two tables have the same groups, and values that differ by rounding at most."""
    return one.keys() == other.keys() and all(
        math.isclose(value, other[key], rel_tol=TOLERANCE, abs_tol=TOLERANCE) for key, value in one.items()
    )


def _prove(knowledge: Knowledge, source: Opened, wanted: Slice, sql: str) -> Table:
    if (wanted, sql) in source.proved:
        return source.proved[wanted, sql]
    found = compute(knowledge, source.store, wanted)
    executed = execute(source, sql)
    if not same_values(executed, found.values):
        odd = _first_difference(executed, found.values)
        raise GoldDisagreement(f"{wanted}\n{sql}\n{odd}")
    source.proved[wanted, sql] = found
    return found


def _first_difference(executed: Mapping[Key, float], found: Mapping[Key, float]) -> str:
    for key in sorted({*executed, *found}, key=repr):
        if not same_values(
            {key: executed[key]} if key in executed else {}, {key: found[key]} if key in found else {}
        ):
            return f"group {key}: {executed.get(key)} by SQL, {found.get(key)} in memory"
    return "no group differs alone"


def _rows(table: Table) -> tuple[Row, ...]:
    return tuple((*key, table.values[key]) for key in sorted(table.values))

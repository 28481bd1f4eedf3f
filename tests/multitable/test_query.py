"""The two interpreters of queries: they agree wherever a question could be asked, and refuse together.

Two differences are meant, and kept out of the drawn data:

- DuckDB adds floats in floating point while Python adds what they read, so results that cancel to almost zero
  differ in their last digits; the floats drawn here are multiples of a quarter, which both add exactly.
- A count over no row is 0 in both, but `evaluate` refuses it: a question about nothing is no question.
"""

import math
from datetime import date, timedelta
from decimal import Decimal
from typing import get_args

import msgspec
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from warebench.catalog.model import Catalog, Column, Table
from warebench.engine.database import Database
from warebench.tracks.multitable.query.model import (
    Correlation,
    Count,
    Filter,
    Join,
    Mean,
    Measure,
    Operator,
    Query,
    Top,
    Total,
    Value,
)
from warebench.tracks.multitable.query.solve import Undefined, answer, join_rows, keep
from warebench.tracks.multitable.templates.bind import evaluate
from warebench.tracks.multitable.templates.prove import prove

CELLS = {
    "key": (pa.int64(), st.integers(1, 3)),
    "whole": (pa.int64(), st.integers(-3, 9)),
    "exact": (pa.decimal128(8, 2), st.integers(-9, 25).map(lambda tenths: Decimal(tenths) / 10)),
    "real": (pa.float64(), st.integers(-6, 9).map(lambda quarters: quarters / 4)),
    "day": (pa.date32(), st.integers(0, 2).map(lambda days: date(2020, 2, 28) + timedelta(days))),
    "word": (pa.string(), st.sampled_from(["", "a", "A", "é", "|'"])),
}
"""Arrow type and values by kind of column; few values, so that filters meet, groups tie and keys repeat."""

TABLES = {
    "parent": {"id": "key", "order": "word", "weight": "exact", "born": "day", "real": "real"},
    "child": {
        "parent_id": "key",
        "day": "day",
        'per "cent"': "exact",
        "a.b": "real",
        "score": "whole",
        "kind": "word",
    },
    "Visit Log": {"parent_id": "key", "day": "day", "cost": "exact", "minutes": "whole", "note": "word"},
}
"""Kind of each column by table; no key is unique, so joins fan out."""

JOINS = (
    Join(table="parent", alias="p", on=(("c.parent_id", "id"),)),
    Join(table="Visit Log", alias="v", on=(("c.parent_id", "parent_id"), ("c.day", "day"))),
    Join(table="parent", alias="other", on=(("c.score", "id"),)),
)


def database_of(rows: dict[str, list[tuple]]) -> Database:
    """Return a database of the tables above."""
    catalog = Catalog(
        name="drawn",
        tables=tuple(
            Table(name=name, columns=tuple(Column(name=column) for column in columns))
            for name, columns in TABLES.items()
        ),
    )
    tables = {}
    for name, columns in TABLES.items():
        cells = zip(*rows[name], strict=True) if rows.get(name) else [[] for _ in columns]
        arrays = [pa.array(values, CELLS[kind][0]) for values, kind in zip(cells, columns.values(), strict=True)]
        tables[name] = pa.table(arrays, names=list(columns))
    return Database(catalog=catalog, tables=tables)


def cells(kind: str) -> st.SearchStrategy:
    """Return values of a kind, one in seven missing."""
    return st.integers(0, 6).flatmap(lambda chance: CELLS[kind][1] if chance < 6 else st.none())


ROWS = {
    name: st.lists(st.tuples(*map(cells, columns.values())), min_size=0 if name == "Visit Log" else 4, max_size=9)
    for name, columns in TABLES.items()
}

databases = st.fixed_dictionaries(ROWS).map(database_of)


def columns_of(query: Query, *kinds: str) -> list[str]:
    """Return the columns in reach that are of one of some kinds."""
    return [
        f"{alias}.{column}"
        for alias, table in query.sources.items()
        for column, kind in TABLES[table].items()
        if kind in (kinds or CELLS)
    ]


def kind_of(query: Query, column: str) -> str:
    alias, _, rest = column.partition(".")
    return TABLES[query.sources[alias]][rest]


def measures(query: Query) -> st.SearchStrategy[Measure]:
    numbers = st.sampled_from(columns_of(query, "whole", "exact", "real"))
    return st.builds(Measure, column=numbers, minus=st.just("") | numbers)


def wants(query: Query) -> st.SearchStrategy:
    columns = st.sampled_from(columns_of(query))
    aggregates = (
        st.builds(Count, st.just("") | columns),
        st.builds(Total, measures(query)),
        st.builds(Mean, measures(query)),
    )
    return st.one_of(
        st.builds(Value, columns),
        *aggregates,
        st.builds(Correlation, measures(query), measures(query)),
        st.builds(Top, columns, st.one_of(*aggregates), st.booleans()),
    )


@st.composite
def questions(draw: st.DrawFn) -> tuple[Query, dict]:
    """Return a query over the tables above and a value for each of its parameters."""
    joins = draw(st.lists(st.sampled_from(JOINS), unique_by=lambda join: join.alias, max_size=2))
    query = Query(table="child", alias="c", joins=tuple(joins), want=Count())
    columns = draw(st.lists(st.sampled_from(columns_of(query)), max_size=2))
    filters = tuple(
        Filter(column=column, op=draw(st.sampled_from(get_args(Operator))), parameter=f"p{number}")
        for number, column in enumerate(columns)
    )
    values = {item.parameter: draw(CELLS[kind_of(query, item.column)][1]) for item in filters}
    return msgspec.structs.replace(query, filters=filters, want=draw(wants(query))), values


def solve(database: Database, query: Query, values: dict) -> object:
    return answer(keep(join_rows(database, query), query, values), query.want)


def agree(first: object, second: object) -> bool:
    if isinstance(first, Undefined) or isinstance(second, Undefined):
        return isinstance(first, Undefined) and isinstance(second, Undefined)
    if isinstance(first, int | float | Decimal):
        return math.isclose(float(first), float(second), rel_tol=1e-9, abs_tol=1e-12)
    return first == second


@given(databases, st.lists(questions(), min_size=4, max_size=10))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_interpreters_agree(database, asked):
    connection = database.connect()
    for query, values in asked:
        first, second = solve(database, query, values), prove(connection, query, [values])
        assert agree(first, second), (query, values, first, second)
    connection.close()

"""The two interpreters of queries: they agree wherever a question could be asked, and refuse together.

Two differences are meant, and kept out of the drawn data:

- DuckDB adds floats in floating point while Python adds what they read, so results that cancel to almost zero
  differ in their last digits; the floats drawn here are multiples of a quarter, which both add exactly.
- A count over no row is 0 in both, but `evaluate` refuses it: a question about nothing is no question.
"""

import math
import random
from datetime import date
from decimal import Decimal
from itertools import combinations
from typing import get_args

import msgspec
import pyarrow as pa
import pytest
from hypothesis import given, settings
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
    Want,
)
from warebench.tracks.multitable.query.solve import Undefined, answer, join_rows, keep
from warebench.tracks.multitable.templates.bind import evaluate
from warebench.tracks.multitable.templates.prove import prove

KINDS = {
    "key": (pa.int64(), (1, 2, 3)),
    "whole": (pa.int64(), tuple(range(-3, 9))),
    "exact": (pa.decimal128(8, 2), tuple(Decimal(tenths) / 10 for tenths in range(-9, 26))),
    "real": (pa.float64(), tuple(quarters / 4 for quarters in range(-6, 10))),
    "day": (pa.date32(), (date(2020, 2, 28), date(2020, 2, 29), date(2020, 3, 1))),
    "word": (pa.string(), ("", "a", "A", "é", "|'")),
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


CATALOG = Catalog(
    name="drawn",
    tables=tuple(
        Table(name=name, columns=tuple(Column(name=column) for column in columns))
        for name, columns in TABLES.items()
    ),
)


def database_of(**rows: list[dict]) -> Database:
    """Return a database with some rows of some tables."""
    schemas = {
        name: pa.schema([(column, KINDS[kind][0]) for column, kind in columns.items()])
        for name, columns in TABLES.items()
    }
    tables = {
        name: pa.Table.from_pylist(rows.get(name, []), schema=schema) for name, schema in schemas.items()
    }
    return Database(catalog=CATALOG, tables=tables)


def drawn(seed: int, size: int) -> Database:
    """Return a database of up to so many rows a table; one cell in eight is missing."""
    rng = random.Random(seed)  # noqa: S311
    rows = {
        name: [
            {
                column: None if rng.random() < 1 / 8 else rng.choice(KINDS[kind][1])
                for column, kind in columns.items()
            }
            for _ in range(rng.randint(size // 2, size))
        ]
        for name, columns in TABLES.items()
    }
    return database_of(**rows)


# Hypothesis shrinks the number of rows; drawing every cell through it would take most of the time.
databases = st.builds(drawn, st.integers(0, 2**32), st.integers(0, 12))


def questions_over(joins: tuple[Join, ...]) -> st.SearchStrategy[tuple[Query, dict]]:
    """Return queries over some joins, each with a value for each of its parameters."""
    query = Query(table="child", alias="c", joins=joins, want=Count())
    kinds = {
        f"{alias}.{column}": kind
        for alias, table in query.sources.items()
        for column, kind in TABLES[table].items()
    }
    columns = st.sampled_from(list(kinds))
    operators = st.sampled_from(get_args(Operator))
    condition = st.one_of(
        *(
            st.tuples(st.just(column), operators, st.sampled_from(KINDS[kind][1]))
            for column, kind in kinds.items()
        )
    )
    numbers = st.sampled_from(
        [column for column, kind in kinds.items() if kind in ("whole", "exact", "real")]
    )
    measures = st.builds(Measure, column=numbers, minus=st.just("") | numbers)
    aggregates = (
        st.builds(Count, st.just("") | columns),
        st.builds(Total, measures),
        st.builds(Mean, measures),
    )
    wants = st.one_of(
        st.builds(Value, columns),
        *aggregates,
        st.builds(Correlation, measures, measures),
        st.builds(Top, columns, st.one_of(*aggregates), st.booleans()),
    )

    def assemble(conditions: list[tuple], want: Want) -> tuple[Query, dict]:
        filters = tuple(
            Filter(column=column, op=op, parameter=f"p{number}")
            for number, (column, op, _) in enumerate(conditions)
        )
        values = {f"p{number}": value for number, (_, _, value) in enumerate(conditions)}
        return msgspec.structs.replace(query, filters=filters, want=want), values

    return st.builds(assemble, st.lists(condition, max_size=2), wants)


QUESTIONS = st.one_of(*(questions_over(joins) for size in range(3) for joins in combinations(JOINS, size)))


def first_answer(database: Database, query: Query, values: dict) -> object:
    return answer(keep(join_rows(database, query), query, values), query.want)


def agree(first: object, second: object) -> bool:
    if isinstance(first, Undefined) or isinstance(second, Undefined):
        return isinstance(first, Undefined) and isinstance(second, Undefined)
    if isinstance(first, int | float | Decimal):
        return math.isclose(float(first), float(second), rel_tol=1e-9, abs_tol=1e-12)
    return first == second


@given(databases, st.lists(QUESTIONS, min_size=4, max_size=12))
@settings(max_examples=80, deadline=None)
def test_interpreters_agree(database, asked):
    connection = database.connect()
    for query, values in asked:
        first, second = first_answer(database, query, values), prove(connection, query, [values])
        assert agree(first, second), (query, values, first, second)
    connection.close()

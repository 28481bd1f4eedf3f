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
from warebench.queries.bind import evaluate
from warebench.queries.model import (
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
    Undefined,
    Value,
    Want,
)
from warebench.queries.prove import prove
from warebench.queries.solve import answer, join_rows, keep

KINDS = {
    "key": (pa.int64(), (1, 2, 3)),
    "whole": (pa.int64(), tuple(range(-3, 9))),
    "tiny": (pa.int8(), (-128, -1, 0, 1, 127)),
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
    "Visit Log": {"parent_id": "key", "day": "day", "cost": "exact", "minutes": "tiny", "note": "word"},
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
SEEDS, SIZES = st.integers(0, 2**32), st.integers(0, 20)


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
        [column for column, kind in kinds.items() if kind in ("whole", "tiny", "exact", "real")]
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


@given(st.builds(drawn, SEEDS, SIZES), st.lists(QUESTIONS, min_size=4, max_size=12))
@settings(max_examples=80, deadline=None)
def test_interpreters_agree(database, asked):
    connection = database.connect()
    for query, values in asked:
        first, second = first_answer(database, query, values), prove(connection, query, [values])
        assert agree(first, second), (query, values, first, second)
    connection.close()


@given(st.builds(drawn, SEEDS, SIZES), questions_over(JOINS[:1]), st.sampled_from(KINDS["word"][1]))
@settings(max_examples=40, deadline=None)
def test_differences_agree(database, question, other):
    query, values = question
    kind = Filter(column="c.kind", op="=", parameter="kind")
    query = msgspec.structs.replace(
        query, filters=(*query.filters, kind), want=Mean(Measure(column="p.weight", minus="c.score"))
    )
    bindings = [{**values, "kind": "a"}, {**values, "kind": other}]
    first = evaluate(query, join_rows(database, query), bindings)
    assert agree(first, prove(database.connect(), query, bindings))


SCORES = Measure(column="c.score")
CENTS = Measure(column='c.per "cent"')
P, V = JOINS[0], JOINS[1]
DAY = date(2020, 2, 29)
SOLVED = {
    "null keys join nothing": (
        [P],
        [],
        Count(),
        {"child": [{}, {"parent_id": 1}], "parent": [{}, {"id": 1}]},
        1,
    ),
    "a join fans out": (
        [P],
        [],
        Total(SCORES),
        {"child": [{"parent_id": 1, "score": 4}], "parent": [{"id": 1}] * 3},
        12,
    ),
    "half a composite key joins nothing": (
        [V],
        [],
        Count(),
        {
            "child": [{"parent_id": 1, "day": DAY}],
            "Visit Log": [{"parent_id": 1}, {"parent_id": 1, "day": DAY}],
        },
        1,
    ),
    "unequal to a value drops nulls": (
        [],
        [("c.kind", "<>", "a")],
        Count(),
        {"child": [{"kind": "a"}, {"kind": "b"}, {}]},
        1,
    ),
    "bounds are inclusive": ([], [("c.day", ">=", DAY)], Count(), {"child": [{"day": DAY}, {}]}, 1),
    "distinct values leave out null": (
        [],
        [],
        Count("c.score"),
        {"child": [{"score": 1}, {"score": 1}, {"score": 2}, {}]},
        2,
    ),
    "an average leaves out null": ([], [], Mean(SCORES), {"child": [{"score": 1}, {"score": 2}, {}]}, 1.5),
    "decimals add exactly": (
        [],
        [],
        Total(CENTS),
        {"child": [{'per "cent"': Decimal("0.1")}] * 3},
        0.3,
    ),
    "a sum over nothing": ([], [], Total(SCORES), {"child": [{}]}, None),
    "an average over nothing": ([], [], Mean(SCORES), {}, None),
    "two values": ([], [], Value("c.kind"), {"child": [{"kind": "a"}, {"kind": "b"}]}, None),
    "one value twice": ([], [], Value("c.kind"), {"child": [{"kind": "a"}, {"kind": "a"}, {}]}, "a"),
    "the largest": (
        [],
        [],
        Top("c.kind", Total(SCORES)),
        {"child": [{"kind": "a", "score": 2}, {"kind": "a", "score": 2}, {"kind": "b", "score": 3}]},
        "a",
    ),
    "the smallest": (
        [],
        [],
        Top("c.kind", Mean(SCORES), highest=False),
        {"child": [{"kind": "a", "score": 2}, {"kind": "b", "score": 3}, {"kind": "é"}, {"score": 0}]},
        "a",
    ),
    "a tie": ([], [], Top("c.kind", Count()), {"child": [{"kind": "a"}, {"kind": "b"}]}, None),
    "a tie but for rounding": (
        [],
        [],
        Top("c.kind", Mean(Measure(column="c.a.b"))),
        {"child": [{"kind": "a", "a.b": 0.1 + 0.2}, {"kind": "b", "a.b": 0.3}, {"kind": "é", "a.b": 0.1}]},
        None,
    ),
    "a single group": ([], [], Top("c.kind", Count()), {"child": [{"kind": "a"}, {}]}, None),
    "a line": (
        [],
        [],
        Correlation(SCORES, CENTS),
        {"child": [{"score": n, 'per "cent"': Decimal(-n)} for n in range(3)]},
        -1.0,
    ),
    "a line of two pairs": (
        [],
        [],
        Correlation(SCORES, SCORES),
        {"child": [{"score": 1}, {"score": 2}, {}]},
        None,
    ),
    "a constant": (
        [],
        [],
        Correlation(SCORES, Measure(column="c.a.b")),
        {"child": [{"score": n, "a.b": 0.1} for n in range(9)]},
        None,
    ),
    "a decimal minus a float": (
        [],
        [],
        Total(Measure(column='c.per "cent"', minus="c.a.b")),
        {"child": [{'per "cent"': Decimal("1.5"), "a.b": 0.25}, {"a.b": 1.0}]},
        1.25,
    ),
}
"""Joins, filters, what is wanted, rows by table, and the answer; None where there is none."""


@pytest.mark.parametrize(("joins", "conditions", "want", "rows", "expected"), SOLVED.values(), ids=SOLVED)
def test_solved(joins, conditions, want, rows, expected):
    filters = tuple(
        Filter(column=column, op=op, parameter=f"p{number}")
        for number, (column, op, _) in enumerate(conditions)
    )
    values = {f"p{number}": value for number, (_, _, value) in enumerate(conditions)}
    query = Query(table="child", alias="c", joins=tuple(joins), filters=filters, want=want)
    database = database_of(**rows)
    found = first_answer(database, query, values), prove(database.connect(), query, [values])
    for outcome in found:
        assert isinstance(outcome, Undefined) if expected is None else agree(expected, outcome)


def test_a_count_over_no_row_is_no_question():
    database, query = database_of(), Query(table="child", alias="c", want=Count())
    assert first_answer(database, query, {}) == prove(database.connect(), query, [{}]) == 0
    assert isinstance(evaluate(query, [], [{}]), Undefined)

"""Composition over random databases: whatever is composed has one answer, found twice."""

from collections import Counter

import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.queries.compose_schemas import check, database_of

from warebench.engine.database import Database
from warebench.queries.compose import compose_set

WORDS = st.sampled_from(["red", "blue", "Red ", "x y", "", "é|", "'", "z" * 70, None])
NUMBERS = st.one_of(st.none(), st.integers(-50, 50), st.just(2**62))
FRACTIONS = st.one_of(st.none(), st.integers(-200, 200).map(lambda quarters: quarters / 4))
DAYS = st.one_of(st.none(), st.dates())
MOMENTS = st.one_of(st.none(), st.datetimes())


@st.composite
def random_databases(draw: st.DrawFn) -> Database:
    def column(cells: st.SearchStrategy, rows: int, kind: pa.DataType) -> pa.Array:
        return pa.array(draw(st.lists(cells, min_size=rows, max_size=rows)), kind)

    parents, middles, children = draw(st.integers(0, 12)), draw(st.integers(0, 12)), draw(st.integers(0, 40))
    labels = st.none() | st.sampled_from([f"label {letter}" for letter in "abcdef"])
    return database_of(
        {
            "p": {
                "id": list(range(parents)),
                "label": column(labels, parents, pa.string()),
                "word": column(WORDS, parents, pa.string()),
                "size": column(FRACTIONS, parents, pa.float64()),
            },
            "m": {
                "id": list(range(middles)),
                "p": column(st.none() | st.integers(0, 12), middles, pa.int64()),
                "label": column(labels, middles, pa.string()),
            },
            "c": {
                "id": list(range(children)),
                "m": column(st.none() | st.integers(0, 12), children, pa.int64()),
                "p": column(st.none() | st.integers(0, 12), children, pa.int64()),
                "n": column(NUMBERS, children, pa.int64()),
                "price": column(st.none() | st.decimals(-9, 9, places=2), children, pa.decimal128(9, 2)),
                "day": column(DAYS, children, pa.date32()),
                "at": column(MOMENTS, children, pa.timestamp("us")),
            },
        },
        [("m", ["p"], "p", ["id"]), ("c", ["m"], "m", ["id"]), ("c", ["p"], "p", ["id"])],
    )


@given(random_databases(), st.integers(0, 3))
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_both_interpreters_agree_on_whatever_is_composed(database, seed):
    made = compose_set(database, seed=seed)
    made_of = Counter(template.subcategory for template in made.templates)
    assert all(made_of[item.subtype] == item.made < item.asked for item in made.shortfalls)
    assert len(made.templates) + sum(item.asked - item.made for item in made.shortfalls) == 14
    assert check(database, made.templates) >= len(made.templates)

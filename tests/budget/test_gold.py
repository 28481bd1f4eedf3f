"""Rows of a query as gold: names, kinds, and an order that is the same every time."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warebench.answers.model import Column
from warebench.engine.run import Rows
from warebench.tracks.budget.gold import to_table


def rows(columns: list[str], *cells: tuple) -> Rows:
    return Rows(columns=tuple(columns), types=("",) * len(columns), rows=cells)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a", "b"], ["a", "b"]),
        (["a", "A", "a"], ["a", "A_2", "a_3"]),
        (["", "x"], ["1", "x"]),
        (["a", "a_3", "a"], ["a", "a_3", "a_3_3"]),
        (["count(*)", "count(*)"], ["count(*)", "count(*)_2"]),
    ],
)
def test_names(names, expected):
    table = to_table(rows(names, (1,) * len(names)), ordered=False)
    assert [column.name for column in table.columns] == expected


@pytest.mark.parametrize(
    ("cells", "kind", "expected"),
    [
        ([1, None], "number", [1, None]),
        ([1, 2.5], "quantity", [1, 2.5]),
        ([True, None], "boolean", [True, None]),
        ([None], "text", [None]),
        ([date(2024, 1, 2)], "text", ["2024-01-02"]),
        ([Decimal("1.50"), Decimal("2")], "quantity", [1.5, 2]),
    ],
)
def test_kinds(cells, kind, expected):
    table = to_table(rows(["a"], *((cell,) for cell in cells)), ordered=True)
    assert table.columns == (Column("a", kind),)
    assert [row[0] for row in table.rows] == expected


@pytest.mark.parametrize(
    ("cell", "stored"),
    [
        (806.2622448979591, 806.262244898),  # DuckDB 1.5
        (806.2622448979592, 806.262244898),  # DuckDB 2.0
        (-0.008145099716469864, -0.00814509971647),
        (50144.50000000003, 50144.5),
        (0.1 + 0.2, 0.3),
        (1234567890123.0, 1234567890123.0),
        (1234567890123.25, 1234567890123.0),
        (1e300, 1e300),
        (Decimal("1234567890123.25"), 1234567890123.25),
    ],
)
def test_what_an_engine_leaves_in_the_last_digits_is_not_gold(cell, stored):
    assert to_table(rows(["a"], (cell,)), ordered=True).rows == ((stored,),)


@pytest.mark.parametrize("cells", [[1, "x"], [float("nan")], [float("inf"), 1], [True, 2]])
def test_what_is_no_plain_value(cells):
    with pytest.raises(ValueError, match="in column a"):
        to_table(rows(["a"], *((cell,) for cell in cells)), ordered=False)


@given(st.lists(st.tuples(st.integers(0, 3), st.none() | st.text(max_size=2))), st.randoms())
def test_the_engines_order_counts_only_where_gold_is_ordered(cells, rng):
    shuffled = list(cells)
    rng.shuffle(shuffled)
    one, other = (to_table(rows(["a", "b"], *found), ordered=False) for found in (cells, shuffled))
    assert one == other
    assert to_table(rows(["a", "b"], *shuffled), ordered=True).rows == tuple(shuffled)

"""Expressions over decimals are exact by both methods, as they are on a server that keeps money so."""

from decimal import Decimal

import pyarrow as pa
import pytest
from sqlglot import exp
from tests.intelligence.shop import make_knowledge

from warebench.catalog.model import Catalog, Column, Table
from warebench.engine.database import Database
from warebench.errors import BuildError
from warebench.tracks.intelligence.compute.dialects import to_dialect
from warebench.tracks.intelligence.compute.evaluate import evaluate
from warebench.tracks.intelligence.compute.run import execute, open_database
from warebench.tracks.intelligence.compute.tree import Names, expression_tree
from warebench.tracks.intelligence.compute.values import read_values

CENTS = [None if number % 17 == 0 else Decimal(number) / 100 for number in range(-40, 360)]
ROWS = pa.table(
    {
        "id": pa.array(range(400), pa.int64()),
        "c": pa.array(CENTS, pa.decimal128(12, 2)),
        "f": pa.array([None if cell is None else float(cell) for cell in CENTS]),
        "long": pa.array([Decimal(10**22 + number) for number in range(400)], pa.decimal128(38, 10)),
    }
)
TABLE = Table(name="t", columns=tuple(Column(name=name, type="NUMERIC") for name in ROWS.column_names))
DATABASE = Database(catalog=Catalog(name="money", tables=(TABLE,)), tables={"t": ROWS})
NAMES = Names(make_knowledge().metrics[0], lambda node: "number", {})

CONDITIONS = [
    "t.c * 6 >= 5.94", "t.c + 0.1 = 0.45", "t.c * 6 - 5.94 >= 0", "t.c * t.c - 0.0121 <= 0", "t.c > 0.345",
    "-t.c * 0.1 = -0.007", "ABS(t.c) * 3 IN (0.21, 0.57)", "COALESCE(t.c, 0.07) * 3 = 0.21",
    "CASE WHEN t.id > 9 THEN t.c ELSE 0.7 END * 3 BETWEEN 0.21 AND 2.1", "t.id * 0.1 = 0.3",
    "(t.id % 7) * 0.1 = 0.3", "NULLIF(t.c, 0.07) * 3 >= 0.57", "LEAST(t.c, 0.19) * 3 = 0.57",
    "t.c / 3 >= 0.33", "t.f * 6 >= 5.94", "t.f + 0.1 >= 0.45", "t.c * t.f >= 0.0049", "t.c * 1e-1 >= 0.007",
    "t.c / NULLIF(t.id, 5) < 0.001",
]  # fmt: skip


@pytest.fixture(scope="module")
def opened():
    with open_database(DATABASE) as found:
        yield found


def _select(text: str) -> str:
    value = expression_tree(f"CASE WHEN {text} THEN 1 ELSE 0 END", NAMES)
    return to_dialect(exp.select(exp.column("id", "t"), exp.alias_(value, "value")).from_("t"))


@pytest.mark.parametrize("text", CONDITIONS)
def test_both_methods_draw_the_line_at_the_same_row(opened, text):
    columns = {name: read_values(ROWS.column(name), name) for name in ("id", "c", "f")}
    found = evaluate(text, lambda _, name: columns[name]).true()
    executed = execute(opened, _select(text))
    assert {key[0] for key, value in executed.items() if value} == set(found.nonzero()[0].tolist())
    assert 0 < found.sum() < 400


def test_a_product_beyond_any_decimal_is_a_named_error(opened):
    with pytest.raises(BuildError, match="Overflow in multiplication"):
        execute(opened, _select("t.long * t.long > 0"))


def test_numbers_that_floats_do_not_tell_apart_are_refused():
    with pytest.raises(BuildError, match="more digits than can be computed with"):
        read_values(ROWS.column("long"), "t.long")
    with pytest.raises(BuildError, match="more digits than can be computed with"):
        read_values(pa.chunked_array([[2**53 + 1]]), "t.id")
    with pytest.raises(BuildError, match="beyond 1e"):
        read_values(pa.chunked_array([[1e200]]), "t.f")

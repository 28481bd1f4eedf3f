import math

import pytest

from warebench.answers.credit import Credit, credit
from warebench.answers.model import (
    Abstain,
    Boolean,
    Column,
    Field,
    Number,
    Quantity,
    Record,
    Reply,
    Table,
    Text,
)

TREND = Record(
    (
        Field("direction", Text("up")),
        Field("change", Quantity(3.0)),
        Field("n", Number(4)),
        Field("ok", Boolean(True)),
    )
)
STATES = (Column("state"), Column("days", "quantity"), Column("n", "number"), Column("note"))
TABLE = Table(STATES, (("SP", 8.0, 2, "a"), ("RJ", 12.0, 3, "b")), ordered=True, key=("state",))
NAN = math.nan


def told(*rows: tuple[str, ...]) -> Table:
    return Table(tuple(Column(column.name) for column in STATES), rows)


@pytest.mark.parametrize(
    ("gold", "reply", "rows", "keys", "numbers"),
    [
        (TREND, TREND, 1, 1, 1),
        (TREND, Record((Field("Direction", Text("down")), Field("n", Text("4")))), 0.25, 0.5, 0.5),
        (TREND, Abstain(), 0, 0, 0),
        (TREND, Table((), ()), 0, 0, 0),
        (Record((Field("a", Text("x")),)), Record((Field("a", Text("x")),)), 1, 1, NAN),
        (TABLE, TABLE, 1, 1, 1),
        # Order takes no partial credit away.
        (TABLE, told(("RJ", "12", "3", "b"), ("SP", "8", "2", "a")), 1, 1, 1),
        (TABLE, told(("sp", "8", "5", "a"), ("MG", "12", "3", "b")), 0, 0.5, 0.25),
        # A note is no number, and a row is right only as a whole.
        (TABLE, told(("SP", "8", "2", "?"), ("RJ", "12", "3", "b")), 0.5, 1, 1),
        # Of two rows with one key the first counts.
        (TABLE, told(("SP", "9", "2", "a"), ("SP", "8", "2", "a")), 0.5, 0.5, 0.25),
        (TABLE, Table((), (("SP", "8", "2", "a"), ("RJ", "12"))), 0.5, 0.5, 0.5),
        (TABLE, Abstain(), 0, 0, 0),
        (Table(STATES, ()), told(), NAN, NAN, NAN),
        (Table(STATES, TABLE.rows), TABLE, 1, NAN, NAN),
    ],
)
def test_credit(gold: Record | Table, reply: Reply, rows: float, keys: float, numbers: float) -> None:
    got = credit(gold, reply)
    assert (got.rows, got.keys, got.numbers) == pytest.approx((rows, keys, numbers), nan_ok=True)
    assert isinstance(got, Credit)

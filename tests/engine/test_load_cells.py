"""Python values of a column to one Arrow type: exact, or text that says so."""

import uuid
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warebench.engine.readers.cells import fit, join

D = Decimal
stamp = datetime.fromisoformat
STAMP = pa.timestamp("us")

EXACT = [
    ("INTEGER", [1, None, -(2**63), 2**63 - 1], pa.int64()),
    ("BIGINT", [2**63, -1], pa.decimal128(38, 0)),
    ("REAL", [0.1, None, float("inf")], pa.float64()),
    ("NUMERIC", [1, 2.5], pa.float64()),
    ("DECIMAL(10,2)", [0.99, 2, None, D("3.10")], pa.decimal128(10, 2)),
    ("NUMERIC(10, 2)", [1, 2, 3], pa.decimal128(10, 2)),
    ("NUMERIC", [D("1.5"), D("12.25")], pa.decimal128(4, 2)),
    ("NUMERIC(4,1)", [0.25], pa.decimal128(3, 2)),
    ("NUMBER(5)", [7, 8], pa.int64()),
    ("BOOLEAN", [1, 0, None], pa.bool_()),
    ("", [True, False], pa.bool_()),
    ("DATE", [date(1, 1, 1), date(9999, 12, 31)], pa.date32()),
    ("TIMESTAMP", [stamp("2020-01-02 03:04:05.000006")], STAMP),
    ("TIME", [time(23, 59, 59, 999999)], pa.time64("us")),
    ("TEXT", ["", "a\nb", "\x00", "é"], pa.string()),
    ("TEXT", ["2020-01-02"], pa.string()),
    ("BLOB", [b"\x00\xff", None], pa.binary()),
]
"""Declared type, values, Arrow type: the values come back as they are, as decimals in decimal columns."""


@pytest.mark.parametrize(("declared", "values", "kind"), EXACT)
def test_exact(declared, values, kind):
    cells = fit(values, declared)
    assert cells.values.type == kind
    assert cells.remark == ""
    decimals = pa.types.is_decimal(kind)
    expected = [D(str(value)) if decimals and value is not None else value for value in values]
    assert cells.values.to_pylist() == expected


SPELLED = [
    ("DATE", ["2020-01-02", None], [date(2020, 1, 2), None], ""),
    ("DATETIME", ["2020-01-02 03:04:05.5"], [stamp("2020-01-02 03:04:05.5")], ""),
    ("DATETIME", ["2020-01-02T03:04"], [stamp("2020-01-02 03:04")], ""),
    ("TIME", ["23:59"], [time(23, 59)], ""),
    ("DATE", ["2020-02-30"], ["2020-02-30"], "VARCHAR"),
    ("DATE", ["2020-01-02", "soon"], ["2020-01-02", "soon"], "VARCHAR"),
    ("DATETIME", ["2020-01-02 03:04:05Z"], ["2020-01-02 03:04:05Z"], "VARCHAR"),
    ("DATE", [1577836800], [1577836800], "BIGINT"),
    ("", [1], [1], "BIGINT"),
    ("", ["x"], ["x"], "VARCHAR"),
]
"""Declared type, values, cells read, and the type named where the declared one would mislead."""


@pytest.mark.parametrize(("declared", "values", "read", "named"), SPELLED)
def test_dates_as_text_and_types_that_mislead(declared, values, read, named):
    cells = fit(values, declared)
    assert cells.values.to_pylist() == read
    assert cells.type == named


MIXED = [
    ([1, "two", None], ["1", "two", None], "1 x int and 1 x str"),
    ([b"\xff", "a"], ["ff", "a"], "1 x bytes and 1 x str"),
    ([2**53 + 1, 0.5], ["9007199254740993", "0.5"], "1 x float and 1 x int"),
    ([10**40], ["1" + "0" * 40], "1 x int"),
    ([D("NaN"), D(1)], ["NaN", "1"], "2 x Decimal"),
    (
        [date(2020, 1, 1), stamp("2020-01-01 00:00")],
        ["2020-01-01", "2020-01-01 00:00:00"],
        "1 x date and 1 x datetime",
    ),
    ([[1, 2], None], ["[1, 2]", None], "1 x list"),
    ([{"a": D("1.5")}], ['{"a": "1.5"}'], "1 x dict"),
    ([uuid.UUID(int=1)], ["00000000-0000-0000-0000-000000000001"], "1 x UUID"),
    ([timedelta(days=2)], ["2 days, 0:00:00"], "1 x timedelta"),
    ([True, 2], ["true", "2"], "1 x bool and 1 x int"),
]


@pytest.mark.parametrize(("values", "texts", "counted"), MIXED)
def test_what_fits_no_type_becomes_text_and_says_so(values, texts, counted):
    cells = fit(values, "SOMETHING")
    assert cells.values.to_pylist() == texts
    assert cells.type == "VARCHAR"
    assert cells.remark == f"read as text ({counted})"


def test_times_with_a_zone_are_given_in_utc():
    east = timezone(timedelta(hours=2))
    cells = fit([datetime(2020, 1, 1, 1, tzinfo=east), datetime(2020, 1, 1, tzinfo=UTC)], "TIMESTAMP")
    assert cells.values.to_pylist() == [stamp("2019-12-31 23:00"), stamp("2020-01-01 00:00")]
    assert "UTC" in cells.remark


def test_spans_of_mysql_are_times_of_day():
    assert fit([timedelta(hours=1, seconds=2)], "TIME").values.to_pylist() == [time(1, 0, 2)]


NULLS = [
    ("integer", pa.int64()),
    ("DECIMAL(6,3)", pa.decimal128(6, 3)),
    ("DOUBLE PRECISION", pa.float64()),
    ("boolean", pa.bool_()),
    ("VARCHAR(20)", pa.string()),
    ("timestamp", STAMP),
    ("DATE", pa.date32()),
    ("INTERVAL", pa.string()),
    ("BYTEA", pa.binary()),
    ("", pa.string()),
]


@pytest.mark.parametrize(("declared", "kind"), NULLS)
@pytest.mark.parametrize("values", [[], [None, None]])
def test_columns_without_values_have_the_declared_type(declared, kind, values):
    assert fit(values, declared).values.type == kind


@given(st.lists(st.none() | st.integers() | st.floats(allow_nan=False) | st.text(), max_size=8))
def test_nothing_is_lost(values):
    back = fit(values, "").values.to_pylist()
    assert len(back) == len(values)
    for given_value, read in zip(values, back, strict=True):
        if isinstance(read, str) and not isinstance(given_value, str):
            assert type(given_value)(read) == given_value
        else:
            assert read == given_value


MIXED = st.one_of(
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False),
    st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-9999, max_value=9999),
    st.decimals(allow_nan=False, allow_infinity=False, places=1, min_value=-99999, max_value=99999),
    st.booleans(),
    st.text(max_size=3),
    st.binary(max_size=3),
    st.dates(),
    st.datetimes(),
)


@given(
    st.lists(
        st.one_of(MIXED.flatmap(lambda one: st.lists(st.one_of(st.none(), st.just(one)))), st.lists(MIXED))
    ),
    st.sampled_from(["", "INT", "NUMERIC", "NUMERIC(12,3)", "DATE", "TEXT", "BOOLEAN", "DOUBLE"]),
)
def test_batches_joined_are_what_all_cells_at_once_are(batches, declared):
    joined = join([fit(values, declared) for values in batches]) if batches else None
    if joined is not None:
        whole = fit([value for values in batches for value in values], declared)
        assert (joined.type, joined.remark, joined.values.type) == (
            whole.type,
            whole.remark,
            whole.values.type,
        )
        assert joined.values.to_pylist() == whole.values.to_pylist()

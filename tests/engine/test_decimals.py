"""Decimals become the floats that Python and DuckDB make of them."""

from decimal import Decimal

import pyarrow as pa
import pytest

from warebench.engine.decimals import to_floats


def test_every_cent_is_the_nearest_float():
    cents = [Decimal(number) / 100 for number in range(-50_000, 50_000)]
    column = pa.chunked_array([pa.array(cents, pa.decimal128(12, 2))])
    assert to_floats(column).to_pylist() == [float(cell) for cell in cents]
    assert column.cast(pa.float64()).to_pylist() != [float(cell) for cell in cents]  # why it is not used


def test_small_long_and_missing_numbers():
    cells = [Decimal("1E-10"), None, Decimal("-12345678901234567890.0000000001")]
    column = pa.chunked_array([pa.array(cells, pa.decimal128(38, 10))])
    assert to_floats(column).to_pylist() == [1e-10, None, -12345678901234567890.0]


def test_a_whole_number_that_no_float_holds_is_refused():
    with pytest.raises(pa.ArrowInvalid):
        to_floats(pa.chunked_array([[2**53 + 1]]))

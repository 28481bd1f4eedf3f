"""What a stream unpacks to is known before it does."""

import pyarrow as pa
import pytest

from warebench.engine.database import encode_table
from warebench.engine.packed import unpacked_size

TABLES = {
    "numbers": pa.table({"a": pa.array([0] * 1_000_000)}),
    "texts": pa.table({"a": ["x" * 100] * 50_000, "b": pa.nulls(50_000, pa.int32())}),
    "dictionary": pa.table({"a": pa.array(["x" * 500, "y"] * 1000).dictionary_encode()}),
    "nested": pa.table({"a": pa.array([[1, 2, 3]] * 20_000)}),
    "empty": pa.table({"a": pa.array([], pa.string())}),
}


@pytest.mark.parametrize("compress", [True, False])
@pytest.mark.parametrize("name", TABLES)
def test_never_less_than_it_takes(name: str, compress: bool) -> None:
    table = TABLES[name]
    raw = encode_table(table, compress=compress)
    assert table.nbytes <= unpacked_size(raw) <= 4 * table.nbytes + 4096


def test_a_column_of_nothing_has_cells_all_the_same() -> None:
    assert unpacked_size(encode_table(pa.table({"n": pa.nulls(10_000_000)}))) >= 80_000_000


def test_a_few_bytes_that_mean_many_are_not_unpacked() -> None:
    raw = encode_table(TABLES["numbers"], compress=True)
    assert len(raw) < 2_000
    before = pa.total_allocated_bytes()
    assert unpacked_size(raw) >= 8_000_000
    assert pa.total_allocated_bytes() - before < 100_000

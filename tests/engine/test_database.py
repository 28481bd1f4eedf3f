"""Equal tables give equal bytes, whatever a reader left behind a missing value."""

import numpy as np
import pyarrow as pa
import pytest

from warebench.engine.database import decode_table, encode_table

MASK = np.array([False, True, False])
THERE = pa.array(~MASK).buffers()[1]


def _texts(raw: bytes, ends: list[int]) -> pa.Array:
    offsets = pa.py_buffer(np.array([0, *ends], dtype=np.int32))
    return pa.StringArray.from_buffers(3, offsets, pa.py_buffer(raw), THERE)


PAIRS = {
    "numbers": (pa.array(np.array([1.5, 7.0, 2.5]), mask=MASK), pa.array([1.5, None, 2.5])),
    "whole numbers": (pa.array(np.array([1, 7, 2]), mask=MASK), pa.array([1, None, 2])),
    "texts": (_texts(b"abc", [1, 2, 3]), pa.array(["a", None, "c"])),
}


@pytest.mark.parametrize("what", PAIRS)
def test_equal_tables_give_equal_bytes(what):
    one, other = (pa.table({"a": cells}) for cells in PAIRS[what])
    assert one.equals(other)
    assert encode_table(one) == encode_table(other)
    assert decode_table(encode_table(one)).equals(other)

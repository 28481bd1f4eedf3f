"""Packing: the vectorised filling against the plain loop that the paper describes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warebench.tracks.budget.pack import pack


def loop(order, tokens, cap, first):
    """Return the tables that fit, one after another."""
    left = cap - sum(tokens[number] for number in order if number in first)
    kept = set(first)
    for number in order:
        if number not in first and tokens[number] <= left:
            kept.add(number)
            left -= tokens[number]
    return [number for number in order if number in kept]


@given(st.data())
def test_packing_is_the_loop(data):
    tokens = data.draw(st.lists(st.integers(1, 30), max_size=40))
    order = data.draw(st.permutations(range(len(tokens))))
    first = data.draw(st.lists(st.sampled_from(order), unique=True, max_size=3)) if order else []
    cap = data.draw(st.integers(0, 300))
    sizes = np.array(tokens, dtype=np.int64)
    packed = pack(np.array(order, dtype=np.int64), sizes, cap, first)
    assert list(packed.tables) == loop(order, tokens, cap, set(first))
    assert packed.tokens == sum(tokens[number] for number in packed.tables)
    if not first:
        assert packed.tokens <= cap
    last = order.index(packed.tables[-1]) if packed.tables else -1
    assert packed.skipped == last + 1 - len(packed.tables)


@pytest.mark.parametrize(
    ("cap", "tables", "skipped"),
    [
        (4, (), 0),
        (5, (2,), 2),
        (9, (2,), 2),
        (10, (0,), 0),
        (15, (0, 2), 1),
        (21, (0, 2, 3), 1),
        (99, (0, 1, 2, 3), 0),
    ],
)
def test_a_table_that_does_not_fit_is_skipped(cap, tables, skipped):
    packed = pack(np.arange(4), np.array([10, 20, 5, 6]), cap)
    assert (packed.tables, packed.skipped) == (tables, skipped)

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warebench.report.labels import apart

CASES = [
    ([], []),
    ([50.0], [50.0]),
    ([50.0, 50.0], [48.0, 52.0]),
    ([90.0, 10.0], [90.0, 10.0]),
    ([100.0, 100.0, 100.0], [93.0, 97.0, 101.0]),
    ([0.0, 0.0], [-1.0, 3.0]),
]


@pytest.mark.parametrize(("wanted", "placed"), CASES)
def test_cases(wanted, placed):
    assert apart(wanted, 4.0) == pytest.approx(placed)


@given(st.lists(st.floats(0, 100), max_size=20))
def test_labels_never_touch_and_keep_their_order(wanted):
    placed = apart(wanted, 4.0)
    by_place = sorted(placed)
    assert all(above - below >= 4.0 - 1e-6 for below, above in pairwise(by_place))
    pairs = sorted(zip(wanted, placed, strict=True))
    assert all(one[1] <= two[1] for one, two in pairwise(pairs) if one[0] < two[0])
    assert all(-1.001 <= place <= 101.001 for place in placed)

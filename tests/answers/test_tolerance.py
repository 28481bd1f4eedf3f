from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from warebench.answers.model import Quantity
from warebench.answers.tolerance import is_within, tolerance

TENTHS = st.integers(-(10**6), 10**6)


def test_the_larger_tolerance_counts() -> None:
    assert tolerance(Quantity(-200.0, relative=0.01, absolute=1.0)) == 2
    assert tolerance(Quantity(20.0, relative=0.01, absolute=1.0)) == 1
    assert tolerance(Quantity(0.0)) == 0


@given(TENTHS, st.integers(0, 50))
@settings(deadline=None)
def test_the_bound_itself_is_within_and_the_next_tenth_is_not(value: int, bound: int) -> None:
    gold = Quantity(value / 10, relative=0.0, absolute=bound / 10)
    for sign in (-1, 1):
        assert is_within(gold, (value + sign * bound) / 10)
        assert not is_within(gold, (value + sign * (bound + 1)) / 10)


@given(TENTHS, TENTHS)
@settings(deadline=None)
def test_it_agrees_with_exact_arithmetic(value: int, said: int) -> None:
    expected = abs(said - value) * 100 <= abs(value)
    assert is_within(Quantity(value / 10, relative=0.01), said / 10) is expected
    assert tolerance(Quantity(value / 10, relative=0.01)) == Fraction(abs(value), 1000)

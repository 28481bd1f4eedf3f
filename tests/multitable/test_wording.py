"""What is copied is judged exactly, what is computed with a tolerance."""

from datetime import date, datetime, time
from decimal import Decimal

import pytest

from warebench.answers.compare import compare
from warebench.answers.model import Number, Quantity, Text
from warebench.queries.model import Correlation, Count, Mean, Measure, Top, Total, Value
from warebench.tracks.multitable.wording import decimals, display, spell, to_gold

MEASURE = Measure(column="a.b")
LOOKUP, TOP = Value("a.b"), Top("a.b", Count())


@pytest.mark.parametrize("want", [LOOKUP, TOP])
@pytest.mark.parametrize(
    ("outcome", "gold"),
    [
        (50_000, Number(50_000)),
        (Decimal("3.75"), Quantity(3.75, 1e-9)),
        (0.1, Quantity(0.1, 1e-9)),
        ("Oslo", Text("Oslo")),
        (True, Text("true")),
        (date(2024, 2, 29), Text("2024-02-29")),
        (datetime.fromisoformat("2024-02-29 10:00"), Text("2024-02-29 10:00:00")),
        (time(10, 30), Text("10:30:00")),
    ],
)
def test_cells_are_copied(want, outcome, gold):
    assert to_gold(want, outcome) == gold
    assert spell(outcome) == (f"{outcome}" if not isinstance(outcome, bool) else "true")


def test_a_whole_number_that_is_looked_up_may_not_be_off_by_one():
    gold = to_gold(LOOKUP, 50_000)
    assert compare(gold, Number(50_000)).correct
    assert not compare(gold, Number(50_001)).correct
    assert compare(to_gold(Total(MEASURE), 50_000), Quantity(50_001)).correct


@pytest.mark.parametrize(
    ("want", "values", "digits"),
    [
        (Count(), [3, 4], 0),
        (Total(MEASURE), [3.0, 4], 0),
        (Total(MEASURE), [3.5, 4], 2),
        (Mean(MEASURE), [1 / 3], 2),
        (Correlation(MEASURE, MEASURE), [1.0], 3),
    ],
)
def test_computed_numbers_share_their_digits(want, values, digits):
    assert decimals(want, values) == digits
    assert all(len(display(value, digits).partition(".")[2]) == digits for value in values)


def test_zero_has_no_sign():
    assert display(-0.001, 2) == "0.00"

"""What equal means for one question: derived from its gold SQL, and declared by its source."""

import pytest

from warebench.answers.model import Column, Table
from warebench.answers.result import Comparison
from warebench.tracks.budget.comparison import declare_comparison, derive_comparison, find_misfit

GOLD = Table(columns=(Column("a"), Column("b", "number")), rows=(("x", 1),))
ORDERED = Table(columns=GOLD.columns, rows=GOLD.rows, ordered=True)
BY_B = Comparison(ordered=True, order_keys=(1,))


@pytest.mark.parametrize(
    ("sql", "keys"),
    [
        ("SELECT city AS c, count(*) AS n FROM customers GROUP BY city ORDER BY n DESC, city", (1, 0)),
        ("SELECT city, count(*) FROM customers GROUP BY city ORDER BY count(*)", (1,)),
        ("SELECT city, count(*) FROM customers GROUP BY city ORDER BY 2", (1,)),
        ("SELECT city, id FROM customers ORDER BY name", ()),
        ("SELECT city, id FROM customers ORDER BY name, city", ()),
        ("SELECT name AS n, id AS name FROM customers ORDER BY name", (1,)),
        ("SELECT c.name AS n, c.id AS name FROM customers c ORDER BY c.name", (0,)),
        ("SELECT name, id FROM customers c ORDER BY c.name", (0,)),
        ("SELECT c.name, c.id FROM customers c JOIN customers d USING (city) ORDER BY d.name", ()),
        ("SELECT * FROM (SELECT city AS a, id AS b FROM customers) ORDER BY B", (1,)),
    ],
)
def test_what_gold_is_ordered_by(sql, keys):
    assert derive_comparison(ORDERED, sql, "sqlite") == Comparison(ordered=True, order_keys=keys)


def test_without_an_order_only_the_defaults_are_derived():
    assert derive_comparison(GOLD, "SELECT city, id FROM customers", "sqlite") == Comparison()


@pytest.mark.parametrize(
    ("declared", "want"),
    [
        ({}, BY_B),
        ({"ordered": False}, Comparison()),
        ({"ordered": True}, BY_B),
        ({"order_keys": [0]}, Comparison(ordered=True, order_keys=(0,))),
        ({"duplicates": False}, Comparison(ordered=True, order_keys=(1,), duplicates=False)),
        (
            {"ordered": False, "columns": "given", "nulls": "blank", "relative": 1e-6, "absolute": 1},
            Comparison(columns="given", nulls="blank", relative=1e-6, absolute=1.0),
        ),
    ],
)
def test_what_a_source_declares_stands_in_the_place_of_what_is_derived(declared, want):
    assert declare_comparison(BY_B, declared, ORDERED) == want


@pytest.mark.parametrize(
    ("declared", "fault"),
    [
        ({"order": True}, "has no `order`. Did you mean `ordered`"),
        ({"tolerance": 0.1}, "has no `tolerance`. Known: absolute, "),
        ({"columns": "permute"}, "`columns` is not `permute`. Did you mean `permuted`?"),
        ({"nulls": "empty"}, "`nulls` is not `empty`. Known: blank, equal."),
        ({"nulls": ["blank"]}, "`nulls` is not"),
        ({"ordered": "false"}, r"Expected `bool`, got `str` - at `\$.ordered`"),
        ({"relative": 1}, "no tolerance"),
        ({"relative": "0"}, "Expected `float`"),
        ({"order_keys": [-1]}, "counted from 0"),
        ({"order_keys": [1]}, "order of rows is not to count"),
        ({"ordered": True}, "no ORDER BY"),
    ],
)
def test_what_does_not_fit_is_refused(declared, fault):
    with pytest.raises(ValueError, match=fault):
        declare_comparison(Comparison(), declared, GOLD)


def test_order_keys_beyond_gold_do_not_fit():
    assert find_misfit(BY_B, ORDERED) == ""
    assert "no order keys [5]" in find_misfit(Comparison(ordered=True, order_keys=(1, 5)), ORDERED)
    assert "no ORDER BY" in find_misfit(BY_B, GOLD)

"""A parent's quantity counts once, or the question is known to repeat it."""

import pytest

from warebench.queries.bind import Bound
from warebench.queries.fanout import is_repeated
from warebench.queries.model import Correlation, Count, Filter, Join, Mean, Measure, Query, Top, Total, Value
from warebench.queries.template import Template

WEIGHT, PRICE = Measure(column="p.weight"), Measure(column="c.price")

ROWS = [
    {"c.kind": kind, "c.price": price, "p.id": parent, "p.weight": weight, "p.town": town}
    for kind, price, parent, weight, town in (
        ("new", 1, 1, 10, "Rome"),
        ("new", 2, 2, 20, "Rome"),
        ("new", 3, 3, 30, "Oslo"),
        ("old", 4, 1, 10, "Rome"),
        ("old", 5, 1, 10, "Rome"),
        ("old", 6, 3, 30, "Oslo"),
    )
]


def bound(want, kind: str) -> Bound:
    query = Query(
        table="child",
        alias="c",
        joins=(Join(table="parent", alias="p", on=(("c.parent", "id"),)),),
        filters=(Filter(column="c.kind", op="=", parameter="kind"),),
        want=want,
    )
    template = Template(
        database="shop", subcategory="SUM", number=1, text="{kind}", query=query, parameters=()
    )
    return Bound(template=template, text=kind, bindings=({"kind": kind},), outcome=0)


@pytest.mark.parametrize(
    ("want", "repeated"),
    [
        (Total(WEIGHT), True),
        (Mean(WEIGHT), True),
        (Correlation(WEIGHT, Measure(column="p.id")), True),
        (Top("p.town", Total(WEIGHT)), True),
        (Top("c.price", Total(WEIGHT)), False),
        (Total(PRICE), False),
        (Total(Measure(column="p.weight", minus="c.price")), False),
        (Count(), False),
        (Count("p.town"), False),
        (Value("p.town"), False),
        (Top("p.town", Count()), False),
    ],
)
def test_only_parents_with_two_children_are_repeated(want, repeated):
    assert is_repeated(bound(want, "old"), ROWS) is repeated
    assert not is_repeated(bound(want, "new"), ROWS)
    assert not is_repeated(bound(want, "none"), ROWS)

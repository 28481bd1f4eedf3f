"""Files of templates: what they become, and what is said of one that breaks the notation."""

import pytest

from warebench.errors import BuildError
from warebench.queries.model import Count, Filter, Join, Query
from warebench.queries.template import Parameter, Template
from warebench.queries.template_text import read_templates

SHOP = """
# a comment
line = Order Lines
order = orders
order = orders on line.order_id = id
buyer = people on order."buyer id" = "person id"

CNT-1 in lines
? How many lines are in orders of {town}?
= count of line order buyer where buyer.town = {town}

CC-2 in orders, comparing town
? How many more orders come from {a} than from {b}?
= count of order buyer where buyer.town = {town}
"""

BUYER = Join(table="people", alias="buyer", on=(("order.buyer id", "person id"),))
TOWN = Filter(column="buyer.town", op="=", parameter="town")


def test_a_file_becomes_templates():
    first, second = read_templates(SHOP, "shop", "shop.txt")
    assert first == Template(
        database="shop",
        subcategory="CNT",
        number=1,
        text="How many lines are in orders of {town}?",
        query=Query(
            table="Order Lines",
            alias="line",
            joins=(Join(table="orders", alias="order", on=(("line.order_id", "id"),)), BUYER),
            filters=(TOWN,),
            want=Count(),
        ),
        parameters=(Parameter(name="town", column="buyer.town"),),
        unit="lines",
    )
    assert (second.query.table, second.query.joins) == ("orders", (BUYER,))
    assert (second.contrast, second.unit, second.name) == ("town", "orders", "shop-CC-2")


@pytest.mark.parametrize(
    ("old", "new", "said", "line"),
    [
        (SHOP, "# nothing", "the file holds no question", ""),
        ("line = Order Lines", "line is Order Lines", "a table cannot be read: line is Order Lines", 3),
        ("on line.order_id = id", "on order_id", "a table cannot be read", 5),
        ("CNT-1", "SIM-1", "no subcategory `SIM`", 8),
        ("CC-2 in", "CC-3 in", "a question cannot be read: CC-3 in", 12),
        (
            "CC-2 in orders, comparing town",
            "CNT-1 in orders",
            "the text has {a}, {b}, and its query {town}",
            13,
        ),
        ("CC-2", "CNT-1", "shop-CNT-1 stands twice", 12),
        ("? How many lines", "How many lines", "a question cannot be read: How many lines", 9),
        ("comparing town", "comparing city", "`city` is no parameter", 13),
        ("{town}?", "{city}?", "the text has {city}, and its query {town}", 9),
        ("{town}?", "{town?", "the text cannot be read", 9),
        ("count of order buyer", "count of buyer", "no line says which table `buyer` is", 14),
        ("of line order buyer", "of line buyer", "no line joins `buyer` to line", 10),
        ("= count of line", "= tally of line", "no aggregate `tally`", 10),
    ],
)
def test_an_error_names_file_and_line(old, new, said, line):
    assert old in SHOP
    with pytest.raises(BuildError) as caught:
        read_templates(SHOP.replace(old, new, 1), "shop", "shop.txt")
    assert said in caught.value.what
    assert caught.value.where == (f"shop.txt, line {line}" if line else "shop.txt")
    assert caught.value.fix

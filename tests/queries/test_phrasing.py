"""Composed questions in ordinary words: what they say, and where they keep their exact wording."""

import msgspec
import pytest

from warebench.catalog.model import Catalog, Column, ForeignKey, Table
from warebench.queries.compose.phrasing import GIVEN, reword
from warebench.queries.model import Correlation, Count, Filter, Join, Mean, Measure, Query, Top, Total, Value
from warebench.queries.template import Template


def table(name: str, columns: str, key: str = "id") -> Table:
    return Table(
        name=name,
        columns=tuple(Column(name=column) for column in columns.split()),
        primary_key=tuple(key.split()),
    )


def link(child: str, column: str, parent: str) -> ForeignKey:
    return ForeignKey(child=child, parent=parent, child_columns=(column,), parent_columns=("id",))


SHOP = Catalog(
    name="shop",
    tables=(
        table("stg_orders", "id customer_id approver_id total weight ordered status"),
        table("customer", "id country_id name segment"),
        table("country", "id country"),
        table("stock", "order_id item_id total", "order_id item_id"),
        table("staff", "id store_id name"),
        table("store", "id manager_id town"),
        table("t17", "id staff_id x"),
    ),
    foreign_keys=(
        link("stg_orders", "customer_id", "customer"),
        link("stg_orders", "approver_id", "customer"),
        link("customer", "country_id", "country"),
        link("stock", "order_id", "stg_orders"),
        link("staff", "store_id", "store"),
        link("store", "manager_id", "staff"),
        link("t17", "staff_id", "staff"),
    ),
)
APPROVER = Join(table="customer", alias="customer", on=(("stg_orders.approver_id", "id"),))
BUYER = Join(table="customer", alias="customer", on=(("stg_orders.customer_id", "id"),))
LAND = Join(table="country", alias="country", on=(("customer.country_id", "id"),))
TOTAL = Measure(column="stg_orders.total")
WEIGHT = Measure(column="stg_orders.weight")
SEGMENT = Filter(column="customer.segment", op="=", parameter="segment")
HEAVY = Filter(column="stg_orders.weight", op=">=", parameter="weight")
LATE = Filter(column="stg_orders.ordered", op=">=", parameter="ordered")
OTHER = Filter(column="country.country", op="<>", parameter="country")


def template(want, filters=(SEGMENT,), joins=(APPROVER,), table="stg_orders", contrast="") -> Template:
    return Template(
        database="shop",
        subcategory="CNT",
        number=1,
        text="exact",
        query=Query(table=table, alias=table, joins=joins, filters=filters, want=want),
        parameters=(),
        contrast=contrast,
    )


def said(made: Template, **more) -> str:
    given = {"moments": frozenset({"stg_orders.ordered"}), "lacking": False, "unique": True}
    return reword(made, SHOP, **(given | more))


WHOSE = "whose approver's segment is {segment}"
BIG = "whose weight is at least {weight}"
ORDER = Join(table="stg_orders", alias="stg_orders", on=(("stock.order_id", "id"),))
TEXTS = [
    (template(Count()), f"How many orders are there {WHOSE}?"),
    (template(Count(), (SEGMENT, HEAVY)), f"How many orders are there {WHOSE} and {BIG}?"),
    (template(Count(), (LATE,)), "How many orders are there whose ordered is {ordered} or later?"),
    (template(Total(TOTAL)), f"What is the sum of the total over all orders {WHOSE}?"),
    (template(Mean(TOTAL)), f"What is the average total per order over all orders {WHOSE}?"),
    (template(Value("customer.segment"), (HEAVY,)),
     "What is the segment of the approver of the order whose weight is at least {weight}?"),
    (template(Count("country.country"), (HEAVY,), (APPROVER, LAND)),
     f"How many different values does the approver's country take among the orders {BIG}?"),
    (template(Top("customer.segment", Count()), (HEAVY,)),
     "Among the orders whose weight is at least {weight}, which approver's segment is the most frequent?"),
    (template(Top("customer.segment", Total(TOTAL), False), (HEAVY,)),
     f"Among the orders {BIG}, for which approver's segment is the sum of the total the smallest?"),
    (template(Count(), contrast="segment"),
     "How many more orders have {a} than {b} as their approver's segment (negative if fewer)?"),
    (template(Mean(TOTAL), (SEGMENT, HEAVY), contrast="segment"),
     f"Among the orders {BIG}: by how much is the average total per order larger over those whose approver's "
     "segment is {a} than over those whose approver's segment is {b} (negative if smaller)?"),
    (template(Correlation(TOTAL, WEIGHT), (OTHER,), (APPROVER, LAND)),
     "Over the orders whose approver's country is given but not {country}, what is the Pearson correlation "
     "between the total and the weight, one pair per order?"),
    (template(Count(), (HEAVY,), (ORDER,), "stock"),
     "How many stock entries are there whose order's weight is at least {weight}?"),
]  # fmt: skip


@pytest.mark.parametrize(("made", "text"), TEXTS)
def test_texts(made, text):
    assert said(made) == text


def test_what_lacks_a_value_is_said():
    assert said(template(Count()), lacking=True) == f"How many orders are there {WHOSE}? {GIVEN}"


STORE = Join(table="store", alias="store", on=(("staff.store_id", "id"),))
WORKS = Join(table="staff", alias="staff", on=(("t17.staff_id", "id"),))
TOWN = Filter(column="store.town", op="=", parameter="town")
NAME = Filter(column="staff.name", op="=", parameter="name")
EXACT = [
    ("two keys, and the column is called like the table", template(Count(), joins=(BUYER,)), True),
    (
        "keys both ways: where they work or what they manage",
        template(Count(), (TOWN,), (STORE,), "staff"),
        True,
    ),
    ("no noun", template(Count(), (NAME,), (WORKS,), "t17"), True),
    ("a name that several share", template(Top("customer.name", Count()), (HEAVY,)), False),
]


@pytest.mark.parametrize(("made", "unique"), [row[1:] for row in EXACT], ids=[row[0] for row in EXACT])
def test_two_readings_keep_the_exact_text(made, unique):
    assert said(made, unique=unique) == "exact"


def test_two_columns_called_alike_keep_the_exact_text():
    orders = SHOP.tables[0]
    twice = msgspec.structs.replace(orders, columns=(*orders.columns, Column(name="Weight")))
    catalog = msgspec.structs.replace(SHOP, tables=(twice, *SHOP.tables[1:]))
    made = template(Count(), (HEAVY,))
    assert reword(made, catalog, moments=frozenset(), lacking=False, unique=True) == "exact"

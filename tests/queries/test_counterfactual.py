"""What needs a join has witnesses against every table; what does not, never has."""

import random

import pyarrow as pa
import pytest

from warebench.catalog.model import Catalog, Column, ForeignKey, Table
from warebench.engine.database import Database
from warebench.queries.bind import bind
from warebench.queries.counterfactual import find_witnesses, needs_join
from warebench.queries.model import Correlation, Count, Filter, Join, Mean, Measure, Query, Top, Total, Value
from warebench.queries.solve import join_rows
from warebench.queries.template import Parameter, Template

CUSTOMERS = pa.table(
    {
        "id": list(range(12)),
        "name": [f"customer {number}" for number in range(12)],
        "town": ["Rome", "Oslo", "Bern"] * 4,
        "age": [20 + 3 * number for number in range(12)],
    }
)
CHANCE = random.Random(5)  # noqa: S311
# Some customers order more than others, so that it matters who is who.
BUYERS = CHANCE.choices(range(12), weights=range(1, 13), k=60)
ORDERS = pa.table(
    {
        "number": list(range(60)),
        "customer": BUYERS,
        "town": [["Rome", "Oslo", "Bern"][buyer % 3] for buyer in BUYERS],
        "price": [float(CHANCE.randint(10, 99)) for _ in BUYERS],
        "kind": [CHANCE.choice(("new", "used", "rented", "lent")) for _ in BUYERS],
    }
)
OTHER = pa.table({"id": [1, 2]})


def table(name: str, rows: pa.Table, *primary: str) -> Table:
    return Table(
        name=name, columns=tuple(Column(name=column) for column in rows.column_names), primary_key=primary
    )


SHOP = Database(
    catalog=Catalog(
        name="shop",
        tables=(
            table("customers", CUSTOMERS, "id"),
            table("orders", ORDERS, "number"),
            table("other", OTHER),
        ),
        foreign_keys=(
            ForeignKey(
                child="orders", parent="customers", child_columns=("customer",), parent_columns=("id",)
            ),
        ),
    ),
    tables={"customers": CUSTOMERS, "orders": ORDERS, "other": OTHER},
)

PRICE = Measure(column="o.price")


def bounds(want, *filters: tuple[str, str]):
    query = Query(
        table="orders",
        alias="o",
        joins=(Join(table="customers", alias="c", on=(("o.customer", "id"),)),),
        filters=tuple(
            Filter(column=column, op=op, parameter=f"p{number}")
            for number, (column, op) in enumerate(filters)
        ),
        want=want,
    )
    parameters = tuple(
        Parameter(name=f"p{number}", column=column, kind="threshold" if op == ">=" else "value")
        for number, (column, op) in enumerate(filters)
    )
    template = Template(
        database="shop",
        subcategory="CNT",
        number=1,
        text=" ".join(f"{{p{number}}}" for number in range(len(filters))),
        query=query,
        parameters=parameters,
    )
    return bind(template, join_rows(SHOP, query), 5, random.Random(1))  # noqa: S311


NEEDED = [
    (Count(), [("c.town", "=")]),
    (Count(), [("c.age", ">="), ("o.kind", "=")]),
    (Count("o.kind"), [("c.name", "=")]),
    (Total(PRICE), [("c.town", "<>")]),
    (Mean(Measure(column="o.price", minus="c.age")), [("o.kind", "=")]),
    (Correlation(PRICE, Measure(column="c.age")), [("o.kind", "=")]),
    (Top("c.town", Total(PRICE)), [("o.kind", "=")]),
    (Value("c.name"), [("o.number", "=")]),
]

NEEDLESS = [
    # Only the orders decide: their columns, the key that they hold themselves, or a number that tells all.
    (Count(), [("o.kind", "=")]),
    (Total(PRICE), [("o.town", "=")]),
    (Count(), [("c.id", "=")]),
    (Top("o.kind", Total(PRICE)), [("o.price", ">=")]),
    (Value("o.price"), [("c.name", "="), ("o.kind", "="), ("o.number", "=")]),
]


@pytest.mark.parametrize(("want", "filters"), NEEDED)
def test_both_tables_are_needed(want, filters):
    asked = bounds(want, *filters)
    assert asked
    found = [find_witnesses(SHOP, bound, random.Random(2)) for bound in asked]  # noqa: S311
    assert any(needs_join(witnesses, SHOP) for witnesses in found)
    for witnesses in found:
        for witness in witnesses:
            spared = set(SHOP.tables) - set(witness.tables)
            assert spared
            assert all(witness.database.tables[name] == SHOP.tables[name] for name in spared)


@pytest.mark.parametrize(("want", "filters"), NEEDLESS)
def test_one_table_is_enough(want, filters):
    asked = bounds(want, *filters)
    assert asked
    for bound in asked:
        witnesses = find_witnesses(SHOP, bound, random.Random(3))  # noqa: S311
        assert not needs_join(witnesses, SHOP)
        assert all(witness.tables == ("orders",) for witness in witnesses)


def test_changes_repeat():
    (bound, *_) = bounds(Count(), ("c.town", "="))
    one, other = (find_witnesses(SHOP, bound, random.Random(4)) for _ in range(2))  # noqa: S311
    assert [witness.change for witness in one] == [witness.change for witness in other]

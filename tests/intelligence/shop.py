"""A small shop: two years of orders, five metrics, seven rules of every kind. Rows by a seeded generator."""

import random
from datetime import date, datetime, timedelta
from pathlib import Path

import pyarrow as pa

from warebench.catalog.model import Catalog, Column, ForeignKey, Table
from warebench.engine.database import Database
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.knowledge.read import parse_knowledge


def _table(name: str, key: tuple[str, ...], **columns: str) -> Table:
    return Table(
        name=name,
        primary_key=key,
        columns=tuple(Column(name=column, type=kind) for column, kind in columns.items()),
    )


CATALOG = Catalog(
    name="shop",
    tables=(
        _table("customers", ("customer_id",), customer_id="INTEGER", state="VARCHAR", segment="VARCHAR"),
        _table(
            "orders", ("order_id",),
            order_id="INTEGER", customer_id="INTEGER", status="VARCHAR",
            purchased="TIMESTAMP", delivered="TIMESTAMP", promised="DATE",
        ),
        _table(
            "items", ("order_id", "line"),
            order_id="INTEGER", line="INTEGER", category="VARCHAR", price="DOUBLE", freight="DOUBLE",
        ),
    ),
    foreign_keys=(
        ForeignKey(
            child="orders", parent="customers",
            child_columns=("customer_id",), parent_columns=("customer_id",),
        ),
        ForeignKey(child="items", parent="orders", child_columns=("order_id",), parent_columns=("order_id",)),
    ),
)  # fmt: skip


def make_database(seed: int = 42, orders: int = 600) -> Database:
    """Return the shop with orders of 2017 and 2018; some states, deliveries and customers are missing."""
    rng = random.Random(f"{seed}:shop")  # noqa: S311
    people = {
        "customer_id": list(range(1, 81)),
        "state": [rng.choice(["SP", "SP", "RJ", "MG", "BA", None]) for _ in range(80)],
        "segment": [rng.choice(["home", "office"]) for _ in range(80)],
    }
    sold = [_order(rng, number) for number in range(1, orders + 1)]
    lines = [_item(rng, order[0], line) for order in sold for line in range(1, rng.randint(1, 3) + 1)]
    return Database(
        catalog=CATALOG,
        tables={
            "customers": pa.table(people),
            "orders": pa.table(
                list(zip(*sold, strict=True)),
                schema=pa.schema(
                    [
                        ("order_id", pa.int64()), ("customer_id", pa.int64()), ("status", pa.string()),
                        ("purchased", pa.timestamp("us")), ("delivered", pa.timestamp("us")),
                        ("promised", pa.date32()),
                    ]
                ),
            ),
            "items": pa.table(
                list(zip(*lines, strict=True)), names=["order_id", "line", "category", "price", "freight"]
            ),
        },
    )  # fmt: skip


def _order(rng: random.Random, number: int) -> tuple[int, int | None, str, datetime, datetime | None, date]:
    bought = datetime.fromisoformat("2017-01-01") + timedelta(minutes=rng.randrange(2 * 365 * 24 * 60))
    days = rng.choice([2, 4, 6, 8, 9, 10, 11, 12, 15, 45])
    arrived = bought + timedelta(days=days, minutes=rng.randrange(600)) if rng.random() < 0.85 else None
    status = "delivered" if arrived else rng.choice(["shipped", "canceled"])
    customer = None if rng.random() < 0.03 else rng.randint(1, 84)  # 81 to 84 are no customers
    return number, customer, status, bought, arrived, bought.date() + timedelta(days=10)


def _item(rng: random.Random, order: int, line: int) -> tuple[int, int, str, float, float]:
    category = rng.choice(["toys", "books", "garden"])
    return order, line, category, rng.randrange(500, 20000) / 100, rng.randrange(100, 3000) / 100


KNOWLEDGE_YAML = """
name: shop
company: A shop that sells toys, books and garden ware.
dimensions:
  - {id: customer_state, table: customers, column: state, kind: spatial, label: customer state,
     values: {SP: São Paulo, RJ: Rio de Janeiro}}
  - {id: customer_segment, table: customers, column: segment, kind: categorical, label: customer segment}
  - {id: item_category, table: items, column: category, kind: categorical, label: item category}
  - {id: order_status, table: orders, column: status, kind: categorical, label: order status}
  - {id: order_date, table: orders, column: purchased, kind: temporal, label: day of purchase,
     calendar: timestamp}
"""

METRICS_YAML = """
metrics:
  - id: MV-DEL-001
    name: Average Delivery Time
    tier: L1
    description: Mean calendar days from purchase to delivery, of delivered orders.
    unit: days
    relation: {table: orders, alias: o, where: ["o.status = 'delivered'"]}
    time: o.purchased
    calendar: timestamp
    measures:
      days: {aggregate: avg, value: "DATE_DIFF('day', o.purchased, o.delivered)"}
    formula: days
    synonyms: [mean delivery time]
  - id: MV-DEL-002
    name: Late Delivery Rate
    tier: L2
    description: Share of delivered orders that came after the promised day.
    unit: "%"
    relation:
      {table: orders, alias: o, joins: [{table: customers, alias: c}], where: ["o.status = 'delivered'"]}
    time: o.purchased
    calendar: timestamp
    measures:
      late: {aggregate: count, where: "DATE_DIFF('day', o.promised, o.delivered) > :grace_days"}
      delivered: {aggregate: count}
    parameters: {grace_days: 0}
    formula: 100 * late / delivered
  - id: MV-REV-001
    name: Revenue per Order
    tier: L2
    description: Price and freight of all items, divided by the number of orders.
    unit: BRL
    relation:
      table: items
      alias: i
      joins:
        - {table: orders, alias: o}
        - {table: customers, alias: c, on: [[o.customer_id, customer_id]]}
      where: ["o.status <> 'canceled'"]
    time: o.purchased
    calendar: timestamp
    measures:
      revenue: {aggregate: sum, value: i.price + i.freight}
      orders: {aggregate: count_distinct, value: i.order_id}
    formula: revenue / orders
  - id: MV-CUS-001
    name: Active Customers
    tier: L2
    description: Customers with enough orders.
    unit: customers
    decimals: 0
    relation: {table: orders, alias: o}
    time: o.purchased
    calendar: timestamp
    entity:
      key: [o.customer_id]
      measures:
        placed: {aggregate: count}
      keep: placed >= :minimum_orders
    measures:
      active: {aggregate: count}
    parameters: {minimum_orders: 1}
    formula: active
  - id: MV-FUL-001
    name: Fulfilment Score
    tier: L3
    description: A weighted score of punctuality and speed, higher is better.
    unit: points
    components: {late: MV-DEL-002, days: MV-DEL-001}
    parameters: {w_late: 0.5, w_days: 0.5}
    formula: ":w_late * (100 - late) + :w_days * (100 - 2 * days)"
"""

TRUTH_YAML = """
rules:
  - id: BR-01
    title: Active customer definition
    kind: definitional
    document: rules/active_customer.md
    operations:
      - {type: threshold, metrics: [MV-CUS-001], parameter: minimum_orders, value: 4}
    facts:
      - {ask: "How many orders make a customer active?", answer: 4, unit: orders,
         quote: a customer is active from 4 orders on}
  - id: BR-02
    title: Delivery outliers
    kind: exclusionary
    document: rules/outliers.md
    operations:
      - {type: exclude, metrics: [MV-DEL-001, MV-DEL-002],
         where: "DATE_DIFF('day', o.purchased, o.delivered) > 30"}
  - id: BR-03
    title: Grace of one day
    kind: temporal
    document: rules/grace.md
    effective_from: 2017-07-01
    operations:
      - {type: threshold, metrics: [MV-DEL-002], parameter: grace_days, value: 1}
  - id: BR-04
    title: Freight in SP
    kind: conditional
    document: rules/freight_sp.md
    operations:
      - {type: override, metrics: [MV-REV-001], target: value, measure: revenue, expression: i.price,
         scope: "c.state = 'SP'"}
  - id: BR-05
    title: Small groups
    kind: privacy
    document: rules/small_groups.md
    operations:
      - {type: threshold, metrics: [MV-DEL-001, MV-DEL-002, MV-REV-001], parameter: minimum_rows, value: 5}
  - id: BR-06
    title: Weights of the fulfilment score
    kind: override
    document: rules/weights.md
    operations:
      - {type: weight, metrics: [MV-FUL-001], parameter: w_late, value: 0.7}
      - {type: weight, metrics: [MV-FUL-001], parameter: w_days, value: 0.3}
  - id: BR-07
    title: Grace of two days
    kind: temporal
    document: rules/grace_two.md
    effective_from: 2018-04-01
    supersedes: [BR-03]
    refers_to: [BR-03]
    operations:
      - {type: threshold, metrics: [MV-DEL-002], parameter: grace_days, value: 2}
"""

DOCUMENTS = {
    "rules/active_customer.md": "# Name\n\nFor Active Customers, a customer is active\nfrom 4 orders on.\n",
    "rules/outliers.md": "# Outliers\n\nAverage Delivery Time leaves out deliveries of more than 30 days.\n",
    "rules/grace.md": "# Grace\n\nThe Late Delivery Rate grants one day of grace from 1 July 2017.\n",
    "rules/freight_sp.md": "# Freight\n\nRevenue per Order counts no freight for customers in SP.\n",
    "rules/small_groups.md": "# Privacy\n\nThe Late Delivery Rate is not shown for groups of fewer than 5.\n",
    "rules/weights.md": "# Weights\n\nThe Fulfilment Score weighs punctuality 0.7 and speed 0.3.\n",
    "rules/grace_two.md": "# Grace\n\nFrom 1 April 2018 the Late Delivery Rate grants two days.\n",
}
"""Path to prose. Far shorter than real ones."""


FILES = {"knowledge.yaml": KNOWLEDGE_YAML, "metrics.yaml": METRICS_YAML, "truth.yaml": TRUTH_YAML}


def write_folder(folder: Path) -> Path:
    """Write the knowledge base as a folder, for tests of reading."""
    (folder / "rules").mkdir(parents=True)
    for name, text in {**FILES, **DOCUMENTS}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def make_knowledge() -> Knowledge:
    """Return the knowledge base without a folder."""
    return parse_knowledge({**FILES, **DOCUMENTS})

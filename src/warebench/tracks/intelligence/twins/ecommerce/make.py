"""From a seed and a scale to the marketplace."""

from warebench.engine.database import Database
from warebench.engine.synthetic.columns import to_table
from warebench.engine.synthetic.plan import Plan, check_scale
from warebench.tracks.intelligence.twins.ecommerce.delivery import make_delivery, order_columns
from warebench.tracks.intelligence.twins.ecommerce.goods import (
    make_goods,
    make_products,
    make_sellers,
    make_translation,
)
from warebench.tracks.intelligence.twins.ecommerce.items import item_columns, make_items
from warebench.tracks.intelligence.twins.ecommerce.orders import make_orders
from warebench.tracks.intelligence.twins.ecommerce.payments import make_payments, payment_columns
from warebench.tracks.intelligence.twins.ecommerce.places import make_geolocation, make_places
from warebench.tracks.intelligence.twins.ecommerce.reviews import make_reviews
from warebench.tracks.intelligence.twins.ecommerce.schema import ECOMMERCE

ROWS = {"orders": 99_441, "products": 32_951, "sellers": 3_095, "geolocation": 20_000, "zips": 15_000}
"""At scale 1; the other tables follow. Geolocation has a fiftieth of the real rows."""
ALL_ROWS = 570_000
"""Of all tables at scale 1, about."""

LEAST = {"orders": 500, "products": 300, "sellers": 60, "geolocation": 1_000, "zips": 0}


def make_ecommerce(seed: int, scale: float = 1.0) -> Database:
    """Return a marketplace nobody has seen, with the schema and the habits of Olist's: same seed, same bytes.

    Two departures from the real data: an order has at most one review, and geolocation is a fiftieth.

    Args:
        seed: Of every random choice.
        scale: Rows relative to the real data; at least 500 orders are made.

    Raises:
        BuildError: The scale is not a positive number, or too large.

    Source: DI-Bench (arXiv 2609.05776), section 4; schema and shares of Olist (Kaggle, 2018).
    """
    check_scale(scale, ALL_ROWS)
    rows = {name: max(LEAST[name], round(count * scale)) for name, count in ROWS.items()}
    plan = Plan(twin="ecommerce", seed=seed, rows=rows)
    places = make_places(plan)
    goods = make_goods(plan, places)
    orders, customers = make_orders(plan, places)
    items = make_items(plan, orders, goods, places)
    payments = make_payments(plan, orders, items)
    delivery = make_delivery(plan, orders, items, payments, goods, places)
    columns = {
        "customers": customers,
        "sellers": make_sellers(goods, places),
        "product_category_name_translation": make_translation(),
        "products": make_products(plan, goods),
        "orders": order_columns(orders, delivery, customers["customer_id"]),
        "order_items": item_columns(plan, orders, items, goods, delivery.approved),
        "order_payments": payment_columns(orders, payments),
        "order_reviews": make_reviews(plan, orders, delivery, goods),
        "geolocation": make_geolocation(plan, places),
    }
    tables = {spec.name: to_table(spec, columns[spec.name]) for spec in ECOMMERCE.tables}
    return Database(catalog=ECOMMERCE, tables=tables)

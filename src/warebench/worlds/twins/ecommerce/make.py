"""From a plan to the marketplace."""

from collections.abc import Iterable

from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns
from warebench.worlds.twins.ecommerce.delivery import make_delivery, order_columns
from warebench.worlds.twins.ecommerce.goods import (
    make_goods,
    make_products,
    make_sellers,
    make_translation,
)
from warebench.worlds.twins.ecommerce.items import item_columns, make_items
from warebench.worlds.twins.ecommerce.orders import make_orders
from warebench.worlds.twins.ecommerce.payments import make_payments, payment_columns
from warebench.worlds.twins.ecommerce.places import make_geolocation, make_places
from warebench.worlds.twins.ecommerce.reviews import make_reviews


def make_ecommerce(plan: Plan) -> Iterable[tuple[str, Columns]]:
    """Draw a marketplace with the schema and the habits of Olist's.

    Two departures from the real data: an order has at most one review, and geolocation is a fiftieth.

    Source: DI-Bench (arXiv 2609.05776), section 4; schema and shares of Olist (Kaggle, 2018).
    """
    places = make_places(plan)
    goods = make_goods(plan, places)
    orders, customers = make_orders(plan, places)
    items = make_items(plan, orders, goods, places)
    payments = make_payments(plan, orders, items)
    delivery = make_delivery(plan, orders, items, payments, goods, places)
    return {
        "customers": customers,
        "sellers": make_sellers(goods, places),
        "product_category_name_translation": make_translation(),
        "products": make_products(plan, goods),
        "orders": order_columns(orders, delivery, customers["customer_id"]),
        "order_items": item_columns(plan, orders, items, goods, delivery.approved),
        "order_payments": payment_columns(orders, payments),
        "order_reviews": make_reviews(plan, orders, delivery, goods),
        "geolocation": make_geolocation(plan, places),
    }.items()

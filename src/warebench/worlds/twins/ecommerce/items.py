"""What an order holds: products, prices and freight."""

from dataclasses import dataclass

import numpy as np

from warebench.worlds.synthetic.columns import day, take
from warebench.worlds.synthetic.draw import Floats, Ints, cents, lognormal, ranks, weighted
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns
from warebench.worlds.twins.ecommerce.goods import CHEAPEST, Goods
from warebench.worlds.twins.ecommerce.orders import DAY, HOUR, Orders
from warebench.worlds.twins.ecommerce.places import Places, kilometres

COUNTS = np.array([0.0, 90.0, 7.6, 1.35, 0.5, 0.21, 0.2, 0.02, 0.01, 0.005, 0.008, 0.004, 0.002])
"""Orders by how many items they hold (%)."""
SAME_PRODUCT, SAME_SELLER = 0.62, 0.83
"""Further items: up to the first share the same product again, up to the second one of the same seller."""
PROMOTION = (day("2017-11-20"), day("2017-11-28"))
FREE_FREIGHT = 0.0034


@dataclass(frozen=True, kw_only=True, slots=True)
class Items:
    """Items by order, parallel."""

    order: Ints
    product: Ints
    seller: Ints
    price: Floats
    freight: Floats


def make_items(plan: Plan, orders: Orders, goods: Goods, places: Places) -> Items:
    """Draw the items of the orders; what came to nothing early mostly has none."""
    rng = plan.generator("items")
    count = 1 + weighted(rng, len(orders.purchase), COUNTS[1:])
    order = np.repeat(np.arange(len(count)), np.where(_empty(rng, orders), 0, count))
    product = _products(rng, order, goods)
    seller = goods.seller[product]
    distance = kilometres(places, orders.place[order], goods.seller_place[seller])
    return Items(
        order=order,
        product=product,
        seller=seller,
        price=_prices(rng, orders.purchase[order] // DAY, product, goods),
        freight=_freight(rng, order, distance, goods.weight[product]),
    )


def _empty(rng: np.random.Generator, orders: Orders) -> np.ndarray:
    chance = np.where(orders.are("unavailable"), 0.99, np.where(orders.are("canceled"), 0.26, 0.0))
    found: np.ndarray = (rng.random(len(chance)) < chance) | orders.are("created")
    return found


def _products(rng: np.random.Generator, order: Ints, goods: Goods) -> Ints:
    """Return the product of each item; each product is sold at least once while there are orders enough."""
    place = ranks(order)
    firsts = np.flatnonzero(place == 0)
    known = rng.permutation(len(goods.price))[: len(firsts)]
    rest = weighted(rng, len(firsts) - len(known), goods.popularity)
    product = rng.permutation(np.r_[known, rest])[np.cumsum(place == 0) - 1]
    choice = rng.random(len(order))
    kin = _of_same_seller(rng, product, goods)
    other = weighted(rng, len(order), goods.popularity)
    further: Ints = np.where(choice < SAME_PRODUCT, product, np.where(choice < SAME_SELLER, kin, other))
    return np.where(place == 0, product, further)


def _of_same_seller(rng: np.random.Generator, product: Ints, goods: Goods) -> Ints:
    """Return for each product one of the same seller, possibly itself."""
    shelf = np.argsort(goods.seller, kind="stable")
    counts = np.bincount(goods.seller)
    start = np.cumsum(counts) - counts
    seller = goods.seller[product]
    found: Ints = shelf[start[seller] + (rng.random(len(product)) * counts[seller]).astype(np.int64)]
    return found


def _prices(rng: np.random.Generator, date: Ints, product: Ints, goods: Goods) -> Floats:
    """Return prices: they rise a little over the years and fall for Black Friday."""
    list_price = goods.price[product]
    raised = np.where(goods.popularity[product] > 1.0, 1 + 0.05 * (date > day("2018-03-01")), 1.0)
    promoted = (date >= PROMOTION[0]) & (date < PROMOTION[1]) & (goods.popularity[product] > 1.5)
    price = np.where(promoted, 0.85 * list_price, raised * list_price)
    return np.maximum(cents(np.where(list_price < 4, list_price, price)), CHEAPEST)


def _freight(rng: np.random.Generator, order: Ints, distance: Floats, weight: Ints) -> Floats:
    """Return freight by distance and weight; it is free for a few orders."""
    orders = int(order.max()) + 1
    z, free = rng.standard_normal(orders)[order], (rng.random(orders) < FREE_FREIGHT)[order]
    kilograms = weight / 1000
    due = lognormal(z, 9.4 + 0.0076 * distance + 2.0 * kilograms * (1 + distance / 2500), 0.22, 2.5, 409.68)
    return cents(np.where(free, 0.0, due))


def item_columns(plan: Plan, orders: Orders, items: Items, goods: Goods, approved: Ints) -> Columns:
    """Return the columns of the items; sellers have some days from approval to hand over."""
    rng = plan.generator("items", "limits")
    days = 3 + weighted(rng, len(goods.price), np.array([12.0, 18, 24, 20, 10, 8, 4, 2, 1, 1]))
    return {
        "order_id": take(orders.order_id, items.order),
        "order_item_id": ranks(items.order) + 1,
        "product_id": take(goods.product_id, items.product),
        "seller_id": take(goods.seller_id, items.seller),
        "shipping_limit_date": approved[items.order] + days[items.product] * DAY + HOUR // 6,
        "price": items.price,
        "freight_value": items.freight,
    }

"""What is sold and by whom: categories, products and sellers."""

from dataclasses import dataclass
from functools import cache

import numpy as np
import pyarrow as pa

from warebench.worlds.declare import declare
from warebench.worlds.synthetic.columns import hashes, take
from warebench.worlds.synthetic.draw import Floats, Ints, cents, correlated, lognormal, weighted, whole
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns
from warebench.worlds.twins.ecommerce.places import Places, locate, settle, states


@dataclass(frozen=True, slots=True)
class Category:
    """A product category by its code, its English code, and what its products are like."""

    code: str
    english: str
    share: float
    """Of the items sold (%)."""
    price: float
    """Median (BRL)."""
    weight: float
    """Median (g)."""


@cache
def categories() -> tuple[Category, ...]:
    """Return the categories of the marketplace, most sold first; rules name some of them."""
    return tuple(
        Category(code, english, float(share), float(price), float(weight))
        for code, english, share, price, weight in declare("ecommerce").lists["categories"]
    )


NO_CATEGORY, TINY = 0.0185, 0.004
"""Shares of products without category, and of those that cost next to nothing."""
CHEAPEST, DEAREST = 0.85, 6735.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Goods:
    """Sellers and products."""

    seller_id: pa.Array
    seller_place: Ints
    seller_quality: Floats
    """Standard normal: good ones hand over earlier and please more."""
    product_id: pa.Array
    category: Ints
    """Position in `categories`; -1 when unknown."""
    seller: Ints
    """Who sells the product."""
    price: Floats
    weight: Ints
    """Grams."""
    popularity: Floats


def make_goods(plan: Plan, places: Places) -> Goods:
    """Draw sellers, most of them small, and what each of them sells."""
    rng, size, sellers = plan.generator("goods"), plan.rows["products"], plan.rows["sellers"]
    category = weighted(rng, size, np.array([c.share for c in categories()]))
    z = rng.standard_normal(size)
    heavy = correlated(rng, z, 0.5)
    weight = lognormal(heavy, np.array([c.weight for c in categories()])[category], 0.8, 50, 40_425)
    return Goods(
        seller_id=hashes(rng, sellers),
        seller_place=settle(rng, places, [state.sellers for state in states()], sellers),
        seller_quality=rng.standard_normal(sellers),
        product_id=hashes(rng, size),
        category=np.where(rng.random(size) < NO_CATEGORY, -1, category),
        seller=np.r_[rng.permutation(sellers), weighted(rng, size - sellers, _sizes(rng, sellers))],
        price=_prices(rng, z, category),
        weight=whole(np.where(weight > 500, np.round(weight, -1), weight)),
        popularity=lognormal(rng.standard_normal(size), 1.0, 1.5, 0, 400),
    )


def _sizes(rng: np.random.Generator, sellers: int) -> Floats:
    """Return how much each seller offers: a few very much."""
    return lognormal(rng.standard_normal(sellers), 1.0, 1.7, 0, 120)


def _prices(rng: np.random.Generator, z: Floats, category: Ints) -> Floats:
    """Return prices that end as prices do."""
    price = lognormal(z, np.array([c.price for c in categories()])[category], 0.75, 4.0, DEAREST - 1)
    ending = np.array([0.9, 0.99, 0.0, 0.5])[weighted(rng, len(z), np.array([50.0, 25, 20, 5]))]
    tiny = CHEAPEST + 2.0 * rng.random(len(z))
    return cents(np.where(rng.random(len(z)) < TINY, tiny, np.floor(price) + ending))


def make_sellers(goods: Goods, places: Places) -> Columns:
    """Return the columns of the sellers."""
    return {"seller_id": goods.seller_id, **locate(places, "seller", goods.seller_place)}


def make_translation() -> Columns:
    """Return the category codes in both languages."""
    return {
        "product_category_name": pa.array([c.code for c in categories()]),
        "product_category_name_english": pa.array([c.english for c in categories()]),
    }


def make_products(plan: Plan, goods: Goods) -> Columns:
    """Draw what else is known of the products: nothing of those without category, and of one no size."""
    rng, size = plan.generator("products"), len(goods.category)
    unknown = goods.category < 0
    unmeasured = np.arange(size) == rng.integers(size)
    side = np.cbrt(goods.weight * 8.0)
    sides = {
        f"product_{name}_cm": lognormal(rng.standard_normal(size), side * factor, 0.3, least, 105)
        for name, factor, least in (("length", 1.3, 7), ("height", 0.6, 2), ("width", 1.0, 6))
    }
    texts = {
        "product_name_lenght": np.clip(49 + 10 * rng.standard_normal(size), 5, 76),
        "product_description_lenght": lognormal(rng.standard_normal(size), 600.0, 0.75, 4, 3992),
        "product_photos_qty": 1 + np.minimum(rng.exponential(1.3, size=size), 19),
    }
    return {
        "product_id": goods.product_id,
        "product_category_name": _category_names(goods, unknown),
        **{name: np.ma.MaskedArray(whole(values), unknown) for name, values in texts.items()},
        "product_weight_g": np.ma.MaskedArray(goods.weight, unmeasured),
        **{name: np.ma.MaskedArray(whole(values), unmeasured) for name, values in sides.items()},
    }


def _category_names(goods: Goods, unknown: np.ndarray) -> pa.Array:
    names = pa.array([c.code for c in categories()])
    return take(names, np.ma.MaskedArray(goods.category, unknown))

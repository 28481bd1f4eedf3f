"""What is sold and by whom: categories, products and sellers."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from warebench.engine.synthetic.columns import hashes, take
from warebench.engine.synthetic.draw import Floats, Ints, cents, correlated, lognormal, weighted, whole
from warebench.engine.synthetic.plan import Plan
from warebench.engine.synthetic.schema import Columns
from warebench.tracks.intelligence.twins.ecommerce.places import STATES, Places, locate, settle


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


LINES = """
cama_mesa_banho bed_bath_table 9.9 78 1400
beleza_saude health_beauty 8.6 80 400
esporte_lazer sports_leisure 7.7 80 800
moveis_decoracao furniture_decor 7.4 70 1400
informatica_acessorios computers_accessories 6.9 75 280
utilidades_domesticas housewares 6.2 60 1300
relogios_presentes watches_gifts 5.3 130 340
telefonia telephony 4.0 30 210
ferramentas_jardim garden_tools 3.9 60 1600
automotivo auto 3.8 78 950
brinquedos toys 3.7 78 780
cool_stuff cool_stuff 3.4 120 1200
perfumaria perfumery 3.0 85 400
bebes baby 2.7 98 720
eletronicos electronics 2.5 25 220
papelaria stationery 2.2 75 850
fashion_bolsas_e_acessorios fashion_bags_accessories 1.8 48 220
pet_shop pet_shop 1.7 88 1100
moveis_escritorio office_furniture 1.5 155 10500
consoles_games consoles_games 1.0 45 310
malas_acessorios luggage_accessories 1.0 105 1050
construcao_ferramentas_construcao construction_tools_construction 0.8 90 2100
eletrodomesticos home_appliances 0.7 65 420
instrumentos_musicais musical_instruments 0.6 210 2900
eletroportateis small_appliances 0.6 155 1200
casa_construcao home_construction 0.5 120 1250
livros_interesse_geral books_general_interest 0.5 50 500
alimentos food 0.5 48 430
moveis_sala furniture_living_room 0.4 105 6600
casa_conforto home_confort 0.4 92 1800
bebidas drinks 0.3 48 220
audio audio 0.3 65 240
market_place market_place 0.3 62 640
construcao_ferramentas_iluminacao construction_tools_lights 0.3 190 2500
climatizacao air_conditioning 0.3 135 900
livros_tecnicos books_technical 0.2 42 470
telefonia_fixa fixed_telephony 0.2 125 900
eletrodomesticos_2 home_appliances_2 0.2 190 7600
fashion_calcados fashion_shoes 0.2 40 520
industria_comercio_e_negocios industry_commerce_and_business 0.2 140 5900
pcs computers 0.2 1100 6000
artes art 0.2 88 1500
agro_industria_e_comercio agro_industry_and_commerce 0.2 240 2400
sinalizacao_e_seguranca signaling_and_security 0.2 115 1800
moveis_quarto furniture_bedroom 0.1 200 10500
fashion_roupa_masculina fashion_male_clothing 0.1 80 540
livros_importados books_imported 0.06 130 800
artigos_de_natal christmas_supplies 0.12 45 900
cine_foto cine_photo 0.07 70 700
musica music 0.03 95 500
artigos_de_festas party_supplies 0.04 60 700
flores flowers 0.03 34 300
fashion_esporte fashion_sport 0.03 55 380
la_cuisine la_cuisine 0.02 120 1200
seguros_e_servicos security_and_services 0.01 140 300
"""


def _category(line: str) -> Category:
    code, english, share, price, weight = line.split()
    return Category(code, english, float(share), float(price), float(weight))


CATEGORIES = tuple(_category(line) for line in LINES.strip().splitlines())
"""Codes of the marketplace; rules name some of them. Shares and medians are near the real ones."""

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
    """Position in `CATEGORIES`; -1 when unknown."""
    seller: Ints
    """Who sells the product."""
    price: Floats
    weight: Ints
    """Grams."""
    popularity: Floats


def make_goods(plan: Plan, places: Places) -> Goods:
    """Draw sellers, most of them small, and what each of them sells."""
    rng, size, sellers = plan.generator("goods"), plan.rows["products"], plan.rows["sellers"]
    category = weighted(rng, size, np.array([c.share for c in CATEGORIES]))
    z = rng.standard_normal(size)
    heavy = correlated(rng, z, 0.5)
    weight = lognormal(heavy, np.array([c.weight for c in CATEGORIES])[category], 0.8, 50, 40_425)
    return Goods(
        seller_id=hashes(rng, sellers),
        seller_place=settle(rng, places, [state.sellers for state in STATES], sellers),
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
    price = lognormal(z, np.array([c.price for c in CATEGORIES])[category], 0.75, 4.0, DEAREST - 1)
    ending = np.array([0.9, 0.99, 0.0, 0.5])[weighted(rng, len(z), np.array([50.0, 25, 20, 5]))]
    tiny = CHEAPEST + 2.0 * rng.random(len(z))
    return cents(np.where(rng.random(len(z)) < TINY, tiny, np.floor(price) + ending))


def make_sellers(goods: Goods, places: Places) -> Columns:
    """Return the columns of the sellers."""
    return {"seller_id": goods.seller_id, **locate(places, "seller", goods.seller_place)}


def make_translation() -> Columns:
    """Return the category codes in both languages."""
    return {
        "product_category_name": pa.array([c.code for c in CATEGORIES]),
        "product_category_name_english": pa.array([c.english for c in CATEGORIES]),
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
    names = pa.array([c.code for c in CATEGORIES])
    return take(names, np.ma.MaskedArray(goods.category, unknown))

"""The marketplace behaves like the real one, and gives every kind of rule something to bite on."""

import pytest
from tests.intelligence.twin_samples import CSV, ask, assert_near, connection, needs_data

from warebench.engine.load import read_database
from warebench.tracks.intelligence.sources import Source
from warebench.worlds import make_world

NAME = "ecommerce"

SHARES = {
    "customer states": (
        "SELECT customer_state, count(*) FROM customers GROUP BY 1",
        {"SP": 42.0, "RJ": 12.9, "MG": 11.7, "RS": 5.5, "BA": 3.4, "AM": 0.15},
    ),
    "seller states": (
        "SELECT seller_state, count(*) FROM sellers GROUP BY 1",
        {"SP": 59.7, "PR": 11.3, "MG": 7.9, "RJ": 5.5},
    ),
    "status": (
        "SELECT order_status, count(*) FROM orders GROUP BY 1",
        {"delivered": 97.0, "shipped": 1.1, "canceled": 0.63, "unavailable": 0.61, "invoiced": 0.32},
    ),
    "ways of paying": (
        "SELECT payment_type, count(*) FROM order_payments GROUP BY 1",
        {"credit_card": 73.9, "boleto": 19.0, "voucher": 5.6, "debit_card": 1.5},
    ),
    "installments": (
        "SELECT least(payment_installments, 11), count(*) FROM order_payments "
        "WHERE payment_type = 'credit_card' GROUP BY 1",
        {1: 33.3, 2: 16.2, 3: 13.6, 8: 5.6, 10: 6.9, 11: 0.4},
    ),
    "scores": (
        "SELECT review_score, count(*) FROM order_reviews GROUP BY 1",
        {1: 11.5, 2: 3.2, 3: 8.2, 4: 19.3, 5: 57.8},
    ),
    "years": (
        "SELECT year(order_purchase_timestamp), count(*) FROM orders GROUP BY 1",
        {2016: 0.33, 2017: 45.4, 2018: 54.3},
    ),
    "items in an order": (
        "SELECT least(n, 4), count(*) FROM (SELECT count(*) n FROM order_items GROUP BY order_id) GROUP BY 1",
        {1: 90.1, 2: 7.6, 3: 1.3, 4: 1.0},
    ),
}
"""Shares (%) of the real data."""


@pytest.mark.parametrize("what", SHARES)
def test_shares_are_near_the_real_ones(what):
    query, expected = SHARES[what]
    assert_near(dict(connection(NAME).execute(query).fetchall()), expected, slack=0.5)


FIGURES = {
    "late deliveries": (
        "SELECT avg((order_delivered_customer_date > order_estimated_delivery_date)::INT) FROM orders",
        0.05,
        0.10,
    ),
    "deliveries over 60 days": (
        "SELECT avg((order_delivered_customer_date - order_purchase_timestamp > INTERVAL 60 "
        "DAY)::INT) FROM orders",
        0.001,
        0.006,
    ),
    "days to São Paulo": (
        "SELECT avg(epoch(order_delivered_customer_date - order_purchase_timestamp)) / 86400 "
        "FROM orders JOIN customers USING (customer_id) WHERE customer_state = 'SP'",
        8,
        10.5,
    ),
    "days to Pará": (
        "SELECT avg(epoch(order_delivered_customer_date - order_purchase_timestamp)) / 86400 "
        "FROM orders JOIN customers USING (customer_id) WHERE customer_state = 'PA'",
        20,
        30,
    ),
    "orders on Black Friday over the day's mean": (
        "SELECT count(*) FILTER (order_purchase_timestamp::DATE = DATE '2017-11-24') / "
        "(count(*) FILTER (order_purchase_timestamp BETWEEN '2017-10-01' AND '2017-11-01') / 31) FROM orders",
        5,
        12,
    ),
    "median price": ("SELECT median(price) FROM order_items", 65, 85),
    "median freight": ("SELECT median(freight_value) FROM order_items", 13, 19),
    "freight follows weight": (
        "SELECT corr(freight_value, product_weight_g) FROM order_items JOIN products USING (product_id)",
        0.4,
        0.95,
    ),
    "dear orders take more installments": (
        "SELECT corr(ln(payment_value + 1), payment_installments) FROM order_payments "
        "WHERE payment_type = 'credit_card'",
        0.3,
        0.7,
    ),
    "scores fall when late": (
        "SELECT avg(review_score) FILTER (order_delivered_customer_date <= order_estimated_delivery_date) "
        "- avg(review_score) FILTER (order_delivered_customer_date > order_estimated_delivery_date) "
        "FROM orders JOIN order_reviews USING (order_id)",
        1.2,
        2.4,
    ),
    "largest seller over the median one": (
        "SELECT max(n) / median(n) FROM (SELECT count(*) n FROM order_items GROUP BY seller_id)",
        20,
        1000,
    ),
    "persons per order": (
        "SELECT count(DISTINCT customer_unique_id) / count(*) FROM customers",
        0.955,
        0.975,
    ),
    "orders of several sellers": (
        "SELECT avg((n > 1)::INT) FROM (SELECT count(DISTINCT seller_id) n FROM order_items GROUP "
        "BY order_id)",
        0.008,
        0.035,
    ),
    "reviews per order": ("SELECT (SELECT count(*) FROM order_reviews) / count(*) FROM orders", 0.985, 0.998),
}


@pytest.mark.parametrize("what", FIGURES)
def test_figures_are_near_the_real_ones(what):
    query, low, high = FIGURES[what]
    assert low <= ask(NAME, query) <= high


CODES = {
    "orders.order_status": {
        "delivered", "shipped", "canceled", "unavailable", "invoiced", "processing", "created", "approved"
    },
    "order_payments.payment_type": {"credit_card", "boleto", "voucher", "debit_card", "not_defined"},
    "order_reviews.review_score": {1, 2, 3, 4, 5},
}  # fmt: skip


@pytest.mark.parametrize("place", CODES)
def test_all_codes_are_present_at_any_scale(place):
    table, column = place.split(".")
    found = make_world("ecommerce", seed=5, scale=0.01).tables[table][column].unique().to_pylist()
    assert set(found) == CODES[place]


def test_customers_of_all_states():
    found = make_world("ecommerce", seed=5, scale=0.01).tables["customers"]["customer_state"].unique()
    assert len(found) == 27


FORBIDDEN = {
    "two reviews of one order": "SELECT order_id FROM order_reviews GROUP BY 1 HAVING count(*) > 1",
    "a delivery before the carrier": "FROM orders WHERE order_delivered_customer_date <= "
    "order_delivered_carrier_date",
    "an approval before the purchase": "FROM orders WHERE order_approved_at < order_purchase_timestamp",
    "a promise within the day": "FROM orders WHERE order_estimated_delivery_date::TIME <> TIME '00:00:00'",
    "a promise already broken": "FROM orders WHERE order_estimated_delivery_date < order_purchase_timestamp",
    "a delivery of what was not sent": "FROM orders WHERE order_delivered_customer_date IS NOT NULL "
    "AND order_status NOT IN ('delivered', 'canceled')",
    "a purchase outside the time": "FROM orders WHERE NOT order_purchase_timestamp "
    "BETWEEN '2016-09-04' AND '2018-10-18'",
    "a delivered order without items": "FROM orders ANTI JOIN order_items USING (order_id) "
    "WHERE order_status = 'delivered'",
    "an answer before the question": "FROM order_reviews WHERE review_answer_timestamp < "
    "review_creation_date",
    "a negative amount": "FROM order_payments WHERE payment_value < 0",
    "a price of nothing": "FROM order_items WHERE price < 0.85",
    "amounts of more than two decimals": "FROM order_items WHERE price <> round(price, 2) "
    "OR freight_value <> round(freight_value, 2)",
    "a person with two addresses": "SELECT customer_unique_id FROM customers GROUP BY 1 "
    "HAVING count(DISTINCT customer_zip_code_prefix) > 1",
    "a zip prefix in two cities": "SELECT customer_zip_code_prefix FROM customers GROUP BY 1 "
    "HAVING count(DISTINCT customer_city) > 1",
    "a zip prefix that is no five digits": "FROM customers WHERE length(customer_zip_code_prefix) <> 5",
    "items not counted from 1": "SELECT order_id FROM order_items GROUP BY 1 HAVING "
    "max(order_item_id) <> count(*)",
    "payments not counted from 1": "SELECT order_id FROM order_payments GROUP BY 1 "
    "HAVING max(payment_sequential) <> count(*)",
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_rows_do_not_contradict_each_other(what):
    assert ask(NAME, f"SELECT count(*) FROM ({FORBIDDEN[what]})") == 0  # noqa: S608


def test_payments_add_up_but_for_interest():
    differing = ask(
        NAME,
        """WITH due AS (SELECT order_id, sum(price + freight_value) AS due FROM order_items GROUP BY 1),
        paid AS (SELECT order_id, sum(payment_value) AS paid FROM order_payments GROUP BY 1)
        SELECT avg((abs(due - paid) > 0.005)::INT) FROM due JOIN paid USING (order_id)""",
    )
    assert 0.001 < differing < 0.006


PRESENT = {
    "canceled orders that were paid": "orders JOIN order_payments USING (order_id) WHERE "
    "order_status = 'canceled' "
    "AND payment_value > 0",
    "canceled orders that were delivered": "orders WHERE order_status = 'canceled' "
    "AND order_delivered_customer_date IS NOT NULL",
    "delivered orders without date": "orders WHERE order_status = 'delivered' "
    "AND order_delivered_customer_date IS NULL",
    "approvals after the carrier": "orders WHERE order_approved_at > order_delivered_carrier_date",
    "orders that look like tests": "order_items WHERE price < 3",
    "free freight": "order_items WHERE freight_value = 0",
    "products without category": "products WHERE product_category_name IS NULL",
    "payments of an unknown kind": "order_payments WHERE payment_type = 'not_defined' AND payment_value = 0",
    "orders paid by card and voucher": "(SELECT order_id FROM order_payments GROUP BY 1 "
    "HAVING count(DISTINCT payment_type) > 1)",
    "cards with 0 installments": "order_payments WHERE payment_installments = 0",
    "orders without payment": "orders ANTI JOIN order_payments USING (order_id)",
    "sellers with one order": "(SELECT seller_id FROM order_items GROUP BY 1 HAVING count(DISTINCT "
    "order_id) = 1)",
    "states with fewer than 30 orders": "(SELECT customer_state FROM customers GROUP BY 1 HAVING "
    "count(*) < 30)",
    "customers who came three times": "(SELECT customer_unique_id FROM customers GROUP BY 1 HAVING "
    "count(*) > 2)",
    "zip prefixes without a point": "customers ANTI JOIN geolocation "
    "ON customer_zip_code_prefix = geolocation_zip_code_prefix",
    "orders on promotion": "order_items JOIN products USING (product_id) "
    "JOIN (SELECT product_id, max(price) AS usual FROM order_items GROUP BY 1) USING (product_id) "
    "WHERE price < 0.9 * usual",
}


@pytest.mark.parametrize("what", PRESENT)
def test_rules_have_something_to_bite_on(what):
    assert ask(NAME, f"SELECT count(*) FROM {PRESENT[what]}") > 0  # noqa: S608


@needs_data
def test_shares_of_the_real_sample_agree():
    real = Source("ecommerce", read_database(CSV)).read(0, 1.0)[1].connect()
    for query, expected in SHARES.values():
        assert_near(dict(real.execute(query).fetchall()), expected, slack=0.5)

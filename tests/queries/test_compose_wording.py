"""Texts of composed queries: what they say, word by word."""

import pytest

from warebench.queries.compose.naming import adds_up, is_calendar, is_identifier, words
from warebench.queries.compose.wording import tick, unit_of, word
from warebench.queries.model import (
    Correlation,
    Count,
    Filter,
    Join,
    Mean,
    Measure,
    Query,
    Top,
    Total,
    Value,
)

BUYER = Join(table="customer", alias="customer", on=(("order.customer_id", "id"),))
LAND = Join(table="country", alias="country", on=(("customer.land", "code"), ("customer.zone", "zone")))
SELLER = Join(table="shop.staff", alias="shop_staff", on=(("order.staff", "id"),))

IN = Filter(column="customer.country", op="=", parameter="country")
OUT = Filter(column="customer.country", op="<>", parameter="country")
DEAR = Filter(column="order.total", op=">=", parameter="total")
EARLY = Filter(column="order.day", op="<=", parameter="day")
TOTAL = Measure(column="order.total")
WEIGHT = Measure(column="order.weight")

START = "Join each row of `order` with its row of `customer` (`order`.`customer_id` = `customer`.`id`)"
LEFT_OUT = "; rows without a match are left out. "

ASKED = [
    (Value("customer.name"), "", "What is the value of `customer`.`name`?", ""),
    (Count(), "", "How many such rows are there?", "rows"),
    (
        Count("customer.name"),
        "",
        "How many different values of `customer`.`name` do these rows have?",
        "different values",
    ),
    (Total(TOTAL), "", "What is the sum of `order`.`total` over these rows?", ""),
    (Mean(TOTAL), "", "What is the average of `order`.`total` over these rows?", ""),
    (
        Correlation(TOTAL, WEIGHT),
        "",
        "What is the Pearson correlation between `order`.`total` and `order`.`weight` over these rows, "
        "one pair from each row?",
        "",
    ),
    (
        Top("customer.name", Total(TOTAL)),
        "",
        "Group these rows by `customer`.`name`. For which value of `customer`.`name` is the sum of "
        "`order`.`total` the largest?",
        "",
    ),
    (
        Top("customer.name", Count(), False),
        "",
        "Group these rows by `customer`.`name`. For which value of `customer`.`name` is the number of rows "
        "the smallest?",
        "",
    ),
    (
        Mean(TOTAL),
        "country",
        "Take the average of `order`.`total` over the rows where `customer`.`country` is {a}, and subtract "
        "the average of `order`.`total` over the rows where `customer`.`country` is {b}. What is the "
        "difference (negative if the first is smaller)?",
        "",
    ),
    (
        Count(),
        "country",
        "Take the number of rows where `customer`.`country` is {a}, and subtract the number of rows where "
        "`customer`.`country` is {b}. What is the difference (negative if the first is smaller)?",
        "rows",
    ),
]
"""What is asked for, the parameter compared, the last sentences, and the unit."""


@pytest.mark.parametrize(("want", "contrast", "asked", "unit"), ASKED)
def test_what_is_asked(want, contrast, asked, unit):
    query = Query(table="order", alias="order", joins=(BUYER,), filters=(IN,), want=want)
    kept = "" if contrast else "Keep the rows where `customer`.`country` is {country}. "
    text = word(query, contrast=contrast, moments=frozenset(), lacking=False)
    assert text == START + LEFT_OUT + kept + asked
    assert unit_of(want) == unit


KEPT = [
    ((OUT, DEAR), "`customer`.`country` is anything but {country} and `order`.`total` is at least {total}"),
    ((EARLY,), "`order`.`day` is {day} or earlier"),
    ((Filter(column="order.day", op=">=", parameter="day"),), "`order`.`day` is {day} or later"),
    ((Filter(column="order.total", op="<=", parameter="total"),), "`order`.`total` is at most {total}"),
]


@pytest.mark.parametrize(("filters", "kept"), KEPT)
def test_what_is_kept(filters, kept):
    query = Query(table="order", alias="order", joins=(BUYER,), filters=filters, want=Count())
    text = word(query, contrast="", moments=frozenset({"order.day"}), lacking=True)
    lacking = "Rows without a value in a column named here do not count. "
    assert text == f"{START}{LEFT_OUT}Keep the rows where {kept}. {lacking}How many such rows are there?"


def test_chains_and_forks():
    query = Query(table="order", alias="order", joins=(BUYER, LAND, SELLER), want=Count())
    assert word(query, contrast="", moments=frozenset(), lacking=False) == (
        f"{START}, and each row of `customer` with its row of `country` "
        "(`customer`.`land` = `country`.`code` and `customer`.`zone` = `country`.`zone`), "
        "and each row of `order` with its row of `shop.staff` (called `shop_staff` here) "
        f"(`order`.`staff` = `shop_staff`.`id`){LEFT_OUT}How many such rows are there?"
    )


def test_ticks():
    assert tick("plain") == "`plain`"
    assert tick("a `b` {c}") == "`` a `b` {{c}} ``"
    assert tick("{c}").format() == "`{c}`"


NAMES = [
    ("customer_id", True, True, False),
    ("CustomerID", True, True, False),
    ("ZipCode", True, True, False),
    ("flight_number", True, True, False),
    ("number_of_rooms", False, True, False),
    ("phone no", True, True, False),
    ("paid", False, True, False),
    ("idle_minutes", False, True, False),
    ("release_year", False, False, True),
    ("year_built", False, False, False),
    ("unit_price", False, True, False),
    ("Latitude", False, False, False),
    ("student_staff_ratio", False, False, False),
    ("注文", False, True, False),
]


@pytest.mark.parametrize(("name", "identifier", "additive", "calendar"), NAMES)
def test_names(name, identifier, additive, calendar):
    assert (is_identifier(name), adds_up(name), is_calendar(name)) == (identifier, additive, calendar)


def test_words():
    assert words("orderIDs HTTPServer x9_y") == ["order", "ids", "http", "server", "x", "9", "y"]

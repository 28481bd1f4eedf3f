"""What a number measures: rules on names and descriptions, and on the values beside keys."""

import msgspec
import pytest
from tests.queries.compose_schemas import database_of

from warebench.engine.database import Database
from warebench.queries.compose.measures import Clues, Values, judge
from warebench.queries.compose.naming import is_bookkeeping, is_placeholder
from warebench.queries.compose.profile import profile


def spread(**said) -> Values:
    return Values(**({"present": 100, "distinct": 40, "whole": True, "low": 0, "high": 90} | said))


NAMES = [
    (Clues(name="freight"), "additive"),
    (Clues(name="num_students"), "additive"),
    (Clues(name="vote_count"), "additive"),
    (Clues(name="payment_value"), "additive"),
    (Clues(name="market_value"), "level"),
    (Clues(name="payment_sequence", values=spread()), "none"),
    (Clues(name="A4", description="number of inhabitants"), "additive"),
    (Clues(name="seats", values=spread()), "additive"),
    (Clues(name="total", key="primary key"), "none"),
    (Clues(name="account_to", nouns=frozenset({"account"})), "none"),
    (Clues(name="medium", nouns=frozenset({"medium"})), "none"),
    (Clues(name="order_total", nouns=frozenset({"order"})), "additive"),
    (Clues(name="cast_order"), "none"),
    (Clues(name="number_in_season"), "none"),
    (Clues(name="zip_code"), "none"),
    (Clues(name="release_year"), "none"),
    (Clues(name="latitude"), "none"),
    (Clues(name="is_active"), "none"),
    (Clues(name="discount"), "rate"),
    (Clues(name="pct_female_students"), "rate"),
    (Clues(name="x", values=spread(whole=False, high=0.9)), "rate"),
    (Clues(name="A12", description="unemployment rate"), "rate"),
    (Clues(name="num_students", per_period=True), "level"),
    (Clues(name="unit_price"), "level"),
    (Clues(name="age"), "level"),
    (Clues(name="height_cm"), "level"),
    (Clues(name="x", values=spread(whole=False)), "level"),
    (Clues(name="amount", values=spread(copied_from="product_id")), "level"),
    (Clues(name="amount", values=spread(distinct=2)), "none"),
    (Clues(name="amount", values=spread(low=1990, high=2020)), "none"),
    (Clues(name="amount", values=spread(low=10_000_000, high=99_999_999, distinct=90)), "none"),
    (Clues(name="amount", values=spread(low=1_500_000_000, high=1_600_000_000)), "none"),
    (Clues(name="A5"), "unknown"),
    (Clues(name="quality", values=spread()), "unknown"),
    (Clues(name="注文"), "unknown"),
]


@pytest.mark.parametrize(("clues", "role"), NAMES)
def test_names_and_values(clues, role):
    found = judge(clues)
    assert found.role == role
    assert found.reason


VALUES = [
    ("amount", [at * 7.5 for at in range(90)], "additive", "name is that of an amount"),
    ("amount", [20200100 + at % 28 + 1 for at in range(90)], "none", "dates written as numbers"),
    ("amount", [at // 30 for at in range(90)], "none", "counts the rows of one `product`"),
    ("amount", [at % 30 * 3.5 for at in range(90)], "level", "decided by `product`"),
    ("amount", [at * at for at in range(90)], "additive", "name is that of an amount"),
    ("other", [at * at for at in range(90)], "unknown", "nothing says"),
]


@pytest.mark.parametrize(("name", "cells", "role", "reason"), VALUES)
def test_values_beside_keys(name, cells, role, reason):
    lines = {"id": [f"l{at}" for at in range(90)], "product": [at % 30 for at in range(90)], name: cells}
    tables = {"product": {"id": list(range(30))}, "line": lines}
    database = database_of(tables, [("line", ["product"], "product", ["id"])])
    judgement = profile(database)["line"][name].judgement
    assert judgement.role == role
    assert reason in judgement.reason


def test_a_row_for_each_year_is_a_state():
    database = database_of(
        {
            "school": {"id": list(range(9))},
            "school_year": {
                "school_id": [at % 9 for at in range(90)],
                "year": [2000 + at // 9 for at in range(90)],
                "num_students": [100 + at * at for at in range(90)],
            },
        },
        [("school_year", ["school_id"], "school", ["id"])],
    )
    school, years = database.catalog.tables
    # `database_of` takes the first column alone.
    years = msgspec.structs.replace(years, primary_key=("school_id", "year"))
    catalog = msgspec.structs.replace(database.catalog, tables=(school, years))
    judgement = profile(Database(catalog=catalog, tables=database.tables))["school_year"][
        "num_students"
    ].judgement
    assert judgement.role == "level"
    assert "a state in a period" in judgement.reason


PLACEHOLDERS = [
    ("-", True),
    ("", True),
    ("N/A", True),
    ("<unknown>", True),
    ("--?", True),
    ("Nana", False),
    ("7", False),
]


@pytest.mark.parametrize(("value", "nothing"), PLACEHOLDERS)
def test_placeholders(value, nothing):
    assert is_placeholder(value) == nothing


@pytest.mark.parametrize(
    ("name", "rows_own"), [("last_update", True), ("updatedAt", True), ("etl_id", True), ("due", False)]
)
def test_bookkeeping(name, rows_own):
    assert is_bookkeeping(name) == rows_own

"""Queries with their values in place give the answers of the ones with parameters."""

from datetime import date, datetime, time
from decimal import Decimal

import duckdb
import pytest
from tests.multitable.shop import SHOP, TEMPLATES
from tests.queries.compose_schemas import chance

from warebench.queries.bind import bind
from warebench.queries.fill import fill_sql
from warebench.queries.prove import agree
from warebench.queries.solve import join_rows
from warebench.queries.sql import to_sql


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda item: item.name)
def test_filled_sql_gives_the_bound_answer(template):
    connection = SHOP.connect()
    bounds = bind(template, join_rows(SHOP, template.query), 3, chance())
    assert bounds
    for bound in bounds:
        ((found,),) = connection.execute(fill_sql(to_sql(template.query), bound.bindings)).fetchall()
        assert agree(bound.outcome, found)


@pytest.mark.parametrize(
    "value",
    [
        "it's",
        7,
        -2.5,
        True,
        Decimal("1.10"),
        date(2024, 2, 29),
        time(23, 59, 1),
        datetime(2024, 2, 29, 1, 2, 3),  # noqa: DTZ001 - as DuckDB returns it
    ],
    ids=str,
)
def test_values_come_back_as_they_were(value):
    sql = fill_sql("SELECT $x AS answer", [{"x": value}])
    ((found,),) = duckdb.sql(sql).fetchall()
    assert found == value

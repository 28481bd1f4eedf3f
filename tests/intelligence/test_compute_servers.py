"""The SQL of slices, base and under rules, gives PostgreSQL's and MariaDB's rows as it gives DuckDB's."""

import msgspec
import pytest
from sqlglot import exp
from tests.intelligence.servers import ask, load, open_schema
from tests.intelligence.shop import make_database, make_knowledge

from warebench.engine.database import Database
from warebench.tracks.intelligence.compute.calendars import period
from warebench.tracks.intelligence.compute.dialects import to_dialect
from warebench.tracks.intelligence.compute.rewrite import apply_rules
from warebench.tracks.intelligence.compute.run import execute, open_database, same_values
from warebench.tracks.intelligence.compute.sql import base_sql
from warebench.tracks.intelligence.compute.tree import Names, expression_tree
from warebench.tracks.intelligence.slice import Slice, Window

KNOWLEDGE = make_knowledge()
DATABASE = make_database()
UNBOUND = Database(catalog=msgspec.structs.replace(DATABASE.catalog, foreign_keys=()), tables=DATABASE.tables)
"""Some orders have customers that are not there, which a server would refuse."""
RULES = tuple(rule.id for rule in KNOWLEDGE.rules)
LATE = Window(first="2018-04-01", last="2018-12-31")
WANTED = [
    Slice(metric="MV-DEL-001", group=("customer_state",), rules=RULES),
    Slice(metric="MV-DEL-002", grain="quarter", rules=RULES),
    Slice(metric="MV-DEL-002", grain="month", group=("customer_segment",), window=LATE, rules=RULES),
    Slice(metric="MV-REV-001", group=("item_category",), grain="year", rules=RULES),
    Slice(metric="MV-REV-001", filters=(("customer_state", "SP"),), rules=RULES),
    Slice(metric="MV-CUS-001", group=("customer_state",), rules=RULES),
    Slice(metric="MV-FUL-001", group=("customer_state",), window=LATE, rules=RULES),
    Slice(metric="MV-FUL-001", rules=RULES, parameters=(("grace_days", 4.0), ("minimum_rows", 2.0))),
]


@pytest.fixture(scope="module", params=["mysql", "postgres"])
def server(request):
    """Yield a dialect and a connection to a server that holds the shop."""
    with open_schema(request.param) as (connection, _):
        load(connection, UNBOUND)
        yield request.param, connection


@pytest.mark.parametrize(
    "wanted", WANTED, ids=lambda wanted: f"{wanted.metric} {wanted.group} {wanted.grain}"
)
def test_rows_are_those_of_duckdb(server, wanted):
    dialect, connection = server
    base = base_sql(KNOWLEDGE, DATABASE.catalog, wanted)
    with open_database(DATABASE) as opened:
        for tree in (base, apply_rules(base, KNOWLEDGE, DATABASE.catalog, wanted)):
            expected = execute(opened, to_dialect(tree))
            text = to_dialect(tree, dialect)
            assert expected
            assert same_values(ask(connection, text), expected), text


EXPRESSIONS = [
    "EXTRACT(DOW FROM o.purchased)", "EXTRACT(HOUR FROM o.purchased)", "EXTRACT(QUARTER FROM o.promised)",
    "LEAST(o.customer_id, 30, o.order_id)", "GREATEST(NULLIF(o.customer_id, 5), 3)",
    "(o.customer_id - 40) // 7", "(o.customer_id - 40) % 7", "o.order_id / (o.customer_id % 3)",
    "1 / 3", "DATE_DIFF('day', o.delivered, o.promised)", "DATE_DIFF('day', DATE '2017-01-01', o.purchased)",
    "CASE WHEN o.status LIKE 'deliv%' THEN 1 ELSE 2 END", "CASE o.status WHEN 'shipped' THEN 1 END",
    "CASE WHEN o.status NOT LIKE '_anceled' AND NOT (o.delivered IS NULL) THEN 1 ELSE 0 END",
    "COALESCE(o.customer_id, -1) * 0.5", "ABS(10 - o.customer_id)", "-o.customer_id",
    "CASE WHEN CAST(o.purchased AS DATE) = o.promised THEN 1 WHEN o.status > 'd' THEN 2 END",
    "CASE WHEN o.customer_id NOT BETWEEN 3 AND 50 THEN 1 WHEN o.customer_id IN (1, 7) THEN 3 END",
]  # fmt: skip


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expressions_are_those_of_duckdb(server, text):
    dialect, connection = server
    names = Names(KNOWLEDGE.metrics[0], lambda node: "date" if node.name == "promised" else "any", {})
    value = exp.alias_(expression_tree(text, names), "value")
    tree = exp.select(exp.column("order_id", "o"), value).from_(
        exp.alias_(exp.to_table("orders"), "o", table=True)
    )
    with open_database(DATABASE) as opened:
        expected = execute(opened, to_dialect(tree))
    query = to_dialect(tree, dialect)
    assert len(expected) > 30
    assert same_values(ask(connection, query), expected), query


@pytest.mark.parametrize("grain", ["month", "quarter", "year"])
@pytest.mark.parametrize(
    ("name", "calendar"), [("order_id", "yymmdd"), ("promised", "date"), ("purchased", "timestamp")]
)
def test_periods_are_those_of_duckdb(server, name, calendar, grain):
    dialect, connection = server
    key = exp.alias_(period(exp.column(name, "o"), calendar, grain), "period")
    tree = exp.select(key, exp.alias_(exp.Count(this=exp.Star()), "value"))
    tree = tree.from_(exp.alias_(exp.to_table("orders"), "o", table=True)).group_by("1")
    with open_database(DATABASE) as opened:
        expected = execute(opened, to_dialect(tree))
    assert ask(connection, to_dialect(tree, dialect)) == expected

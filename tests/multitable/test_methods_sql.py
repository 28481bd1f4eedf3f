"""From a reply to a query, from a result to an answer, and the tools of the SQL agent."""

import asyncio
import json
import math
from datetime import date, datetime, time
from decimal import Decimal

import pytest
from inspect_ai.tool import ToolDef
from tests.multitable.shop import SHOP

from warebench.answers.model import Number, Quantity, Text
from warebench.answers.parse import Unparsed
from warebench.engine.run import Failure, Rows, run_query
from warebench.harness.sql import show
from warebench.tracks.multitable.methods.solvers import schema_and_sizes
from warebench.tracks.multitable.methods.sql_answer import read_result, to_reply
from warebench.tracks.multitable.methods.sql_tools import make_tools


@pytest.mark.parametrize(
    ("cell", "kind", "reply"),
    [
        (3, "number", Number(3)),
        (3.0, "number", Number(3)),
        (Decimal("3.00"), "number", Number(3)),
        ("3", "number", Number(3)),
        (3.5, "number", None),
        (True, "number", None),
        (date(2024, 1, 1), "number", None),
        (math.nan, "number", None),
        (15417, "quantity", Quantity(15417.0)),
        (Decimal("1.5"), "quantity", Quantity(1.5)),
        ("1.5", "quantity", Quantity(1.5)),
        (math.inf, "quantity", None),
        ("many", "quantity", None),
        ("Ann", "text", Text("Ann")),
        (7, "text", Text("7")),
        (Decimal("7.10"), "text", Text("7.10")),
        (date(2024, 1, 5), "text", Text("2024-01-05")),
        (time(7, 30), "text", Text("07:30:00")),
        (datetime.fromisoformat("2024-01-05T07:30:00"), "text", Text("2024-01-05T07:30:00")),
        (True, "text", Text("true")),
    ],
)
def test_cells_are_typed_answers(cell, kind, reply):
    found = to_reply(cell, kind)
    assert found == reply if reply is not None else isinstance(found, Unparsed)


def rows(*cells):
    return Rows(columns=("a",), types=("INTEGER",), rows=tuple((cell,) for cell in cells))


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (rows(), "0 rows"),
        (rows(1, 1), "2 rows"),
        (Rows(columns=("a", "b"), types=("INTEGER",) * 2, rows=((1, 2),)), "1 rows of 2 columns"),
        (rows(None), "NULL"),
        (rows(1.5), "not a whole number"),
        (Failure(kind="timeout", message="too slow"), "too slow"),
    ],
)
def test_anything_but_one_fitting_cell_is_no_answer(result, message):
    found = read_result(result, "number")
    assert isinstance(found, Failure)
    assert message in found.message


def test_one_fitting_cell_is_the_answer():
    assert read_result(rows(4), "number") == Number(4)


def call(name, **arguments):
    async def run(sql):
        return run_query(SHOP, sql)

    tools = {ToolDef(tool).name: tool for tool in make_tools(schema_and_sizes(SHOP), run)}
    assert set(tools) == {"schema", "query"}
    return asyncio.run(tools[name](**arguments))


def test_the_schema_tool_shows_types_keys_and_sizes():
    shown = call("schema")
    assert '"amount" DECIMAL(9,2)' in shown
    assert 'REFERENCES "customers" ("id")' in shown
    assert "-- order lines: 32 rows" in shown
    assert "Ann" not in shown


def test_the_query_tool_shows_rows_and_errors():
    shown = json.loads(call("query", sql='SELECT day, amount, 1 AS one FROM "order lines" LIMIT 1'))
    assert shown == {"columns": ["day", "amount", "one"], "rows": [["2024-01-01", 0.0, 1]]}
    refused = json.loads(call("query", sql='DROP TABLE "order lines"'))
    assert refused["error"] == "forbidden"
    assert json.loads(show(Failure(kind="timeout", message="m"))) == {"error": "timeout", "message": "m"}

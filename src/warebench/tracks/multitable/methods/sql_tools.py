"""The two tools of sql_agent, as a model sees them."""

import json
from collections.abc import Awaitable, Callable
from decimal import Decimal

from inspect_ai.tool import Tool, ToolDef

from warebench.engine.run import Cell, Failure, Rows
from warebench.tracks.multitable.methods.sql_answer import cell_text

RunSql = Callable[[str], Awaitable[Rows | Failure]]
"""Executes a query on the database of the question being asked."""

SCHEMA = "Show the tables of the database, with their columns, types, keys and numbers of rows."
QUERY = "Execute one SELECT statement in DuckDB's dialect, for reading only, and show the rows it returns."
QUERY_ARGUMENTS = {"sql": "The statement."}


def make_tools(schema: str, run: RunSql) -> list[Tool]:
    """Return the tools over one database.

    Args:
        schema: What `schema` shows.
        run: Executes a query.
    """

    async def show_schema() -> str:
        return schema

    async def query(sql: str) -> str:
        return show(await run(sql))

    return [
        ToolDef(show_schema, name="schema", description=SCHEMA, parameters={}).as_tool(),
        ToolDef(query, name="query", description=QUERY, parameters=QUERY_ARGUMENTS).as_tool(),
    ]


def show(result: Rows | Failure) -> str:
    """Return a result as JSON: columns and rows, or what went wrong."""
    if isinstance(result, Failure):
        return json.dumps({"error": result.kind, "message": result.message}, ensure_ascii=False)
    rows = [[_plain(cell) for cell in row] for row in result.rows]
    return json.dumps({"columns": result.columns, "rows": rows}, ensure_ascii=False)


def _plain(cell: Cell) -> str | int | float | bool | None:
    if cell is None or isinstance(cell, (bool, int, float, str)):
        return cell
    # Decimals fit a float's digits but for money beyond any table's; dates are text.
    return float(cell) if isinstance(cell, Decimal) else cell_text(cell)

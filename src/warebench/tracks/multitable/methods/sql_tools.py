"""The two tools of sql_agent, as a model sees them."""

from inspect_ai.tool import Tool, ToolDef

from warebench.harness.sql import RunSql, query_tool

SCHEMA = "Show the tables of the database, with their columns, types, keys and numbers of rows."


def make_tools(schema: str, run: RunSql) -> list[Tool]:
    """Return the tools over one database.

    Args:
        schema: What `schema` shows.
        run: Executes a query.
    """

    async def show_schema() -> str:
        return schema

    shown = ToolDef(show_schema, name="schema", description=SCHEMA, parameters={}).as_tool()
    return [shown, query_tool(run)]

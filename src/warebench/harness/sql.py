"""SQL as a tool: the schema a model is shown, queries on the database of a question, results as JSON."""

import json
import os
from asyncio import to_thread
from collections.abc import Awaitable, Callable, Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from inspect_ai.tool import Tool, ToolDef
from inspect_ai.util import concurrency, store

from warebench.catalog.model import Catalog
from warebench.catalog.render import to_ddl
from warebench.engine.database import Database
from warebench.engine.run import Cell, Failure, QueryLimits, Rows, run_query, write_file

QUERIES = "queries"
"""Store key: one entry a query, `{"sql", "outcome"}`; the outcome is `rows` or the kind of failure."""

QUERY = "Execute one SELECT statement in DuckDB's dialect, for reading only, and show the rows it returns."
QUERY_ARGUMENTS = {"sql": "The statement."}

RunSql = Callable[[str], Awaitable[Rows | Failure]]
"""Executes a query on the database of the question being asked."""


def query_runner(databases: Mapping[str, Database], limits: QueryLimits) -> Callable[[str], RunSql]:
    """Return what gives, by the name of a database, what executes queries on it.

    Each database is written to a file once, when it is first asked.

    Args:
        databases: By the name that questions have as their context.
        limits: What each query may use.
    """
    # Goes away with the solver that holds it.
    folder = TemporaryDirectory(prefix="queries-")

    @cache
    def file_of(context: str) -> Path:
        path = Path(folder.name) / f"{list(databases).index(context)}.duckdb"
        write_file(databases[context], path)
        return path

    def runner_of(context: str) -> RunSql:
        async def run(sql: str) -> Rows | Failure:
            file = file_of(context)
            # More queries at once than processors only bring timeouts.
            async with concurrency("warebench-query", os.cpu_count() or 1):
                result = await to_thread(run_query, file, sql, limits)
            outcome = result.kind if isinstance(result, Failure) else "rows"
            store().set(QUERIES, [*store().get(QUERIES, []), {"sql": sql, "outcome": outcome}])
            return result

        return run

    return runner_of


def query_tool(run: RunSql) -> Tool:
    """Return the tool `query` over the database of a question."""

    async def query(sql: str) -> str:
        return show(await run(sql))

    return ToolDef(query, name="query", description=QUERY, parameters=QUERY_ARGUMENTS).as_tool()


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
    return float(cell) if isinstance(cell, Decimal) else cell.isoformat()


def schema_text(database: Database) -> str:
    """Return CREATE TABLE statements with DuckDB's types, whatever the source calls them. It shows no row."""
    return to_ddl(typed_catalog(database))


def typed_catalog(database: Database) -> Catalog:
    """Return the catalog with the types the columns have in DuckDB."""
    connection = database.connect()
    try:
        found = connection.execute(
            "SELECT table_name, column_name, data_type FROM duckdb_columns()"
        ).fetchall()
    finally:
        connection.close()
    types = {(table, column): kind for table, column, kind in found}
    tables = tuple(
        msgspec.structs.replace(
            table,
            columns=tuple(
                msgspec.structs.replace(column, type=types[table.name, column.name])
                for column in table.columns
            ),
        )
        for table in database.catalog.tables
    )
    return msgspec.structs.replace(database.catalog, tables=tables)

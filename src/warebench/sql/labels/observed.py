"""The second method behind labels: what SQLite itself says it reads."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from warebench.sql.labels.model import Labels

ROWID = "ROWID"
"""SQLite's word for the row number of a table without an integer primary key."""

UNASKED = re.compile(r"\b(using|natural)\b", re.IGNORECASE)
"""Joins whose columns SQLite compares without asking whether it may read them."""


class Observed(NamedTuple):
    """What SQLite reads for a query, in the spelling of the schema."""

    tables: frozenset[str]
    columns: frozenset[tuple[str, str]]


def observe(path: Path, sql: str) -> Observed:
    """Return the stored tables and columns SQLite reads for a query, found while it prepares it.

    The query is explained, not run. SQLite's authorizer is asked about every column whose name it resolves,
    optimised away or not, and about a table of which no column is named (`count(*)`). It is not asked about
    the columns USING and NATURAL compare, since SQLite makes those comparisons after resolving names; such a
    table is found among those the program opens.

    Args:
        path: The database file; it is opened read-only.
        sql: One query that runs.

    Raises:
        sqlite3.Error: SQLite cannot prepare the query.
    """
    address = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    with closing(sqlite3.connect(address, uri=True)) as connection:
        stored = connection.execute("SELECT rootpage, tbl_name FROM sqlite_master").fetchall()
        return _prepare(connection, sql, stored)


def disagreement(labels: Labels, observed: Observed, sql: str) -> str:
    """Return how labels differ from what SQLite reads, or nothing where they agree.

    Tables and columns must be the same; only in a query with USING or NATURAL may labels hold further
    columns, each read for a join and nothing else.
    """
    if set(labels.tables) != observed.tables:
        return f"tables {sorted(observed.tables)} instead of {list(labels.tables)}"
    if missing := observed.columns - labels.column_names:
        return f"columns {sorted(missing)} are missing"
    excused = {("join",)} if UNASKED.search(sql) else set[tuple[str, ...]]()
    further = [
        (label.table, label.column)
        for label in labels.columns
        if (label.table, label.column) not in observed.columns and label.roles not in excused
    ]
    return f"columns {further} are not read" if further else ""


def _prepare(connection: sqlite3.Connection, sql: str, stored: list[tuple[int, str]]) -> Observed:
    reads: set[tuple[str, str]] = set()

    def authorize(action: int, table: str | None, column: str | None, *_: str | None) -> int:
        if action == sqlite3.SQLITE_READ and table is not None:
            reads.add((table, column or ""))
        return sqlite3.SQLITE_OK

    connection.set_authorizer(authorize)
    program = connection.execute(f"EXPLAIN {sql}").fetchall()
    spelled = {name.lower(): name for _, name in stored}
    asked = [(spelled[table.lower()], column) for table, column in reads if table.lower() in spelled]
    pages = {page: name for page, name in stored if page}
    opened = {pages[step[3]] for step in program if step[1] == "OpenRead" and step[3] in pages}
    return Observed(
        tables=frozenset(table for table, _ in asked) | opened,
        columns=frozenset((table, column) for table, column in asked if column not in ("", ROWID)),
    )

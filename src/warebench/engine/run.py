"""Run one query that a model wrote: read-only, in a process of its own, bounded in time, memory and rows."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import duckdb
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from warebench.engine.database import Database, quote

Kind = Literal["parse", "forbidden", "timeout", "memory", "too many rows", "too large", "execution"]
"""Why a query gave no rows."""

Cell = None | bool | int | float | str | Decimal | date | time | datetime
"""A cell of a result; what has no such type (lists, structs, intervals) is text."""

PROGRAM = Path(__file__).with_name("query_process.py")
OPENINGS = ("SELECT", "WITH", "FROM", "(")
"""First words of a query; DuckDB allows FROM before SELECT."""

LONGEST = 20_000
"""Characters of a query; a parser needs a bound too."""

_MIB = 1024 * 1024
_HEADROOM = 1024 * _MIB
"""Address space of the interpreter and of DuckDB's threads, on top of what the query may use."""


@dataclass(frozen=True, kw_only=True, slots=True)
class QueryLimits:
    """What one query may use."""

    seconds: float = 10.0
    """Real time until its process is killed."""
    memory_bytes: int = 512 * _MIB
    rows: int = 100
    """Most rows of the result."""
    result_bytes: int = 256 * 1024
    """Largest result, written as JSON."""
    threads: int = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Rows:
    """What a query returned."""

    columns: tuple[str, ...]
    types: tuple[str, ...]
    """DuckDB's names of the types, by column."""
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """Why a query returned nothing."""

    kind: Kind
    message: str
    """One or more sentences, in DuckDB's words where it has any."""


@contextmanager
def database_file(database: Database) -> Iterator[Path]:
    """Yield a DuckDB file with a database's rows, for `run_query`; it goes away with the block."""
    with TemporaryDirectory(prefix="query-") as folder:
        path = Path(folder) / "data.duckdb"
        write_file(database, path)
        yield path


def write_file(database: Database, path: Path) -> None:
    """Write a database as a DuckDB file, keys left undeclared.

    Args:
        database: Catalog and rows.
        path: File to make.
    """
    connection = duckdb.connect(":memory:")
    try:
        connection.execute(f"ATTACH '{str(path).replace(chr(39), chr(39) * 2)}' AS copy (BLOCK_SIZE 16384)")
        for name, table in database.tables.items():
            connection.register("rows_in_memory", table)
            connection.execute(f"CREATE TABLE copy.{quote(name)} AS FROM rows_in_memory")
            connection.unregister("rows_in_memory")
        connection.execute("DETACH copy")
    finally:
        connection.close()


def run_query(source: Database | Path, sql: str, limits: QueryLimits = QueryLimits()) -> Rows | Failure:
    """Return what one SELECT returns, or why it returns nothing. Never raises for what stands in the query.

    The query must be a single SELECT (or WITH, or FROM ...), as sqlglot's tree and DuckDB's own parser see
    it. It is executed on a file opened for reading only, in a DuckDB that can reach no other file, network,
    extension or setting, by a process without an environment that is killed when its time is up.

    Args:
        source: A database, or the file that `database_file` made of one: that saves writing it every time.
        sql: The query in DuckDB's dialect.
        limits: What it may use.
    """
    if isinstance(source, Database):
        with database_file(source) as path:
            return run_query(path, sql, limits)
    return check_query(sql) or _run(source, sql, limits)


def check_query(sql: str) -> Failure | None:
    """Return why a text is not one query that only reads, or None.

    Args:
        sql: What a model wrote.
    """
    if len(sql) > LONGEST:
        return Failure(kind="parse", message=f"a query has at most {LONGEST} characters")
    try:
        opening = next((token.text.upper() for token in sqlglot.tokenize(sql, dialect="duckdb")), "")
        if opening not in OPENINGS:
            return _forbidden(opening or "nothing")
        trees = [tree for tree in sqlglot.parse(sql, dialect="duckdb") if tree is not None]
    except (SqlglotError, RecursionError):
        # DuckDB's own parser decides: it refuses what is no SELECT, and sqlglot may lack some of its syntax.
        return None
    if len(trees) != 1:
        return _forbidden(f"{len(trees)} statements")
    writes = next(trees[0].find_all(exp.DML, exp.DDL, exp.Command, exp.Copy, exp.Attach, exp.Pragma), None)
    if not isinstance(trees[0], exp.Query) or writes:
        return _forbidden(type(writes or trees[0]).__name__.upper())
    return None


def _forbidden(what: str) -> Failure:
    return Failure(kind="forbidden", message=f"one SELECT statement is allowed, not: {what}")


def _run(file: Path, sql: str, limits: QueryLimits) -> Rows | Failure:
    process = subprocess.Popen(  # noqa: S603 - fixed program
        [sys.executable, "-I", "-S", "-B", str(PROGRAM)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"LANG": "C.UTF-8"},
        cwd=file.parent,
        start_new_session=True,
    )
    with process:
        try:
            said, _ = process.communicate(_request(file, sql, limits), timeout=limits.seconds)
        except subprocess.TimeoutExpired:
            return _timeout(limits)
        finally:
            process.kill()
    try:
        return _read(json.loads(said))
    except ValueError:
        return _crash(process.returncode, limits)


def _request(file: Path, sql: str, limits: QueryLimits) -> bytes:
    config = {
        "enable_external_access": False,
        "lock_configuration": True,
        "memory_limit": f"{limits.memory_bytes}B",
        "threads": limits.threads,
        "temp_directory": "",
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    request = {
        "packages": str(Path(duckdb.__file__).parents[1]),
        "file": str(file),
        "sql": sql,
        "config": config,
        "seconds": limits.seconds,
        "threads": limits.threads,
        "address_space_bytes": limits.memory_bytes + _HEADROOM,
        "rows": limits.rows,
        "result_bytes": limits.result_bytes,
    }
    return json.dumps(request).encode(errors="replace")


def _timeout(limits: QueryLimits) -> Failure:
    return Failure(kind="timeout", message=f"the query took longer than {limits.seconds:g} seconds")


def _crash(code: int, limits: QueryLimits) -> Failure:
    """Return what it means that the process died without a word."""
    if code == -24:  # SIGXCPU
        return _timeout(limits)
    return Failure(
        kind="memory" if code in (-9, -6) else "execution", message=f"the query's process ended with {code}"
    )


READ: Mapping[str, Callable[[str], Cell]] = {
    "decimal": Decimal,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "datetime": datetime.fromisoformat,
    "text": str,
}
"""Tags of `query_process._plain`, and how to read what stands behind each."""


def _read(answer: Mapping[str, Any]) -> Rows | Failure:
    if "kind" in answer:
        return Failure(kind=answer["kind"], message=answer["message"])
    return Rows(
        columns=tuple(answer["columns"]),
        types=tuple(answer["types"]),
        rows=tuple(tuple(_cell(cell) for cell in row) for row in answer["rows"]),
    )


def _cell(cell: Any) -> Cell:
    if isinstance(cell, dict):
        ((tag, text),) = cell.items()
        return READ[tag](text)
    plain: bool | int | float | str | None = cell
    return plain

"""Run one query that a model wrote: read-only, in a process apart, bounded in time, memory and rows."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from itertools import takewhile
from pathlib import Path
from signal import SIGABRT, SIGKILL, SIGXCPU
from tempfile import TemporaryDirectory
from typing import Any, Literal

import duckdb
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import TokenType

from warebench.engine.database import Database, quote
from warebench.engine.nesting import TOO_DEEP, is_too_deep
from warebench.engine.worker import MIB, Dialect, WorkerDied, ask_worker

Kind = Literal["parse", "forbidden", "timeout", "memory", "too many rows", "too large", "execution"]
"""Why a query gave no rows."""

Cell = None | bool | int | float | str | Decimal | date | time | datetime
"""A cell of a result; what has no such type (lists, structs, intervals) is text."""

OPENINGS: Mapping[Dialect, tuple[str, ...]] = {
    "duckdb": ("SELECT", "WITH", "FROM", "VALUES", "("),
    "sqlite": ("SELECT", "WITH", "VALUES"),
}
"""First words of a query; DuckDB allows FROM before SELECT."""

LONGEST = 20_000
"""Characters of a query; a parser needs a bound too."""

MOST_ATTACHED = 10
"""Files that SQLite attaches to one connection."""


@dataclass(frozen=True, kw_only=True, slots=True)
class QueryLimits:
    """What one query may use."""

    seconds: float = 10.0
    """Real time until its process is killed; the start of a process does not count."""
    memory_bytes: int = 512 * MIB
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
    """By column: DuckDB's names of the types, or SQLite's storage class of the cells (ANY for several)."""
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """Why a query returned nothing."""

    kind: Kind
    message: str
    """One or more sentences, in the engine's words where it has any."""


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
    return check_query(sql) or _run("duckdb", {"": str(source)}, sql, limits)


def run_pool(
    files: Mapping[str, Path], sql: str, dialect: Dialect, limits: QueryLimits = QueryLimits()
) -> Rows | Failure:
    """Return what one SELECT over several databases returns, or why it returns nothing.

    Tables are called `namespace.table`; a bare name means the table of the first file that has it. Otherwise
    as `run_query`. For SQLite see `run_sqlite`.

    Args:
        files: Database file by namespace; only these can be read.
        sql: The query in the dialect of the files.
        dialect: What the files are.
        limits: What it may use.
    """
    if dialect == "sqlite":
        return run_sqlite(files, sql, limits)
    return check_query(sql) or _run("duckdb", {name: str(path) for name, path in files.items()}, sql, limits)


def run_sqlite(files: Mapping[str, Path], sql: str, limits: QueryLimits = QueryLimits()) -> Rows | Failure:
    r"""Return what one SELECT over SQLite files returns, or why it returns nothing.

    Each file is attached under its namespace, read-only and as immutable: its bytes stay, and nothing is
    created beside it. SQLite's authorizer lets pass only what reads their rows: no pragma, no schema table,
    no attachment, no extension. Text that is not UTF-8 has its odd bytes written as `\xNN`.

    Args:
        files: SQLite file by namespace, at most `MOST_ATTACHED`.
        sql: The query in SQLite's dialect.
        limits: What it may use.
    """
    if len(files) > MOST_ATTACHED:
        message = f"a query reads at most {MOST_ATTACHED} SQLite databases at once, not {len(files)}"
        return Failure(kind="forbidden", message=message)
    places = {name: f"{path.absolute().as_uri()}?mode=ro&immutable=1" for name, path in files.items()}
    return check_query(sql, "sqlite") or _run("sqlite", places, sql, limits)


def check_query(sql: str, dialect: Dialect = "duckdb") -> Failure | None:
    """Return why a text is not one query that only reads, or None.

    Args:
        sql: What a model wrote.
        dialect: In which SQL.
    """
    if len(sql) > LONGEST:
        return Failure(kind="parse", message=f"a query has at most {LONGEST} characters")
    if "\0" in sql:
        # An engine stops reading there, so that what runs would not be what was checked.
        return Failure(kind="parse", message="a query holds no character NUL")
    try:
        tokens = sqlglot.tokenize(sql, dialect=dialect)
        opening = tokens[0].text.upper() if tokens else ""
        if opening not in OPENINGS[dialect]:
            return _forbidden(opening or "nothing")
        if is_too_deep(tokens, dialect):
            return Failure(kind="parse", message=TOO_DEEP)
        # What is left of a comment behind the semicolon is no statement.
        trees = [
            tree
            for tree in sqlglot.parse(sql, dialect=dialect)
            if tree is not None and tree.key != "semicolon"
        ]
    except (SqlglotError, RecursionError):
        # The engine decides: it refuses what is no SELECT, and sqlglot may lack some of its syntax.
        return None
    if len(trees) != 1:
        return _forbidden(f"{len(trees)} statements")
    writes = next(trees[0].find_all(exp.DML, exp.DDL, exp.Command, exp.Copy, exp.Attach, exp.Pragma), None)
    if not isinstance(trees[0], exp.Query | exp.Values) or writes:
        return _forbidden(type(writes or trees[0]).__name__.upper())
    return None


def _forbidden(what: str) -> Failure:
    return Failure(kind="forbidden", message=f"one SELECT statement is allowed, not: {what}")


def _run(dialect: Dialect, files: Mapping[str, str], sql: str, limits: QueryLimits) -> Rows | Failure:
    request = {
        "files": dict(files),
        "sql": _without_end(dialect, sql).encode(errors="replace").decode(),
        "seconds": limits.seconds,
        "memory_bytes": limits.memory_bytes,
        "threads": limits.threads,
        "rows": limits.rows,
        "result_bytes": limits.result_bytes,
    }
    try:
        return _read(ask_worker(dialect, limits.memory_bytes, request, limits.seconds))
    except TimeoutError:
        return _timeout(limits)
    except WorkerDied as error:
        return _crash(error, limits)


def _without_end(dialect: Dialect, sql: str) -> str:
    """Return a text up to the semicolons that end it, and without the comments behind them.

    Python's SQLite takes a second semicolon for a second statement; DuckDB 2 cannot limit the rows of a query
    that has a comment behind one.
    """
    try:
        tokens = sqlglot.tokenize(sql, dialect=dialect)
    except SqlglotError:
        return sql
    ends = takewhile(lambda token: token.token_type == TokenType.SEMICOLON, reversed(tokens))
    return sql[: min((token.start for token in ends), default=len(sql))]


def _timeout(limits: QueryLimits) -> Failure:
    return Failure(kind="timeout", message=f"the query took longer than {limits.seconds:g} seconds")


def _crash(error: WorkerDied, limits: QueryLimits) -> Failure:
    """Return what it means that the process died without a word."""
    if error.code == -SIGXCPU:
        return _timeout(limits)
    return Failure(kind="memory" if error.code in (-SIGKILL, -SIGABRT) else "execution", message=str(error))


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

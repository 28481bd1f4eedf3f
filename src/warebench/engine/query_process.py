"""The program that executes queries: a process of its own, to be killed, and bounded in memory, as such.

Started by `worker.py` as `python -I -S query_process.py`. Requests come as lines of JSON on standard input,
the first of them with what holds for all; one line of JSON answers each. Only the standard library and, for
its dialect, DuckDB are imported.
"""

import importlib
import json
import os
import resource
import sys
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

Answer = dict[str, Any]

DUCKDB_FAILURES = {
    "ParserException": "parse",
    "PermissionException": "forbidden",
    "OutOfMemoryException": "memory",
}
"""DuckDB exception to kind of failure; every other one is `execution`."""

SQLITE_FAILURES = {"SQLITE_AUTH": "forbidden", "SQLITE_READONLY": "forbidden", "SQLITE_TOOBIG": "memory"}
"""SQLite's name of an error to kind of failure."""

SQLITE_REFUSALS = ("not authorized", "prohibited", "one statement at a time")
SQLITE_SYNTAX = ("syntax error", "incomplete input", "unrecognized token")

QUERIES = 500
"""Until a process makes room for a new one: what leaks in one query is not to fail another."""


def main() -> None:
    """Execute the queries on standard input."""
    settings = json.loads(sys.stdin.readline())
    # The isolated interpreter knows no installed package.
    sys.path.append(settings["packages"])
    execute = EXECUTORS[settings["dialect"]]
    importlib.import_module({"duckdb": "duckdb", "sqlite": "sqlite3"}[settings["dialect"]])
    for what, value in (
        (resource.RLIMIT_AS, settings["address_space_bytes"]),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (value, value))
    _say({"ready": True})
    for count, line in enumerate(sys.stdin, start=1):
        answer = _answer(execute, json.loads(line))
        answer["last"] = count >= QUERIES or answer.get("kind") == "memory"
        _say(answer)
        if answer["last"]:
            return


def _say(answer: Answer) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def _answer(execute: Callable[[Answer], Answer], request: Answer) -> Answer:
    _bound_time(request)
    try:
        made = execute(request)
        if "kind" in made:
            return made
        if len(made["rows"]) > request["rows"]:
            return _fail("too many rows", f"the result has more than {request['rows']} rows")
        if len(json.dumps(made)) > request["result_bytes"]:
            return _fail("too large", f"the result is larger than {request['result_bytes']} bytes")
    except MemoryError:
        return _fail("memory", "the query needs more memory than it may use")
    return made


def _bound_time(request: Answer) -> None:
    """Let the kernel end this process should nobody be left to kill it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    spare = (request["seconds"] + 2) * request["threads"]
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime + spare) + 1, hard))


def _fail(kind: str, message: str) -> Answer:
    return {"kind": kind, "message": message}


def run_duckdb(request: Answer) -> Answer:
    """Return the rows of a SELECT, at most one more than allowed, or why there are none."""
    duckdb: Any = importlib.import_module("duckdb")
    try:
        connection = _find_duckdb(duckdb, request)
        statements = connection.extract_statements(request["sql"])
        kinds = [statement.type.name for statement in statements]
        if kinds != ["SELECT"]:
            return _fail("forbidden", f"one SELECT statement is allowed, not: {', '.join(kinds) or 'none'}")
        # A relation is lazy: no more rows are made than are looked at.
        relation = connection.sql(statements[0]).limit(request["rows"] + 1)
        rows = relation.fetchall()
        columns, types = relation.columns, [str(kind) for kind in relation.types]
    except duckdb.Error as error:
        _close_duckdb()
        return _fail(DUCKDB_FAILURES.get(type(error).__name__, "execution"), str(error))
    return {"columns": columns, "types": types, "rows": [[_plain(cell) for cell in row] for row in rows]}


def _find_duckdb(duckdb: Any, request: Answer) -> Any:
    """Return the last connection if it has the same files and limits, else a new one.

    To open one takes thirty times as long as a small query. A SELECT changes nothing that the next one sees.
    """
    files = [(name, path, _mark(path)) for name, path in request["files"].items()]
    wanted = (files, request["memory_bytes"], request["threads"])
    if not LAST or LAST[0] != wanted:
        _close_duckdb()
        LAST[:] = [wanted, _connect_duckdb(duckdb, request)]
    return LAST[1]


def _mark(path: str) -> tuple[int, ...]:
    """Return what tells a file from one that came in its place; nothing where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _close_duckdb() -> None:
    if LAST:
        LAST[1].close()
        LAST.clear()


LAST: list[Any] = []
"""The last connection to DuckDB, after what it was opened for."""


def _connect_duckdb(duckdb: Any, request: Answer) -> Any:
    """Return a locked connection: to a file, or to several under a name each."""
    config = {"memory_limit": f"{request['memory_bytes']}B", "threads": request["threads"], **DUCKDB_CONFIG}
    files = request["files"]
    if "" in files:
        return duckdb.connect(files[""], read_only=True, config={**DUCKDB_LOCK, **config})
    connection = duckdb.connect(":memory:", config=config)
    for name, path in files.items():
        connection.execute(f"ATTACH {_quote(path, chr(39))} AS {_quote(name)} (READ_ONLY)")
    places = ",".join(f"{_quote(name)}.main" for name in files)
    connection.execute(f"SET search_path = {_quote(places, chr(39))}")
    for name, value in DUCKDB_LOCK.items():
        connection.execute(f"SET {name} = {str(value).lower()}")
    return connection


DUCKDB_CONFIG = {
    "temp_directory": "",
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
DUCKDB_LOCK = {"enable_external_access": False, "lock_configuration": True}
"""In this order: no setting changes after the last."""


def run_sqlite(request: Answer) -> Answer:
    """Return the rows of a SELECT, at most one more than allowed, or why there are none."""
    sqlite3: Any = importlib.import_module("sqlite3")
    files = request["files"]
    # The first database of a connection is always called main, and no other can be.
    first = next((name for name in files if name.lower() == "main"), "")
    try:
        connection = sqlite3.connect(files.pop(first, ":memory:"), uri=True, isolation_level=None)
    except sqlite3.Error as error:
        return _fail("execution", str(error))
    try:
        _attach_sqlite(connection, request)
        connection.set_authorizer(_authorize)
        cursor = connection.execute(request["sql"])
        rows = [[_plain(cell) for cell in row] for row in cursor.fetchmany(request["rows"] + 1)]
        columns = [column[0] for column in cursor.description or ()]
    except (sqlite3.Error, sqlite3.Warning) as error:
        return _fail(_sqlite_kind(error), str(error))
    finally:
        connection.close()
    types = [_sqlite_type(cells) for cells in zip(*rows, strict=True)] if rows else [""] * len(columns)
    return {"columns": columns, "types": types, "rows": rows}


def _attach_sqlite(connection: Any, request: Answer) -> None:
    for statement in (
        f"PRAGMA hard_heap_limit = {int(request['memory_bytes'])}",
        "PRAGMA trusted_schema = OFF",
        # Sorting never spills into a file.
        "PRAGMA temp_store = MEMORY",
    ):
        connection.execute(statement)
    connection.text_factory = lambda raw: raw.decode(errors="backslashreplace")
    for name, uri in request["files"].items():
        connection.execute(f"ATTACH ? AS {_quote(name)}", (uri,))


def _authorize(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    """Allow what reads rows: SQLite asks for every table, column and function as it compiles."""
    known = {SQLITE_SELECT: True, SQLITE_RECURSIVE: True, SQLITE_FUNCTION: second not in SQLITE_UNSAFE}
    table = (first or "").lower()
    known[SQLITE_READ] = not table.startswith(("sqlite_", "pragma_"))
    allowed = known.get(action, False) or (action, table, second) in SQLITE_VIRTUAL
    return 0 if allowed else 1


SQLITE_PRAGMA, SQLITE_READ, SQLITE_SELECT, SQLITE_UPDATE = 19, 20, 21, 23
SQLITE_FUNCTION, SQLITE_RECURSIVE = 31, 33
"""Action codes (SQLite, C/C++ interface, authorizer action codes)."""

SQLITE_UNSAFE = ("load_extension", "readfile", "writefile", "edit", "fts3_tokenizer")
"""Functions that reach the host, where a build has them; SQLite gives their names in lower case."""

SQLITE_VIRTUAL = {
    *((SQLITE_UPDATE, "sqlite_master", column) for column in ("type", "name", "tbl_name", "rootpage", "sql")),
    (SQLITE_READ, "sqlite_master", "ROWID"),
    (SQLITE_PRAGMA, "data_version", None),
    (SQLITE_PRAGMA, "page_size", None),
}
"""What SQLite asks itself as it opens a virtual table such as a full-text index; the files stay read-only."""


def _sqlite_kind(error: Exception) -> str:
    text = str(error)
    name = str(getattr(error, "sqlite_errorname", ""))
    if name in SQLITE_FAILURES:
        return SQLITE_FAILURES[name]
    if any(words in text for words in SQLITE_SYNTAX):
        return "parse"
    return "forbidden" if any(words in text for words in SQLITE_REFUSALS) else "execution"


def _sqlite_type(cells: tuple[Any, ...]) -> str:
    """Return the storage class of a column's cells; ANY for several, empty for none."""
    found = {SQLITE_TYPES[type(cell)] for cell in cells if cell is not None}
    return "ANY" if len(found) > 1 else next(iter(found), "")


SQLITE_TYPES: dict[type, str] = {int: "INTEGER", float: "REAL", str: "TEXT", dict: "BLOB"}
"""Of cells as `_plain` gives them."""

EXECUTORS: dict[str, Callable[[Answer], Answer]] = {"duckdb": run_duckdb, "sqlite": run_sqlite}
"""By dialect."""


def _quote(text: str, mark: str = '"') -> str:
    return mark + text.replace(mark, mark * 2) + mark


def _plain(cell: object) -> object:
    """Return a cell as JSON has it, with a tag where JSON has no such type."""
    match cell:
        case None | bool() | int() | float() | str():
            return cell
        case Decimal():
            return {"decimal": str(cell)}
        case datetime():
            return {"datetime": cell.isoformat()}
        case date():
            return {"date": cell.isoformat()}
        case time():
            return {"time": cell.isoformat()}
        case bytes():
            return {"text": cell.hex()}
        case dict() | list() | tuple():
            return {"text": json.dumps(cell, ensure_ascii=False, default=str)}
        case _:
            return {"text": str(cell)}


if __name__ == "__main__":
    main()

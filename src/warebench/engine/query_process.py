"""The program that executes queries: a process of its own, to be killed, and bounded in memory, as such.

Started by `worker.py` as `python -I -S query_process.py`. Requests come as lines of JSON on standard input,
the first of them with what holds for all; one line of JSON answers each, with the number of its request.
Both ways are descriptors that the engine does not know: its own standard output and errors go nowhere. Each
query has a connection of its own, so that none sees what another left. Only the standard library and, for its
dialect, DuckDB are imported.
"""

import importlib
import json
import os
import resource
import select
import sys
from collections.abc import Callable, Iterator
from datetime import date, datetime, time
from decimal import Decimal
from threading import Thread
from typing import IO, Any

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
    requests, answers = _take_private(0, "r"), _take_private(1, "w")
    os.dup2(1, 2)
    # Deep queries have deep trees.
    sys.setrecursionlimit(10_000)
    settings = json.loads(requests.readline())
    Thread(target=_end_with, args=(settings["parent"], requests.fileno()), daemon=True).start()
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
    _say(answers, {"number": 0})
    for count, line in enumerate(requests, start=1):
        request = json.loads(line)
        answer = _answer(execute, request)
        answer["last"] = count >= QUERIES or answer.get("kind") == "memory"
        answer["number"] = request["number"]
        _say(answers, answer)
        if answer["last"]:
            return


def _take_private(number: int, mode: str) -> IO[str]:
    """Return a standard stream under another number, and put nothing in its place."""
    private = os.dup(number)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, number)
    os.close(nothing)
    return os.fdopen(private, mode, encoding="utf-8")


def _end_with(parent: int, requests: int) -> None:
    """End this process as soon as its parent is gone, whatever a query is doing.

    The pipe alone does not tell: another child of the parent may hold its end. Nor does a signal at the
    parent's death: it comes when the thread ends that started this process.
    """
    gone = select.poll()
    gone.register(requests, 0)  # hang-ups are always told
    while not gone.poll(WATCH_MILLISECONDS) and os.getppid() == parent:
        pass
    os._exit(1)


WATCH_MILLISECONDS = 200


def _say(answers: IO[str], answer: Answer) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


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
        with _connect_duckdb(duckdb, request) as connection:
            statements = connection.extract_statements(request["sql"])
            kinds = [statement.type.name for statement in statements]
            if kinds != ["SELECT"]:
                return _fail(
                    "forbidden", f"one SELECT statement is allowed, not: {', '.join(kinds) or 'none'}"
                )
            if refused := _refuse_duckdb(connection, request["sql"]):
                return _fail("forbidden", f"a query only reads the rows of its tables, without: {refused}")
            # A relation is lazy: no more rows are made than are looked at.
            relation = connection.sql(statements[0]).limit(request["rows"] + 1)
            rows = relation.fetchall()
            columns, types = relation.columns, [str(kind) for kind in relation.types]
    except duckdb.Error as error:
        return _fail(DUCKDB_FAILURES.get(type(error).__name__, "execution"), str(error))
    return {"columns": columns, "types": types, "rows": [[_plain(cell) for cell in row] for row in rows]}


def _refuse_duckdb(connection: Any, sql: str) -> str:
    """Return what in a query does more than read rows, as DuckDB's own parser sees it; empty for nothing.

    The tree is walked whole, so that the place does not count: FROM, LATERAL, a subquery, a lambda, LIMIT.
    """
    # As a literal: the first parameter of a process makes DuckDB look for pandas, for most of a second.
    (text,) = connection.execute(f"SELECT json_serialize_sql({_quote(sql, chr(39))})").fetchone()
    try:
        tree = json.loads(text)
    except RecursionError:
        return "so deep a nesting"
    if tree["error"]:
        return str(tree["error_message"])
    return next(filter(None, map(_refuse_node, _nodes(tree))), "")


def _nodes(tree: Any) -> Iterator[Answer]:
    left = [tree]
    while left:
        node = left.pop()
        if isinstance(node, dict):
            yield node
            left += node.values()
        elif isinstance(node, list):
            left += node


def _refuse_node(node: Answer) -> str:
    match node:
        case {"type": "TABLE_FUNCTION", "function": {"function_name": str(name)}}:
            return "" if name.lower() in DUCKDB_TABLE_FUNCTIONS else f"table function {name}"
        case {"type": "SHOW_REF"}:
            return "SHOW, DESCRIBE or SUMMARIZE"
        case {"type": "BASE_TABLE", "table_name": str(name)} if name.lower() in DUCKDB_HIDDEN:
            return f"table {name}"
        case {"function_name": str(name)} if name.lower() in DUCKDB_REFUSED:
            return f"function {name}"
    return ""


DUCKDB_TABLE_FUNCTIONS = frozenset(
    {
        *("unnest", "range", "generate_series", "repeat", "repeat_row", "json_each", "json_tree"),
        *("duckdb_tables", "duckdb_columns", "duckdb_constraints", "icu_calendar_names", "pg_timezone_names"),
    }
)
"""Table functions that read their arguments, or names of tables and columns. Any other is refused: they log,
profile, write checkpoints, read files, or read tables that are named in a text."""

DUCKDB_HIDDEN = frozenset({"duckdb_databases", "duckdb_logs", "pragma_database_list", "pg_settings"})
"""Views of the engine that show paths of the host, settings or earlier queries."""

DUCKDB_REFUSED = frozenset(
    {
        *("setseed", "nextval", "currval", "write_log", "stats", "sleep_ms", "pg_sleep", "getenv"),
        *("getvariable", "current_setting", "current_query", "json_serialize_plan"),
        *("json_execute_serialized_sql", "current_connection_id", "current_query_id"),
        *("current_transaction_id", "txid_current", "add_parquet_key", "enable_logging", "enable_profiling"),
    }
)
"""Functions that change something, wait, or tell of the process instead of the rows."""

DUCKDB_VOLATILE = frozenset({"random", "gen_random_uuid", "uuid", "uuidv4", "uuidv7", "error"})
"""Functions that DuckDB calls volatile and that are harmless; a test finds new ones."""


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
    # Variables of this program are no tables.
    "python_enable_replacements": False,
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
        modules = frozenset(name.lower() for (name,) in connection.execute("PRAGMA module_list"))
        connection.set_authorizer(_authorizer(modules))
        cursor = connection.execute(request["sql"])
        if not cursor.description:
            return _fail("forbidden", "one SELECT statement is allowed, not one that returns no columns")
        rows = [[_plain(cell) for cell in row] for row in cursor.fetchmany(request["rows"] + 1)]
        columns = [column[0] for column in cursor.description]
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


def _authorizer(modules: frozenset[str]) -> Callable[..., int]:
    """Return what allows to read rows of the files: SQLite asks for every table, column and function.

    Args:
        modules: Tables that SQLite makes by itself, in small letters.
    """

    def authorize(action: int, first: str | None, second: str | None, *_: str | None) -> int:
        table = (first or "").lower()
        made = table.startswith(("sqlite_", "pragma_")) or table in modules - SQLITE_TABLE_FUNCTIONS
        known = {
            SQLITE_SELECT: True,
            SQLITE_RECURSIVE: True,
            SQLITE_FUNCTION: second not in SQLITE_UNSAFE,
            SQLITE_READ: not made,
        }
        allowed = known.get(action, False) or (action, table, second) in SQLITE_VIRTUAL
        return 0 if allowed else 1

    return authorize


SQLITE_TABLE_FUNCTIONS = frozenset({"json_each", "json_tree", "jsonb_each", "jsonb_tree", "generate_series"})
"""Tables that SQLite makes of arguments; any other it makes by itself tells of the engine or the host."""

SQLITE_PRAGMA, SQLITE_READ, SQLITE_SELECT, SQLITE_UPDATE = 19, 20, 21, 23
SQLITE_FUNCTION, SQLITE_RECURSIVE = 31, 33
"""Action codes (SQLite, C/C++ interface, authorizer action codes)."""

SQLITE_UNSAFE = (
    *("load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "sqlite_log"),
    *("sqlite_compileoption_get", "sqlite_compileoption_used", "sqlite_source_id"),
)
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

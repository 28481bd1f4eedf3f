"""The program that executes one query: its own process, to be killed, and bounded in memory, as such.

Started by `run.py` as `python -I -S query_process.py`, with the request as JSON on standard input; the
outcome goes to standard output as JSON. Only the standard library and DuckDB are imported.
"""

import importlib
import json
import resource
import sys
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

FAILURES = {
    "ParserException": "parse",
    "PermissionException": "forbidden",
    "OutOfMemoryException": "memory",
}
"""DuckDB exception to kind of failure; every other one is `execution`."""


def main() -> None:
    """Execute the query on standard input."""
    request = json.load(sys.stdin)
    # The isolated interpreter knows no installed package.
    sys.path.append(request["packages"])
    _bound(request)
    try:
        answer = _execute(request)
    except MemoryError:
        answer = {"kind": "memory", "message": "the query needs more memory than it may use"}
    json.dump(answer, sys.stdout)


def _bound(request: dict[str, Any]) -> None:
    """Set hard limits on this process; it writes no file and leaves no core."""
    seconds = int(request["seconds"]) + 1
    for what, value in (
        (resource.RLIMIT_AS, request["address_space_bytes"]),
        (resource.RLIMIT_CPU, seconds * request["threads"]),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (value, value))


def _execute(request: dict[str, Any]) -> dict[str, Any]:
    duckdb: Any = importlib.import_module("duckdb")
    try:
        connection = duckdb.connect(request["file"], read_only=True, config=request["config"])
        statements = connection.extract_statements(request["sql"])
        kinds = [statement.type.name for statement in statements]
        if kinds != ["SELECT"]:
            said = ", ".join(kinds) or "none"
            return {"kind": "forbidden", "message": f"one SELECT statement is allowed, not: {said}"}
        # A relation is lazy: no more rows are made than are looked at.
        relation = connection.sql(statements[0]).limit(request["rows"] + 1)
        rows = relation.fetchall()
    except duckdb.Error as error:
        return {"kind": FAILURES.get(type(error).__name__, "execution"), "message": str(error)}
    if len(rows) > request["rows"]:
        return {"kind": "too many rows", "message": f"the result has more than {request['rows']} rows"}
    made = {
        "columns": relation.columns,
        "types": [str(kind) for kind in relation.types],
        "rows": [[_plain(cell) for cell in row] for row in rows],
    }
    if len(json.dumps(made)) > request["result_bytes"]:
        return {"kind": "too large", "message": f"the result is larger than {request['result_bytes']} bytes"}
    return made


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

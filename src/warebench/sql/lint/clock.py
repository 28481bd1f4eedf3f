"""Functions whose value is another one tomorrow."""

from collections.abc import Iterator

from sqlglot import exp

from warebench.sql.lint.model import Fault

NODES = (
    exp.CurrentDate,
    exp.CurrentDatetime,
    exp.CurrentTime,
    exp.CurrentTimestamp,
    exp.Localtime,
    exp.Localtimestamp,
    exp.Rand,
    exp.Uuid,
)
NAMES = frozenset(
    [
        "changes",
        "gen_random_uuid",
        "get_current_time",
        "get_current_timestamp",
        "last_insert_rowid",
        "now",
        "random",
        "randomblob",
        "setseed",
        "today",
        "total_changes",
        "transaction_timestamp",
        "uuid",
        "uuidv4",
        "uuidv7",
    ]
)
TIMES = frozenset(["date", "datetime", "julianday", "strftime", "time", "timediff", "unixepoch"])
"""SQLite's functions of time: without an argument, or with 'now', they read the clock."""


def check_clock(query: exp.Expr) -> Iterator[Fault]:
    """Yield one fault that names what in a query reads the clock or a random source."""
    found = {text for node in query.walk() if (text := _reads(node))}
    if found:
        yield Fault(code="wall_clock", detail=", ".join(sorted(found)))


def _reads(node: exp.Expr) -> str:
    if isinstance(node, NODES):
        return node.sql()
    if isinstance(node, exp.Literal) and node.is_string and node.name.lower() == "now":
        return "'now'" if isinstance(node.parent, exp.Func | exp.Cast) else ""
    if not isinstance(node, exp.Func):
        return ""
    name = (node.name if isinstance(node, exp.Anonymous) else node.sql_name()).lower()
    empty = next(node.iter_expressions(), None) is None
    return name.upper() if name in NAMES or (name in TIMES and empty) else ""

"""Changing names inside SQL text without touching any other character of it.

Rendering a parsed query anew changes more than names: functions, joins and literals come out in the
renderer's words. Gold must not go through that.
"""

from collections.abc import Iterable
from typing import NamedTuple

from sqlglot import exp

from warebench.engine.database import quote


class Edit(NamedTuple):
    """Characters `start` to `end` (exclusive) become `text`."""

    start: int
    end: int
    text: str


def splice(sql: str, edits: Iterable[Edit]) -> str:
    """Return the text with edits made; they must not overlap."""
    parts: list[str] = []
    done = 0
    for edit in sorted(edits):
        parts += [sql[done : edit.start], edit.text]
        done = edit.end
    return "".join([*parts, sql[done:]])


def start_of(identifier: exp.Expr) -> int:
    """Return where a name starts, its quote included."""
    return int(identifier.meta["start"])


def end_of(identifier: exp.Expr) -> int:
    """Return where a name ends, exclusive, its quote included."""
    return int(identifier.meta["end"]) + 1


def parts_of(node: exp.Expr) -> list[exp.Expr]:
    """Return the identifiers of a table or column reference, most general first."""
    last = node.this
    parts = [node.args.get(name) for name in ("catalog", "db", "table")]
    return [*(part for part in parts if isinstance(part, exp.Expr)), last]


def rename(table: exp.Table, name: str, *, keep: bool) -> list[Edit]:
    """Return the edits that give a table reference another name.

    Args:
        table: The reference.
        name: Its new name, quoted and qualified as it shall stand.
        keep: Add the written name as alias where there is none, so that `t.column` keeps its meaning.
    """
    identifiers = parts_of(table)
    written = quote(table.name) if keep and not table.alias else ""
    text = f"{name} AS {written}" if written else name
    return [Edit(start_of(identifiers[0]), end_of(identifiers[-1]), text)]


def unqualify(query: exp.Expr, databases: Iterable[str]) -> list[Edit]:
    """Return the edits that cut references to columns of some databases down to `table.column`.

    Other names of three parts stay: in DuckDB the first may be a table and the last a field.
    """
    known = {database.lower() for database in databases}
    edits = []
    for column in query.find_all(exp.Column):
        first = column.text("catalog") or column.text("db")
        if first and first.lower() in known:
            identifiers = parts_of(column)
            edits.append(Edit(start_of(identifiers[0]), start_of(identifiers[-2]), ""))
    return edits

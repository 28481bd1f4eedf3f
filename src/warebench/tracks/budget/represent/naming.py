"""What a table is called in a prompt."""

from collections.abc import Callable
from typing import Literal

from warebench.catalog.render import PLAIN_COLUMN
from warebench.engine.database import quote
from warebench.sql.namespace.pool import BareNames, PooledTable

Names = Literal["prefixed", "unprefixed"]
NAMES: dict[Names, str] = {
    "prefixed": "`database.table`",
    "unprefixed": "the table's own name, with a number where several tables share it",
}
"""Forms of names (BudgetSchemaBench, appendix A)."""

Naming = Callable[[PooledTable], str]
"""From a table to its name, quoted where SQL needs it."""


def prefixed(pooled: PooledTable) -> str:
    """Return `database.table`."""
    return f"{plain(pooled.database)}.{plain(pooled.table)}"


def bare(names: BareNames) -> Naming:
    """Return the naming of the unprefixed mode."""
    return lambda pooled: plain(names.by_table[pooled])


def plain(name: str) -> str:
    """Return a name, in double quotes unless it is one plain word."""
    return name if PLAIN_COLUMN.fullmatch(name) else quote(name)

"""What can be wrong with gold SQL, and what was found."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from sqlglot import exp

from warebench.sql.labels.model import Dialect

Row = Sequence[Any]
Rows = Sequence[Row]
Execute = Callable[[str], Rows | str]
"""Runs one query on its database: its rows, or the error's text."""

Code = Literal[
    "not_executable",
    "empty_result",
    "wall_clock",
    "limit_without_order",
    "tie_at_limit",
    "tie_in_order",
    "null_order",
    "tie_in_window",
    "text_numbers",
    "text_arithmetic",
    "bare_column",
    "float_equality",
    "join_duplicates",
    "unchecked",
]

FAULTS: Mapping[Code, str] = {
    "not_executable": "the query does not run",
    "empty_result": "the result holds no value, or counts no row: every query that finds nothing is right",
    "wall_clock": "the result depends on the clock or on chance",
    "limit_without_order": "LIMIT cuts rows in no order: which remain is the engine's choice",
    "tie_at_limit": "LIMIT cuts between rows that ORDER BY leaves tied: which remain is the engine's choice",
    "tie_in_order": "ORDER BY leaves different rows tied: their order must not be scored",
    "null_order": "where NULLs sort decides which rows LIMIT keeps, and engines differ in that",
    "tie_in_window": "a window places rows that its ORDER BY leaves tied: where is the engine's choice",
    "text_numbers": "numbers stored as text are compared as text: the result differs from that by value",
    "text_arithmetic": "texts that are no numbers are added up by the digits they begin with",
    "bare_column": "a column that is neither grouped nor aggregated has several values in a group",
    "float_equality": "an equality of floats misses values that differ in the last digits only",
    "join_duplicates": "a join repeats rows of the table that is selected from, added up or counted",
    "unchecked": "the query could not be varied, so ties, NULLs, text and floats were not looked at",
}
"""What each code means; a fault is found by running the query or a variant of it, or stands in its text."""


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """Something wrong with a gold query."""

    code: Code
    detail: str = ""

    @property
    def message(self) -> str:
        """The sentence of the code, with what was found."""
        return FAULTS[self.code] + (f": {self.detail}" if self.detail else "")


@dataclass(frozen=True, kw_only=True)
class Database:
    """What variants of a query are run on."""

    execute: Execute
    dialect: Dialect

    def rows(self, query: exp.Expr) -> Rows | None:
        """Return the rows of a variant, or None where it does not run: then nothing is decided."""
        result = self.execute(query.sql(dialect=self.dialect))
        return None if isinstance(result, str) else result


def bag(rows: Rows) -> Counter[str]:
    """Return rows as a multiset; types count."""
    return Counter(repr(tuple(row)) for row in rows)

"""Whether a question needs more than one table, proved by databases in which its answer is another.

A program that sees one table gives one answer wherever that table is the same. So a second database that
differs from the first in other tables only, keeps every key and has another answer refutes every program that
sees this table. A question needs several tables when there is such a witness against each table.
"""

import math
import random
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from warebench.engine.database import Database
from warebench.queries.bind import Bound, evaluate
from warebench.queries.changes import change_table, exchange_names
from warebench.queries.model import Undefined
from warebench.queries.solve import join_rows

RELATIVE, ABSOLUTE = 1e-3, 0.02
"""Numbers no further apart count as one answer: ten times what answers are judged with."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Witness:
    """A database that differs from another in some tables, and in the answer to a question."""

    tables: tuple[str, ...]
    """The tables that differ. It is a witness against every other table, asked about or not."""
    change: str
    """What was done to them, in words."""
    database: Database
    """Keeps all primary and foreign keys, and the types of columns."""
    outcome: Any
    """The answer there; always a defined one."""


def needs_join(witnesses: Collection[Witness], database: Database) -> bool:
    """Return whether there is a witness against each table of a database."""
    names = database.catalog.table_names
    return all(any(name not in witness.tables for witness in witnesses) for name in names)


def find_witnesses(database: Database, bound: Bound, rng: random.Random) -> tuple[Witness, ...]:
    """Return witnesses against as many tables as possible, most often two.

    Two that each change one table, not the same, are witnesses against every table. Where only one is found,
    several of the other tables are changed at once. Too few witnesses prove nothing, neither way.

    Args:
        database: What the question is about.
        bound: The question and its answer.
        rng: Seeded chance.
    """
    found: list[Witness] = []
    for table in dict.fromkeys(bound.template.query.sources.values()):
        found += _first(_changed_in(database, bound, table, rng), bound)
        if len(found) == 2:
            return tuple(found)
    if found:
        found += _first(_changed_beside(database, bound, found[0].tables[0], rng), bound)
    return tuple(found)


_Proposal = tuple[tuple[str, ...], str, Database]


def _changed_in(database: Database, bound: Bound, table: str, rng: random.Random) -> Iterator[_Proposal]:
    for change in change_table(database, bound, table, rng):
        tables = {**database.tables, table: change.rows}
        yield (table,), change.what, Database(catalog=database.catalog, tables=tables)


def _changed_beside(database: Database, bound: Bound, spared: str, rng: random.Random) -> Iterator[_Proposal]:
    others = tuple(name for name in database.catalog.table_names if name != spared)
    for changed in exchange_names(database, bound, spared, rng):
        yield others, "the entities that are named, and others, exchanged", changed


def _first(proposals: Iterator[_Proposal], bound: Bound) -> list[Witness]:
    """Return the first proposal with another answer, if any."""
    query = bound.template.query
    for tables, change, database in proposals:
        outcome = evaluate(query, join_rows(database, query), bound.bindings)
        if not isinstance(outcome, Undefined) and _differ(bound.outcome, outcome):
            return [Witness(tables=tables, change=change, database=database, outcome=outcome)]
    return []


def _differ(one: Any, other: Any) -> bool:
    numbers = (int, float, Decimal)
    if isinstance(one, numbers) and isinstance(other, numbers):
        return not math.isclose(float(one), float(other), rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    return bool(one != other)

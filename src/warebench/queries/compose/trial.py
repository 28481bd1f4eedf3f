"""Drafts put to the test: do they yield questions, do both interpreters agree, is the join needed?"""

import random
from collections import Counter
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from warebench.engine.database import Database
from warebench.queries.bind import bind
from warebench.queries.compose.drafts import Draft
from warebench.queries.compose.profile import DOMINANT, OPTIONS, Profiles
from warebench.queries.model import Correlation, Query, Top, Value, asked_column
from warebench.queries.project import narrow, needed, project
from warebench.queries.prove import agree, prove
from warebench.queries.solve import join_rows
from warebench.queries.template import Template

MOST_ROWS = 50_000
"""Rows of a table that templates are proved on; of larger tables, so many evenly spaced ones."""

FEW_ROWS = (20, 80)
"""Rows that a template should yield questions on: what one table has in prompts of some thousand tokens."""

EACH = 10
"""Questions that a template should yield (TQA-Bench, section II-D)."""

WANTED = EACH * len(FEW_ROWS)
"""The same on every number of rows."""

PROVED = 3
"""Questions that both interpreters answer before a template is believed."""

TRIVIAL = 0.9995
"""Correlation from which two columns say the same."""


class Trial:
    """A database that drafts are tried on. Use it with `with`: it holds a connection."""

    def __init__(self, database: Database, profiles: Profiles, seed: int) -> None:
        tables = {name: thin(table, MOST_ROWS) for name, table in database.tables.items()}
        self._database = Database(catalog=database.catalog, tables=tables)
        self._profiles = profiles
        self._seed = seed
        self._few: dict[str, list[dict[str, Any]]] = {}
        self._connection = self._database.connect()

    def __enter__(self) -> "Trial":
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connection."""
        self._connection.close()

    def score(self, draft: Draft) -> int:
        """Return how many questions a draft yields on few rows, up to `WANTED`; 0 if its join is needless."""
        template = draft.template
        rows = self._few_rows(template.query)
        if not rows or _is_needless(template, rows):
            return 0
        return sum(self._count(template, _spaced(rows, few)) for few in FEW_ROWS)

    def _count(self, template: Template, rows: list[dict[str, Any]]) -> int:
        """Return how many questions of a template some rows yield, at most `EACH`."""
        want = template.query.want
        asked = asked_column(want)
        named = isinstance(want, Value | Top)
        if named and len({row[asked] for row in rows} - {None, *template.barred}) < OPTIONS:
            return 0
        bounds = bind(template, rows, EACH, self._rng(template))
        if isinstance(want, Correlation) and any(abs(bound.outcome) > TRIVIAL for bound in bounds):
            return 0
        return len(bounds)

    def confirm(self, draft: Draft) -> bool:
        """Return whether a draft yields questions on all rows, and SQL answers them as Python does."""
        template = draft.template
        rows = join_rows(narrow(self._database, template.query), template.query)
        if not rows:
            return False
        bounds = bind(template, rows, PROVED, self._rng(template))
        try:
            return bool(bounds) and all(
                agree(bound.outcome, prove(self._connection, template.query, bound.bindings))
                for bound in bounds
            )
        except duckdb.Error:  # a sum that overflows, for one
            return False

    def _few_rows(self, query: Query) -> list[dict[str, Any]]:
        key = repr((query.table, query.joins))
        if key not in self._few:
            columns = {
                table: {name for name, item in self._profiles[table].items() if item.kind != "other"}
                for table in query.sources.values()
            }
            for table, names in needed(query).items():
                columns[table] |= names
            known = project(self._database, columns)
            # Some rows have no partner: more are taken than are wanted.
            tables = {**known.tables, query.table: thin(known.tables[query.table], 10 * max(FEW_ROWS))}
            joined = join_rows(Database(catalog=known.catalog, tables=tables), query)
            self._few[key] = _spaced(joined, max(FEW_ROWS))
        return self._few[key]

    def _rng(self, template: Template) -> random.Random:
        return random.Random(f"{self._seed}:{template.text}")  # noqa: S311 - repeatable


def thin(table: pa.Table, most: int) -> pa.Table:
    """Return at most so many rows of a table, evenly spaced."""
    if table.num_rows <= most:
        return table
    return table.take(pa.array(np.linspace(0, table.num_rows - 1, most).astype(np.int64)))


def _spaced(rows: list[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    return rows[:: max(1, len(rows) // most)][:most]


def _is_needless(template: Template, rows: list[dict[str, Any]]) -> bool:
    """Return whether a join adds nothing: a parent's column hardly varies, or another table holds it too."""
    root = template.query.alias
    used = [column for column in template.query.columns if column.partition(".")[0] != root]
    return any(_is_constant(column, rows) or _has_copy(column, rows) for column in used)


def _is_constant(column: str, rows: list[dict[str, Any]]) -> bool:
    counts = Counter(row[column] for row in rows if row[column] is not None)
    return len(counts) < 2 or max(counts.values()) > DOMINANT * counts.total()


def _has_copy(column: str, rows: list[dict[str, Any]]) -> bool:
    """Return whether a column of another table holds the very same values in all rows."""
    alias = column.partition(".")[0]
    return any(
        all(row[other] == row[column] for row in rows)
        for other in rows[0]
        if other.partition(".")[0] != alias
    )

"""One example in gold SQL to one question: run on its own file, labelled, and run again in the pool."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sqlglot import exp

from warebench.answers.model import Table
from warebench.answers.result import Comparison
from warebench.engine.collection import Example
from warebench.engine.run import Failure
from warebench.engine.worker import MIB
from warebench.errors import BuildError
from warebench.questions.model import Certificate, Question, digest
from warebench.sql.labels import Labels, Unlabelled, disagreement, label, observe
from warebench.sql.labels.model import ColumnLabel
from warebench.sql.labels.parse import parse_query
from warebench.sql.lint import Fault, lint
from warebench.sql.namespace import invariant, to_pool
from warebench.tracks.budget.comparison import declare_comparison, derive_comparison
from warebench.tracks.budget.gold import to_table
from warebench.tracks.budget.left_out import LeftOut, from_failure, leave_out
from warebench.tracks.budget.overlap import overlap
from warebench.tracks.budget.pool import OpenPool
from warebench.tracks.budget.subtypes import DIFFICULTY, classify, facets, is_ordered

LintMode = Literal["keep", "drop"]

VARIANT_ROWS = 100_000
"""Of a query without its LIMIT, as the lint runs it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A question without its id, with what else is known of its gold."""

    question: Question
    example: Example
    query: exp.Expr
    labels: Labels
    faults: tuple[Fault, ...]

    @property
    def pool_tables(self) -> tuple[str, ...]:
        """Tables of gold, `database.table`."""
        return tuple(f"{self.example.database}.{table}" for table in self.labels.tables)

    @property
    def pool_columns(self) -> tuple[ColumnLabel, ...]:
        """Columns of gold, with their tables as `database.table`."""
        return tuple(
            ColumnLabel(table=f"{self.example.database}.{item.table}", column=item.column, roles=item.roles)
            for item in self.labels.columns
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Draft:
    """An example that runs at home and is labelled."""

    example: Example
    query: exp.Expr
    labels: Labels
    gold: Table
    comparison: Comparison
    rows: Sequence[Sequence[object]]
    faults: tuple[Fault, ...]
    pool_sql: str


def ask_all(examples: Sequence[Example], pool: OpenPool, mode: LintMode) -> Iterator[Asked | LeftOut]:
    """Yield for each example of one database, in order, its question or why there is none.

    Args:
        examples: All about one database.
        pool: Where gold is run.
        mode: Whether gold with a fault stays.
    """
    # All at home first, then all in the pool: a connection to the same files is used again.
    drafts = [_at_home(example, pool, mode) for example in examples]
    for draft in drafts:
        yield draft if isinstance(draft, LeftOut) else _in_pool(draft, pool)


def _at_home(example: Example, pool: OpenPool, mode: LintMode) -> _Draft | LeftOut:
    """Return what an example is on its own file."""
    catalog = pool.catalogs[example.database]
    found = pool.run_home(example.database, example.sql)
    if isinstance(found, Failure):
        return leave_out(example, from_failure(found.kind), found.message)
    query = parse_query(example.sql, pool.dialect)
    if isinstance(query, Unlabelled):
        return leave_out(example, "unlabelled", f"{query.reason}: {query.detail}")
    labels = label(example.sql, catalog, pool.dialect)
    if isinstance(labels, Unlabelled):
        return leave_out(example, "unlabelled", f"{labels.reason}: {labels.detail}")
    if differs := _observed(example, labels, pool):
        return leave_out(example, "unlabelled", differs)
    if not labels.tables:
        return leave_out(example, "no table")
    try:
        gold = to_table(found, ordered=is_ordered(query))
        pool_sql = to_pool(example.sql, catalog, pool.dialect)
    except ValueError as error:
        return leave_out(example, "no plain value", str(error))
    except BuildError as error:
        return leave_out(example, "unlabelled", error.what)
    try:
        derived = derive_comparison(gold, example.sql, pool.dialect)
        comparison = declare_comparison(derived, example.comparison, gold)
    except ValueError as error:
        return leave_out(example, "malformed", f"comparison: {error}")
    draft = _Draft(
        example=example,
        query=query,
        labels=labels,
        gold=gold,
        comparison=comparison,
        rows=found.rows,
        faults=(),
        pool_sql=pool_sql,
    )
    return _looked_at(draft, pool, mode)


def _observed(example: Example, labels: Labels, pool: OpenPool) -> str:
    """Return how labels differ from what SQLite itself says it reads; nothing where it cannot be asked."""
    if pool.dialect != "sqlite":
        return ""
    try:
        observed = observe(pool.files[example.database], example.sql)
    except sqlite3.Error as error:
        return f"SQLite cannot be asked what the query reads: {error}"
    return disagreement(labels, observed, example.sql)


def _looked_at(draft: _Draft, pool: OpenPool, mode: LintMode) -> _Draft | LeftOut:
    """Return the draft with the faults of its gold."""
    example = draft.example
    limits = replace(pool.limits, rows=VARIANT_ROWS, result_bytes=16 * MIB)

    def execute(sql: str) -> Sequence[Sequence[object]] | str:
        if sql == example.sql:
            return draft.rows
        found = pool.run_home(example.database, sql, limits)
        return f"{found.kind}: {found.message}" if isinstance(found, Failure) else found.rows

    found = lint(example.sql, pool.catalogs[example.database], execute, pool.dialect)
    faults = [fault for fault in found if not is_settled(fault, draft.comparison)]
    for fault in faults:
        # Gold is stored: tomorrow it would be wrong.
        if fault.code == "wall_clock":
            return leave_out(example, "wall clock", fault.detail)
    if faults and mode == "drop":
        return leave_out(example, "faulty", "; ".join(fault.message for fault in faults))
    return replace(draft, faults=tuple(faults))


def is_settled(fault: Fault, how: Comparison) -> bool:
    """Return whether the declared comparison leaves open what a fault is about."""
    match fault.code:
        case "tie_in_order":
            return not how.ordered or bool(how.order_keys)
        case "join_duplicates":
            return not how.duplicates
        case _:
            return False


def _in_pool(draft: _Draft, pool: OpenPool) -> Asked | LeftOut:
    """Return the question of an example whose gold means the same in the pool."""
    example = draft.example
    pooled = pool.run_pooled(example.database, draft.pool_sql)
    if isinstance(pooled, Failure):
        return leave_out(example, "not invariant", f"{pooled.kind}: {pooled.message}")
    if not invariant(draft.rows, pooled.rows):
        return leave_out(
            example, "not invariant", f"{len(draft.rows)} rows at home, {len(pooled.rows)} in it"
        )
    return Asked(
        question=_question(draft, pool),
        example=example,
        query=draft.query,
        labels=draft.labels,
        faults=draft.faults,
    )


def _question(draft: _Draft, pool: OpenPool) -> Question:
    example = draft.example
    subtype = classify(draft.query, draft.labels)
    return Question(
        id="",
        pair_id="",
        track="budget",
        subtype=subtype,
        catalog=example.database,
        context=example.database,
        text=word(example),
        gold=draft.gold,
        comparison=draft.comparison,
        certificate=Certificate(
            method="warebench.tracks.budget.pool.OpenPool.run_home",
            second_method="warebench.tracks.budget.pool.OpenPool.run_pooled",
            parameters={"pool_sql": draft.pool_sql, "example": example.id},
            sql=example.sql,
            digest=digest(draft.gold),
        ),
        difficulty=DIFFICULTY[subtype],
        path_difficulty=DIFFICULTY[subtype],
        fact=f"{example.database}:{digest(draft.query.sql(dialect=pool.dialect, comments=False))[:16]}",
        facets={
            **facets(draft.query, draft.labels, pool.index),
            "faults": len(draft.faults),
            "overlap": overlap(example.question, draft.labels),
        },
    )


def word(example: Example) -> str:
    """Return the text of a question: its own words, and what a model is told besides."""
    return f"{example.question}\nEvidence: {example.evidence}" if example.evidence else example.question

"""The second method on a finished set: gold run once more in the pool; and a look at each gold."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from warebench.answers.model import Answer, Cell, Table
from warebench.answers.result import Comparison, compare_results
from warebench.engine.run import Failure, QueryLimits
from warebench.questions.check import CHECKS, Finding
from warebench.questions.model import Question, QuestionSet
from warebench.tracks.budget.faulted import read_faults
from warebench.tracks.budget.files import PoolFiles
from warebench.tracks.budget.namespace import build_pool, invariant
from warebench.tracks.budget.pool import MOST_BYTES, MOST_ROWS, OpenPool, find_dialect
from warebench.tracks.budget.result import plain_rows
from warebench.tracks.budget.scoring.comparison import find_comparison

Plain = Sequence[Sequence[Cell]]


def prove_set(question_set: QuestionSet) -> dict[str, Answer | None]:
    """Return the answer of the gold SQL in the pooled namespace to every question of a set, by question id.

    It is the gold itself where the rows are the same, their order aside; None where the query fails.

    Raises:
        SetError: The set says no dialect.
    """
    dialect = find_dialect(question_set)
    files = PoolFiles(question_set, dialect)
    names = sorted({question.context for question in question_set.questions})
    found: dict[str, Path | None] = {name: files.find(name) for name in names}
    pool = OpenPool(
        dialect=dialect,
        catalogs=question_set.catalogs,
        index=build_pool(question_set.catalogs.values()),
        files={name: path for name, path in found.items() if path},
        limits=QueryLimits(
            seconds=float(question_set.manifest.parameters.get("seconds", QueryLimits().seconds)),
            rows=MOST_ROWS,
            result_bytes=MOST_BYTES,
            threads=1,
        ),
    )
    return {question.id: _again(question, pool) for question in question_set.questions}


def _again(question: Question, pool: OpenPool) -> Answer | None:
    gold = question.gold
    if not isinstance(gold, Table) or question.context not in pool.files:
        return None
    found = pool.run_pooled(question.context, str(question.certificate.parameters["pool_sql"]))
    if isinstance(found, Failure):
        return None
    rows = plain_rows(found.rows)
    if invariant(gold.rows, rows):
        return gold
    return Table(columns=(), rows=rows, ordered=gold.ordered)


def examine_set(question_set: QuestionSet) -> Iterator[Finding]:
    """Yield where the scorer misjudges a result, and, as warnings, the faults of gold that are on record.

    Raises:
        SetError: The set says no dialect.
    """
    dialect = find_dialect(question_set)
    for question in question_set.questions:
        if isinstance(question.gold, Table):
            how = find_comparison(question.gold, question.certificate.sql, dialect, "strict")
            for fault in _misjudged(question.gold, how):
                yield Finding(code="WB008", where=question.id, message=f"{CHECKS['WB008']}: {fault}")
    for item in read_faults(question_set):
        for found in item.faults:
            message = f"{CHECKS['WB010']}: {found.code}: {found.message}"
            yield Finding(code="WB010", where=item.question, message=message, severity="warning")


def _misjudged(gold: Table, how: Comparison) -> Iterator[str]:
    """Yield what the scorer says wrongly about results that are right or wrong by construction."""
    for what, rows in _right(gold, how):
        verdict = compare_results(gold.rows, rows, how)
        if not verdict.correct:
            yield f"rejected {what} ({verdict.explanation})"
    for what, rows in _wrong(gold.rows, how):
        if compare_results(gold.rows, rows, how).correct:
            yield f"accepted {what}"


def _right(gold: Table, how: Comparison) -> Iterator[tuple[str, Plain]]:
    yield "the gold itself", gold.rows
    yield "its columns in another order", [row[::-1] for row in gold.rows]
    if not how.ordered:
        yield "its rows in another order", gold.rows[::-1]


def _wrong(rows: Plain, how: Comparison) -> Iterator[tuple[str, Plain]]:
    if not rows:
        yield "a row where there is none", [(None,)]
        return
    first = rows[0]
    yield "one row less", rows[1:]
    yield "a row twice", [*rows, first]
    yield "a column more", [(*row, None) for row in rows]
    yield "another value", [(f"{first[0]}~", *first[1:]), *rows[1:]]
    keys = [row[:1] for row in rows]
    if how.ordered and len(first) == 1 and keys != keys[::-1]:
        yield "its rows in reverse", rows[::-1]

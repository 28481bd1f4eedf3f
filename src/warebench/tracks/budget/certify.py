"""The second method on a finished set: gold run once more in the pool; and a look at each gold."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from warebench.answers.model import Answer, Cell, Table
from warebench.answers.result import Comparison, compare_results
from warebench.engine.run import Failure, QueryLimits
from warebench.questions.check import CHECKS, Finding
from warebench.questions.model import Question, QuestionSet
from warebench.sql.namespace import build_pool, invariant
from warebench.tracks.budget.comparison import find_misfit
from warebench.tracks.budget.faulted import read_faults
from warebench.tracks.budget.files import PoolFiles
from warebench.tracks.budget.pool import MOST_BYTES, MOST_ROWS, OpenPool, find_dialect
from warebench.tracks.budget.result import plain_rows

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
    """Yield comparisons that do not fit gold, and results that are misjudged; as warnings, faults of gold.

    Raises:
        SetError: The faults on record cannot be read.
    """
    for question in question_set.questions:
        if not isinstance(question.gold, Table):
            continue
        how = question.comparison
        misfit = find_misfit(how, question.gold) if how else "there is none"
        if misfit or how is None:
            message = f"{CHECKS['WB011']}: {misfit}; mend its source, and build the set again"
            yield Finding(code="WB011", where=question.id, message=message)
            continue
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
    for what, rows in _wrong(_distinct(gold.rows, how), how):
        if compare_results(gold.rows, rows, how).correct:
            yield f"accepted {what}"


def _right(gold: Table, how: Comparison) -> Iterator[tuple[str, Plain]]:
    yield "the gold itself", gold.rows
    if how.columns == "permuted":
        yield "its columns in another order", [row[::-1] for row in gold.rows]
    if not how.ordered:
        yield "its rows in another order", gold.rows[::-1]
    if not how.duplicates:
        yield "its rows twice", [*gold.rows, *gold.rows]
    if how.nulls == "blank":
        yield "NULL as the empty text", [["" if cell is None else cell for cell in row] for row in gold.rows]


def _distinct(rows: Plain, how: Comparison) -> Plain:
    """Return rows of which none is equal to another where that would not count."""
    if how.nulls == "blank":
        rows = [[None if cell == "" else cell for cell in row] for row in rows]
    return rows if how.duplicates else list(dict.fromkeys(map(tuple, rows)))


def _wrong(rows: Plain, how: Comparison) -> Iterator[tuple[str, Plain]]:
    if not rows:
        yield "a row where there is none", [(None,)]
        return
    first = rows[0]
    yield "one row less", rows[1:]
    if how.duplicates:
        yield "a row twice", [*rows, first]
    yield "a column more", [(*row, None) for row in rows]
    yield "another value", [(f"{first[0]}~", *first[1:]), *rows[1:]]
    if any(isinstance(cell, float) and cell for row in rows for cell in row):
        halved = [[cell / 2 if isinstance(cell, float) else cell for cell in row] for row in rows]
        yield "half of every number: the tolerance is too wide", halved
    keys = [row[0] for row in rows]
    is_near = any(isinstance(key, float) for key in keys)  # then a declared tolerance may make them equal
    if how.ordered and len(first) == 1 and keys != keys[::-1] and not is_near:
        yield "its rows in reverse", rows[::-1]

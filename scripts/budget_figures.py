"""Print what a set of the budget track measures of itself: tokens of its pool, and how safe its scoring is.

python scripts/budget_figures.py SET [SET ...]

Tokens: all tables in each representation, and the share of the rich catalog that they take. Scoring: gold as
sqlglot's optimizer writes it anew, which must be right; and where gold is one row, that row as constants
read from a table of gold, which is right by accident only; both on two perturbed databases. Comparison: gold
with one thing left out, added or turned round, judged as each question declares it and as BIRD does.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer import optimize

from warebench.answers.model import Cell
from warebench.questions.model import Question
from warebench.questions.store import read_questions
from warebench.sql.namespace import to_pool
from warebench.tracks.budget.comparison import COMPARES
from warebench.tracks.budget.represent import REPRESENTATIONS
from warebench.tracks.budget.scoring.bench import gold_sql, open_bench
from warebench.tracks.budget.scoring.judge import Judge, gold_table
from warebench.tracks.budget.scoring.model import Judged
from warebench.tracks.budget.settings import Settings
from warebench.tracks.budget.subject import Subject, open_subject

WORKERS = 2
Prediction = tuple[Question, str]
Slip = Callable[[exp.Select], exp.Select | None]
"""Changes a query, or returns None where it has not what is to be changed."""


def main() -> None:
    subjects = [(folder, open_subject(read_questions(folder))) for folder in sys.argv[1:]]
    print("| set | tables | representation | tokens | % of enriched |\n|---|---|---|---|---|")
    for folder, subject in subjects:
        rich = subject.texts("enriched").total
        for form in REPRESENTATIONS:
            total = subject.texts(form).total
            share = f"{100 * total / rich:.1f}"
            print(f"| {folder} | {len(subject.schema.tables)} | {form} | {total} | {share} |")
    print("\n| set | predictions | queries | reasons |\n|---|---|---|---|")
    for folder, subject in subjects:
        for name, predictions in (("rewritten", rewritten(subject)), ("constants", constants(subject))):
            reasons = judge_all(subject, list(predictions))
            told = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
            print(f"| {folder} | {name} | {reasons.total()} | {told} |", flush=True)
    print("\n| set | gold, but | queries | right | as BIRD | only strict | only BIRD |\n" + "|---" * 7 + "|")
    for folder, subject in subjects:
        for name, slip in SLIPS.items():
            counts = compare_modes(subject, list(slipped(subject, slip)))
            print(f"| {folder} | {name} | {counts} |", flush=True)


def rewritten(subject: Subject) -> Iterator[Prediction]:
    """Yield gold as an optimizer writes it, where it can."""
    for question in subject.question_set.questions:
        catalog = subject.question_set.catalogs[question.context]
        schema: dict[str, object] = {
            table.name: {column.name: column.type or "TEXT" for column in table.columns}
            for table in catalog.tables
        }
        try:
            query = sqlglot.parse_one(question.certificate.sql, dialect=subject.dialect)
            sql = optimize(query, schema=schema, dialect=subject.dialect).sql(subject.dialect)
        except SqlglotError:
            continue
        yield question, to_pool(sql, catalog, subject.dialect)


def constants(subject: Subject) -> Iterator[Prediction]:
    """Yield gold's one row as constants."""
    for question in subject.question_set.questions:
        rows = gold_table(question).rows
        if len(rows) == 1:
            database, _, table = subject.labels[question.id].tables[0].partition(".")
            values = ", ".join(map(literal, rows[0]))
            yield question, f'SELECT {values} FROM "{database}"."{table}" LIMIT 1'  # noqa: S608 - quoted


def slipped(subject: Subject, slip: Slip) -> Iterator[Prediction]:
    """Yield gold with one thing changed, where it has that thing."""
    for question in subject.question_set.questions:
        query = sqlglot.parse_one(gold_sql(question), dialect=subject.dialect)
        if isinstance(query, exp.Select) and (changed := slip(query)) is not None:
            yield question, changed.sql(subject.dialect)


def without(part: str) -> Slip:
    def drop(query: exp.Select) -> exp.Select | None:
        return query if query.args.pop(part, None) else None

    return drop


def without_order(query: exp.Select) -> exp.Select | None:
    return None if query.args.get("limit") else without("order")(query)


def with_distinct(query: exp.Select) -> exp.Select | None:
    return None if query.args.get("distinct") else query.distinct()


def turned_round(query: exp.Select) -> exp.Select | None:
    by_number = any(term.this.is_number for term in query.find_all(exp.Ordered))
    if len(query.selects) < 2 or by_number:
        return None
    query.set("expressions", query.selects[::-1])
    return query


SLIPS: dict[str, Slip] = {
    "without ORDER BY": without_order,
    "with DISTINCT": with_distinct,
    "without DISTINCT": without("distinct"),
    "columns turned round": turned_round,
    "without LIMIT": without("limit"),
    "without WHERE": without("where"),
}


def compare_modes(subject: Subject, predictions: Sequence[Prediction]) -> str:
    """Return how many predictions are right under either comparison, and why one alone accepts some."""
    strict, bird = (judge_each(subject, predictions, Settings(compare=how)) for how in COMPARES)
    right = [sum(judged.correct for judged in mode) for mode in (strict, bird)]
    only = [
        Counter(no.reason for yes, no in zip(*modes, strict=True) if yes.correct and not no.correct)
        for modes in ((strict, bird), (bird, strict))
    ]
    told = (", ".join(f"{count} ({reason})" for reason, count in sorted(one.items())) or "0" for one in only)
    return " | ".join(map(str, (len(predictions), *right, *told)))


def literal(cell: Cell) -> str:
    if cell is None:
        return "NULL"
    return repr(cell) if isinstance(cell, int | float) else "'" + str(cell).replace("'", "''") + "'"


def judge_all(subject: Subject, predictions: Sequence[Prediction]) -> Counter[str]:
    return Counter(judged.reason for judged in judge_each(subject, predictions, Settings()))


def judge_each(subject: Subject, predictions: Sequence[Prediction], settings: Settings) -> list[Judged]:
    judge = Judge(subject=subject, settings=settings, bench=open_bench(subject, settings.variants))
    with ThreadPoolExecutor(WORKERS) as threads:
        return list(threads.map(lambda item: judge.judge(*item), predictions))


if __name__ == "__main__":
    main()

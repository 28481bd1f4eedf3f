"""Print what a set of the budget track measures of itself: tokens of its pool, and how safe its scoring is.

python scripts/budget_figures.py SET [SET ...]

Tokens: all tables in each representation, and the share of the rich catalog that they take. Scoring: gold as
sqlglot's optimizer writes it anew, which must be right; and where gold is one row, that row as constants
read from a table of gold, which is right by accident only; both on two perturbed databases.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import sqlglot
from sqlglot.errors import SqlglotError
from sqlglot.optimizer import optimize

from warebench.answers.model import Cell
from warebench.questions.model import Question
from warebench.questions.store import read_questions
from warebench.tracks.budget.namespace import to_pool
from warebench.tracks.budget.represent import REPRESENTATIONS
from warebench.tracks.budget.scoring.bench import Bench
from warebench.tracks.budget.scoring.judge import Judge, gold_table
from warebench.tracks.budget.settings import Settings
from warebench.tracks.budget.subject import Subject, open_subject

WORKERS = 2
Prediction = tuple[Question, str]


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


def literal(cell: Cell) -> str:
    if cell is None:
        return "NULL"
    return repr(cell) if isinstance(cell, int | float) else "'" + str(cell).replace("'", "''") + "'"


def judge_all(subject: Subject, predictions: Sequence[Prediction]) -> Counter[str]:
    settings = Settings()
    judge = Judge(subject=subject, settings=settings, bench=Bench(subject, settings.variants))
    with ThreadPoolExecutor(WORKERS) as threads:
        return Counter(judged.reason for judged in threads.map(lambda item: judge.judge(*item), predictions))


if __name__ == "__main__":
    main()

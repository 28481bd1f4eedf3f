"""Scoring many bad predictions at once in the budget track: nothing may hang, nothing may be lost.

    python benchmarks/budget_scoring.py                       1,000 predictions, 2 workers, 10 seconds a query
    python benchmarks/budget_scoring.py --predictions 200 --share-endless 0.1 --databases 8

Predictions of every bad kind go to the bundled pool in a seeded order: queries without end (`--share-endless`
of them), with huge results or values, that write or read host files, that do not parse, that are huge
themselves, that name no table of the pool or no database, that read another database; and gold itself. Each
row is one kind: how many, the reasons they got, the mean and the longest time one took on the clock, making
the perturbed databases included. Says whether the databases' bytes are what they were.
"""

import argparse
import hashlib
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from warebench.engine.run import QueryLimits
from warebench.engine.worker import MIB
from warebench.questions.model import Question
from warebench.tracks.budget.build import Options, build
from warebench.tracks.budget.scoring.bench import Bench, gold_sql
from warebench.tracks.budget.scoring.judge import Judge
from warebench.tracks.budget.settings import Settings
from warebench.tracks.budget.subject import Subject, open_subject

SEED = 5
HEADS = ("kind", "predictions", "reasons", "mean s", "longest s")

Write = Callable[[str, str, str], str]
"""From a table's pool name, a table of another database and gold to a prediction."""

ENDLESS = "endless"
KINDS: Mapping[str, Write] = {
    ENDLESS: lambda table, _, __: (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        f"SELECT count(*) FROM n, {table} WHERE i < 0"
    ),
    "huge result": lambda table, _, __: (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) "
        f"SELECT i FROM n, {table}"
    ),
    "huge value": lambda table, _, __: (
        "WITH RECURSIVE n(i, s) AS (SELECT 1, 'xxxxxxxx' UNION ALL SELECT i + 1, s || s FROM n WHERE i < 40) "
        f"SELECT max(s) FROM n, {table}"
    ),
    "drops a table": lambda table, _, __: f"DROP TABLE {table}",
    "second statement": lambda table, _, __: f"SELECT 1 FROM {table}; DELETE FROM {table}",
    "reads a host file": lambda _, __, ___: "SELECT * FROM read_csv('/etc/passwd')",
    "attaches": lambda _, __, ___: "ATTACH '/etc/passwd' AS host",
    "unparsable": lambda table, _, __: f"SELECT FROM WHERE {table} ((",
    "huge text": lambda table, _, __: f"SELECT {' + '.join(['1'] * 50_000)} FROM {table}",
    "deep text": lambda table, _, __: f"SELECT {'(' * 3_000}1{')' * 3_000} FROM {table}",
    "no such table": lambda _, __, ___: "SELECT * FROM nowhere.nothing",
    "no database named": lambda table, _, __: f"SELECT * FROM {table.rpartition('.')[2]}",
    "no such column": lambda table, _, __: f"SELECT no_such_column FROM {table}",
    "other database": lambda _, other, __: f"SELECT * FROM {other}",
    "empty": lambda _, __, ___: "",
    "gold": lambda _, __, gold: gold,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Scored:
    """One prediction, judged."""

    kind: str
    reason: str
    seconds: float


def main() -> None:
    arguments = parse()
    subject = open_subject(build([], Options(databases=arguments.databases)))
    before = hash_files(subject)
    limits = QueryLimits(seconds=arguments.seconds, rows=50_000, result_bytes=32 * MIB, threads=1)
    predictions = make_predictions(subject, arguments.predictions, arguments.share_endless)
    begin = time.perf_counter()
    scored = score(subject, predictions, limits, arguments.workers)
    seconds = time.perf_counter() - begin
    print("| " + " | ".join(HEADS) + " |\n|" + "---|" * len(HEADS))
    for row in rows(scored):
        print("| " + " | ".join(row) + " |")
    kept = "unchanged" if hash_files(subject) == before else "CHANGED"
    print(f"\n{len(scored):,} predictions in {seconds:.0f} s, {arguments.workers} workers; databases {kept}")


def parse() -> argparse.Namespace:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--predictions", type=int, default=1_000)
    parser.add_argument("--share-endless", type=float, default=0.02)
    parser.add_argument("--databases", type=int, default=80)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=10.0, help="that one query may take")
    return parser.parse_args()


def make_predictions(subject: Subject, count: int, share_endless: float) -> list[tuple[Question, str, str]]:
    """Return questions with the kind and the text of a prediction, in a seeded order."""
    questions = subject.question_set.questions
    others = [kind for kind in KINDS if kind != ENDLESS]
    endless = round(count * share_endless)
    kinds = [ENDLESS] * endless + [others[number % len(others)] for number in range(count - endless)]
    random.Random(SEED).shuffle(kinds)
    found = []
    for number, kind in enumerate(kinds):
        question = questions[number % len(questions)]
        table, other = _tables(subject, question)
        found.append((question, kind, KINDS[kind](table, other, gold_sql(question))))
    return found


def _tables(subject: Subject, question: Question) -> tuple[str, str]:
    """Return a table that gold reads, and one of another database that has rows."""
    names = [table.name for table in subject.schema.tables]
    own = names[subject.gold_tables(question)[0]]
    elsewhere = next(item for item in subject.question_set.questions if item.context != question.context)
    return own, names[subject.gold_tables(elsewhere)[0]]


def score(
    subject: Subject, predictions: Sequence[tuple[Question, str, str]], limits: QueryLimits, workers: int
) -> list[Scored]:
    """Return every prediction judged, on perturbed databases too, some at a time as the scorer does it."""
    settings = Settings()
    judge = Judge(subject=subject, settings=settings, bench=Bench(subject, settings.variants, limits))

    def judge_one(prediction: tuple[Question, str, str]) -> Scored:
        question, kind, sql = prediction
        begin = time.perf_counter()
        judged = judge.judge(question, sql)
        return Scored(kind=kind, reason=judged.reason, seconds=time.perf_counter() - begin)

    with ThreadPoolExecutor(workers) as threads:
        return list(threads.map(judge_one, predictions))


def rows(scored: Sequence[Scored]) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each kind."""
    by_kind: defaultdict[str, list[Scored]] = defaultdict(list)
    for item in scored:
        by_kind[item.kind].append(item)
    for kind in KINDS:
        if items := by_kind[kind]:
            reasons = Counter(item.reason for item in items)
            took = [item.seconds for item in items]
            told = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
            yield kind, str(len(items)), told, f"{sum(took) / len(took):.2f}", f"{max(took):.1f}"


def hash_files(subject: Subject) -> dict[str, str]:
    """Return the SHA-256 of each database file that is asked about."""
    found = {}
    for name in sorted({question.context for question in subject.question_set.questions}):
        if path := subject.files.find(name):
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


if __name__ == "__main__":
    main()

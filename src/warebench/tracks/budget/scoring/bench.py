"""Where queries are executed: the real databases, and their variants, made when they are first needed."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Generic, TypeVar

from warebench.answers.model import Cell
from warebench.engine.run import Failure, QueryLimits, run_pool
from warebench.engine.worker import MIB
from warebench.questions.model import Question
from warebench.tracks.budget.result import plain_rows
from warebench.tracks.budget.scoring.variants import Variant, vary_database, vary_file
from warebench.tracks.budget.subject import Subject

K = TypeVar("K")
T = TypeVar("T")
PlainRows = tuple[tuple[Cell, ...], ...]

LIMITS = QueryLimits(rows=50_000, result_bytes=32 * MIB, threads=1)
"""Of one query: 10 seconds, 512 MiB, and more rows than any gold result."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GoldRun:
    """What gold returns on a variant whose files are these."""

    variant: Variant
    straight: PlainRows | Failure
    backward: PlainRows | Failure


class _Once(Generic[K, T]):
    """Values made once a key, while other keys go on."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._locks: defaultdict[K, Lock] = defaultdict(Lock)
        self._made: dict[K, T] = {}

    def get(self, key: K, make: Callable[[], T]) -> T:
        with self._lock:
            own = self._locks[key]
        with own:
            if key not in self._made:
                self._made[key] = make()
            return self._made[key]


class Bench:
    """Executes queries over the pool's databases, read-only, each in a process that can be killed.

    Args:
        subject: The set; its files stay unchanged.
        variants: Perturbed databases to each real one.
        limits: What one query may use.
    """

    def __init__(self, subject: Subject, variants: int, limits: QueryLimits = LIMITS) -> None:
        self._subject, self._count, self._limits = subject, variants, limits
        self._folder = TemporaryDirectory(prefix="variants-")
        self._variants = _Once[str, list[Variant]]()
        self._gold = _Once[str, list[GoldRun]]()

    def run(self, databases: Sequence[str], sql: str) -> PlainRows | Failure:
        """Return what a query with pool names returns, or why it returns nothing.

        Args:
            databases: Those it reads, of the real rows.
            sql: The query.
        """
        files: dict[str, Path] = {}
        for database in databases:
            path = self._subject.files.find(database)
            if path is None:
                return Failure(kind="execution", message=f"there are no rows of database {database}")
            files[database] = path
        return self._run(files, sql)

    def run_on(self, path: Path, question: Question, sql: str) -> PlainRows | Failure:
        """Return what a query returns on a file in the place of the question's database."""
        return self._run({question.context: path}, sql)

    def gold_runs(self, question: Question) -> list[GoldRun]:
        """Return what gold gives on each variant of the question's database, executed once."""
        return self._gold.get(question.id, lambda: self._run_gold(question))

    def _run_gold(self, question: Question) -> list[GoldRun]:
        sql = gold_sql(question)
        variants = self._variants.get(question.context, lambda: self._vary(question.context))
        return [
            GoldRun(
                variant=variant,
                straight=self.run_on(variant.straight, question, sql),
                backward=self.run_on(variant.backward, question, sql),
            )
            for variant in variants
        ]

    def _vary(self, database: str) -> list[Variant]:
        folder = Path(self._folder.name) / str(list(self._subject.question_set.catalogs).index(database))
        folder.mkdir()
        made = (self._vary_once(database, number, folder) for number in range(self._count))
        return [variant for variant in made if variant]

    def _vary_once(self, database: str, number: int, folder: Path) -> Variant | None:
        if self._subject.dialect == "duckdb":
            rows = self._subject.question_set.databases.get(database)
            return vary_database(rows, number, folder) if rows else None
        path = self._subject.files.find(database)
        catalog = self._subject.question_set.catalogs[database]
        return vary_file(path, catalog, number, folder) if path else None

    def _run(self, files: dict[str, Path], sql: str) -> PlainRows | Failure:
        result = run_pool(files, sql, self._subject.dialect, self._limits)
        return result if isinstance(result, Failure) else plain_rows(result.rows)


@cache
def open_bench(subject: Subject, variants: int) -> Bench:
    """Return the bench of a set, one for all runs of a process."""
    return Bench(subject, variants)


def gold_sql(question: Question) -> str:
    """Return the gold query with pool names."""
    return str(question.certificate.parameters["pool_sql"])

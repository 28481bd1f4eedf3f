"""Examples judged as gold before any model sees them: their faults, and what they cannot tell from right."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from warebench.answers.model import Table
from warebench.answers.result import compare_results
from warebench.engine.collection import Collection, Example, SqliteFile
from warebench.engine.run import Failure
from warebench.sql.lint import Fault
from warebench.sql.mutants import Change, mutate
from warebench.tracks.budget.ask import Asked, ask_all
from warebench.tracks.budget.jobs import sort_examples
from warebench.tracks.budget.left_out import LeftOut
from warebench.tracks.budget.pool import OpenPool, open_pool
from warebench.tracks.budget.result import plain_rows
from warebench.tracks.budget.scoring.variants import Variant, vary_database, vary_file

VARIANTS = 3
"""Perturbed databases that are tried on a mutant which the real one does not tell apart."""


class Survivor(msgspec.Struct, frozen=True, kw_only=True):
    """A wrong query that gives gold's result on the data as they are."""

    change: Change
    sql: str
    row: str
    """The kind of row that would tell it apart."""
    killed_by: int | None
    """Number of the first perturbed database that tells it apart; None where none does."""


class Audited(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to say about one example."""

    example: str
    database: str
    question: str
    unusable: str
    """Why it can be no question; empty where it can."""
    faults: tuple[Fault, ...] = ()
    mutants: int = 0
    """Wrong queries that run."""
    survivors: tuple[Survivor, ...] = ()

    @property
    def is_faulty(self) -> bool:
        """Whether it has a fault, or can be no question."""
        return bool(self.unusable or self.faults)


def audit(collection: Collection, seconds: float = 30.0) -> list[Audited]:
    """Return what is to be said about each example of a collection, in its order.

    Args:
        collection: Databases with rows, and examples about them.
        seconds: That one query may take.

    Raises:
        BuildError: A file changed meanwhile.

    Source: Zhong, Yu and Klein, Semantic Evaluation for Text-to-SQL with Distilled Test Suites (EMNLP 2020),
    where neighbours of gold choose the databases.
    """
    jobs, refused = sort_examples(collection)
    found = {item.where: _unusable(item, collection.examples) for item in refused}
    with open_pool(collection, seconds) as pool, TemporaryDirectory(prefix="audit-") as folder:
        for number, (database, examples) in enumerate(jobs.items()):
            home = Path(folder) / str(number)
            home.mkdir()
            variants = _vary(collection, database, home)
            for example, outcome in zip(examples, ask_all(examples, pool, "keep"), strict=True):
                found[example.id] = (
                    _unusable(outcome, examples)
                    if isinstance(outcome, LeftOut)
                    else _judge(outcome, pool, variants)
                )
    return [found[example.id] for example in collection.examples if example.id in found]


def _unusable(item: LeftOut, examples: Sequence[Example]) -> Audited:
    question = next((example.question for example in examples if example.id == item.where), "")
    why = f"{item.reason}: {item.detail}".rstrip(": ")
    return Audited(example=item.where, database=item.database, question=question, unusable=why)


def _vary(collection: Collection, database: str, folder: Path) -> list[Variant]:
    item = next(item for item in collection.databases if item.catalog.name == database)
    made = (
        vary_file(item.path, item.catalog, number, folder)
        if isinstance(item, SqliteFile)
        else vary_database(item, number, folder)
        for number in range(VARIANTS)
    )
    return [variant for variant in made if variant]


def _judge(asked: Asked, pool: OpenPool, variants: Sequence[Variant]) -> Audited:
    gold = asked.question.gold
    tried = 0
    survivors = []
    for mutant in mutate(asked.query, pool.dialect):
        same = _is_same(asked, gold.rows if isinstance(gold, Table) else (), mutant.sql, pool)
        tried += same is not None
        if same:
            killer = next(_killers(asked, mutant.sql, pool, variants), None)
            survivors.append(Survivor(change=mutant.change, sql=mutant.sql, row=mutant.row, killed_by=killer))
    return Audited(
        example=asked.example.id,
        database=asked.example.database,
        question=asked.example.question,
        unusable="",
        faults=asked.faults,
        mutants=tried,
        survivors=tuple(survivors),
    )


def _is_same(asked: Asked, gold: Sequence[Sequence[object]], sql: str, pool: OpenPool) -> bool | None:
    """Return whether a mutant gives gold's result; None where it does not run."""
    found = pool.run_home(asked.example.database, sql)
    how = asked.question.comparison
    if isinstance(found, Failure) or how is None:
        return None
    return compare_results(gold, plain_rows(found.rows), how).correct


def _killers(asked: Asked, sql: str, pool: OpenPool, variants: Sequence[Variant]) -> Iterator[int]:
    """Yield the numbers, from 1, of the perturbed databases on which a mutant differs from gold."""
    database = asked.example.database
    for number, variant in enumerate(variants, start=1):
        straight, backward = (
            replace(pool, files={database: path}) for path in (variant.straight, variant.backward)
        )
        gold = straight.run_home(database, asked.example.sql)
        if isinstance(gold, Failure):
            continue
        rows = plain_rows(gold.rows)
        # Where the order of rows changes gold itself, nobody is judged.
        if (
            _is_same(asked, rows, asked.example.sql, backward)
            and _is_same(asked, rows, sql, straight) is False
        ):
            yield number

"""The budget track as an Inspect task."""

from functools import cache
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.model import GenerateConfig

from warebench.harness.condition import method_label
from warebench.harness.dataset import check_track, task_metadata, to_samples
from warebench.harness.embedding import check_dense
from warebench.harness.version import read_version
from warebench.questions.model import QuestionSet, Value, digest
from warebench.questions.store import read_questions
from warebench.tracks.budget.build import Options, build
from warebench.tracks.budget.methods import make_solver
from warebench.tracks.budget.rank.rankers import DENSE
from warebench.tracks.budget.scoring.scorer import verdict
from warebench.tracks.budget.select import Choosing, select
from warebench.tracks.budget.settings import Settings
from warebench.tracks.budget.subject import Subject, open_subject

DEFAULT_SEED = 7
BREAKDOWNS = ("tables", "collisions")
"""Facets that a report shows beside the subtypes: the paper leaves collision strata open."""
SETTINGS = ("budget", "ranker", "representation", "condition", "names", "compare")
"""What of a run a report compares by, where the method or the scorer reads it."""

READS: dict[str, tuple[str, ...]] = {
    "sql": (*SETTINGS, "perturbed", "structured"),
    # reports know the oracle by its bare name
    "question": ("names", "compare", "perturbed"),
    "oracle": (),
}
"""Method to the settings that its name in a report carries where they differ from their defaults."""


PROBES = {
    "oracle": "the gold query is in the prompt",
    "frozen_gold": "the tables that gold reads are put into the prompt",
    "remove_gold": "the tables that gold reads are taken out of the prompt",
    "fixed_tables": "the tables that gold reads are put into the prompt",
}
"""Methods and conditions that answer another question than the benchmark, and why: they never rank."""


@task
def warebench_budget(
    questions: str | None = None,
    method: str = "sql",
    budget: float = 10,
    ranker: str = "lexical",
    representation: str = "raw",
    condition: str = "end_to_end",
    names: str = "prefixed",
    compare: str = "strict",
    perturbed: int = 2,
    databases: str | list[str] = "",
    limit_per_database: int | None = None,
    limit_per_subtype: int | None = None,
    structured: bool | None = None,
    seed: int = DEFAULT_SEED,
) -> Task:
    """Text-to-SQL over a catalog of many databases, of which the prompt shows as much as a budget allows.

    Args:
        questions: Folder of a question set (`warebench build budget`); by default that of the bundled pool.
        method: sql, question or oracle.
        budget: Percent of the tokens of the whole catalog, enriched, that the schema in the prompt may take.
        ranker: lexical, dense, serialised, expanded or fused.
        representation: How a table is written: raw, enriched or hybrid.
        condition: end_to_end, frozen_gold, remove_gold or fixed_tables.
        names: prefixed (`database.table`) or unprefixed.
        compare: strict, as each question declares it, or bird, BIRD's comparison of sets of rows.
        perturbed: Variants of the database on which a query must be right too; 0 for none.
        databases: Databases to ask about, separated by commas; all of the set by default.
        limit_per_database: Ask at most so many questions of each database, drawn by `seed`.
        limit_per_subtype: Ask at most so many questions of each subtype, drawn by `seed`.
        structured: Ask for schema-constrained output; by default for models of provider `local` only.
        seed: Seed of the limits.

    Raises:
        SetError: The question set cannot be read.
        RunError: An argument does not fit, the set is of another track, or nothing is left to ask.
        MissingExtra: Ranker dense or fused without the extra `dense`.

    Reference: BudgetSchemaBench (arXiv 2610.00092).
    """
    given = {
        "budget": int(budget) if isinstance(budget, float) and budget.is_integer() else budget,
        "ranker": ranker,
        "representation": representation,
        "condition": condition,
        "names": names,
        "compare": compare,
        "perturbed": perturbed,
        "structured": structured,
    }
    settings = Settings(**given)  # type: ignore[arg-type]  # words are checked there
    if ranker in DENSE:
        check_dense()
    choosing = Choosing(
        databases=_split(databases),
        limit_per_database=limit_per_database,
        limit_per_subtype=limit_per_subtype,
        seed=seed,
    )
    subject = _open(questions, choosing)
    return Task(
        name=f"warebench_budget_{method}",
        dataset=MemoryDataset(to_samples(subject.question_set), name=subject.name),
        solver=make_solver(method, subject, settings),
        scorer=verdict(subject, settings),
        config=GenerateConfig(temperature=0.0),
        version=read_version(__package__),
        metadata=_metadata(subject, method, settings),
    )


def _metadata(subject: Subject, method: str, settings: Settings) -> dict[str, Any]:
    return task_metadata(
        subject.question_set,
        method=method_label(method, settings, READS[method]),
        settings=_compared(method, settings),
        breakdowns=BREAKDOWNS,
        probe=PROBES.get(method) or PROBES.get(settings.condition, ""),
    )


_OPEN: dict[str, Subject] = {}


def _open(folder: str | None, choosing: Choosing) -> Subject:
    """Return the chosen questions; runs of one process share texts, rankers, files and variants."""
    chosen = select(_read(folder) if folder else default_set(), choosing)
    key = digest((folder, chosen.manifest, [question.id for question in chosen.questions]))
    if key not in _OPEN:
        _OPEN[key] = open_subject(chosen)
    return _OPEN[key]


@cache
def default_set() -> QuestionSet:
    """Return the set of the bundled pool, built once per process."""
    return build([], Options())


def _read(folder: str) -> QuestionSet:
    question_set = read_questions(folder)
    check_track(question_set, "budget", folder)
    return question_set


def _compared(method: str, settings: Settings) -> dict[str, Value]:
    read = (*READS[method], "compare")  # the scorer reads it, whatever the method
    return {name: getattr(settings, name) for name in SETTINGS if name in read}


def _split(words: str | list[str]) -> tuple[str, ...]:
    # Inspect turns a value with commas into a list.
    parts = words if isinstance(words, list) else str(words).split(",")
    return tuple(part for part in (str(part).strip() for part in parts) if part)

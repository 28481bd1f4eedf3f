"""A question set as Inspect sees it: samples, and an index by which solvers and scorers find the question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import msgspec
from inspect_ai.dataset import Sample

from warebench._version import __version__
from warebench.errors import InternalError, RunError
from warebench.questions.model import Question, QuestionSet, Value


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionIndex:
    """Questions by id and table names by catalog.

    Pass it to solvers and scorers. Inspect logs an argument by its `name`, so the gold in it
    never reaches a log's header.
    """

    name: str
    """Track and the first digits of the set's hash."""
    questions: Mapping[str, Question]
    tables: Mapping[str, tuple[str, ...]]
    """Catalog name to its table names, in catalog order."""


def index_questions(question_set: QuestionSet) -> QuestionIndex:
    """Return the index of a question set."""
    manifest = question_set.manifest
    return QuestionIndex(
        name=f"{manifest.track}-{manifest.questions_sha256[:12]}",
        questions={question.id: question for question in question_set.questions},
        tables={name: catalog.table_names for name, catalog in question_set.catalogs.items()},
    )


def find_question(index: QuestionIndex, sample_id: str | int) -> Question:
    """Return the question a sample asks.

    Raises:
        InternalError: when solvers or scorers were built from another set than the samples.
    """
    try:
        return index.questions[str(sample_id)]
    except KeyError:
        raise InternalError(f"sample {sample_id} is not a question of the set {index.name}") from None


def to_samples(question_set: QuestionSet, *, limit: int | None = None) -> list[Sample]:
    """Return one sample a question, in the order of the set.

    The target is gold as JSON: it goes to the log, never to a model. The metadata is what a report may
    group by; it says nothing of gold.

    Args:
        question_set: The set.
        limit: Only the first so many questions.
    """
    set_facts = set_metadata(question_set)
    return [
        Sample(
            id=question.id,
            input=question.text,
            target=msgspec.json.encode(question.gold).decode(),
            metadata={**set_facts, **question_metadata(question)},
        )
        for question in question_set.questions[:limit]
    ]


def check_track(question_set: QuestionSet, track: str, folder: str) -> None:
    """Refuse a set of another track.

    Args:
        question_set: The set.
        track: The track of the task that is to ask it.
        folder: Where it was read from.

    Raises:
        RunError: The set is of another track.
    """
    own = question_set.manifest.track
    if own != track:
        raise RunError(
            f"the set is of the track `{own}`, and this task asks sets of `{track}`",
            where=folder,
            fix=f"Did you mean `warebench run {own}`, the task `warebench_{own}`?",
        )


def set_metadata(question_set: QuestionSet) -> dict[str, Any]:
    """Return what all questions of a set share: track, set_hash, obfuscation."""
    manifest = question_set.manifest
    return {
        "track": manifest.track,
        "set_hash": manifest.questions_sha256,
        "obfuscation": manifest.obfuscation,
    }


def question_metadata(question: Question) -> dict[str, Any]:
    """Return what a report may group a question by. Facets lie under `facets`."""
    return {
        "catalog": question.catalog,
        "subtype": question.subtype,
        "variant": question.variant,
        "difficulty": question.difficulty,
        "path_difficulty": question.path_difficulty,
        "pair_id": question.pair_id,
        "fact": question.fact,
        "facets": dict(question.facets),
    }


def task_metadata(
    question_set: QuestionSet,
    *,
    method: str,
    settings: Mapping[str, Value] = MappingProxyType({}),
    breakdowns: Sequence[str] = (),
    probe: str = "",
) -> dict[str, Any]:
    """Return the metadata every warebench `Task` must carry: `logs.py` reads rows by it.

    Args:
        question_set: The set the task asks.
        method: Name of the method, as reports show it; see `condition.method_label`.
        settings: What of the run a report may compare by, such as a token budget: columns `setting.NAME`.
        breakdowns: Facets of the questions that a report shows beside the subtypes: columns `by.NAME`.
        probe: Why its scores do not rank, where it asks something else than the benchmark.
    """
    return {
        "warebench": __version__,
        "method": method,
        "settings": dict(settings),
        "breakdowns": list(breakdowns),
        **({"probe": probe} if probe else {}),
        **set_metadata(question_set),
    }

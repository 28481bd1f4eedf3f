"""The topology track as an Inspect task."""

from functools import cache

import msgspec
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.model import GenerateConfig

from warebench.catalog.bundled import BUNDLED, load_bundled
from warebench.errors import RunError, did_you_mean
from warebench.harness.condition import method_label
from warebench.harness.dataset import check_track, task_metadata, to_samples
from warebench.harness.scorers import verdict
from warebench.harness.version import read_version
from warebench.questions.model import Question, QuestionSet
from warebench.questions.sample import draw
from warebench.questions.store import read_questions
from warebench.tracks.topology.build import Options, build
from warebench.tracks.topology.methods import find_method, make_solver
from warebench.tracks.topology.methods.settings import READS, Settings
from warebench.tracks.topology.methods.subject import open_subject
from warebench.tracks.topology.subtypes import SUBTYPE

DEFAULT_SEED = 7
TOOL_OUTPUT_BYTES = 1 << 20
"""Inspect would cut tool results at 16 KiB, in the middle of a name; ours cut themselves, and say so."""


PROBES = {"oracle": "the gold is in the prompt"}
"""Methods and conditions that answer another question than the benchmark, and why: they never rank."""


@task
def warebench_topology(
    questions: str | None = None,
    method: str = "flat_text",
    k: int = 15,
    hops: int = 3,
    calls: int = 3,
    rounds: int = 5,
    structured: bool | None = None,
    unsafe_local: bool = False,
    limit_per_subtype: int | None = None,
    subtypes: str | list[str] = "",
    seed: int = DEFAULT_SEED,
) -> Task:
    """Questions about a warehouse's schema graph: foreign-key paths, lineage impact, silos.

    Args:
        questions: Folder of a question set (`warebench build topology`); by default a set is built from the
            bundled catalogs.
        method: flat_text, vector_rag, graph_augmented, tool_use, react_code, question or oracle.
        k: Chunks that vector_rag retrieves.
        hops: Radius of graph_augmented's neighbourhood, in edges.
        calls: Tool calls that tool_use grants.
        rounds: Code runs that react_code grants.
        structured: Ask for schema-constrained output; by default for models of provider `local` only.
        unsafe_local: Let react_code run model-written code without a sandbox, as this user.
        limit_per_subtype: Ask at most so many questions of each subtype, drawn by `seed`.
        subtypes: Subtypes to ask, separated by commas; all by default.
        seed: Seed of the default set and of `limit_per_subtype`.

    Raises:
        SetError: The question set cannot be read.
        RunError: An argument does not fit, the set is of another track, nothing is left to ask, or
            react_code finds no sandbox.
        MissingExtra: vector_rag without the extra `dense`.

    Reference: DW-Bench (arXiv 2604.18964).
    """
    settings = Settings(
        k=k, hops=hops, calls=calls, rounds=rounds, structured=structured, unsafe_local=unsafe_local
    )
    find_method(method)
    whole = _read(questions) if questions else default_set(seed)
    asked = select(whole, _split(subtypes), limit_per_subtype, seed)
    subject = open_subject(asked)
    return Task(
        name=f"warebench_topology_{method}",
        dataset=MemoryDataset(to_samples(asked), name=subject.name),
        solver=make_solver(method, subject, settings),
        scorer=verdict(subject.index),
        config=GenerateConfig(temperature=0.0, max_tool_output=TOOL_OUTPUT_BYTES),
        version=read_version(__package__),
        metadata=task_metadata(
            asked, method=method_label(method, settings, READS[method]), probe=PROBES.get(method, "")
        ),
    )


def _read(folder: str) -> QuestionSet:
    question_set = read_questions(folder)
    check_track(question_set, "topology", folder)
    return question_set


@cache
def default_set(seed: int) -> QuestionSet:
    """Return the set of the bundled catalogs, built once per process and seed."""
    return build([load_bundled(name) for name in BUNDLED], Options(seed=seed))


def select(question_set: QuestionSet, subtypes: list[str], limit: int | None, seed: int) -> QuestionSet:
    """Return the set with some of its questions, in its order.

    The draw goes by `pair_id`, so that an original set and its twin yield the same pairs.

    Args:
        question_set: The set.
        subtypes: Subtypes to keep; empty for all.
        limit: Most questions of each subtype; None for all.
        seed: Seed of the draw.

    Raises:
        RunError: A subtype is unknown, the limit is below 1, or nothing is left.
    """
    for name in subtypes:
        if name not in SUBTYPE:
            raise RunError(f"unknown subtype `{name}`", fix=did_you_mean(name, SUBTYPE))
    if limit is not None and limit < 1:
        raise RunError(f"limit_per_subtype must be at least 1, not {limit}", fix="Leave it out to ask all.")
    kept = [q for q in question_set.questions if not subtypes or q.subtype in subtypes]
    if limit is not None:
        kept = draw(kept, _subtype, limit, seed)
    if not kept:
        raise RunError("the set holds no such question", fix="Choose other subtypes, or another set.")
    return msgspec.structs.replace(question_set, questions=tuple(kept))


def _subtype(question: Question) -> str:
    return question.subtype


def _split(words: str | list[str]) -> list[str]:
    # Inspect turns a value with commas into a list.
    parts = words.split(",") if isinstance(words, str) else words
    return [part.strip() for part in parts if part.strip()]

"""The intelligence track as an Inspect task."""

from functools import cache

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.model import GenerateConfig

from warebench.harness.condition import method_label
from warebench.harness.dataset import check_track, task_metadata, to_samples
from warebench.harness.version import read_version
from warebench.questions.model import QuestionSet
from warebench.questions.store import read_questions
from warebench.tracks.intelligence.build import Options, build
from warebench.tracks.intelligence.methods import make_solver
from warebench.tracks.intelligence.methods.scorer import verdict
from warebench.tracks.intelligence.methods.settings import Settings
from warebench.tracks.intelligence.methods.subject import open_subject
from warebench.tracks.intelligence.select import Choosing, select

DEFAULT_SEED = 7
BREAKDOWNS = ("tier", "domain")
"""Facets that a report shows beside the analysis types (DI-Bench, Figure 2 and Table 3)."""
TOOL_OUTPUT_BYTES = 1 << 20
"""Inspect would cut tool results at 16 KiB, in the middle of a row; `QueryLimits` bounds ours."""

READS: dict[str, tuple[str, ...]] = {
    "agent": ("condition", "turns", "structured"),
    # reports know the oracle by its bare name
    "question": (),
    "oracle": (),
}
"""Method to the settings that its name in a report carries where they differ from their defaults."""


PROBES = {
    "oracle": "the gold is in the prompt",
    "rule": "only questions that have a variant without rules are asked",
    "oracle_rule": "the documents that the question needs are in the prompt",
    "no_rule": "the standard definition is asked for, without any rule",
}
"""Methods and conditions that answer another question than the benchmark, and why: they never rank."""


@task
def warebench_intelligence(
    questions: str | None = None,
    method: str = "agent",
    condition: str = "whole",
    tiers: str | list[str] = "",
    analyses: str | list[str] = "",
    domains: str | list[str] = "",
    limit_per_subtype: int | None = None,
    turns: int = 20,
    structured: bool | None = None,
    seed: int = DEFAULT_SEED,
) -> Task:
    """Business metrics whose answers change with rule documents.

    Args:
        questions: Folder of a question set (`warebench build intelligence`); by default a small one of both
            bundled domains at a thirtieth of their size, four questions of each analysis type.
        method: agent, question or oracle.
        condition: whole (the benchmark), or rule, oracle_rule or no_rule on its matched questions.
        tiers: knowledge, analytics, rule, separated by commas; all by default.
        analyses: Analysis types to ask, separated by commas; all by default.
        domains: Knowledge bases to ask about, separated by commas; all of the set by default.
        limit_per_subtype: Ask at most so many questions of each analysis type, drawn by `seed`.
        turns: Replies that the agent has, the last one with its answer.
        structured: Ask for schema-constrained output; by default for models of provider `local` only.
        seed: Seed of the limit.

    Raises:
        SetError: The question set cannot be read.
        RunError: An argument does not fit, the set is of another track, or nothing is left to ask.

    Reference: DI-Bench (arXiv 2609.05776).
    """
    settings = Settings(condition=condition, turns=turns, structured=structured)
    choosing = Choosing(
        condition=condition,
        tiers=_split(tiers),
        analyses=_split(analyses),
        domains=_split(domains),
        limit_per_subtype=limit_per_subtype,
        seed=seed,
    )
    whole = _read(questions) if questions else default_set()
    subject = open_subject(whole, select(whole, choosing))
    return Task(
        name=f"warebench_intelligence_{method}",
        dataset=MemoryDataset(to_samples(subject.question_set), name=subject.name),
        solver=make_solver(method, subject, settings),
        scorer=verdict(subject),
        config=GenerateConfig(temperature=0.0, max_tool_output=TOOL_OUTPUT_BYTES),
        version=read_version(__package__),
        metadata=task_metadata(
            subject.question_set,
            method=method_label(method, settings, READS[method]),
            # the oracle too: matched questions share an id, and must not replace each other in a score table
            settings={"condition": condition},
            breakdowns=BREAKDOWNS,
            probe=PROBES.get(method) or PROBES.get(condition, ""),
        ),
    )


@cache
def default_set() -> QuestionSet:
    """Return a small set of both bundled domains, built once per process."""
    return build([], Options(size=4, minimum=0, target=40, scale=0.03))


@cache
def _read(folder: str) -> QuestionSet:
    question_set = read_questions(folder)
    check_track(question_set, "intelligence", folder)
    return question_set


def _split(words: str | list[str]) -> tuple[str, ...]:
    # Inspect turns a value with commas into a list.
    parts = words.split(",") if isinstance(words, str) else words
    return tuple(part.strip() for part in parts if part.strip())

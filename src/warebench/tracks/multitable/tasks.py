"""The multitable track as an Inspect task."""

from functools import cache

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.model import GenerateConfig

from warebench.harness.condition import method_label
from warebench.harness.dataset import check_track, task_metadata, to_samples
from warebench.harness.scorers import verdict
from warebench.harness.version import read_version
from warebench.questions.model import QuestionSet, Value
from warebench.questions.store import read_questions
from warebench.tracks.multitable.build import Options, build
from warebench.tracks.multitable.methods import find_method, make_solver
from warebench.tracks.multitable.methods.settings import Settings
from warebench.tracks.multitable.methods.subject import open_subject
from warebench.tracks.multitable.select import Choosing, check_limits, select

DEFAULT_SEED = 7
DEFAULT_WINDOWS = ("8K",)
BREAKDOWNS = ("window", "instance")
"""Facets that a report shows beside the subcategories (TQA-Bench, Figures 3 and 4)."""
SETTINGS = ("serialisation", "calls", "rounds")
"""What of a run a report compares by, where the method reads it."""
TOOL_OUTPUT_BYTES = 1 << 20
"""Inspect would cut tool results at 16 KiB, in the middle of a row; `QueryLimits` bounds ours."""

READS: dict[str, tuple[str, ...]] = {
    "choice": ("serialisation", "structured"),
    "open": ("serialisation", "structured"),
    "single_table": ("serialisation", "structured"),
    "text_to_sql": ("structured",),
    "code_agent": ("rounds", "structured", "unsafe_local"),
    "sql_agent": ("calls", "structured"),
    # reports know the oracle by its bare name
    "question": (),
    "oracle": (),
}
"""Method to the settings that its name in a report carries where they differ from their defaults."""


PROBES = {
    "oracle": "the gold is in the prompt",
    "single_table": "the tables that the question needs are picked and joined",
}
"""Methods and conditions that answer another question than the benchmark, and why: they never rank."""


@task
def warebench_multitable(
    questions: str | None = None,
    method: str = "choice",
    serialisation: str = "markdown",
    windows: str | list[str] = "",
    databases: str | list[str] = "",
    instances: int | None = None,
    size: int | None = None,
    limit_per_template: int | None = None,
    limit_per_subtype: int | None = None,
    calls: int = 8,
    rounds: int = 5,
    structured: bool | None = None,
    unsafe_local: bool = False,
    seed: int = DEFAULT_SEED,
) -> Task:
    """Questions over several tables in a prompt of 8K to 64K tokens.

    Args:
        questions: Folder of a question set (`warebench build multitable`); by default one instance of each
            bundled database at 8K, a question of each template.
        method: choice, open, single_table, text_to_sql, code_agent, sql_agent, question or oracle.
        serialisation: How tables are written: markdown, csv, json or html.
        windows: Windows to ask about, separated by commas; all of the set by default.
        databases: Databases to ask about, separated by commas; all of the set by default.
        instances: Ask about at most so many instances of each database and window; 1 in the default set.
        size: Ask at most so many questions of each template and instance; 1 in the default set.
        limit_per_template: Ask at most so many questions of each template, drawn by `seed`.
        limit_per_subtype: Ask at most so many questions of each subcategory, drawn by `seed`.
        calls: Tool calls that sql_agent grants.
        rounds: Code runs that code_agent grants.
        structured: Ask for schema-constrained output; by default for models of provider `local` only.
        unsafe_local: Let code_agent run model-written code without a sandbox, as this user.
        seed: Seed of the default set and of the limits.

    Raises:
        SetError: The question set cannot be read.
        RunError: An argument does not fit, the set is of another track, nothing is left to ask, or
            code_agent finds no sandbox.

    Reference: TQA-Bench (arXiv 2411.19504).
    """
    settings = Settings(
        serialisation=serialisation,
        calls=calls,
        rounds=rounds,
        structured=structured,
        unsafe_local=unsafe_local,
    )
    form = find_method(method).form
    choosing = Choosing(
        windows=_split(windows),
        databases=_split(databases),
        instances=instances,
        size=size,
        limit_per_template=limit_per_template,
        limit_per_subtype=limit_per_subtype,
        seed=seed,
    )
    whole = _read(questions) if questions else default_set(choosing)
    subject = open_subject(select(whole, choosing), form)
    return Task(
        name=f"warebench_multitable_{method}",
        dataset=MemoryDataset(to_samples(subject.question_set), name=subject.name),
        solver=make_solver(method, subject, settings),
        scorer=verdict(subject.index),
        config=GenerateConfig(temperature=0.0, max_tool_output=TOOL_OUTPUT_BYTES),
        version=read_version(__package__),
        metadata=task_metadata(
            subject.question_set,
            method=method_label(method, settings, READS[method]),
            settings=_compared(method, settings),
            breakdowns=BREAKDOWNS,
            probe=PROBES.get(method, ""),
        ),
    )


def _read(folder: str) -> QuestionSet:
    question_set = read_questions(folder)
    check_track(question_set, "multitable", folder)
    return question_set


def _compared(method: str, settings: Settings) -> dict[str, Value]:
    return {name: getattr(settings, name) for name in SETTINGS if name in READS[method]}


def default_set(choosing: Choosing) -> QuestionSet:
    """Return the bundled databases' set that a choice needs, built once per process.

    Raises:
        RunError: A number is below 1.
        BuildError: There is no such window or database.
    """
    check_limits(choosing)
    return _build(
        Options(
            windows=choosing.windows or DEFAULT_WINDOWS,
            databases=choosing.databases,
            instances=choosing.instances or 1,
            size=choosing.size or 1,
            seed=choosing.seed,
        )
    )


@cache
def _build(options: Options) -> QuestionSet:
    return build([], options)


def _split(words: str | list[str]) -> tuple[str, ...]:
    # Inspect turns a value with commas into a list.
    parts = words.split(",") if isinstance(words, str) else words
    return tuple(part.strip() for part in parts if part.strip())

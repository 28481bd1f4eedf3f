"""Providers, tasks and runs that the harness tests share."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ModelAPI, modelapi
from inspect_ai.solver import Solver, generate
from tests.harness.tiny import tiny_set

from warebench.harness.current import set_question
from warebench.harness.dataset import index_questions, task_metadata, to_samples
from warebench.harness.models.policy import POLICIES, Policy, policy_provider
from warebench.harness.run import RunResult, run
from warebench.harness.sandbox import sandbox_available
from warebench.harness.scorers import verdict
from warebench.questions.model import QuestionSet

EXTRA: dict[str, Policy] = {}
"""Policies of single tests, by name."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "local_model: starts the real local model")


@modelapi(name="tinypolicy")
def tiny_policy_provider() -> type[ModelAPI]:
    return policy_provider({**POLICIES, **EXTRA})


@pytest.fixture
def question_set() -> QuestionSet:
    return tiny_set()


@pytest.fixture
def policy() -> Callable[[str, Policy], str]:
    """Return a function that registers a policy and returns its model name."""

    def add(name: str, move: Policy) -> str:
        EXTRA[name] = move
        return f"tinypolicy/{name}"

    return add


def tiny_task(
    question_set: QuestionSet,
    solver: Solver | Sequence[Solver] | None = None,
    *,
    name: str = "tiny",
    method: str = "plain",
) -> Task:
    index = index_questions(question_set)
    solvers = [solver] if isinstance(solver, Solver) else list(solver or [generate()])
    return Task(
        name=name,
        dataset=MemoryDataset(to_samples(question_set), name=index.name),
        solver=[set_question(index), *solvers],
        scorer=verdict(index),
        metadata=task_metadata(question_set, method=method),
    )


def run_task(task: Task, model: str, log_dir: Path, options: Mapping[str, object] = {}) -> EvalLog:
    result: RunResult = run([task], [model], log_dir, options={"retry_attempts": 0, **options})
    return read_eval_log(str(result.logs[0]))


@pytest.fixture
def sandbox() -> None:
    """Skip where there is no sandbox; in CI that is a failure."""
    if reason := sandbox_available():
        if os.environ.get("CI") == "true":
            pytest.fail(f"CI must test the sandbox: {reason}")
        pytest.skip(reason)

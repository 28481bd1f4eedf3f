"""Run tasks on models through Inspect's `eval_set`: resumable, one log a task and model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from inspect_ai import Task, eval_set
from inspect_ai.log import EvalLog, list_eval_logs

# inspect_ai exports no name for errors the user can act on
from inspect_ai._util.error import PrerequisiteError  # isort: skip

from warebench.errors import RunError

DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {
        # a sample that errors is retried with its task, all others are finished first
        "fail_on_error": True,
        "continue_on_fail": True,
        "retry_attempts": 1,
        "retry_wait": 1,
        "retry_cleanup": False,
        "score_display": False,
        "log_format": "eval",
        "log_level": "warning",
        # several runs may share a folder: `read_logs` takes the last attempt at each sample
        "log_dir_allow_dirty": True,
    }
)
"""Options of `eval_set` that differ from Inspect's own defaults; `options` overrides them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RunResult:
    """How a run ended."""

    success: bool
    """Every sample of every task ended without an error."""
    logs: tuple[Path, ...]
    """The last log of each task and model."""
    errors: tuple[str, ...]
    """Why tasks failed, one sentence each; empty on success."""


def run(
    tasks: Sequence[Task],
    models: Sequence[str],
    log_dir: Path,
    *,
    display: Literal["none", "plain", "rich"] = "none",
    options: Mapping[str, Any] = MappingProxyType({}),
) -> RunResult:
    """Evaluate every task on every model; what the folder already holds is not run again.

    Args:
        tasks: Tasks, with `dataset.task_metadata` as their metadata.
        models: Inspect model names, `provider/model`.
        log_dir: Where logs go; run again with the same folder to resume.
        display: Inspect's display while it runs.
        options: Further arguments of `inspect_ai.eval_set`, such as `model_args`, `epochs`, `limit`.

    Raises:
        RunError: when Inspect refuses to start.
        KeyboardInterrupt: when it was interrupted, also where Inspect itself ends quietly.
    """
    log_dir.mkdir(parents=True, exist_ok=True)
    before = len(list_eval_logs(str(log_dir)))
    try:
        success, logs = eval_set(
            list(tasks),
            str(log_dir),
            model=list(models),
            display=display,
            **{**DEFAULTS, **options},
        )
    except (PrerequisiteError, ValueError) as error:
        # an unknown provider or a bad option is a ValueError too; once a task has its log, Inspect has
        # started, and a ValueError is a bug
        if isinstance(error, ValueError) and len(list_eval_logs(str(log_dir))) > before:
            raise
        raise RunError(f"Inspect cannot start: {error}", where=f"models: {', '.join(models)}") from error
    if not logs or any(log.status == "cancelled" for log in logs):
        # Inspect ends quietly on Ctrl-C; whoever called us must not take that for an end.
        raise KeyboardInterrupt
    return RunResult(
        success=success,
        logs=tuple(Path(_path(log)) for log in logs),
        errors=tuple(_sentence(log) for log in logs if log.status != "success"),
    )


def _path(log: EvalLog) -> str:
    return log.location.removeprefix("file://")


def _sentence(log: EvalLog) -> str:
    said = log.error.message.strip().splitlines()[0] if log.error else f"status `{log.status}`"
    return f"{log.eval.task} on {log.eval.model}: {said}"

"""Run tasks on models through Inspect's `eval_set`: resumable, one log a task and model."""

import contextlib
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from inspect_ai import Task, eval_set
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log, read_eval_log_sample_summaries
from rich.errors import MarkupError
from rich.text import Text

# inspect_ai exports no name for errors the user can act on
from inspect_ai._util.error import PrerequisiteError  # isort: skip

from warebench.errors import RunError
from warebench.harness.cause import first_line
from warebench.harness.intact import find_damage
from warebench.harness.progress import Tell, told
from warebench.harness.sealed import refuse_stored, seal_logging

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
        # Inspect waits for a server that does not answer without end; six waits, each twice the last, are
        # about four minutes
        "max_retries": 6,
    }
)
"""Options of `eval_set` that differ from Inspect's own defaults; `options` overrides them."""

LOCAL = "local/"
IN_TURN: Mapping[str, Any] = MappingProxyType({"max_tasks": 1})
"""For the local server, which answers one prompt at a time and keeps what it has read of the last: tasks that
take turns would have it read tables of thousands of tokens anew for every question."""


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
    tell: Tell | None = None,
) -> RunResult:
    """Evaluate every task on every model; what the folder already holds is not run again.

    Args:
        tasks: Tasks, with `dataset.task_metadata` as their metadata.
        models: Inspect model names, `provider/model`.
        log_dir: Where logs go; run again with the same folder to resume.
        display: Inspect's display while it runs.
        options: Further arguments of `inspect_ai.eval_set`, such as `model_args`, `epochs`, `limit`.
        tell: Called with a line on what is asked, and every minute on how much is done.

    Raises:
        RunError: when Inspect refuses to start, no log can be written, a log of the folder is torn, or an
            argument of the model would put a secret into the log.
        KeyboardInterrupt: when it was interrupted, also where Inspect itself ends quietly.
    """
    refuse_stored(options.get("model_args", {}))
    seal_logging()
    _open_folder(log_dir)
    before = _readable_logs(log_dir)
    try:
        # Inspect says on stdout that nothing is left to do, whatever its display is.
        quiet = contextlib.redirect_stdout(sys.stderr) if display == "none" else contextlib.nullcontext()
        with quiet, told(tasks, models, options, tell) if tell else contextlib.nullcontext():
            success, logs = eval_set(
                list(tasks),
                str(log_dir),
                model=list(models),
                display=display,
                **{**DEFAULTS, **(IN_TURN if any(map(_is_local, models)) else {}), **options},
            )
    except (PrerequisiteError, ValueError) as error:
        # an unknown provider or a bad option is a ValueError too; once a task has its log, Inspect has
        # started, and a ValueError is a bug
        if isinstance(error, ValueError) and len(list_eval_logs(str(log_dir))) > before:
            raise
        raise RunError(
            f"Inspect cannot start: {_plain(str(error))}",
            where=f"models: {', '.join(models)}",
            fix="Put the provider's key and package where Inspect expects them; check the model's name.",
        ) from error
    if not logs or any(log.status == "cancelled" for log in logs):
        # Inspect ends quietly on Ctrl-C; whoever called us must not take that for an end.
        raise KeyboardInterrupt
    return RunResult(
        success=success,
        logs=tuple(Path(_path(log)) for log in logs),
        errors=tuple(_sentence(log) for log in logs if log.status != "success"),
    )


def _open_folder(log_dir: Path) -> None:
    """Make the folder for logs, and see that one can be written there."""
    try:
        log_dir.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=log_dir):
            pass
    except OSError as error:
        raise RunError(
            f"no log can be written: {error.strerror}",
            where=str(log_dir),
            fix="Give --log-dir a folder you may write to, on a disk with room.",
        ) from error


def _plain(message: str) -> str:
    """Return a message for a terminal without rich's markup, its lines joined."""
    with contextlib.suppress(MarkupError):  # a bracket that was meant as one
        message = Text.from_markup(message).plain
    lines = (" ".join(line.split()) for line in message.splitlines())
    return "; ".join(filter(None, lines)).removeprefix("ERROR: ")


def _is_local(model: str) -> bool:
    return model.startswith(LOCAL)


def _readable_logs(log_dir: Path) -> int:
    """Return how many logs a folder holds.

    Raises:
        RunError: One of them is torn: Inspect reads them all to see what is left to do.
    """
    logs = list_eval_logs(str(log_dir))
    for log in logs:
        try:
            if damage := find_damage(Path(_local(log.name))):
                raise ValueError(damage)
            read_eval_log(log, header_only=True)
        except Exception as error:
            # a damaged file raises whatever the decompressor or the JSON reader behind Inspect likes
            raise RunError(
                f"a log is torn or unreadable, so what is left to run cannot be told: {error}",
                where=_local(log.name),
                fix="Move this file away, or give another --log-dir; its samples will be asked again.",
            ) from error
    return len(logs)


def _path(log: EvalLog) -> str:
    return _local(log.location)


def _local(location: str) -> str:
    return location.removeprefix("file://")


def _sentence(log: EvalLog) -> str:
    said = [first_line(log.error.message)] if log.error else []
    reasons = [*said, *_causes(log)] or [f"status `{log.status}`"]
    return f"{log.eval.task} on {log.eval.model}: {'; '.join(reasons)}"


def _causes(log: EvalLog) -> list[str]:
    """Return what the samples of a failed run ran into, the most frequent error first."""
    summaries = read_eval_log_sample_summaries(log.location)
    causes = Counter(first_line(summary.error) for summary in summaries if summary.error)
    if not causes:
        return []
    (cause, _), *others = causes.most_common()
    more = f", and {len(others)} other reasons" if others else ""
    return [f"{causes.total()} of {len(summaries)} samples errored: {cause}{more}"]

"""`.eval` logs to score table: the only reader of logs.

Every question a task was to ask has a row, whatever became of it. Where a task was run again, the last
attempt at each sample counts; one that broke never replaces a verdict, a cancelled one replaces nothing.
Of a run that was killed, the answers that it left behind are read.
"""

import hashlib
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pandas as pd
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.scorer import Score

from warebench.errors import RunError
from warebench.harness.agent import TOOL_CALLS
from warebench.harness.cause import first_line
from warebench.harness.code import CODE_RUNS
from warebench.harness.condition import conditions
from warebench.harness.dataset import question_metadata, set_metadata
from warebench.harness.intact import find_damage
from warebench.harness.scores import BREAKDOWN, COLUMNS, KEY, MEASURE, SETTING, to_table
from warebench.harness.unfinished import recover
from warebench.questions.model import QuestionSet

MEASURES = "measures"
"""Key of a score's metadata: further numbers of one sample, such as the recall of tables, by name."""

CANCELLED = "CancelledError"
"""How the error of a sample begins that Ctrl-C ended."""

KEPT: Mapping[str, Sequence[str]] = MappingProxyType(
    {"error": ("verdict",), "not_run": ("verdict", "error", "unscored")}
)
"""Outcome of a later attempt -> outcomes of earlier ones that it does not replace."""

_NOT_NEEDED = {"messages", "events", "attachments", "events_data", "timelines", "error_retries"}
_SET_FACTS = ("track", "set_hash", "obfuscation")
_ABSTAIN = '{"type":"abstain"'
"""How a target begins that says that the question cannot be answered."""
DESCRIBED = frozenset(
    {"catalog", "subtype", "variant", "difficulty", "path_difficulty", "pair_id", "fact", "abstain"}
)
"""Columns that hold for a question whatever runs on it, beside its facets."""
UNFINISHED = "started"
"""Status of a log whose run goes on, or was killed."""
LATE = ("time", "working")
"""Limits that a slow server breaks, and not the model."""

Row = dict[str, Any]
RowKey = tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What some logs hold."""

    scores: pd.DataFrame
    """The score table; see `scores.COLUMNS`."""
    logs: dict[str, str]
    """Log file to SHA-256, of those read; named from the folder that all of them share."""
    skipped: dict[str, str]
    """Log file to why it was left out: torn, or not ours. To be shown to the user."""
    unfinished: dict[str, int]
    """Log file of a run that did not end to how many of its answers are missing still."""


def read_logs(paths: Path | Sequence[Path], *, question_sets: Sequence[QuestionSet] = ()) -> Reading:
    """Read logs, all of them as one run: the order in which they are given does not matter.

    Args:
        paths: Folders where `run` (or `inspect eval`) wrote logs, read with all below, or log files; one or
            several.
        question_sets: Sets that were asked. Only needed to describe questions of which no log has a sample.

    Raises:
        RunError: when one of the paths has no log, or none that can be used.
    """
    given = [paths] if isinstance(paths, Path) else list(paths)
    logs: dict[str, EvalLog] = {}
    used: dict[str, str] = {}
    skipped: dict[str, str] = {}
    for name, path in _find(given).items():
        log = _read(path)
        if isinstance(log, str):
            skipped[name] = log
        else:
            logs[name] = log
            used[name] = _sha256(path)
    if not logs:
        listed = "; ".join(f"{name}: {why}" for name, why in skipped.items())
        raise RunError("no log can be scored", where=f"{', '.join(map(str, given))}: {listed}", fix=_AGAIN)
    scores = to_table(_rows(logs, question_sets))
    return Reading(scores=scores, logs=used, skipped=skipped, unfinished=_unfinished(logs, scores))


def _unfinished(logs: Mapping[str, EvalLog], scores: pd.DataFrame) -> dict[str, int]:
    never = scores.loc[scores["outcome"] == "not_run", "log"].value_counts()
    return {name: int(never[name]) for name, log in logs.items() if _is_open(log) and name in never}


def _is_open(log: EvalLog) -> bool:
    return log.status == UNFINISHED


_AGAIN = "run `warebench run` again with the same --log-dir: it resumes where it stopped"


def _find(given: Sequence[Path]) -> dict[str, Path]:
    """Return each log once, sorted, by its path from the folder that all given paths share."""
    roots = [path.resolve() for path in given]
    base = os.path.commonpath([root.parent if root.is_file() else root for root in roots])
    found = sorted({log for root in roots for log in _logs_at(root)})
    return {log.relative_to(base).as_posix(): log for log in found}


def _logs_at(path: Path) -> list[Path]:
    logs = [path] if path.is_file() else list(path.rglob("*.eval"))
    if not logs:
        raise RunError(
            "there is no log here",
            where=str(path),
            fix="give the --log-dir of a run, or run again what was interrupted before its first answer",
        )
    return logs


def _read(path: Path) -> EvalLog | str:
    """Return the log, or why it is left out."""
    if damage := find_damage(path):
        return damage
    # the header first: it alone tells whether the samples are worth reading
    header = _open(path, header_only=True)
    if isinstance(header, str):
        return header
    if refused := _refusal(header):
        return refused
    whole = _open(path, exclude_fields=_NOT_NEEDED)
    if isinstance(whole, str) or not _is_open(header):
        return whole
    left = recover(path, without=_NOT_NEEDED)
    return left.model_copy(update={"status": UNFINISHED}) if left else whole


def _open(path: Path, **parts: Any) -> EvalLog | str:
    """Return some parts of a log, or how it is damaged."""
    try:
        return read_eval_log(str(path), **parts)
    except Exception as error:
        # a damaged file raises whatever the decompressor or the JSON reader behind Inspect likes; all of it
        # means the same, and it is told to the user
        return f"torn or unreadable ({type(error).__name__}: {str(error).partition(chr(10))[0]})"


def _refusal(log: EvalLog) -> str | None:
    if "method" not in (log.eval.metadata or {}):
        return "not a warebench task"
    return None


def _rows(logs: Mapping[str, EvalLog], question_sets: Sequence[QuestionSet]) -> list[Row]:
    rows: dict[RowKey, Row] = {}
    missing: dict[RowKey, Row] = {}
    # oldest first, so that a later attempt replaces an earlier one
    for name, log in sorted(logs.items(), key=lambda item: (item[1].eval.created, item[0])):
        shared = {**_condition(log), "log": name}
        for row in _missing_rows(log):
            missing[_key(shared | row)] = shared | row
        for sample in log.samples or []:
            row = _sample_row(log, sample, shared)
            earlier = rows.get(_key(row))
            if earlier is None or earlier["outcome"] not in KEPT.get(row["outcome"], ()):
                rows[_key(row)] = row
    facts = _known_facts(rows.values(), question_sets)
    for key, row in missing.items():
        if key not in rows:
            rows[key] = {**facts.get((row["set_hash"], row["question_id"]), {}), **row}
    return list(rows.values())


def _key(row: Row) -> RowKey:
    # tracks put settings into the method's name; were one to forget, a run must not replace another
    settings = sorted(name for name in row if name.startswith(SETTING))
    return tuple(str(row[name]) for name in (*KEY, *settings))


def _condition(log: EvalLog) -> Row:
    facts = log.eval.metadata or {}
    return {
        "model": log.eval.model,
        "method": facts["method"],
        **conditions(log),
        **{name: facts.get(name, "") for name in _SET_FACTS},
        **{f"{SETTING}{name}": value for name, value in facts.get("settings", {}).items()},
    }


def _missing_rows(log: EvalLog) -> Iterator[Row]:
    """Yield a row that was not run for every question and epoch of a task; read samples replace them."""
    reason = f"not run: the task ended with status `{log.status}`"
    if _is_open(log):
        reason = "not run: the run is unfinished"
    elif log.error is not None:
        reason = f"not run: {first_line(log.error.message)}"
    for epoch in range(1, (log.eval.config.epochs or 1) + 1):
        for question_id in log.eval.dataset.sample_ids or []:
            yield {"question_id": str(question_id), "epoch": epoch, **_not_run(reason)}


def _sample_row(log: EvalLog, sample: EvalSample, shared: Row) -> Row:
    described = {name: value for name, value in sample.metadata.items() if name != "facets"}
    facets = sample.metadata.get("facets") or {}
    usage = sample.model_usage.get(log.eval.model)
    breakdowns = (log.eval.metadata or {}).get("breakdowns", ())
    return {
        **facets,
        **{f"{BREAKDOWN}{name}": facets[name] for name in breakdowns if name in facets},
        **described,
        **shared,
        "question_id": str(sample.id),
        "sample_id": sample.uuid or "",
        "epoch": sample.epoch,
        "abstain": float(str(sample.target).startswith(_ABSTAIN)),
        **_outcome(sample),
        "input_tokens": _input_tokens(usage),
        "output_tokens": usage.output_tokens if usage else 0,
        "cost": usage.total_cost if usage else None,
        "seconds": sample.total_time,
        "tool_calls": len(sample.store.get(TOOL_CALLS, [])),
        "code_runs": len(sample.store.get(CODE_RUNS, [])),
    }


def _input_tokens(usage: Any) -> int:
    if usage is None:
        return 0
    cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
    return int(usage.input_tokens + cached)


def _outcome(sample: EvalSample) -> Row:
    if sample.error is not None:
        if sample.error.message.startswith(CANCELLED):
            return _not_run("not run: cancelled")
        return _error(first_line(sample.error.message))
    score = (sample.scores or {}).get("verdict")
    if score is None:
        return _error("not scored")
    right = not _is_unscored(score) and score.as_dict().get("em") == 1
    if sample.limit is not None and sample.limit.type in LATE and not right:
        return _error(f"no answer within {sample.limit.limit:g} s")
    if _is_unscored(score):
        return {"outcome": "unscored", "em": math.nan, "f1": math.nan, "reason": score.reason or "unscored"}
    value = score.as_dict()
    measures = (score.metadata or {}).get(MEASURES, {})
    return {
        "outcome": "verdict",
        "em": value["em"],
        "f1": value["f1"],
        "reason": score.reason or "",
        **{f"{MEASURE}{name}": value for name, value in measures.items()},
    }


def _is_unscored(score: Score) -> bool:
    return isinstance(score.value, float) and math.isnan(score.value)


def _error(reason: str) -> Row:
    return {"outcome": "error", "em": 0.0, "f1": 0.0, "reason": reason}


def _not_run(reason: str) -> Row:
    return {"outcome": "not_run", "em": math.nan, "f1": math.nan, "reason": reason}


def _known_facts(rows: Iterable[Row], question_sets: Sequence[QuestionSet]) -> dict[tuple[str, str], Row]:
    """Return what is known of each question of each set, from given sets and from other runs' samples."""
    facts = {
        (row["set_hash"], row["question_id"]): {name: value for name, value in row.items() if _is_fact(name)}
        for row in rows
    }
    for question_set in question_sets:
        shared = set_metadata(question_set)
        for question in question_set.questions:
            described = question_metadata(question)
            facets = described.pop("facets")
            facts[(shared["set_hash"], question.id)] = {**facets, **described, **shared}
    return facts


def _is_fact(column: str) -> bool:
    return column in DESCRIBED or not (column in COLUMNS or column.startswith((SETTING, MEASURE)))


def _sha256(path: Path) -> str:
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()

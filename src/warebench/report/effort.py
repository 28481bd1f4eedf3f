"""What the answers cost and what went wrong on the way: tokens, seconds, calls, errors, reasons."""

from typing import Any, Final

import pandas as pd

from warebench.report.accuracy import NAN, conditions
from warebench.report.conditions import CONDITION, FAILED, count_failed
from warebench.report.summary import POLICY
from warebench.report.table import Table, frame_of

EFFORTS: Final = ("input_tokens", "output_tokens", "seconds", "tool_calls", "code_runs")
"""What is spent per question: means over rows that measured it."""

ESTIMATE: Final = "Tokens of policy models are estimated, four characters each: they call no tokenizer."
REASONS_SHOWN: Final = 60
"""Reasons a document lists; the CSV holds all."""


def effort(scores: pd.DataFrame) -> Table:
    """Return mean tokens, seconds and tool calls per question and condition; NaN where not measured."""
    rows = [key | _spent(rows) for key, rows in conditions(scores)]
    return Table(
        name="effort",
        title="Tokens, time and calls per question",
        caption=(
            "Means per question over the rows that measured them. Time includes waiting for the model."
            f"{estimates(scores['model'])}"
        ),
        frame=frame_of(rows, [*CONDITION, *EFFORTS]),
    )


def estimates(models: "pd.Series[str]") -> str:
    """Return the sentence that belongs beside token figures of these models, with a space before it."""
    return f" {ESTIMATE}" if models.str.startswith(POLICY).any() else ""


def _spent(rows: pd.DataFrame) -> dict[str, float]:
    return {name: float(rows[name].mean()) if rows[name].notna().any() else NAN for name in EFFORTS}


def outcomes(scores: pd.DataFrame) -> Table:
    """Return per condition what became of every row: right, wrong, partly right, error, unscored, not run."""
    rows = [key | _outcome_row(rows) for key, rows in conditions(scores)]
    columns = [*CONDITION, "rows", "right", "wrong", *FAILED]
    return Table(
        name="outcomes",
        title="What became of every answer",
        caption=(
            "Wrong: the model was read and did not match. Error: the machinery failed, counted 0. Unscored: "
            "the instrument gave no reading, not counted. Not run: cancelled or never begun, not counted. A "
            "high share of the last three is a broken run, no bad model."
        ),
        frame=frame_of(rows, columns),
    )


def _outcome_row(rows: pd.DataFrame) -> dict[str, int]:
    verdicts = rows[rows["outcome"] == "verdict"]
    right = int((verdicts["em"] >= 1).sum())
    return {
        "rows": len(rows),
        "right": right,
        "wrong": len(verdicts) - right,
        **count_failed(rows),
    }


def failures(scores: pd.DataFrame) -> Table:
    """Return errors, unscored answers and what was not run, grouped by reason, most frequent first."""
    return Table(
        name="failures",
        title="Errors, unscored answers and questions not run",
        caption="Grouped by reason, with one question to look up in the logs.",
        frame=_reasons(scores[scores["outcome"] != "verdict"]),
        limit=REASONS_SHOWN,
    )


def wrong_answers(scores: pd.DataFrame) -> Table:
    """Return the reasons of wrong answers, grouped, most frequent first."""
    return Table(
        name="wrong_answers",
        title="Why answers were wrong",
        caption="Grouped by the scorer's reason, with one question to look up in the logs.",
        frame=_reasons(scores[(scores["outcome"] == "verdict") & (scores["em"] < 1)]),
        limit=REASONS_SHOWN,
    )


def _reasons(rows: pd.DataFrame) -> pd.DataFrame:
    keys = ["outcome", "model", "method", "reason"]
    columns = ["outcome", "model", "method", "reason", "rows", "example"]
    if rows.empty:
        return frame_of([], columns)
    grouped = rows.groupby(keys, sort=True, as_index=False).agg(
        rows=("em", "size"), example=("question_id", "min")
    )
    ordered: pd.DataFrame = grouped.sort_values(["rows", *keys], ascending=[False, True, True, True, True])
    return ordered[columns].reset_index(drop=True)


def sets(scores: pd.DataFrame) -> Table:
    """Return which question sets the rows came from, with their hashes."""
    rows: list[dict[str, Any]] = []
    for (track, level, set_hash), part in scores.groupby(["track", "obfuscation", "set_hash"], sort=True):
        rows.append(
            {
                "track": track,
                "obfuscation": level,
                "set_hash": set_hash,
                "catalogs": ", ".join(sorted(set(part["catalog"]) - {""})),
                "subtypes": part["subtype"].nunique(),
                "questions": part["question_id"].nunique(),
                "epochs": part["epoch"].nunique(),
            }
        )
    columns = ["track", "obfuscation", "set_hash", "catalogs", "subtypes", "questions", "epochs"]
    return Table(
        name="sets",
        title="Question sets",
        caption="The hash is that of questions.jsonl; equal hashes mean equal questions and equal gold.",
        frame=frame_of(rows, columns),
    )

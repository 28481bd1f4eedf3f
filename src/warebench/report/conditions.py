"""What a score table must hold before it can be reported, and the order everything is shown in.

A condition is one (model, method, obfuscation). The report knows columns, never tracks.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

import pandas as pd

from warebench.errors import UserError, did_you_mean
from warebench.harness.scores import BREAKDOWN, OUTCOMES, REQUIRED, SETTING
from warebench.report.factors import with_factors

CONDITION: Final = ("model", "method", "obfuscation")
"""Columns that name one condition."""

TEXT: Final = {
    "set_hash": "",
    "catalog": "",
    "subtype": "",
    "difficulty": "",
    "path_difficulty": "",
    "pair_id": "",
    "fact": "",
    "obfuscation": "none",
    "reason": "",
    "agent": "",
    "label": "",
    "options": "",
    "experiment": "",
    "probe": "",
}
"""Optional text columns and what stands in for a missing value."""

NUMBERS: Final = (
    "f1",
    "input_tokens",
    "output_tokens",
    "seconds",
    "tool_calls",
    "code_runs",
    "path_length",
    "evidence_hops",
    "beyond_radius",
    "min_tool_calls",
    "feasible",
)
"""Optional number columns; booleans are read as 0 and 1. Missing columns become NaN."""

RUN: Final = ("agent", "label", "options", "experiment")
"""Columns that tell what ran beside model and method."""
USUAL: Final = "usual"
"""Stands for a run with nothing of its own in one of them."""
FAILED: Final = {"errors": "error", "unscored": "unscored", "not_run": "not_run"}
"""Column that counts what is no verdict -> its outcome."""
LEVELS: Final = ("none", "tables", "columns")
"""Obfuscation levels, least first."""
NAMES: Final = {
    "none": "original names",
    "tables": "table names replaced",
    "columns": "table and column names replaced",
}
"""How a sentence calls each of them."""
DIFFICULTIES: Final = ("easy", "medium", "hard")
ALL: Final = "all"
"""Name of a row or column over everything; always shown last."""
ORACLE: Final = "oracle"
"""The method that is handed the gold; always shown last and never counted as best."""


def check_scores(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the score table in a fixed row order with every column the report reads.

    Args:
        scores: One row per (model, method, question, epoch).

    Returns:
        A sorted copy: an error's `em` is 0, that of an unscored or not run row is NaN, and so is that of
        every row of a condition without any verdict. Missing optional columns are filled, so two tables with
        the same rows give the same report.

    Raises:
        UserError: The table has no row, lacks a required column, names an unknown outcome, holds an
            `em` outside 0..1, a verdict without `em`, or the same row twice.
    """
    _check_columns(scores)
    table = scores.copy()
    for column in ("track", "question_id", "method", "model", "outcome"):
        table[column] = _words(table[column])
    for column, filler in TEXT.items():
        table[column] = _words(table[column].fillna(filler)) if column in table else filler
    for column in ("em", *NUMBERS):
        table[column] = _numbers(table, column)
    table = with_factors(_with_run(table))
    table["epoch"] = _numbers(table, "epoch").fillna(1)
    table["pair_id"] = table["pair_id"].where(table["pair_id"] != "", table["question_id"])
    table["fact"] = table["fact"].where(table["fact"] != "", table["pair_id"])
    # Numbers compare much faster than names, and facts are compared in every resampled interval.
    table["fact"] = pd.factorize(table["catalog"] + "\x00" + table["fact"], sort=True)[0]
    _check_words(table, "outcome", OUTCOMES)
    _check_words(table, "obfuscation", LEVELS)
    _check_outcomes(table)
    _check_twice(table)
    order = ["track", *CONDITION, "question_id", "epoch", "set_hash"]
    return table.sort_values(order, kind="stable").reset_index(drop=True)


def _with_run(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with what ran as settings, so that what differs in it is another condition."""
    said = {name: table[name] for name in RUN if (table[name] != "").any()}
    return table.assign(
        **{
            f"{SETTING}{name}": words.map(lambda text: ",".join(text.split()) or USUAL)
            for name, words in said.items()
        }
    )


def _check_columns(scores: pd.DataFrame) -> None:
    if scores.empty:
        raise UserError(
            "The score table has no row: there is nothing to report",
            fix="Check that the run finished and that `warebench score` read the right logs.",
        )
    for column in REQUIRED:
        if column not in scores:
            raise UserError(
                f"The score table has no column `{column}`",
                where=f"columns: {', '.join(map(str, scores.columns))}",
                fix=did_you_mean(column, map(str, scores.columns)) or "Write it with `warebench score`.",
            )


def _words(column: "pd.Series[Any]") -> "pd.Series[Any]":
    # Plain strings: the many small groups of a report spend most of their time on Arrow's boxes.
    return column.astype(str).astype(object)


def _numbers(table: pd.DataFrame, column: str) -> pd.Series:
    if column not in table:
        return pd.Series(float("nan"), index=table.index)
    return pd.to_numeric(table[column], errors="coerce").astype("float64")


def _check_words(table: pd.DataFrame, column: str, known: Sequence[str]) -> None:
    unknown = sorted(set(table[column]) - set(known))
    if unknown:
        what = f"The score table holds the unknown {column} `{unknown[0]}`"
        raise UserError(what, fix=did_you_mean(unknown[0], known))


def _check_outcomes(table: pd.DataFrame) -> None:
    table.loc[table["outcome"] == "error", "em"] = 0.0
    table.loc[table["outcome"].isin(["unscored", "not_run"]), ["em", "f1"]] = float("nan")
    # Where the machinery failed throughout nothing was measured: no 0 may stand there.
    judged = (table["outcome"] == "verdict").groupby([table[name] for name in ("track", *CONDITION)])
    table.loc[~judged.transform("any"), ["em", "f1"]] = float("nan")
    verdicts = table[table["outcome"] == "verdict"]
    bad = verdicts[~verdicts["em"].between(0.0, 1.0)]
    if len(bad):
        row = bad.iloc[0]
        raise UserError(
            f"{len(bad)} verdicts have an `em` that is no number from 0 to 1",
            where=f"first: {row['model']}, {row['method']}, question {row['question_id']}: em = {row['em']}",
            fix="An answer that could not be scored has the outcome `unscored`; score the logs again.",
        )


def _check_twice(table: pd.DataFrame) -> None:
    key = ["track", *CONDITION, "question_id", "epoch"]
    twice = table[table.duplicated(key)]
    if len(twice):
        row = twice.iloc[0]
        raise UserError(
            f"{len(twice)} rows of the score table stand in it twice",
            where=f"first: {row['model']}, {row['method']}, {row['question_id']}, epoch {row['epoch']:g}",
            fix="Report one run of each condition, or number repeated runs in the column `epoch`.",
        )


def primary(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the least obfuscated level present: what breakdowns are computed on."""
    levels = in_order("obfuscation", scores["obfuscation"])
    return scores[scores["obfuscation"] == levels[0]]


def per_question(scores: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Return one row per key with the mean `em` over epochs; unscored rows are left out.

    Args:
        scores: A checked score table.
        keys: Columns that name one question under one condition.

    Returns:
        The keys, `em` and `fact` (the first of the question's rows).
    """
    scored = scores[scores["em"].notna()]
    return scored.groupby(list(keys), sort=True, as_index=False).agg(
        em=("em", "mean"), fact=("fact", "first")
    )


def count_failed(rows: pd.DataFrame) -> dict[str, int]:
    """Return how many rows have each outcome that is no verdict, by the columns of `FAILED`."""
    return {name: int((rows["outcome"] == outcome).sum()) for name, outcome in FAILED.items()}


def in_order(column: str, values: Iterable[str]) -> list[str]:
    """Return the distinct values in display order: known scales by rank, the rest by name.

    Numbers within names go by size.
    """
    return sorted(set(values), key=lambda value: (_rank(column, value), _natural(value)))


def _natural(value: str) -> list[tuple[int, float, str]]:
    """Return what to sort by so that `8K` comes before `16K`, and numbers before words."""
    parts = re.findall(r"\d+(?:\.\d+)?|[^\d]+", str(value))
    return [(0, float(part), "") if part[0].isdigit() else (1, 0.0, part) for part in parts]


def _rank(column: str, value: str) -> int:
    if column.startswith((BREAKDOWN, SETTING)):
        return int(value == ALL)
    if column == "method":
        return int(value == ORACLE)
    scale = {"obfuscation": LEVELS, "difficulty": DIFFICULTIES, "path_difficulty": DIFFICULTIES}.get(
        column, ()
    )
    return scale.index(value) if value in scale else len(scale)


def subtypes_in_order(scores: pd.DataFrame) -> list[str]:
    """Return the subtypes, easiest first, so that a reader sees where methods begin to fail."""
    known = scores[["difficulty", "subtype"]].drop_duplicates()
    pairs = zip(known["difficulty"], known["subtype"], strict=True)
    ranked = sorted((_rank("difficulty", difficulty), subtype) for difficulty, subtype in pairs)
    return list(dict.fromkeys(subtype for _, subtype in ranked))

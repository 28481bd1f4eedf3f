"""How often the answers are right: micro and macro EM, and EM by any column, with intervals."""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from warebench.report.conditions import (
    CONDITION,
    FAILED,
    ORACLE,
    count_failed,
    in_order,
    per_question,
    primary,
    subtypes_in_order,
)
from warebench.report.table import ASKED, PROBE, Table, frame_of, ordered
from warebench.stats.intervals import Interval, bootstrap_macro, bootstrap_mean, wilson

RESAMPLES: Final = 2000
"""Bootstrap resamples (DW-Bench, appendix E)."""
LEVEL: Final = 0.95
SEED: Final = 20_260_101
"""Fixed, so that one score table always gives the same bytes."""

GOLD: Final = "the gold is in the prompt"
"""Why the oracle is a probe, in tables that do not say so."""

NAN: Final = float("nan")
NO_QUESTIONS: Final = pd.DataFrame({"question_id": [], "subtype": [], "em": [], "fact": []})


class Span(NamedTuple):
    """A number with its 95 % interval; all NaN when nothing was scored."""

    value: float = NAN
    low: float = NAN
    high: float = NAN
    few: bool = False
    """Too few independent units for the interval to be trusted."""

    def named(self, name: str) -> dict[str, float]:
        """Return number, bounds and doubt under the keys `name`, `name_low`, `name_high`, `name_few`."""
        return dict(zip(span_columns(name), self, strict=True))


def span_columns(name: str) -> tuple[str, str, str, str]:
    """Return the columns that hold a span."""
    return name, f"{name}_low", f"{name}_high", f"{name}_few"


def micro(questions: pd.DataFrame) -> Span:
    """Return the mean EM over questions.

    Args:
        questions: One row per question with `em` and `fact`; siblings (one fact) are resampled together.
    """
    if questions.empty:
        return Span()
    em, facts = questions["em"].to_numpy(dtype=float), questions["fact"].tolist()
    got = bootstrap_mean(em, clusters=facts, resamples=RESAMPLES, level=LEVEL, seed=SEED)
    return _widened(got, got.clusters)


def macro(questions: pd.DataFrame) -> Span:
    """Return the mean over subtypes of the subtype's EM, every subtype weighing the same.

    Args:
        questions: One row per question with `em`, `subtype` and `fact`; siblings (one fact) of a subtype
            are resampled together.
    """
    if questions.empty:
        return Span()
    em, subtypes = questions["em"].to_numpy(dtype=float), questions["subtype"].tolist()
    facts = questions["fact"].tolist()
    got = bootstrap_macro(em, subtypes, clusters=facts, resamples=RESAMPLES, level=LEVEL, seed=SEED)
    return _widened(got, questions["fact"].nunique())


def asked_of(questions: pd.DataFrame) -> str:
    """Return a short digest of which questions these are: equal where cells can be compared."""
    return hashlib.sha256("\n".join(sorted(set(questions["question_id"]))).encode()).hexdigest()[:8]


def honest(got: Interval) -> Span:
    """Return an interval without bounds where resampling never changed the value: that is no certainty."""
    if got.low == got.high:
        return Span(value=got.estimate)
    return Span(got.estimate, got.low, got.high, got.few_clusters)


def _widened(got: Interval, facts: int) -> Span:
    """Return the interval, by Wilson where every answer is right or every one wrong."""
    if got.estimate not in (0.0, 1.0):
        return honest(got)
    score = wilson(round(got.estimate) * facts, facts, LEVEL)
    return Span(got.estimate, score.low, score.high)


def conditions(scores: pd.DataFrame) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Yield each (model, method, obfuscation) present, in display order, with its rows."""
    groups = dict(list(scores.groupby(list(CONDITION), sort=False)))
    for values in product(*(in_order(column, scores[column]) for column in CONDITION)):
        if values in groups:
            yield dict(zip(CONDITION, values, strict=True)), groups[values]


def headline(scores: pd.DataFrame) -> Table:
    """Return micro and macro EM, mean F1 and what went wrong, per condition."""
    rows = [key | _headline_row(rows) for key, rows in conditions(scores)]
    columns = [
        *CONDITION,
        "questions",
        ASKED,
        PROBE,
        *span_columns("micro_em"),
        *span_columns("macro_em"),
        "f1",
        *FAILED,
    ]
    return Table(
        name="headline",
        title="Every condition",
        caption=(
            "Micro: mean over questions. Macro: mean over subtypes, each weighing the same. An error counts "
            "0, but where no answer at all was judged it says so instead; unscored answers and questions not "
            "run leave the denominator and are counted beside it."
        ),
        frame=frame_of(rows, columns),
    )


def _headline_row(rows: pd.DataFrame) -> dict[str, Any]:
    questions = per_question(rows, ["question_id", "subtype"])
    return {
        "questions": len(questions),
        ASKED: asked_of(questions),
        PROBE: str(rows[PROBE].iloc[0]) or (GOLD if rows["method"].iloc[0] == ORACLE else ""),
        **micro(questions).named("micro_em"),
        **macro(questions).named("macro_em"),
        "f1": mean_f1(rows),
        **count_failed(rows),
    }


SIDE_BY_SIDE: Final = 8
"""Most methods that stand side by side in a table."""

MEASURES: Final = (("micro", "micro_em"), ("macro", "macro_em"))
"""Kinds of mean, and the headline column of each."""


def overview(headline: Table) -> Table:
    """Return micro and macro EM, methods side by side (DW-Bench, Table 3), from the headline table."""
    if headline.frame["method"].nunique() > SIDE_BY_SIDE:
        return _listed(headline)
    condition = [*CONDITION, "questions", ASKED]
    parts = []
    for measure, column in MEASURES:
        renamed = dict(zip(span_columns(column), span_columns("em"), strict=True))
        part = headline.frame[[*condition, *renamed, *FAILED]].rename(columns=renamed)
        part.insert(len(CONDITION), "mean", measure)
        parts.append(part)
    frame = pd.concat(parts)
    scales = {
        "mean": [measure for measure, _ in MEASURES],
        "obfuscation": in_order("obfuscation", frame["obfuscation"]),
    }
    return Table(
        name="overview",
        title="Exact match by model and method",
        caption=(
            "EM in %, with its 95 % bootstrap interval. The best method without the gold is bold where all "
            "methods of the row answered the same questions. Micro weighs every question the same, macro "
            "every subtype. Errors count 0; n is the largest number of questions of a cell."
        ),
        frame=ordered(frame.reset_index(drop=True), scales),
        spread="method",
    )


def _listed(headline: Table) -> Table:
    """Return micro and macro EM, one row a condition."""
    names = [*CONDITION, "questions", *span_columns("micro_em"), *span_columns("macro_em"), *FAILED]
    return Table(
        name="overview",
        title="Exact match by model and method",
        caption=(
            "EM in %, with its 95 % bootstrap interval. Micro weighs every question the same, macro every "
            "subtype. Errors count 0."
        ),
        frame=headline.frame[names],
    )


BREAKDOWNS: Final = (
    ("subtype", "Exact match by subtype", "Subtypes stand in order of their difficulty label."),
    ("difficulty", "Exact match by difficulty", "The label is fixed by subtype."),
    (
        "path_difficulty",
        "Exact match by difficulty of the question",
        "The label is given per question, by the length of the gold path (DW-Bench, Table 4).",
    ),
    ("catalog", "Exact match by catalog", "Every catalog pools its subtypes in the mix it offers."),
)
"""Columns EM is broken down by: column, title, note."""


def breakdowns(scores: pd.DataFrame) -> tuple[Table, ...]:
    """Return one table of EM per entry of `BREAKDOWNS`, on the least obfuscated questions."""
    rows = primary(scores)
    return tuple(
        Table(
            name=f"by_{column}",
            title=title,
            caption=f"{note} EM in %, with its 95 % interval; n is the number of questions.",
            frame=em_by(rows, column),
            spread="method" if rows["method"].nunique() <= SIDE_BY_SIDE else column,
        )
        for column, title, note in BREAKDOWNS
        if (rows[column] != "").any() and not _says_nothing(rows, column)
    )


def _says_nothing(rows: pd.DataFrame, column: str) -> bool:
    """Return whether a question's own difficulty is that of its subtype throughout."""
    return column == "path_difficulty" and bool((rows[column] == rows["difficulty"]).all())


def em_by(scores: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return EM and F1 per condition and value of a column.

    Args:
        scores: A checked score table.
        column: Any column that is constant within one question.

    Returns:
        `model, method, obfuscation`, the column, and the rest as `em_over`. A value that a condition
        never met has no row.
    """
    return em_over(scores, [*CONDITION, column])


def em_over(scores: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Return EM and F1 per combination of some columns, in display order.

    Args:
        scores: A checked score table.
        keys: Columns that are constant within one question under one condition, none of them missing.

    Returns:
        The keys, `questions, asked, em, em_low, em_high, em_few, f1`. A combination that never occurred has
        no row.
    """
    keys = list(keys)
    asked = dict(list(per_question(scores, [*keys, "question_id"]).groupby(keys, sort=False)))
    rows: list[dict[str, Any]] = []
    for key, part in scores.groupby(keys, sort=False):
        questions = asked.get(key, NO_QUESTIONS)
        row = dict(zip(keys, key, strict=True)) | {"questions": len(questions), ASKED: asked_of(questions)}
        rows.append(row | micro(questions).named("em") | {"f1": mean_f1(part)})
    frame = frame_of(rows, [*keys, "questions", ASKED, *span_columns("em"), "f1"])
    frame = ordered(frame, {name: values_in_order(scores, name) for name in keys})
    return frame.sort_values(keys, kind="stable").reset_index(drop=True)


def values_in_order(scores: pd.DataFrame, column: str) -> list[Any]:
    """Return the values of a column in display order."""
    if column == "subtype":
        return list(subtypes_in_order(scores))
    if pd.api.types.is_numeric_dtype(scores[column]):
        return sorted(scores[column].dropna().unique().tolist())
    return list(in_order(column, scores[column]))


def mean_f1(rows: pd.DataFrame) -> float:
    """Return the mean F1 over scored rows, an error counting 0; NaN where no answer has an F1."""
    f1, failed = rows["f1"].to_numpy(dtype=float), (rows["outcome"] == "error").to_numpy()
    if np.isnan(f1).all():
        return NAN
    return float(np.nanmean(np.where(failed, 0.0, f1)))

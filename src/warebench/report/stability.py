"""How far accuracy moves between instances: draws of rows and questions that ought to be equally hard."""

from typing import Any, Final

import numpy as np
import pandas as pd
from scipy import stats

from warebench.harness.scores import BREAKDOWN
from warebench.report.accuracy import NAN, conditions
from warebench.report.conditions import in_order, per_question, primary
from warebench.report.factors import having
from warebench.report.table import Table, frame_of

INSTANCE: Final = f"{BREAKDOWN}instance"
"""The column that numbers the instances."""

STABILITY_COLUMNS: Final = (
    "model",
    "method",
    "instances",
    "per_instance",
    "em_mean",
    "em_lowest",
    "em_highest",
    "em_sd",
    "em_sd_expected",
    "spread_ratio",
    "p",
)


def stability(scores: pd.DataFrame) -> Table:
    """Return the spread of EM between instances beside the spread that chance alone gives.

    Expected is the binomial spread: the standard deviation of the mean of n questions that are right with one
    probability. The test is the chi-square test of equal probabilities (dispersion test).

    Source: TQA-Bench, section IV-D (Experiment 4) shows the spread without saying what chance would give.
    """
    rows = [
        key | _spread(batches, part)
        for key, part in conditions(_numbered(scores))
        if len(batches := _batches(part)) > 1
    ]
    return Table(
        name="stability",
        title="Stability over instances",
        caption=(
            "Spread of EM between the instances (standard deviation, in points), beside the binomial spread "
            "expected when every question is right with the same probability, and their ratio; p of the "
            "chi-square test of equal probabilities. A ratio near 1 says that an instance is as good as any "
            "other. Instances that share their templates spread a little less than binomially."
        ),
        frame=frame_of(rows, STABILITY_COLUMNS),
    )


def instances(scores: pd.DataFrame) -> Table:
    """Return EM of every instance, with the range in which 95 % of instances lie by chance alone."""
    rows: list[dict[str, Any]] = []
    for key, part in conditions(_numbered(scores)):
        batches = _batches(part)
        if len(batches) > 1:
            rows += [key | batch for batch in _expected(batches, part)]
    columns = ["model", "method", "instance", "questions", "em", "chance", "chance_low", "chance_high"]
    return Table(
        name="instances",
        title="Exact match of every instance",
        caption=(
            "EM in % of the questions of one instance, over all databases and windows. Chance: where 95 % of "
            "instances of this size lie when all are equally hard."
        ),
        frame=frame_of(rows, columns),
    )


def _numbered(scores: pd.DataFrame) -> pd.DataFrame:
    rows = primary(scores)
    return having(rows, INSTANCE) if INSTANCE in rows else rows.head(0).assign(**{INSTANCE: ""})


def _batches(rows: pd.DataFrame) -> pd.DataFrame:
    """Return `size` and mean `em` of every instance, in the order of their numbers."""
    asked = per_question(rows, [INSTANCE, "question_id"])
    batches = asked.groupby(INSTANCE)["em"].agg(size="size", em="mean").reset_index()
    order = in_order(INSTANCE, batches[INSTANCE])
    return batches.sort_values(INSTANCE, key=lambda names: names.map(order.index), ignore_index=True)


def _pooled(rows: pd.DataFrame) -> tuple[float, float]:
    """Return mean and variance of EM over questions: p and p (1 - p) for one epoch."""
    em = per_question(rows, ["question_id"])["em"]
    return float(em.mean()), float(em.var(ddof=0))


def _spread(batches: pd.DataFrame, rows: pd.DataFrame) -> dict[str, float]:
    mean, variance = _pooled(rows)
    sizes, ems = batches["size"].to_numpy(dtype=float), batches["em"].to_numpy(dtype=float)
    sd, expected = float(ems.std(ddof=1)), float(np.sqrt(variance * np.mean(1 / sizes)))
    dispersion = float((sizes * (ems - mean) ** 2).sum())
    return {
        "instances": len(batches),
        "per_instance": float(sizes.mean()),
        "em_mean": mean,
        "em_lowest": float(ems.min()),
        "em_highest": float(ems.max()),
        "em_sd": sd,
        "em_sd_expected": expected,
        "spread_ratio": sd / expected if expected else NAN,
        "p": float(stats.chi2.sf(dispersion / variance, len(batches) - 1)) if variance else NAN,
    }


def _expected(batches: pd.DataFrame, rows: pd.DataFrame) -> list[dict[str, Any]]:
    mean, _ = _pooled(rows)
    found = []
    for row in batches.to_dict("records"):
        size = int(row["size"])
        low, high = stats.binom.interval(0.95, size, mean)
        found.append(
            {
                "instance": row[INSTANCE],
                "questions": size,
                "em": row["em"],
                "chance": mean,
                "chance_low": float(low) / size,
                "chance_high": float(high) / size,
            }
        )
    return found

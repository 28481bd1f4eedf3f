"""What changes between two conditions: obfuscated against original, oracle against the best method."""

from typing import Any, Final

import pandas as pd

from warebench.report.accuracy import NAN, em_by
from warebench.report.conditions import ORACLE, in_order, per_question, primary
from warebench.report.pairing import Contrast, contrast
from warebench.report.table import Table, frame_of
from warebench.stats.paired import holm

OBFUSCATION_COLUMNS: Final = (
    "model",
    "method",
    "obfuscation",
    "pairs",
    "original_em",
    "obfuscated_em",
    "delta",
    "delta_low",
    "delta_high",
    "delta_few",
    "only_original",
    "only_obfuscated",
    "p",
    "p_holm",
    "unpaired",
)

GAP_COLUMNS: Final = ("model", "subtype", "questions", "oracle_em", "best_em", "best_method", "gap")


def obfuscation(scores: pd.DataFrame) -> Table:
    """Return the change in EM when names are replaced, on paired questions only.

    A pair is one `pair_id` answered under both conditions by the same model and method. The interval is
    a paired bootstrap, the test McNemar's exact test, and Holm's correction covers every row.
    """
    rows: list[dict[str, Any]] = []
    for (model, method), condition in scores.groupby(["model", "method"], sort=True):
        original = condition[condition["obfuscation"] == "none"]
        for level in in_order("obfuscation", condition["obfuscation"]):
            twins = condition[condition["obfuscation"] == level]
            if level != "none" and len(original):
                found = contrast(_by_pair(original), _by_pair(twins))
                row = {"model": model, "method": method, "obfuscation": level}
                rows.append(row | _obfuscation_row(found))
    for row, adjusted in zip(rows, holm([row["p"] for row in rows]), strict=True):
        row["p_holm"] = adjusted
    order = {method: rank for rank, method in enumerate(in_order("method", scores["method"]))}
    rows.sort(key=lambda row: (row["model"], order[row["method"]]))
    return Table(
        name="obfuscation",
        title="What obfuscated names cost",
        caption=(
            "Change in EM (percentage points, obfuscated minus original) on the questions answered in both "
            "forms. Lost: right only with original names; won: only without. Paired bootstrap interval; "
            "exact McNemar test; Holm's correction over all rows of this table."
        ),
        frame=frame_of(rows, OBFUSCATION_COLUMNS),
    )


def _by_pair(rows: pd.DataFrame) -> pd.DataFrame:
    return per_question(rows, ["pair_id"]).set_index("pair_id")


def _obfuscation_row(found: Contrast) -> dict[str, Any]:
    return {
        "pairs": found.pairs,
        "original_em": found.mean_a,
        "obfuscated_em": found.mean_b,
        **found.difference.named("delta"),
        "only_original": found.only_a,
        "only_obfuscated": found.only_b,
        "p": found.p,
        "p_holm": NAN,
        "unpaired": found.unpaired_a + found.unpaired_b,
    }


def oracle_gap(scores: pd.DataFrame) -> Table:
    """Return per subtype how far the best other method stays below the oracle method (DW-Bench, Figure 2)."""
    rows: list[dict[str, Any]] = []
    for model, own in em_by(primary(scores), "subtype").groupby("model", sort=True, observed=True):
        oracles = own[(own["method"] == ORACLE) & own["em"].notna()]
        others = own[(own["method"] != ORACLE) & own["em"].notna()]
        for _, oracle in oracles.iterrows():
            rivals = others[others["subtype"] == oracle["subtype"]]
            if len(rivals):
                rows.append({"model": model} | _gap_row(oracle, rivals))
    return Table(
        name="oracle_gap",
        title="Gap to the oracle",
        caption=(
            "EM of the method that is handed the gold, minus the best other method of the same model. The "
            "best is picked after the fact, so with few questions the gap is a little too small."
        ),
        frame=frame_of(rows, GAP_COLUMNS),
    )


def _gap_row(oracle: "pd.Series[Any]", rivals: pd.DataFrame) -> dict[str, Any]:
    best = rivals.iloc[int(rivals["em"].to_numpy().argmax())]
    return {
        "subtype": oracle["subtype"],
        "questions": int(oracle["questions"]),
        "oracle_em": oracle["em"],
        "best_em": best["em"],
        "best_method": best["method"],
        "gap": oracle["em"] - best["em"],
    }

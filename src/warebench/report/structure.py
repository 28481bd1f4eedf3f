"""EM against the structure of the question: path length, hop distance, feasibility of the interface."""

from collections.abc import Callable
from typing import Any, Final

import pandas as pd

from warebench.report.accuracy import NAN, em_by, micro
from warebench.report.conditions import in_order, per_question, primary, subtypes_in_order
from warebench.report.table import Table, frame_of

NEIGHBOURHOOD: Final = "graph_augmented"
"""The method that sees only a neighbourhood of the tables asked about."""
TOOLS: Final = "tool_use"
"""The method with a budget of tool calls."""

ALL: Final = "all"
"""Name of the row over all subtypes."""

HOP_COLUMNS: Final = (
    "subtype",
    "questions",
    "beyond",
    "beyond_share",
    "model",
    "em",
    "em_low",
    "em_high",
    "em_few",
    "em_within",
    "em_beyond",
)
FEASIBLE_COLUMNS: Final = (
    "subtype",
    "questions",
    "feasible",
    "feasible_share",
    "median_calls",
    "model",
    "em",
    "em_low",
    "em_high",
    "em_few",
    "em_feasible",
    "em_infeasible",
)


def path_length(scores: pd.DataFrame) -> Table:
    """Return EM by the length of the gold path, in hops (DW-Bench, Figure 5)."""
    rows = primary(scores)
    return Table(
        name="by_path_length",
        title="Exact match by length of the gold path",
        caption="Only questions whose gold is a path or a distance. EM in %, with its 95 % interval.",
        frame=em_by(rows[rows["path_length"].notna()], "path_length"),
        spread="method",
    )


def hop_distance(scores: pd.DataFrame) -> Table:
    """Return how many questions need evidence outside the 3-hop neighbourhood (DW-Bench, Table 6)."""
    rows = primary(scores)
    rows = rows[rows["beyond_radius"].notna()]
    return Table(
        name="hop_distance",
        title="Evidence beyond the 3-hop radius",
        caption=(
            f"Share of questions whose evidence reaches outside the 3-hop neighbourhood of the tables asked "
            f"about, beside the EM of {NEIGHBOURHOOD}, which sees no more than that neighbourhood."
        ),
        frame=frame_of(_beside(rows, "beyond_radius", NEIGHBOURHOOD, _hop_row), HOP_COLUMNS),
    )


def feasibility(scores: pd.DataFrame) -> Table:
    """Return the share of questions that some plan of calls can answer within the tool budget."""
    rows = primary(scores)
    rows = rows[rows["feasible"].notna()]
    return Table(
        name="feasibility",
        title="Ceiling of the tool interface",
        caption=(
            f"Feasible: some plan answers the question within the budget of tool calls. The share is the "
            f"ceiling of the interface; only what {TOOLS} stays below it says something about the model."
        ),
        frame=frame_of(_beside(rows, "feasible", TOOLS, _feasible_row), FEASIBLE_COLUMNS),
    )


RowOf = Callable[[pd.DataFrame, pd.DataFrame], dict[str, Any]]
"""(questions, one model's answers) -> the columns of one row."""


def _beside(rows: pd.DataFrame, facet: str, method: str, row_of: RowOf) -> list[dict[str, Any]]:
    """Put a facet of the questions beside the EM of one method, per subtype and over all."""
    if rows.empty:
        return []
    questions = rows.drop_duplicates("question_id")
    ran = per_question(rows[rows["method"] == method], ["model", "subtype", "question_id", facet])
    out = []
    for subtype in [ALL, *subtypes_in_order(rows)]:
        asked, answers = (_of_subtype(frame, subtype) for frame in (questions, ran))
        for model in in_order("model", ran["model"]) or [""]:
            row = {"subtype": subtype, "model": model}
            out.append(row | row_of(asked, answers[answers["model"] == model]))
    return out


def _of_subtype(frame: pd.DataFrame, subtype: str) -> pd.DataFrame:
    return frame if subtype == ALL else frame[frame["subtype"] == subtype]


def _hop_row(questions: pd.DataFrame, answers: pd.DataFrame) -> dict[str, Any]:
    return {
        "questions": len(questions),
        "beyond": int(questions["beyond_radius"].sum()),
        "beyond_share": questions["beyond_radius"].mean(),
        **_split(answers, "beyond_radius", true="em_beyond", false="em_within"),
    }


def _feasible_row(questions: pd.DataFrame, answers: pd.DataFrame) -> dict[str, Any]:
    return {
        "questions": len(questions),
        "feasible": int(questions["feasible"].sum()),
        "feasible_share": questions["feasible"].mean(),
        "median_calls": questions["min_tool_calls"].median()
        if questions["min_tool_calls"].notna().any()
        else NAN,
        **_split(answers, "feasible", true="em_feasible", false="em_infeasible"),
    }


def _split(answers: pd.DataFrame, facet: str, *, true: str, false: str) -> dict[str, float]:
    return {
        **micro(answers).named("em"),
        true: answers.loc[answers[facet] == 1, "em"].mean(),
        false: answers.loc[answers[facet] == 0, "em"].mean(),
    }

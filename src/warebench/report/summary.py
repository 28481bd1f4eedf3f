"""The score table in a few rows: what the command line prints."""

from dataclasses import dataclass
from typing import Final

import pandas as pd

from warebench.report.accuracy import headline, span_columns
from warebench.report.conditions import CONDITION, FAILED, check_scores
from warebench.report.table import PROBE, Table
from warebench.report.wording import FORMATS, NOTHING, shown

POLICY: Final = "policy/"
LOCAL: Final = "local/"
MICRO: Final = FORMATS["micro_em"][0]

CAVEATS: Final = (
    (
        POLICY,
        "Policy models are programs, not language models: they prove that sets, tools and scoring work.",
    ),
    (LOCAL, "Base model, schema-constrained: proof of the wire; near chance by design."),
)
"""What has to be said beside every score of a model with this prefix."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Summary:
    """A table of text for a terminal."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caveats: tuple[str, ...]
    """Sentences that belong beside the numbers."""
    note: str
    """What a mark in the cells means, empty where there is none."""


def summary_rows(scores: pd.DataFrame) -> Summary:
    """Return every condition of all tracks as text, in display order.

    Args:
        scores: The score table, one row per (model, method, question, epoch).

    Raises:
        UserError: The table cannot be reported (see `check_scores`).
    """
    table = check_scores(scores)
    parts = table.groupby("track", sort=True)
    frame = pd.concat([headline(part).frame.assign(track=track) for track, part in parts])
    failed = [name for name in FAILED if name != "not_run" or frame[name].any()]
    names = ["track", *CONDITION, "questions", *span_columns("micro_em"), "macro_em", *failed]
    view = shown(Table(name="", title="", caption="", frame=frame[names]))
    labels = [column.label for column in view.columns]
    at = labels.index(MICRO) + 1
    rows = [[cell.text for cell in row] for row in view.rows]
    intervals = [row[at - 1].interval or NOTHING for row in view.rows]
    return Summary(
        headers=(*labels[:at], "95 % interval", *labels[at:]),
        rows=tuple((*row[:at], interval, *row[at:]) for row, interval in zip(rows, intervals, strict=True)),
        caveats=caveats(table["model"]),
        note=view.note,
    )


def caveats(models: "pd.Series[str]") -> tuple[str, ...]:
    """Return the sentences that must stand beside the scores of these models."""
    return tuple(text for prefix, text in CAVEATS if models.str.startswith(prefix).any())


def model_note(model: str) -> str:
    """Return the caveat of one model, empty for a language model behind an interface."""
    return next((text for prefix, text in CAVEATS if model.startswith(prefix)), "")


def best(frame: pd.DataFrame) -> "pd.Series[float] | None":
    """Return the headline row with the highest micro EM among real models and honest methods, if any.

    Probes answer another question than the benchmark, and models with a caveat only prove the wire: none
    can be best.
    """
    real = frame["model"].map(model_note) == ""
    fair = frame[(frame[PROBE] == "") & real & frame["micro_em"].notna()]
    return None if fair.empty else fair.iloc[int(fair["micro_em"].to_numpy().argmax())]

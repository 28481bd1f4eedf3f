"""The score table in a few rows: what the command line prints."""

from dataclasses import dataclass
from typing import Final

import pandas as pd

from warebench.report.accuracy import headline, overview
from warebench.report.conditions import ORACLE, check_scores
from warebench.report.wording import NOTHING, shown

POLICY: Final = "policy/"
LOCAL: Final = "local/"

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


def summary_rows(scores: pd.DataFrame) -> Summary:
    """Return the overview of all tracks as text, in display order.

    Args:
        scores: The score table, one row per (model, method, question, epoch).

    Raises:
        UserError: The table cannot be reported (see `check_scores`).
    """
    table = check_scores(scores)
    rows: list[dict[str, str]] = []
    for track, part in table.groupby("track", sort=True):
        view = shown(overview(headline(part)))
        labels = [column.label for column in view.columns]
        texts = ([cell.text for cell in row] for row in view.rows)
        rows += [{"track": str(track)} | dict(zip(labels, row, strict=True)) for row in texts]
    # Tracks may know different methods: a column that one lacks is empty there.
    headers = tuple(dict.fromkeys(label for row in rows for label in row))
    cells = tuple(tuple(row.get(label, NOTHING) for label in headers) for row in rows)
    return Summary(headers=headers, rows=cells, caveats=caveats(table["model"]))


def caveats(models: "pd.Series[str]") -> tuple[str, ...]:
    """Return the sentences that must stand beside the scores of these models."""
    return tuple(text for prefix, text in CAVEATS if models.str.startswith(prefix).any())


def model_note(model: str) -> str:
    """Return the caveat of one model, empty for a language model behind an interface."""
    return next((text for prefix, text in CAVEATS if model.startswith(prefix)), "")


def best(frame: pd.DataFrame) -> "pd.Series[float] | None":
    """Return the headline row with the highest micro EM among real models and honest methods, if any.

    The oracle method is handed the gold and policy models are programs: neither can be best.
    """
    fair = frame[
        (frame["method"] != ORACLE) & ~frame["model"].str.startswith(POLICY) & frame["micro_em"].notna()
    ]
    return None if fair.empty else fair.iloc[int(fair["micro_em"].to_numpy().argmax())]

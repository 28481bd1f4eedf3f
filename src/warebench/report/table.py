"""One table of a report: numbers first, wording apart from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd

PROBE: Final = "probe"
"""Column that says why a condition does not rank, empty for the benchmark's own; a remark says it."""
ASKED: Final = "asked"
"""Column that is equal where the same questions were asked; in the data, never in a document."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """A long table of plain numbers, with what a reader needs to understand it.

    Shares run from 0 to 1 and a missing number is NaN; `report.wording` turns both into text.
    """

    name: str
    """File name of the CSV and key in report.json."""
    title: str
    caption: str
    """What it shows and how it was computed, one or two sentences."""
    frame: pd.DataFrame
    spread: str = ""
    """Column whose values become columns when shown, with `em` as the cell; empty: shown as it is."""
    limit: int = 0
    """Rows shown in a document, 0 for all; the CSV always holds all."""


def frame_of(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    """Return the rows as a frame with exactly these columns, also when there is no row."""
    return pd.DataFrame(list(rows), columns=list(columns))


def ordered(frame: pd.DataFrame, scales: Mapping[str, Sequence[Any]]) -> pd.DataFrame:
    """Return the frame with these columns as ordered categories, so that sorting keeps display order."""
    columns = {
        name: pd.Categorical(frame[name].tolist(), categories=list(scale), ordered=True)
        for name, scale in scales.items()
    }
    return frame.assign(**columns)

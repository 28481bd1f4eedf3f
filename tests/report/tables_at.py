"""Read the fixture table and one cell of a report table."""

from pathlib import Path

import pandas as pd

from warebench.report.conditions import check_scores
from warebench.report.table import Table

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "report"


def small() -> pd.DataFrame:
    """Return 48 rows small enough to be counted by hand."""
    return pd.read_csv(FIXTURES / "small.csv", keep_default_na=False, na_values={"em": [""]}).replace(
        "", None
    )


def checked() -> pd.DataFrame:
    return check_scores(small())


def row_at(table: Table, **key: object) -> "pd.Series[float]":
    """Return the one row of a table with this key."""
    frame = table.frame
    for column, value in key.items():
        frame = frame[frame[column] == value]
    assert len(frame) == 1, f"{len(frame)} rows for {key}"
    return frame.iloc[0]

"""The score table in a few rows, for the commands that make or read one."""

import math

import pandas as pd

from warebench.cli.output import say, show, table
from warebench.report.accuracy import headline
from warebench.report.conditions import check_scores
from warebench.report.summary import summary_rows


def show_summary(scores: pd.DataFrame) -> None:
    """Show the headline table, and say what belongs beside its numbers."""
    summary = summary_rows(scores)
    show(table(summary.headers, summary.rows))
    for text in (summary.note, *summary.caveats):
        if text:
            say(text)


def conditions(scores: pd.DataFrame) -> list[dict[str, object]]:
    """Return the headline table as plain values, with None for a number that does not exist."""
    found = []
    for track, part in check_scores(scores).groupby("track", sort=True):
        for row in headline(part).frame.to_dict("records"):
            plain = {str(name): None if _is_nan(value) else value for name, value in row.items()}
            found.append({"track": str(track), **plain})
    return found


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)

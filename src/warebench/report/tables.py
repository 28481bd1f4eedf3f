"""Every table of a report, in order: one tuple a reader can run through."""

from collections.abc import Callable
from typing import Final

import pandas as pd

from warebench.report.accuracy import breakdowns, headline, overview
from warebench.report.contrasts import obfuscation, oracle_gap
from warebench.report.effort import effort, failures, outcomes, wrong_answers
from warebench.report.structure import feasibility, hop_distance, path_length
from warebench.report.table import Table

TABLES: Final[tuple[Callable[[pd.DataFrame], Table], ...]] = (
    path_length,
    obfuscation,
    oracle_gap,
    hop_distance,
    feasibility,
    outcomes,
    effort,
    failures,
    wrong_answers,
)
"""Tables after the headline and the breakdowns, as `(checked scores of one track) -> Table`."""


def build_tables(scores: pd.DataFrame) -> dict[str, Table]:
    """Return the tables of one track by name; a table without rows is left out, except `failures`.

    Args:
        scores: Rows of one track from `check_scores`.
    """
    conditions = headline(scores)
    built = [overview(conditions), conditions, *breakdowns(scores), *(table(scores) for table in TABLES)]
    return {table.name: table for table in built if len(table.frame) or table.name == "failures"}

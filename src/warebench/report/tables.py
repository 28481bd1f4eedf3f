"""Every table of a report, in order: one tuple a reader can run through."""

from collections.abc import Callable
from functools import partial
from typing import Final

import pandas as pd

from warebench.report.accuracy import breakdowns, headline, overview
from warebench.report.breakdown import breakdown_tables
from warebench.report.conditions import primary
from warebench.report.contrasts import obfuscation, oracle_gap
from warebench.report.differences import difference_tables
from warebench.report.effort import effort, failures, outcomes, wrong_answers
from warebench.report.pairing import MARGIN
from warebench.report.stability import instances, stability
from warebench.report.standings import NO_SUBTYPES, standings
from warebench.report.structure import feasibility, hop_distance, path_length
from warebench.report.sweeps import measure_table, sweep_tables
from warebench.report.table import Table

TABLES: Final[tuple[Callable[[pd.DataFrame], Table], ...]] = (
    stability,
    instances,
    path_length,
    obfuscation,
    oracle_gap,
    hop_distance,
    feasibility,
    outcomes,
    measure_table,
    effort,
    failures,
    wrong_answers,
)
"""Tables there is one of, after the families, as `(checked scores of one track) -> Table`."""


def build_tables(scores: pd.DataFrame, margin: float = MARGIN) -> dict[str, Table]:
    """Return the tables of one track by name; a table without rows is left out, except `failures`.

    Args:
        scores: Rows of one track from `check_scores`.
        margin: Largest difference of EM that does not matter, from 0 to 1.
    """
    families = (breakdown_tables, sweep_tables, partial(difference_tables, margin=margin))
    conditions, parts = headline(scores), breakdowns(scores)
    subtypes = next((table.frame for table in parts if table.name == "by_subtype"), NO_SUBTYPES)
    built = [standings(conditions.frame, subtypes, primary(scores)), overview(conditions), conditions, *parts]
    built += [table for family in families for table in family(scores)]
    built += [table(scores) for table in TABLES]
    return {table.name: table for table in built if len(table.frame) or table.name == "failures"}

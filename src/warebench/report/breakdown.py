"""EM by subtype and a facet of the questions, with totals: columns `by.NAME`."""

import pandas as pd

from warebench.report.accuracy import em_over, values_in_order
from warebench.report.conditions import ALL, CONDITION, primary
from warebench.report.factors import breakdowns, having, label
from warebench.report.table import Table, ordered


def breakdown_tables(scores: pd.DataFrame) -> tuple[Table, ...]:
    """Return one table for each facet: subtypes by its values, and everything pooled at both margins."""
    rows = primary(scores)
    return tuple(_table(having(rows, name), name) for name in breakdowns(rows))


def _table(rows: pd.DataFrame, name: str) -> Table:
    word = label(name)
    keys = [*CONDITION, "subtype", name]
    pooled = [
        rows.assign(**changes) for changes in ({}, {name: ALL}, {"subtype": ALL}, {"subtype": ALL, name: ALL})
    ]
    frame = pd.concat([em_over(part, keys).astype({"subtype": object, name: object}) for part in pooled])
    scales = {key: values_in_order(rows, key) for key in keys}
    scales["subtype"] = [*scales["subtype"], ALL]
    scales[name] = [*scales[name], ALL]
    frame = ordered(frame.reset_index(drop=True), scales).sort_values(keys, kind="stable")
    return Table(
        name=f"subtype_{word.replace(' ', '_')}",
        title=f"Exact match by subtype and {word}",
        caption=(
            f"EM in %, with its 95 % interval, for each {word}; {ALL}: a row or column pooled. n is "
            f"the largest number of questions of a cell."
        ),
        frame=frame.reset_index(drop=True),
        spread=name,
    )

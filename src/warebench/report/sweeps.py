"""EM and measures over the settings of runs: columns `setting.NAME` and `measure.NAME`."""

from collections.abc import Iterator
from typing import Any, Final

import pandas as pd

from warebench.report.accuracy import LEVEL, RESAMPLES, SEED, Span, conditions, em_over, honest, span_columns
from warebench.report.conditions import CONDITION, primary
from warebench.report.effort import estimates
from warebench.report.factors import BASE, as_text, having, label, measures, settings
from warebench.report.table import Table, frame_of
from warebench.stats.intervals import bootstrap_mean

MEASURE_COLUMNS: Final = ("measure", "rows", *span_columns("value"))


def sweep_tables(scores: pd.DataFrame) -> tuple[Table, ...]:
    """Return for each setting EM by its values and, where rows hold any, the measures by its values."""
    rows = primary(scores)
    varied = settings(rows)
    tables: list[Table] = []
    for name in varied:
        part, held = _held(having(rows, name), [other for other in varied if other != name])
        keys = ["model", BASE, "obfuscation", *held, name]
        part = _shared(part, keys)
        if part.empty:
            continue
        tables.append(_em_table(part, keys, name))
        tables += _measure_table(part, keys, name)
    return tuple(tables)


def _held(rows: pd.DataFrame, others: list[str]) -> tuple[pd.DataFrame, list[str]]:
    """Return the rows with the other settings as text, and those of them that vary here."""
    texts = rows.assign(**{other: as_text(rows[other]) for other in others})
    return texts, [other for other in others if texts[other].nunique() > 1]


def _shared(rows: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return the rows of questions asked under every value of a setting that their series has, at least two.

    A series is a combination of all keys but the last, the setting. Otherwise a value that was asked easier
    questions would look better. A series whose values share no question stays whole: it can only be read so.
    """
    *series, name = keys
    rows = rows[rows.groupby(series)[name].transform("nunique") > 1]
    values = rows.groupby(series)[name].transform("nunique")
    under = rows.groupby([*series, "question_id"])[name].transform("nunique")
    everywhere = under == values
    some = everywhere.groupby([rows[key] for key in series]).transform("any")
    return rows[everywhere | ~some]


def _em_table(rows: pd.DataFrame, keys: list[str], name: str) -> Table:
    return Table(
        name=f"setting_{label(name).replace(' ', '_')}",
        title=f"Exact match by {label(name)}",
        caption=(
            "EM in %, with its 95 % interval, on the questions that were asked under every value; everything "
            "else about a run is the same within one row. n is the largest number of questions of a cell."
        ),
        frame=em_over(rows, keys),
        spread=name,
    )


def _measure_table(rows: pd.DataFrame, keys: list[str], name: str) -> Iterator[Table]:
    held = measures(rows)
    if not held:
        return
    frame = frame_of(
        [
            dict(zip(keys, key, strict=True)) | row
            for key, part in rows.groupby(keys, sort=True)
            for row in _measured(part, held)
        ],
        [*keys, *MEASURE_COLUMNS],
    )
    yield Table(
        name=f"setting_{label(name).replace(' ', '_')}_measures",
        title=f"Measures by {label(name)}",
        caption=f"{MEASURED} Only questions that were asked under every value of {label(name)} enter.",
        frame=frame,
    )


MEASURED: Final = (
    "Means over the rows that hold the measure, with their 95 % bootstrap intervals; an error holds none."
)


def measure_table(scores: pd.DataFrame) -> Table:
    """Return the mean of every measure under every condition."""
    held = measures(scores)
    rows = [key | row for key, part in conditions(scores) for row in _measured(part, held)]
    return Table(
        name="measures",
        title="Measures",
        caption=f"{MEASURED}{estimates(scores['model'])}",
        frame=frame_of(rows, [*CONDITION, *MEASURE_COLUMNS]),
    )


def _measured(rows: pd.DataFrame, names: list[str]) -> Iterator[dict[str, Any]]:
    """Yield one row for each measure that any of the rows holds."""
    for name in names:
        part = rows[rows[name].notna()]
        if len(part):
            values = part[name].to_numpy(dtype=float)
            yield {"measure": label(name), "rows": len(part), **_mean(values, part).named("value")}


def _mean(values: Any, rows: pd.DataFrame) -> Span:
    """Return the mean; siblings of one fact are resampled together."""
    facts = rows["fact"].tolist()
    return honest(bootstrap_mean(values, clusters=facts, resamples=RESAMPLES, level=LEVEL, seed=SEED))

"""What runs and questions can be compared by: the columns `setting.NAME`, `by.NAME` and `measure.NAME`.

A factor of a run is its method or one of its settings. The report knows columns, never tracks.
"""

import re
from typing import Any, Final

import pandas as pd

from warebench.harness.scores import BREAKDOWN, MEASURE, SETTING

BASE: Final = "base_method"
"""Column added here: the method without the words of its settings."""
NO_VALUE: Final = ""
"""Stands for a setting that a method does not have."""

MEANINGS: Final = (
    r"result_only$|in_namespace$",
    r"credit_",
    r".*_recall$|rules_found$|rules_read$",
    r".*_recall_",
    r"(?!turns$|.*tokens$)",
    r"",
)
"""Patterns of the names of measures, in the order in which they are shown."""

CURVE_FROM: Final = 3
"""Least number of values of a numeric setting that make a curve."""


def with_factors(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with clean settings and breakdowns, every method named after all that sets it apart.

    Numeric settings stay numbers (NaN where a method lacks them); others become text. Where one method ran
    under several values of a setting that its name does not tell, the name is completed.

    Args:
        table: A score table with text in `method`.
    """
    names = _prefixed(table, SETTING)
    clean = {name: _clean(table[name]) for name in names}
    clean |= {name: as_text(_clean(table[name])) for name in _prefixed(table, BREAKDOWN)}
    table = table.assign(**clean)
    for name in names:
        table["method"] = _completed(table, name)
    return table.assign(**{BASE: _bare(table["method"], names)})


def _prefixed(table: pd.DataFrame, prefix: str) -> list[str]:
    return sorted(str(name) for name in table.columns if str(name).startswith(prefix))


def _clean(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """Return numbers as floats and everything else as text, empty where missing."""
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        return column.astype("float64")
    return column.map(_word).astype(object)


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return NO_VALUE if pd.isna(value) else str(value)


def as_text(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """Return the values as a reader sees them, empty where missing."""
    if not pd.api.types.is_numeric_dtype(column):
        return column
    return column.map(lambda value: NO_VALUE if pd.isna(value) else f"{value:g}").astype(object)


def _completed(table: pd.DataFrame, name: str) -> "pd.Series[Any]":
    """Return the methods, with a setting added where it varies under one name."""
    values = as_text(table[name])
    varies = values.groupby([table["track"], table["method"]]).transform("nunique") > 1
    word = " " + name.removeprefix(SETTING) + "=" + values
    return table["method"].where(~varies | (values == NO_VALUE), table["method"] + word)


def _bare(methods: "pd.Series[Any]", names: list[str]) -> "pd.Series[Any]":
    for name in names:
        methods = methods.str.replace(rf" {re.escape(name.removeprefix(SETTING))}=\S*", "", regex=True)
    return methods


def settings(scores: pd.DataFrame) -> list[str]:
    """Return the settings under which these rows differ."""
    return [name for name in _prefixed(scores, SETTING) if _count(scores[name]) > 1]


def breakdowns(scores: pd.DataFrame) -> list[str]:
    """Return the facets to show beside the subtypes that have several values."""
    return [name for name in _prefixed(scores, BREAKDOWN) if _count(scores[name]) > 1]


def measures(scores: pd.DataFrame) -> list[str]:
    """Return the measures that any row holds: accuracy first, then recalls, then the rest, effort last."""
    held = [name for name in _prefixed(scores, MEASURE) if scores[name].notna().any()]
    return sorted(held, key=_meaning)


def _meaning(name: str) -> int:
    """Return where a measure stands: what is right, what of it was found, what was given, what it took."""
    name = name.removeprefix(MEASURE)
    return next(rank for rank, pattern in enumerate(MEANINGS) if re.match(pattern, name))


def is_scale(scores: pd.DataFrame, name: str) -> bool:
    """Return whether a setting is a number with enough values for a curve."""
    return pd.api.types.is_numeric_dtype(scores[name]) and _count(scores[name]) >= CURVE_FROM


def _count(column: "pd.Series[Any]") -> int:
    values = as_text(column)
    return int(values[values != NO_VALUE].nunique())


def having(scores: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the rows that have a value of a setting or breakdown."""
    return scores[as_text(scores[name]) != NO_VALUE]


def label(name: str) -> str:
    """Return a factor's column name as a reader sees it."""
    for prefix in (SETTING, BREAKDOWN, MEASURE):
        name = name.removeprefix(prefix)
    return name.replace("_", " ").replace(BASE.replace("_", " "), "method")

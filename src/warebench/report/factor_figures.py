"""Figures of what is compared: subtypes by a facet, EM and measures over a setting."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import pandas as pd

from warebench.harness.scores import BREAKDOWN, SETTING
from warebench.report.conditions import ALL, in_order
from warebench.report.curves import Axes, curves
from warebench.report.factors import BASE, is_scale, label
from warebench.report.palette import Figure, method_words
from warebench.report.panels import Grid, heat_map
from warebench.report.stability import INSTANCE
from warebench.report.table import Table

MOST_PANELS: Final = 12
"""Panels a figure has; the tables hold all."""
MOST_LINES: Final = 4
"""Lines that one panel can hold apart."""
MOST_COLUMNS: Final = 12

Tables = Mapping[str, Table]


def factor_figures(tables: Tables, models: Sequence[str]) -> Iterator[Figure]:
    """Yield the figures of every facet and every numeric setting.

    Args:
        tables: The tables of one track by name.
        models: The models to draw.
    """
    for table in tables.values():
        frame = table.frame[table.frame["model"].isin(models)] if "model" in table.frame else table.frame
        if table.spread.startswith(BREAKDOWN) and len(frame):
            yield from _facet(frame, table.spread)
        elif table.spread.startswith(SETTING) and is_scale(
            frame := _plain(frame, table.spread), table.spread
        ):
            yield from _scale(frame, table.spread, tables.get(f"{table.name}_measures"))


def _plain(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the frame with an ordered column in the type of its values."""
    return frame.astype({name: frame[name].cat.categories.dtype})


def points_of(
    frame: pd.DataFrame, name: str, *, n: str, x: "pd.Series[Any]", line: "pd.Series[Any]"
) -> pd.DataFrame:
    """Return a frame with what `curves` reads: `line, x, value, low, high, n`, and all it had.

    Args:
        frame: One row for each point.
        name: Column of the value, beside which its bounds stand.
        n: Column of the number of questions or rows.
        x: Position of each point.
        line: Line of each point.
    """
    found = frame.assign(
        line=line.astype(str),
        x=x,
        value=frame[name],
        low=frame[f"{name}_low"],
        high=frame[f"{name}_high"],
        n=frame[n],
    )
    return found[found["value"].notna()]


def _facet(frame: pd.DataFrame, name: str) -> Iterator[Figure]:
    values = in_order(name, frame[name].astype(str))
    word = label(name)
    if name == INSTANCE:
        # Each instance has few questions of a subtype; `stability` shows what they say together.
        return
    if len(values) <= MOST_COLUMNS:
        yield _facet_heat(frame.astype({name: object}), name, values)
    ordinal = [value for value in values if value != ALL]
    totals = frame[(frame["subtype"] == ALL) & (frame[name] != ALL)]
    if len(ordinal) < 2 or not all(value[:1].isdigit() for value in ordinal):
        return
    x = totals[name].astype(str).map(ordinal.index).astype(float)
    drawn = points_of(totals, "em", n="questions", x=x, line=totals["method"])
    axes = Axes(x=word, ticks=tuple(ordinal))
    lines = in_order("method", drawn["line"])
    yield Figure(
        name=f"over_{word}".replace(" ", "_"),
        title=f"Exact match over {word}",
        caption=f"Micro EM of all questions of one {word}, with 95 % bootstrap bands where lines are few.",
        panels=tuple(
            (model, curves(drawn[drawn["model"] == model], axes, lines))
            for model in in_order("model", drawn["model"])
        ),
    )


def _facet_heat(frame: pd.DataFrame, name: str, values: Sequence[str]) -> Figure:
    word = label(name)
    groups = _drawn(frame, name)
    left = len(frame[["model", "method"]].drop_duplicates()) - len(groups)
    more = f" Drawn is the best method of each model; the tables hold {left} more conditions." if left else ""
    grid = Grid(rows="subtype", columns=name, order=tuple(values))
    return Figure(
        name=f"subtype_{word}".replace(" ", "_"),
        title=f"Exact match by subtype and {word}",
        caption=f"EM in %; {ALL}: a row or column pooled. A dash: nothing scored there.{more}",
        panels=tuple((title, heat_map(rows, grid)) for title, rows in groups),
    )


def _drawn(frame: pd.DataFrame, name: str) -> list[tuple[str, pd.DataFrame]]:
    """Return each condition's rows under its name; of too many only the best method of every model."""
    total = frame[(frame["subtype"] == ALL) & (frame[name] == ALL)].set_index(["model", "method"])["em"]
    groups = list(frame.groupby(["model", "method"], sort=True, observed=True))
    if len(groups) > MOST_PANELS:
        best = {key[0]: key for key in total.dropna().sort_values(kind="stable").index}
        groups = [(key, rows) for key, rows in groups if best.get(key[0]) == key][:MOST_PANELS]
    return [(f"{model}, {method_words(str(method))}", rows) for (model, method), rows in groups]


def _scale(frame: pd.DataFrame, name: str, measured: Table | None) -> Iterator[Figure]:
    yield _curve_figure(frame, name, "em", n="questions", what="Exact match", unit="EM, %")
    if measured is None:
        return
    rows = measured.frame[measured.frame["model"].isin(set(frame["model"].astype(str)))]
    for measure, part in rows.groupby("measure", sort=False):
        yield _curve_figure(part, name, "value", n="rows", what=str(measure).capitalize(), unit=str(measure))


def _curve_figure(frame: pd.DataFrame, name: str, column: str, *, n: str, what: str, unit: str) -> Figure:
    word = label(name)
    inner, outer = _split(frame, name)
    line = _joined(frame, inner or [BASE])
    drawn = points_of(frame, column, n=n, x=frame[name].astype(float), line=line)
    share = bool(drawn["value"].max() <= 1)
    highest = float(drawn[["value", "high"]].max().max())
    axes = Axes(x=word, y=f"{unit}, %" if share and "%" not in unit else unit, share=share, top=highest)
    lines = in_order("method", drawn["line"])
    panels = drawn.assign(panel=_joined(drawn, ["model", *outer])).groupby("panel", sort=True)
    return Figure(
        name=f"{what}_over_{word}".lower().replace(" ", "_"),
        title=f"{what} over {word}",
        caption="Means with 95 % bootstrap bands. Everything else about a run is the same along one line.",
        panels=tuple((str(panel), curves(part, axes, lines)) for panel, part in list(panels)[:MOST_PANELS]),
    )


def _split(frame: pd.DataFrame, name: str) -> tuple[list[str], list[str]]:
    """Return the factors that tell lines apart and those that tell panels apart: few lines a panel."""
    columns = list(map(str, frame.columns))
    varied = [
        column
        for column in columns[: columns.index(name)]
        if column not in ("model", "obfuscation") and frame[column].nunique() > 1
    ]
    inner, outer = varied, list[str]()
    while len(inner) > 1 and len(frame[inner].drop_duplicates()) > MOST_LINES:
        inner, outer = inner[:-1], [inner[-1], *outer]
    return inner, outer


def _joined(frame: pd.DataFrame, columns: Sequence[str]) -> "pd.Series[str]":
    """Return the values of some columns as one text a row; settings carry their names."""
    texts = [
        frame[column].astype(str).map(lambda value, column=column: _named(column, value))
        for column in columns
    ]
    joined = texts[0]
    for text in texts[1:]:
        joined = joined.where(text == "", joined + ", " + text)
    return joined


def _named(column: str, value: str) -> str:
    return f"{label(column)} {value}" if column.startswith(SETTING) and value[:1].isdigit() else value

"""Small multiples: heat map, tokens against EM."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import plotly.graph_objects as go

from warebench.report.labels import apart
from warebench.report.palette import (
    GREY,
    label_room,
    method_colours,
    method_symbols,
    method_text,
    percent_axis,
    plot_text,
    quiet_figure,
    titled,
)
from warebench.report.wording import NOTHING, count, percent, subtype_text

Shares = npt.NDArray[np.float64]
"""EM from 0 to 1, shape (rows, columns); NaN where nothing was scored."""

SHADES: Final = ((0.0, "#b2401d"), (0.25, "#dc8a5b"), (0.5, "#e9dfd0"), (0.75, "#6fa6c9"), (1.0, "#20558f"))
"""Diverging, rust to blue, equal in lightness at both ends: safe for colour-blind readers."""
PALE: Final = (0.22, 0.78)
"""Shares between these have a shade too pale for white ink."""
LABEL_GAP: Final = 7.5
"""Least distance of two direct labels, in percent of EM."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Grid:
    """What stands in the rows and columns of a heat map."""

    rows: str
    columns: str
    order: tuple[str, ...]
    """Values of the columns, the same in every panel."""
    tilt: int = 0
    """Angle of the headings."""


def heat_map(frame: pd.DataFrame, grid: Grid) -> go.Figure:
    """Draw EM over two columns, the number in every cell; a dash where nothing ran.

    Args:
        frame: Rows of one panel with both columns (rows ordered) and `em`.
        grid: Which columns.
    """
    table = frame.pivot_table(
        index=grid.rows, columns=grid.columns, values="em", observed=True, sort=True, dropna=False
    ).reindex(columns=list(grid.order))
    values = table.to_numpy(dtype=float)
    x = {"side": "top", "showgrid": False, "tickangle": grid.tilt, "ticks": "", "type": "category"}
    y = {"autorange": "reversed", "showgrid": False, "ticks": "", "type": "category"}
    figure = quiet_figure(27 * len(table) + (104 if grid.tilt else 40), x=x, y=y)
    figure.update_layout(margin={"b": 4})
    columns = [_heading(grid.columns, name) for name in grid.order]
    rows = [_heading(grid.rows, str(name)) for name in table.index]
    figure.add_heatmap(
        z=_or_none(100 * values),
        x=columns,
        y=rows,
        zmin=0,
        zmax=100,
        colorscale=SHADES,
        showscale=False,
        xgap=2,
        ygap=2,
        hovertemplate="%{y}, %{x}: %{z:.1f} %<extra></extra>",
    )
    _add_cell_texts(figure, values, columns, rows)
    return figure


def _heading(column: str, name: str) -> str:
    if column == "subtype":
        return plot_text(subtype_text(name))
    return method_text(name) if column == "method" else plot_text(name)


def _add_cell_texts(figure: go.Figure, values: Shares, columns: Sequence[str], rows: Sequence[str]) -> None:
    """Print every cell's number in the ink that its shade can carry, a dash where there is none."""
    pale = (values > PALE[0]) & (values < PALE[1])
    missing = np.isnan(values)
    for mask, colour in ((pale, "#14181d"), (~pale & ~missing, "#ffffff"), (missing, GREY)):
        places = np.argwhere(mask)
        figure.add_scatter(
            x=[columns[column] for _, column in places],
            y=[rows[row] for row, _ in places],
            text=[
                NOTHING if missing[row, column] else f"{100 * values[row, column]:.0f}"
                for row, column in places
            ],
            mode="text",
            textfont={"color": colour, "size": 12},
            hoverinfo="skip",
        )


def _or_none(values: Shares) -> list[list[float | None]]:
    return [[None if np.isnan(value) else float(value) for value in row] for row in values]


def token_scatter(costs: pd.DataFrame, methods: Sequence[str]) -> go.Figure:
    """Draw EM of one model against its tokens per question, on a log axis, every point labelled.

    Args:
        costs: Rows of one model with `method`, `tokens` (> 0) and `micro_em`.
        methods: All methods of the report, so that colours agree.
    """
    exponents = np.log10(costs["tokens"].to_numpy(dtype=float))
    span = max(float(np.ptp(exponents)), 0.6)
    x = {
        "title": titled("tokens per question, log scale"),
        "type": "log",
        "range": [float(exponents.min()) - 0.12 * span, float(exponents.max()) + 0.12 * span],
        "showgrid": False,
        "tickvals": _log_ticks(float(exponents.min()), float(exponents.max())),
    }
    figure = quiet_figure(330, x=x, y=percent_axis("EM, %"))
    figure.update_layout(margin={"r": label_room(methods)})
    colours, symbols = method_colours(methods), method_symbols(methods)
    shares = (100 * costs["micro_em"]).tolist()
    column = float(exponents.max()) + 0.12 * span
    for row, y, label in zip(costs.to_dict("records"), shares, apart(shares, LABEL_GAP), strict=True):
        method, colour = row["method"], colours[row["method"]]
        note = f"{method_text(method)}: {percent(row['micro_em'])} at {count(row['tokens'])} tokens"
        marker = {"symbol": symbols[method], "size": 10, "color": colour}
        figure.add_scatter(
            x=[row["tokens"]], y=[y], mode="markers", marker=marker, hovertext=[note], hoverinfo="text"
        )
        figure.add_annotation(_leader(float(np.log10(row["tokens"])), y, column, label, method, colour))
    return figure


def _leader(x: float, y: float, column: float, label: float, method: str, colour: str) -> dict[str, Any]:
    """Return a label in the column at the right, tied to its mark by a hair line; x runs in exponents."""
    place = {"x": x, "y": y, "ax": column, "ay": label, "axref": "x", "ayref": "y", "xanchor": "left"}
    line = {"showarrow": True, "arrowhead": 0, "arrowwidth": 0.7, "arrowcolor": colour, "standoff": 6}
    return place | line | {"text": method_text(method), "font": {"color": colour, "size": 12}}


def _log_ticks(low: float, high: float) -> list[float]:
    """Return 1-2-5 ticks around a range of exponents, few enough to stand apart."""
    steps = (1, 2, 5) if high - low < 1.2 else (1, 3) if high - low < 2.2 else (1,)
    exponents = range(int(np.floor(low)) - 1, int(np.ceil(high)) + 1)
    return [step * 10.0**exponent for exponent in exponents for step in steps]

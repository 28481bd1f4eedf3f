"""Curves with interval bands: EM, or a measure, over something ordered."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from warebench.report.labels import apart
from warebench.report.palette import (
    GRID,
    label_room,
    method_colours,
    method_symbols,
    method_text,
    percent_axis,
    quiet_figure,
    titled,
)
from warebench.report.wording import amount, count, percent, plain

LABEL_GAP: Final = 7.5
"""Least distance of two direct labels, in percent of the axis."""
LOG_FROM: Final = 8
"""Ratio of largest to smallest position from which the axis is logarithmic."""
MOST_TICKS: Final = 12
MOST_BANDS: Final = 4
"""Lines from which their bands would hide each other; the tables hold every interval."""
BAND: Final = 0.14
"""Opacity of an interval band."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Axes:
    """What the two axes of a curve show."""

    x: str
    y: str = "EM, %"
    share: bool = True
    """Whether y runs from 0 to 1, to be shown as percent."""
    ticks: tuple[str, ...] = ()
    """Names of the positions 0, 1, ... where x is no number."""
    top: float = 1.0
    """Highest value of y, where it is no share."""


def curves(frame: pd.DataFrame, axes: Axes, lines: Sequence[str]) -> go.Figure:
    """Draw one labelled line for every value of `line`, each with its interval band where lines are few.

    Args:
        frame: `line`, `x`, `value`, `low`, `high`, `n`; no value missing.
        axes: What they show.
        lines: All lines of the figure, in order, so that colours agree between panels.
    """
    positions = sorted(frame["x"].unique())
    log = not axes.ticks and positions[0] > 0 and positions[-1] / positions[0] >= LOG_FROM
    scale = 100.0 if axes.share else 1.0
    figure = quiet_figure(330, x=_x_axis(positions, axes, log=log), y=_y_axis(axes))
    present = [line for line in lines if (frame["line"] == line).any()]
    figure.update_layout(margin={"r": label_room(present), "t": 12})
    colours, symbols = method_colours(lines), method_symbols(lines)
    ends: list[float] = []
    for line in present:
        part = frame[frame["line"] == line].sort_values("x")
        if len(present) <= MOST_BANDS:
            _add_band(figure, part, colours[line], scale)
        _add_line(figure, part, axes, colours[line], symbols[line])
        ends.append(100 * float(part["value"].iloc[-1]) / (1.0 if axes.share else axes.top))
    last = float(np.log10(positions[-1])) if log else positions[-1]
    for line, y in zip(present, apart(ends, LABEL_GAP), strict=True):
        place = {"x": last, "y": y if axes.share else y * axes.top / 100, "xanchor": "left", "xshift": 10}
        font = {"color": colours[line], "size": 12}
        figure.add_annotation(**place, text=method_text(line), showarrow=False, font=font)
    return figure


def _x_axis(positions: list[float], axes: Axes, *, log: bool) -> dict[str, Any]:
    ends = (
        [float(np.log10(positions[0])), float(np.log10(positions[-1]))]
        if log
        else [positions[0], positions[-1]]
    )
    room = 0.04 * (ends[1] - ends[0]) or 0.15
    every = len(positions) <= MOST_TICKS
    names = list(axes.ticks) if axes.ticks else [plain(position) for position in positions]
    return {
        "title": titled(f"{axes.x}, log scale" if log else axes.x),
        "type": "log" if log else "linear",
        "range": [ends[0] - room, ends[1] + room],
        "tickvals": (list(range(len(names))) if axes.ticks else positions) if every else None,
        "ticktext": names if every else None,
        "showgrid": False,
        "zeroline": False,
    }


def _y_axis(axes: Axes) -> dict[str, Any]:
    if axes.share:
        return percent_axis(axes.y)
    quiet = {"gridcolor": GRID, "zeroline": False, "ticks": ""}
    return quiet | {"title": titled(axes.y), "range": [-0.03 * axes.top, 1.03 * axes.top]}


def _add_band(figure: go.Figure, part: pd.DataFrame, colour: str, scale: float) -> None:
    """Add the area between the bounds; a point without an interval ends it."""
    known = part[part["low"].notna() & part["high"].notna()]
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    figure.add_scatter(
        x=[*known["x"], *known["x"][::-1]],
        y=[*(scale * known["high"]), *(scale * known["low"])[::-1]],
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=f"rgba({red},{green},{blue},{BAND})",
        hoverinfo="skip",
    )


def _add_line(figure: go.Figure, part: pd.DataFrame, axes: Axes, colour: str, symbol: str) -> None:
    word = percent if axes.share else amount
    notes = []
    for row in part.to_dict("records"):
        where = axes.ticks[int(row["x"])] if axes.ticks else plain(row["x"])
        bounds = f"{word(row['low'])} to {word(row['high'])}"
        what = f"{word(row['value'])} ({bounds}), n = {count(row['n'])}"
        notes.append(f"{method_text(row['line'])}<br>{axes.x} {where}: {what}")
    figure.add_scatter(
        x=part["x"].tolist(),
        y=((100.0 if axes.share else 1.0) * part["value"]).tolist(),
        mode="lines+markers",
        line={"color": colour, "width": 2},
        marker={"symbol": symbol, "size": 8, "color": colour},
        hovertext=notes,
        hoverinfo="text",
    )

"""Forest plots: one row per model and method, a mark with its interval, the value printed beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd
import plotly.graph_objects as go

from warebench.report.conditions import in_order
from warebench.report.palette import GREY, method_colours, method_text, percent_axis, plot_text, quiet_figure
from warebench.report.wording import LEVEL_WORDS, percent, points

ROW: Final = 27
"""Height of one row in pixels."""
VALUES: Final = 58
"""Width of the column of numbers in the right margin, in pixels."""
LEVEL_MARKS: Final = {"none": "circle", "tables": "circle-open", "columns": "diamond-open"}
LEVEL_SHIFT: Final = {"none": -0.16, "tables": 0.16, "columns": 0.32}


@dataclass(frozen=True, kw_only=True, slots=True)
class Rows:
    """Where every model's heading and every method's row stands, from the top down."""

    headings: dict[str, float]
    places: dict[tuple[str, str], float]

    @property
    def depth(self) -> float:
        """Position below the last row."""
        return max(self.places.values()) + 1


def place_rows(frame: pd.DataFrame) -> Rows:
    """Give each (model, method) of a frame a row, under a heading per model."""
    headings: dict[str, float] = {}
    places: dict[tuple[str, str], float] = {}
    depth = 0.0
    for model in in_order("model", frame["model"]):
        headings[model] = depth
        for method in in_order("method", frame.loc[frame["model"] == model, "method"]):
            depth += 1
            places[(model, method)] = depth
        depth += 1.4
    return Rows(headings=headings, places=places)


def accuracy_forest(headline: pd.DataFrame) -> go.Figure:
    """Draw micro EM with its interval per condition; filled marks are original names."""
    frame = headline[headline["micro_em"].notna()]
    rows = place_rows(frame)
    figure = _empty(rows, percent_axis("EM, % of questions", range=[-3, 107]))
    for level in in_order("obfuscation", frame["obfuscation"]):
        part = frame[frame["obfuscation"] == level]
        mark = LEVEL_MARKS.get(level, "square-open")
        _add_marks(figure, rows, part, column="micro_em", mark=mark, shift=LEVEL_SHIFT.get(level, 0.32))
        if frame["obfuscation"].nunique() > 1:
            _add_key(figure, mark, LEVEL_WORDS.get(level, level))
    if frame["obfuscation"].nunique() == 1:
        figure.update_layout(margin={"t": 8})
    values = frame.drop_duplicates(["model", "method"])
    _add_values(figure, rows, values, texts=[percent(value) for value in values["micro_em"]])
    return figure


def dumbbells(headline: pd.DataFrame) -> go.Figure:
    """Draw micro beside macro EM on original names: a long bar means easy subtypes carry the mean."""
    frame = headline[headline["micro_em"].notna()].drop_duplicates(["model", "method"])
    rows = place_rows(frame)
    figure = _empty(rows, percent_axis("EM, %", range=[-3, 107]))
    for row in frame.to_dict("records"):
        y = rows.places[(row["model"], row["method"])]
        ends = [100 * row["micro_em"], 100 * row["macro_em"]]
        line = {"color": GREY, "width": 2}
        figure.add_scatter(x=ends, y=[y, y], mode="lines", line=line, hoverinfo="skip", showlegend=False)
    for column, mark, word in (("micro_em", "circle", "micro"), ("macro_em", "square-open", "macro")):
        _add_marks(figure, rows, frame, column=column, mark=mark, shift=0, bars=False)
        _add_key(figure, mark, word)
    gaps = (frame["macro_em"] - frame["micro_em"]).tolist()
    _add_values(figure, rows, frame, texts=[points(gap) for gap in gaps])
    return figure


def delta_forest(obfuscation: pd.DataFrame, level: str) -> go.Figure:
    """Draw the paired change in EM under one obfuscation; filled marks stay significant after Holm."""
    frame = obfuscation[(obfuscation["obfuscation"] == level) & obfuscation["delta"].notna()]
    rows = place_rows(frame)
    low = min(-5.0, 100 * float(frame[["delta", "delta_low"]].min().min()))
    high = max(5.0, 100 * float(frame[["delta", "delta_high"]].max().max()))
    axis = percent_axis("change in EM, percentage points", range=[low - 3, high + 3], tickvals=None)
    figure = _empty(rows, axis)
    figure.add_vline(x=0, line={"color": GREY, "width": 1.5})
    certain = frame["p_holm"] < 0.05
    for mark, part in (("circle", frame[certain]), ("circle-open", frame[~certain])):
        _add_marks(figure, rows, part, column="delta", mark=mark, shift=0)
    _add_key(figure, "circle", "p < 0.05 after Holm")
    _add_key(figure, "circle-open", "not distinguishable from 0")
    texts = [points(value) for value in frame["delta"]]
    _add_values(figure, rows, frame, texts=texts)
    return figure


def instance_strip(instances: pd.DataFrame) -> go.Figure:
    """Draw EM of every instance, over the range in which chance alone leaves 95 % of them."""
    rows = place_rows(instances)
    figure = _empty(rows, percent_axis("EM of one instance, %", range=[-3, 107]))
    keys = ["model", "method"]
    means = instances.groupby(keys, sort=True, as_index=False, observed=True).agg(
        low=("chance_low", "min"), high=("chance_high", "max"), mean=("chance", "first")
    )
    for row in means.to_dict("records"):
        y = rows.places[(row["model"], row["method"])]
        ends = [100 * row["low"], 100 * row["high"]]
        line = {"color": GREY, "width": 11}
        figure.add_scatter(x=ends, y=[y, y], mode="lines", line=line, opacity=0.3, hoverinfo="skip")
    colours = method_colours(instances["method"])
    for row in instances.to_dict("records"):
        figure.add_scatter(
            x=[100 * row["em"]],
            y=[rows.places[(row["model"], row["method"])]],
            mode="markers",
            marker=_marker("circle-open", colours[row["method"]]),
            hovertext=[f"instance {row['instance']}: {percent(row['em'])}, n = {row['questions']}"],
            hoverinfo="text",
            showlegend=False,
        )
    _add_values(figure, rows, means, texts=[percent(value) for value in means["mean"]])
    figure.update_layout(showlegend=False)
    return figure


def _empty(rows: Rows, x: dict[str, Any]) -> go.Figure:
    ticks = {
        "tickvals": list(rows.places.values()),
        "ticktext": [method_text(method) for _, method in rows.places],
    }
    y = {"range": [rows.depth - 0.3, -0.6], "showgrid": False, "zeroline": False, "ticks": ""} | ticks
    figure = quiet_figure(int(ROW * (rows.depth + 0.3)) + 92, x=x, y=y)
    figure.update_layout(
        showlegend=True,
        margin={"l": 8, "r": VALUES, "t": 40, "b": 52},
        legend={
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": 1,
            "yanchor": "bottom",
            "itemclick": False,
        },
    )
    for model, y_place in rows.headings.items():
        figure.add_annotation(
            text=f"<b>{plot_text(model)}</b>",
            x=0,
            xref="x domain",
            y=y_place,
            xanchor="left",
            showarrow=False,
            bgcolor="rgba(0,0,0,0)",
        )
    return figure


def _add_marks(
    figure: go.Figure,
    rows: Rows,
    frame: pd.DataFrame,
    *,
    column: str,
    mark: str,
    shift: float,
    bars: bool = True,
) -> None:
    colours = method_colours(frame["method"].tolist() + [method for _, method in rows.places])
    for method, part in frame.groupby("method", sort=True):
        value = 100 * part[column]
        interval = {
            "type": "data",
            "symmetric": False,
            "array": (100 * part[f"{column}_high"] - value).tolist(),
            "arrayminus": (value - 100 * part[f"{column}_low"]).tolist(),
            "thickness": 1.6,
            "width": 0,
            "color": colours[str(method)],
        }
        figure.add_scatter(
            x=value.tolist(),
            y=[rows.places[(model, str(method))] + shift for model in part["model"]],
            mode="markers",
            marker=_marker(mark, colours[str(method)]),
            error_x=interval if bars else None,
            hovertext=_hover(part, column),
            hoverinfo="text",
            showlegend=False,
        )


def _marker(mark: str, colour: str) -> dict[str, Any]:
    return {"symbol": mark, "size": 9, "color": colour, "line": {"width": 1.8, "color": colour}}


def _hover(part: pd.DataFrame, column: str) -> list[str]:
    word = points if column == "delta" else percent
    bounds = zip(
        part["model"],
        part["method"],
        part[column],
        part[f"{column}_low"],
        part[f"{column}_high"],
        strict=True,
    )
    return [
        f"{plot_text(model)}<br>{method_text(method)}: {word(value)} ({word(low)} to {word(high)})"
        for model, method, value, low, high in bounds
    ]


def _add_key(figure: go.Figure, mark: str, word: str) -> None:
    """Explain a mark once, in grey, so that the key is not read as a method."""
    figure.add_scatter(
        x=[None], y=[None], mode="markers", marker=_marker(mark, GREY), name=word, showlegend=True
    )


def _add_values(figure: go.Figure, rows: Rows, frame: pd.DataFrame, *, texts: Sequence[str]) -> None:
    """Print the numbers as a column in the right margin, where no mark can lie."""
    keys = zip(frame["model"], frame["method"], strict=True)
    places = [rows.places[key] for key in keys]
    edge = figure.layout.xaxis.range[1]
    figure.add_scatter(
        x=[edge] * len(places),
        y=places,
        mode="text",
        text=list(texts),
        textposition="middle right",
        hoverinfo="skip",
        showlegend=False,
        cliponaxis=False,
    )

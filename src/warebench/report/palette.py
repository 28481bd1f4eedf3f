"""Colours, marks and the quiet look of every figure."""

import html
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import plotly.graph_objects as go

from warebench.report.conditions import ORACLE, in_order

COLOURS: Final = ("#3067e4", "#fb7915", "#13704f", "#9b39aa", "#22b677", "#bd2621", "#d77afc")
"""Seven colours at least 0.095 apart in OKLab under normal, deutan and protan vision (Machado 2009), each
with a contrast of 2.5 or more on white and on the dark page. Labels and marks repeat what they say."""
GREY: Final = "#7c8590"
"""The oracle and everything that is no method."""
SYMBOLS: Final = ("circle", "square", "diamond", "triangle-up", "triangle-down", "pentagon", "hexagram")
INK: Final = "#3b424c"
"""Text; the page replaces it in the dark theme."""
GRID: Final = "#dfe3e8"
FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
LONGEST_NAME: Final = 40


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """A figure of a report: one panel, or several of one kind side by side."""

    name: str
    title: str
    caption: str
    panels: tuple[tuple[str, go.Figure], ...]
    """Subtitle (empty for a single panel) and plot."""


def label_room(methods: Iterable[str]) -> int:
    """Return the right margin, in pixels, that labels of 12 px beside a plot need on any screen."""
    return 26 + 7 * max((len(method_text(method)) for method in methods), default=0)


def method_colours(methods: Iterable[str]) -> Mapping[str, str]:
    """Return one colour per method, the same in every figure; the oracle is grey.

    Of more methods than colours all have one: a colour that came again would join what is not alike.
    """
    fair = [method for method in in_order("method", methods) if method != ORACLE]
    apart = len(fair) <= len(COLOURS)
    return {method: COLOURS[rank if apart else 0] for rank, method in enumerate(fair)} | {ORACLE: GREY}


def method_symbols(methods: Iterable[str]) -> Mapping[str, str]:
    """Return one mark per method, so that colour is never the only difference."""
    return {method: SYMBOLS[rank % len(SYMBOLS)] for rank, method in enumerate(in_order("method", methods))}


def plot_text(name: str) -> str:
    """Return a name for a figure: shortened in its middle, and safe where plotly reads markup."""
    name = " ".join(name.split())
    if len(name) > LONGEST_NAME:
        head = LONGEST_NAME // 2
        name = f"{name[:head]}…{name[-(LONGEST_NAME - head - 1) :]}"
    return html.escape(name, quote=False)


def method_words(method: str) -> str:
    """Return a method's name with its settings by their values; numbers keep their names.

    Example:
        >>> method_words("text_to_sql budget=10 ranker=bm25")
        'text_to_sql, budget 10, bm25'
    """
    name, *words = method.split() or [method]
    settings = (word.partition("=") for word in words)
    shown = [f"{key} {value}" if value[:1].isdigit() else value or key for key, _, value in settings]
    return ", ".join([name, *shown])


def method_text(method: str) -> str:
    """Return a method's name for a figure."""
    return plot_text(method_words(method))


def titled(text: str) -> dict[str, Any]:
    """Return an axis title no louder than the ticks."""
    return {"text": text, "font": {"size": 13}, "standoff": 8}


def percent_axis(title: str, **changes: Any) -> dict[str, Any]:
    """Return an axis from 0 to 100 % with a little room for marks at both ends."""
    quiet = {"gridcolor": GRID, "zeroline": False, "showline": False, "fixedrange": True, "ticks": ""}
    return quiet | {"title": titled(title), "range": [-3, 103], "tickvals": [0, 25, 50, 75, 100]} | changes


def quiet_figure(height: int, *, x: dict[str, Any], y: dict[str, Any]) -> go.Figure:
    """Return an empty figure in the house look.

    Args:
        height: Height in pixels; the width follows the page.
        x: Settings of the x axis.
        y: Settings of the y axis.
    """
    figure = go.Figure()
    figure.update_layout(
        template={},
        height=height,
        autosize=True,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": FONT, "size": 13, "color": INK},
        margin={"l": 8, "r": 16, "t": 8, "b": 44},
        hoverlabel={"font": {"family": FONT, "size": 13}, "align": "left"},
        showlegend=False,
        xaxis={"automargin": True, "fixedrange": True} | x,
        yaxis={"automargin": True, "fixedrange": True} | y,
    )
    return figure

"""Which figures a report has: each takes the tables, so that figure and table can never disagree."""

from collections.abc import Callable, Mapping
from typing import Final

import pandas as pd
import plotly.graph_objects as go

from warebench.report.accuracy import SIDE_BY_SIDE
from warebench.report.conditions import ORACLE, in_order
from warebench.report.curves import Axes, curves
from warebench.report.effort import estimates
from warebench.report.factor_figures import factor_figures, points_of
from warebench.report.forest import accuracy_forest, delta_forest, dumbbells, instance_strip
from warebench.report.palette import Figure
from warebench.report.panels import Grid, heat_map, token_scatter
from warebench.report.table import PROBE, Table, ordered
from warebench.report.wording import LEVEL_WORDS, percent, points, subtype_text

MODELS_DRAWN: Final = 8
"""Models a figure can hold; the tables hold all."""

SEEN: Final = 0.0005
"""Least difference of two shares that their shown texts can tell."""

Tables = Mapping[str, Table]


def drawn_models(headline: pd.DataFrame) -> list[str]:
    """Return the models that are drawn: all, or the ones with the highest micro EM when there are many."""
    scored = headline[headline["micro_em"].notna()]
    models = in_order("model", scored["model"])
    if len(models) <= MODELS_DRAWN:
        return models
    tops = scored.groupby("model")["micro_em"].max()
    return sorted(sorted(models, key=lambda model: (-tops[model], model))[:MODELS_DRAWN])


def _frame(tables: Tables, name: str, value: str) -> pd.DataFrame:
    """Return the drawn models' rows of a table that hold a value; empty when the table is not there."""
    if name not in tables:
        return pd.DataFrame({"model": []})
    frame = tables[name].frame
    models = drawn_models(tables["headline"].frame)
    return frame[frame["model"].isin(models) & frame[value].notna()]


def _accuracy(tables: Tables) -> Figure | None:
    frame = _frame(tables, "headline", "micro_em")
    if frame.empty:
        return None
    fair = frame.loc[frame[PROBE] == "", "micro_em"]
    ends = (fair if len(fair) else frame["micro_em"]).agg(["min", "max"]).map(percent)
    return Figure(
        name="accuracy",
        title=f"Between {ends['min']} and {ends['max']} % right, by model and method",
        caption=(
            "Mark: micro EM, the share of questions that are right. Line: its 95 % bootstrap interval. "
            "Number: EM on the first kind of names in the key."
        ),
        panels=(("", accuracy_forest(frame)),),
    )


def _obfuscation(tables: Tables) -> Figure | None:
    frame = _frame(tables, "obfuscation", "delta")
    if frame.empty:
        return None
    levels = in_order("obfuscation", frame["obfuscation"])
    lowest, highest = float(frame["delta"].min()), float(frame["delta"].max())
    return Figure(
        name="obfuscation",
        title=f"Replaced names change EM by {points(lowest)} to {points(highest)} points",
        caption="Paired change in EM when names are replaced, in points, with its 95 % bootstrap interval.",
        panels=tuple((LEVEL_WORDS.get(level, level), delta_forest(frame, level)) for level in levels),
    )


def _micro_macro(tables: Tables) -> Figure | None:
    frame = _frame(tables, "headline", "micro_em")
    apart = (frame["micro_em"] - frame["macro_em"]).abs() > SEEN
    if not apart.any() or frame["method"].nunique() > SIDE_BY_SIDE:
        return None
    return Figure(
        name="micro_macro",
        title="Micro against macro",
        caption=(
            "Micro weighs every question the same, macro every subtype. Number: macro minus micro, in "
            "points; far below 0, frequent subtypes carry the mean."
        ),
        panels=(("", dumbbells(frame)),),
    )


def _per_model(
    frame: pd.DataFrame, draw: Callable[[pd.DataFrame], go.Figure]
) -> tuple[tuple[str, go.Figure], ...]:
    models = in_order("model", frame["model"])
    return tuple((model, draw(frame[frame["model"] == model])) for model in models)


def _methods(tables: Tables) -> list[str]:
    return in_order("method", tables["headline"].frame["method"])


def _heat_maps(tables: Tables) -> Figure | None:
    frame = _frame(tables, "by_subtype", "em")
    if frame.empty:
        return None
    methods = tuple(in_order("method", frame["method"]))
    subtypes = tuple(map(str, frame["subtype"].cat.categories))
    grid = Grid(rows="subtype", columns="method", order=methods, tilt=-35)
    if len(methods) > SIDE_BY_SIDE:
        frame = ordered(frame, {"method": methods}).astype({"subtype": str})
        grid = Grid(rows="method", columns="subtype", order=subtypes, tilt=-35)
    return Figure(
        name="subtypes",
        title=f"Exact match by subtype and method{_hardest(frame)}",
        caption=(
            "EM in %, the mean over the questions of a cell; the table below has its interval and n. "
            "Subtypes run from the easy label to the hard one. A dash: nothing scored there."
        ),
        panels=_per_model(frame, lambda rows: heat_map(rows, grid)),
    )


def _hardest(frame: pd.DataFrame) -> str:
    """Return which subtype has the lowest mean over the cells drawn, the oracle's left out."""
    cells = frame[frame["method"] != ORACLE].astype({"subtype": str})
    means = cells.groupby("subtype")["em"].mean()
    hardest = means[means < means.min() + SEEN].index
    return f": lowest on {subtype_text(hardest[0])}" if len(hardest) == 1 and len(means) > 1 else ""


def _lengths(tables: Tables) -> Figure | None:
    frame = _frame(tables, "by_path_length", "em")
    if frame.empty or frame["path_length"].nunique() < 2:
        return None
    drawn = points_of(frame, "em", n="questions", x=frame["path_length"].astype(float), line=frame["method"])
    axes = Axes(x="gold path length, hops")
    return Figure(
        name="path_length",
        title="Exact match over path length",
        caption="EM by length of the gold path, with 95 % bands. Long paths are few: see n in the table.",
        panels=_per_model(drawn, lambda rows: curves(rows, axes, _methods(tables))),
    )


def _stability(tables: Tables) -> Figure | None:
    frame = _frame(tables, "instances", "em")
    if frame.empty:
        return None
    return Figure(
        name="stability",
        title="Stability over instances",
        caption=(
            "A mark is the EM of one instance; the number is the mean. The bar is where 95 % of instances "
            "lie by chance alone, when all are equally hard."
        ),
        panels=(("", instance_strip(frame)),),
    )


def _tokens(tables: Tables) -> Figure | None:
    frame = _frame(tables, "headline", "micro_em").drop_duplicates(["model", "method"])
    effort = tables["effort"].frame
    spent = effort.assign(tokens=effort[["input_tokens", "output_tokens"]].sum(axis=1, min_count=1))
    keys = ["model", "method", "obfuscation"]
    frame = frame.merge(spent[[*keys, "tokens"]], on=keys)
    frame = frame[frame["tokens"] > 0]
    if frame.empty:
        return None
    return Figure(
        name="tokens",
        title="Exact match against tokens",
        caption=(
            "Micro EM against the mean of input and output tokens per question. Models that report no tokens "
            f"are left out.{estimates(frame['model'])}"
        ),
        panels=_per_model(frame, lambda rows: token_scatter(rows, _methods(tables))),
    )


FIGURES: Final = (_accuracy, _heat_maps, _lengths, _stability, _obfuscation, _micro_macro, _tokens)
"""Every figure there is one of, in the order of the report."""


def build_figures(tables: Tables) -> tuple[Figure, ...]:
    """Return the figures that these tables can carry.

    Args:
        tables: The tables of one track by name (see `report.tables`).
    """
    models = drawn_models(tables["headline"].frame)
    single = [figure for draw in FIGURES if (figure := draw(tables)) is not None]
    return (*single[:2], *factor_figures(tables, models), *single[2:])

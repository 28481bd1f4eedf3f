"""Numbers of a table as a reader sees them: percent, points, p values, an en dash for nothing."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd

from warebench.report.conditions import FAILED, ORACLE, in_order
from warebench.report.factors import label
from warebench.report.table import ASKED, PROBE, Table

NOTHING: Final = "\N{EN DASH}"
"""Stands for a number that does not exist; never 0."""
MINUS: Final = "\N{MINUS SIGN}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """One shown column."""

    label: str
    number: bool
    """Numbers stand right, words left."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """One shown cell."""

    text: str
    interval: str = ""
    """The interval, to be set smaller than the number."""
    share: float = math.nan
    """EM from 0 to 1 where the cell holds one, for a tint."""
    bounds: tuple[float, float] | None = None
    """Interval of that share, for a bar."""
    best: bool = False
    """Whether no fair method of the row does better."""


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """A table as shown."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    hidden: int
    """Rows left out."""
    note: str = ""
    """What a mark in the cells means."""


FEW: Final = "*"
FEW_NOTE: Final = (
    "* few clusters: fewer than 10 independent units stand behind the interval; it is too narrow."
)
BOUNDS: Final = ("_low", "_high", "_few")
WHY: Final = "_why"
ENDS: Final = (*BOUNDS, WHY)
"""Ends of the names of columns that belong to the number before them: why it is none, or its bounds."""


def percent(value: float) -> str:
    """Return a share as percent with one decimal."""
    return NOTHING if math.isnan(value) else f"{100 * value:.1f}"


def points(value: float) -> str:
    """Return a difference of shares in percentage points, always signed."""
    if math.isnan(value):
        return NOTHING
    rounded = round(100 * value, 1)
    return "0.0" if rounded == 0 else f"{'+' if rounded > 0 else MINUS}{abs(rounded):.1f}"


def p_value(value: float) -> str:
    """Return a p value with three decimals, or that it is below 0.001."""
    if math.isnan(value):
        return NOTHING
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def count(value: float) -> str:
    """Return a whole number with thin groups of thousands."""
    return NOTHING if math.isnan(value) else f"{value:,.0f}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def amount(value: float) -> str:
    """Return a measured mean: no decimals from 100, one from 10, two below."""
    if math.isnan(value):
        return NOTHING
    return count(value) if value >= 100 else f"{value:.{1 if value >= 10 else 2}f}"


def plain(value: float) -> str:
    """Return a number without needless decimals."""
    return NOTHING if math.isnan(value) else f"{value:g}"


Format = Callable[[float], str]

FORMATS: Final[dict[str, tuple[str, Format]]] = {
    "questions": ("n", count),
    "pairs": ("pairs", count),
    "rows": ("rows", count),
    "micro_em": ("micro EM %", percent),
    "macro_em": ("macro EM %", percent),
    "em": ("EM %", percent),
    "f1": ("F1 %", percent),
    "errors": ("errors", count),
    "unscored": ("unscored", count),
    "not_run": ("not run", count),
    "right": ("right", count),
    "wrong": ("wrong", count),
    "original_em": ("original %", percent),
    "obfuscated_em": ("obfuscated %", percent),
    "delta": ("change, points", points),
    "only_original": ("lost", count),
    "only_obfuscated": ("won", count),
    "em_from": ("from %", percent),
    "em_to": ("to %", percent),
    "difference": ("difference, points", points),
    "only_from": ("only from", count),
    "only_to": ("only to", count),
    "instances": ("instances", count),
    "per_instance": ("n each", amount),
    "em_mean": ("EM %", percent),
    "em_lowest": ("lowest %", percent),
    "em_highest": ("highest %", percent),
    "em_sd": ("spread, points", percent),
    "em_sd_expected": ("by chance", percent),
    "spread_ratio": ("ratio", amount),
    "chance": ("by chance %", percent),
    "value": ("mean", amount),
    "p": ("p", p_value),
    "p_holm": ("p, Holm", p_value),
    "p_equivalent": ("p, equal", p_value),
    "detectable": ("detectable, points", percent),
    "unpaired": ("unpaired", count),
    "oracle_em": ("oracle %", percent),
    "best_em": ("best other %", percent),
    "gap": ("gap, points", points),
    "beyond": ("beyond radius", count),
    "beyond_share": ("share %", percent),
    "em_within": ("EM within %", percent),
    "em_beyond": ("EM beyond %", percent),
    "feasible": ("feasible", count),
    "feasible_share": ("ceiling %", percent),
    "median_calls": ("median calls needed", plain),
    "em_feasible": ("EM feasible %", percent),
    "em_infeasible": ("EM infeasible %", percent),
    "path_length": ("path length", plain),
    "input_tokens": ("input tokens", amount),
    "output_tokens": ("output tokens", amount),
    "seconds": ("seconds", amount),
    "tool_calls": ("tool calls", amount),
    "code_runs": ("code runs", amount),
    "subtypes": ("subtypes", count),
    "epochs": ("epochs", count),
}
"""Number columns: label and format. Any other column is text under its own name."""

LABELS: Final = {
    "obfuscation": "names",
    "path_difficulty": "difficulty",
    "set_hash": "set (SHA-256)",
    "best_method": "best other method",
    "best_of": "its best method",
    "strongest": "strongest on",
    "weakest": "weakest on",
    "mistake": "why not right, most often",
    "example": "example question",
}
LEVEL_WORDS: Final = {
    "none": "original",
    "tables": "tables replaced",
    "columns": "tables and columns replaced",
}


CODES: Final = {
    "EL": "entity lookup",
    "TS": "top selection",
    "CNT": "count",
    "SUM": "sum",
    "AVG": "average",
    "CC": "composite comparison",
    "COR": "correlation",
}
"""Subtypes that are called by a code (TQA-Bench), in words."""


def subtype_text(name: str) -> str:
    """Return a subtype's name, a code with its words."""
    return f"{name}, {CODES[name]}" if name in CODES else name


def shown(table: Table) -> View:
    """Return a table as text, intervals joined to their numbers.

    A table with `spread` gets one column per value of it, which hold EM, and loses the constant columns.
    """
    frame = _spread(table) if table.spread else table.frame
    names = [
        str(name) for name in frame.columns if not str(name).endswith(ENDS) and name not in (ASKED, PROBE)
    ]
    kept = frame.head(table.limit) if table.limit else frame
    rivals = table.spread == "method"
    rows = tuple(tuple(_cell(row, name, rivals=rivals) for name in names) for row in kept.to_dict("records"))
    doubted = any(cell.interval.endswith(FEW) for row in rows for cell in row)
    return View(
        columns=tuple(_column(name, table.spread) for name in names),
        rows=rows,
        hidden=len(frame) - len(kept),
        note=FEW_NOTE if doubted else "",
    )


def _column(name: str, spread: str) -> Column:
    if name.startswith("em:") and spread:
        value = name.removeprefix("em:")
        text = subtype_text(value) if spread == "subtype" else value
        return Column(label=f"{label(spread)} {text}" if text[:1].isdigit() else text, number=True)
    if name in FORMATS:
        return Column(label=FORMATS[name][0], number=True)
    return Column(label=LABELS.get(name, label(name)), number=False)


def _cell(row: dict[Any, Any], name: str, *, rivals: bool) -> Cell:
    value = row[name]
    if name.startswith("em:"):
        kind: Format = percent
    elif name in FORMATS:
        kind = FORMATS[name][1]
    else:
        return Cell(text=_word(name, value))
    low, high = row.get(f"{name}_low", math.nan), row.get(f"{name}_high", math.nan)
    interval = "" if math.isnan(low) or math.isnan(high) else _range(kind(low), kind(high))
    if interval and row.get(f"{name}_few") is True:
        interval += FEW
    share = float(value) if kind is percent and "em" in name.split(":")[0].split("_") else math.nan
    best = rivals and name.startswith("em:") and name != f"em:{ORACLE}" and value == _highest(row)
    bounds = (float(low), float(high)) if interval else None
    why = row.get(f"{name}{WHY}") or (_why_none(row) if name.endswith("_em") else "")
    absent = why if math.isnan(value) else ""
    return Cell(text=absent or kind(float(value)), interval=interval, share=share, bounds=bounds, best=best)


def _why_none(row: Mapping[Any, Any]) -> str:
    """Return what became of a condition without any verdict, where its row counts that."""
    counted = (outcome for name, outcome in FAILED.items() if row.get(name, 0) > 0)
    return next(counted, "").replace("_", " ")


def _range(low: str, high: str) -> str:
    """Join two bounds: a dash between plain numbers, a word between signed ones."""
    return f"{low} to {high}" if {"+", MINUS} & {low[0], high[0]} else f"{low}{NOTHING}{high}"


def _word(name: str, value: Any) -> str:
    if isinstance(value, float) and not math.isnan(value):
        return plain(value)
    if not isinstance(value, str) or not value:
        return NOTHING
    if name == "subtype":
        return subtype_text(value)
    return LEVEL_WORDS.get(value, value) if name == "obfuscation" else value


def _spread(table: Table) -> pd.DataFrame:
    """Turn the values of `spread` into columns `em:<value>` with their bounds, one row per other key."""
    long = table.frame.astype({table.spread: object})
    long[table.spread] = long[table.spread].map(_heading)
    values = _columns(table.frame[table.spread])
    before = list(long.columns[: list(long.columns).index("questions")])
    keys = [
        name
        for name in before
        if name != table.spread and (name != "obfuscation" or long[name].nunique() > 1)
    ]
    rows: list[dict[str, Any]] = []
    for key, part in long.groupby(keys, sort=True, observed=True):
        cells = part.set_index(table.spread)
        row: dict[str, Any] = dict(zip(keys, key, strict=True)) | {"questions": cells["questions"].max()}
        for name in values:
            for bound in ("", *BOUNDS):
                row[f"em:{name}{bound}"] = cells.at[name, f"em{bound}"] if name in cells.index else math.nan
            row[f"em:{name}{WHY}"] = _why_none(cells.loc[name].to_dict()) if name in cells.index else ""
        fair = cells[(cells.index != ORACLE) & cells["em"].notna()] if ASKED in cells else cells.head(0)
        row[ASKED] = len(fair) > 1 and fair[ASKED].nunique() == 1
        rows.append(row)
    return pd.DataFrame(rows)


def _columns(values: "pd.Series[Any]") -> list[str]:
    """Return the distinct values as headings, in the order of their column."""
    present = set(values)
    if isinstance(values.dtype, pd.CategoricalDtype):
        return [_heading(value) for value in values.cat.categories if value in present]
    return in_order(str(values.name), map(_heading, present))


def _heading(value: Any) -> str:
    return value if isinstance(value, str) else plain(float(value))


def _highest(row: dict[Any, Any]) -> float:
    """Return the highest EM of a spread row among methods without the gold.

    Infinity where they cannot be compared: below two of them, all alike, or asked other questions.
    """
    values = {
        str(name).removeprefix("em:"): value for name, value in row.items() if str(name).startswith("em:")
    }
    fair = [
        value
        for name, value in values.items()
        if name != ORACLE and not name.endswith(ENDS) and not math.isnan(value)
    ]
    return max(fair) if row[ASKED] and min(fair) < max(fair) else math.inf

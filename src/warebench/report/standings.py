"""The first screen: how far each model can be trusted, on what, how sure that is, what to look at next."""

from collections.abc import Iterator
from typing import Any, Final

import pandas as pd

from warebench.report.accuracy import span_columns
from warebench.report.conditions import in_order
from warebench.report.summary import model_note
from warebench.report.table import PROBE, Table, frame_of
from warebench.report.wording import count, percent, subtype_text

SPAN: Final = span_columns("micro_em")
COLUMNS: Final = ("model", *SPAN, "questions", "best_of", "strongest", "weakest", "mistake")
LONGEST: Final = 90
"""Characters of a reason that are shown; the tables of failures hold all."""


NO_SUBTYPES: Final = frame_of([], ("model", "method", "subtype", "questions", "em"))


def standings(headline: pd.DataFrame, subtypes: pd.DataFrame, scores: pd.DataFrame) -> Table:
    """Return one row a model: its method of highest micro EM, what it does best and worst, and why wrong.

    Args:
        headline: The table of every condition of one track.
        subtypes: EM by condition and subtype, on the least obfuscated names.
        scores: The rows behind it.
    """
    levels = in_order("obfuscation", headline["obfuscation"])
    fair = headline[
        (headline[PROBE] == "") & (headline["obfuscation"] == levels[0]) & headline["micro_em"].notna()
    ]
    rows = []
    for model in in_order("model", fair["model"]):
        own = fair[fair["model"] == model]
        top = own.iloc[int(own["micro_em"].to_numpy().argmax())]
        strongest, weakest = _ends(_of(subtypes, top))
        found: dict[str, Any] = {name: top[name] for name in ("questions", *SPAN)}
        ends = {"strongest": strongest, "weakest": weakest, "mistake": _mistake(_of(scores, top))}
        rows.append({"model": model, "best_of": top["method"], **found, **ends})
    return Table(
        name="standings",
        title="How far each model can be trusted",
        caption=(
            "Each model with its method of highest micro EM, probes left out (where gold or a part of it "
            "is given or taken away); the highest of several is a little flattered. EM: share of answers "
            "that are right whole, with its 95 % bootstrap interval over n questions (Wilson's at 0 and "
            "100 %). Strongest and weakest: subtypes "
            "by EM, with the number of their questions."
        ),
        frame=frame_of(rows, COLUMNS),
    )


def _of(frame: pd.DataFrame, condition: "pd.Series[Any]") -> pd.DataFrame:
    """Return the rows of a condition's model and method."""
    found: pd.DataFrame = frame[
        (frame["model"] == condition["model"]) & (frame["method"] == condition["method"])
    ]
    return found


def _ends(subtypes: pd.DataFrame) -> tuple[str, str]:
    """Return the subtypes with the highest and the lowest EM; nothing where all are alike."""
    known = subtypes[subtypes["em"].notna()]
    if known["em"].nunique() < 2:
        return "", ""
    ends = known["em"]
    return _named(known[ends == ends.max()]), _named(known[ends == ends.min()])


def _named(rows: pd.DataFrame) -> str:
    first = rows.iloc[0]
    more = f" and {len(rows) - 1} more" if len(rows) > 1 else ""
    name = subtype_text(str(first["subtype"]))
    return f"{name}{more}: {percent(first['em'])} % of {count(first['questions'])}"


def _mistake(rows: pd.DataFrame) -> str:
    """Return the most frequent reason of answers that are not right, and how many have it."""
    wrong = rows.loc[~(rows["em"] >= 1), "reason"]
    if wrong.empty:
        return ""
    counts = wrong.map(lambda reason: reason or "no reason given").value_counts()
    reason = min(counts[counts == counts.max()].index)
    text = reason if len(reason) <= LONGEST else f"{reason[: LONGEST - 1]}…"
    return f"{text} ({counts.max()} of {len(wrong)})"


def steps(table: pd.DataFrame) -> Iterator[str]:
    """Yield what to do next about the standings of all tracks: doubt first, then the weakest subtypes."""
    if table.empty:
        return
    widths = (table["micro_em_high"] - table["micro_em_low"]).fillna(0.0)
    if widths.max() > WIDE:
        widest = table.iloc[int(widths.to_numpy().argmax())]
        yield (
            f"Ask more questions: the interval of {widest['model']} with {widest['best_of']} spans "
            f"{percent(float(widths.max()))} points, and four times as many halve it."
        )
    for row in table[table["weakest"] != ""].to_dict("records"):
        if not model_note(row["model"]):
            yield f"Read the wrong answers of {row['model']} where it is weakest, {row['weakest']}."


WIDE: Final = 0.1
"""Width of an interval from which more questions tell more than closer reading."""

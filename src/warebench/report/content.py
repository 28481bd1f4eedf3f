"""What a report says, apart from how it is written: one structure for HTML, Markdown and JSON."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import pandas as pd

from warebench.report.conditions import LEVELS, NAMES, check_scores, primary
from warebench.report.effort import sets
from warebench.report.pairing import MARGIN
from warebench.report.remarks import remarks
from warebench.report.standings import steps
from warebench.report.summary import best, caveats
from warebench.report.table import Table
from warebench.report.tables import build_tables
from warebench.report.wording import count, percent

FIRST: Final = ("standings", "overview")
"""Tables that stand first."""
TROUBLE: Final = ("outcomes", "failures", "wrong_answers")
"""Tables of the section on failures; every other table is a detail."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    """Everything about one track."""

    track: str
    lede: str
    """What was run, one sentence."""
    result: str
    """The best honest result, one sentence; empty when no language model ran."""
    sets: Table
    tables: dict[str, Table]
    remarks: tuple[str, ...]
    """What limits its numbers."""

    @property
    def details(self) -> tuple[Table, ...]:
        """Tables that are neither the overview nor about failures."""
        return tuple(table for name, table in self.tables.items() if name not in (*FIRST, *TROUBLE))

    @property
    def trouble(self) -> tuple[Table, ...]:
        """Tables about errors, unscored and wrong answers."""
        return tuple(self.tables[name] for name in TROUBLE if name in self.tables)


@dataclass(frozen=True, kw_only=True, slots=True)
class Content:
    """A whole report."""

    title: str
    standings: Table
    """The standings of all tracks; empty when nothing was scored."""
    steps: tuple[str, ...]
    """What to do next."""
    sections: tuple[Section, ...]
    caveats: tuple[str, ...]
    notes: tuple[str, ...]


def build_content(scores: pd.DataFrame, notes: Sequence[str] = (), margin: float = MARGIN) -> Content:
    """Return everything a report says about a score table.

    Args:
        scores: The score table, one row per (model, method, question, epoch).
        notes: Sentences of the user, shown with the caveats.
        margin: Largest difference of EM that does not matter, from 0 to 1.

    Raises:
        UserError: The table cannot be reported (see `check_scores`).
    """
    table = check_scores(scores)
    sections = tuple(_section(str(track), rows, margin) for track, rows in table.groupby("track", sort=True))
    standings = _standings(sections)
    return Content(
        title=_title(table, sections),
        standings=standings,
        steps=tuple(steps(standings.frame)),
        sections=sections,
        caveats=caveats(table["model"]),
        notes=tuple(notes),
    )


def _standings(sections: Sequence[Section]) -> Table:
    """Return the standings of all tracks as one table, with the track where there are several."""
    held = [section for section in sections if "standings" in section.tables]
    if not held:
        return Table(name="standings", title="", caption="", frame=pd.DataFrame())
    if len(sections) == 1:
        return held[0].tables["standings"]
    parts = {section.track: section.tables["standings"].frame for section in held}
    whole = pd.concat(parts, names=["track"]).reset_index("track").reset_index(drop=True)
    return replace(held[0].tables["standings"], frame=whole)


def _title(rows: pd.DataFrame, sections: Sequence[Section]) -> str:
    """Return the finding of one track where a real model ran, else what was asked."""
    top = best(primary(sections[0].tables["headline"].frame))
    if len(sections) == 1 and top is not None:
        asked = _many(int(top["questions"]), "question")
        return f"{top['model']} is right on {percent(top['micro_em'])} % of {asked}"
    models, questions = _many(rows["model"].nunique(), "model"), _many(rows["pair_id"].nunique(), "question")
    return f"{models} on {questions} with provable answers"


def _section(track: str, rows: pd.DataFrame, margin: float) -> Section:
    tables = build_tables(rows, margin)
    return Section(
        track=track,
        lede=_lede(rows),
        result=_result(tables["headline"].frame),
        sets=sets(rows),
        tables=tables,
        remarks=remarks(rows),
    )


def _lede(rows: pd.DataFrame) -> str:
    nouns = ("model", "method", "subtype", "catalog")
    models, methods, subtypes, catalogs = (
        _many(rows.loc[rows[noun] != "", noun].nunique(), noun) for noun in nouns
    )
    questions = _many(rows["pair_id"].nunique(), "question")
    names = " and ".join(f"with {NAMES[level]}" for level in LEVELS if (rows["obfuscation"] == level).any())
    return (
        f"{models} and {methods} on {questions} of {subtypes} from {catalogs}, {names}: "
        f"{_many(len(rows), 'answer')} in all."
    )


def _many(number: int, noun: str) -> str:
    return f"{count(number)} {noun}{'' if number == 1 else 's'}"


def _result(headline: pd.DataFrame) -> str:
    row = best(primary(headline))
    if row is None:
        return ""
    return (
        f"Highest micro EM of a language model: {percent(row['micro_em'])} % "
        f"({percent(row['micro_em_low'])} to {percent(row['micro_em_high'])}), "
        f"{row['model']} with {row['method']}."
    )

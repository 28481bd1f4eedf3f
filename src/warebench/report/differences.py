"""Paired differences between the values of one factor of a run, everything else held equal."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import pandas as pd

from warebench.report.accuracy import span_columns
from warebench.report.conditions import ORACLE, in_order, per_question, primary, subtypes_in_order
from warebench.report.factors import BASE, NO_VALUE, as_text, is_scale, label, settings
from warebench.report.pairing import MARGIN, Contrast, contrast
from warebench.report.table import Table, frame_of
from warebench.stats.paired import holm

BY_SUBTYPE_UP_TO: Final = 6
"""Most pairs of conditions whose difference is shown by subtype too."""
SHOWN: Final = 60
"""Differences a document lists; the CSV holds all."""
NUMBERS: Final = (
    "pairs",
    "em_from",
    "em_to",
    *span_columns("difference"),
    "only_from",
    "only_to",
    "p",
    "p_holm",
    "p_equivalent",
    "detectable",
    "caution",
)

Design = Mapping[str, str]
"""Factor to value, all as text."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """Two conditions of one model that differ in one factor."""

    model: str
    factor: str
    start: Design
    end: Design

    def words(self) -> dict[str, str]:
        """Return the pair as the first columns of a row."""
        held = [
            value if factor == BASE else f"{label(factor)}={value}"
            for factor in self.start
            if factor != self.factor and (value := self.start[factor] or self.end[factor])
        ]
        names = {"from": self.start[self.factor], "to": self.end[self.factor]}
        return {"model": self.model, "with": ", ".join(held)} | names


def difference_tables(scores: pd.DataFrame, margin: float = MARGIN) -> tuple[Table, ...]:
    """Return the paired differences of each factor, and by subtype where pairs are few.

    A numeric setting of three values and more is compared at its ends only, largest minus smallest; every
    other factor pair by pair. Methods are compared at equal settings, where both have them; the oracle is
    left out.

    Args:
        scores: Rows of one track from `check_scores`.
        margin: Largest difference of EM, from 0 to 1, that does not matter; to be declared beforehand.
    """
    rows = primary(scores)
    varied = settings(rows)
    found: list[Table] = []
    for factor in (BASE, *varied):
        sides = _sides(rows, (BASE, *varied))
        ends = factor != BASE and is_scale(rows, factor)
        pairs = list(_pairs(sides, factor, ends=ends))
        found += _tables(sides, pairs, rows, margin)
    return tuple(table for table in found if len(table.frame))


Sides = dict[tuple[str, tuple[tuple[str, str], ...]], pd.DataFrame]
"""(model, design) to its questions, indexed by id, with `em`, `fact` and `subtype`."""


def _sides(rows: pd.DataFrame, factors: tuple[str, ...]) -> Sides:
    texts = rows.assign(**{factor: as_text(rows[factor]) for factor in factors})
    if texts["catalog"].nunique() > 1:
        # Questions about one database stand and fall together.
        texts = texts.assign(fact=texts["catalog"])
    asked = per_question(texts, ["model", *factors, "subtype", "question_id"])
    return {
        (str(key[0]), tuple(zip(factors, map(str, key[1:]), strict=True))): part.set_index("question_id")
        for key, part in asked.groupby(["model", *factors], sort=True)
    }


def _pairs(sides: Sides, factor: str, *, ends: bool) -> Iterator[Pair]:
    for model in in_order("model", [model for model, _ in sides]):
        designs = [dict(design) for owner, design in sides if owner == model]
        ranks = {name: in_order(name, [design[name] for design in designs]) for name in designs[0]}
        designs.sort(key=lambda design: [order.index(design[name]) for name, order in ranks.items()])
        order = ranks[factor]
        found = [pair for pair in combinations(designs, 2) if _comparable(*pair, factor)]
        pairs: list[tuple[Design, Design]] = [
            (a, b) if order.index(a[factor]) < order.index(b[factor]) else (b, a) for a, b in found
        ]
        if ends:
            pairs = _widest(pairs, factor)
        for start, end in pairs:
            yield Pair(model=model, factor=factor, start=start, end=end)


def _widest(pairs: Sequence[tuple[Design, Design]], factor: str) -> list[tuple[Design, Design]]:
    """Return of the pairs that hold the same the one from the smallest to the largest value."""
    groups: dict[tuple[str, ...], list[tuple[Design, Design]]] = {}
    for start, end in pairs:
        held = tuple(value for name, value in start.items() if name != factor)
        groups.setdefault(held, []).append((start, end))

    def span(pair: tuple[Design, Design]) -> float:
        return float(pair[1][factor]) - float(pair[0][factor])

    return [max(group, key=span) for group in groups.values()]


def _comparable(a: Design, b: Design, factor: str) -> bool:
    if a[factor] == b[factor] or NO_VALUE in (a[factor], b[factor]) or ORACLE in (a[BASE], b[BASE]):
        return False
    # A method without a setting is equal to any value of it.
    lacking = {NO_VALUE} if factor == BASE else set()
    return all(a[name] == b[name] or {a[name], b[name]} & lacking for name in a if name != factor)


def _tables(sides: Sides, pairs: list[Pair], rows: pd.DataFrame, margin: float) -> Iterator[Table]:
    if not pairs:
        return
    word = label(pairs[0].factor)
    clustered = "databases" if rows["catalog"].nunique() > 1 else "facts"
    caption = CAPTION.format(clusters=clustered, margin=f"{100 * margin:g}")
    columns = ("model", "with", "from", "to", *NUMBERS)
    name = f"paired_{word.replace(' ', '_')}"
    title = f"Paired differences between {word}s" if word == "method" else f"Paired differences by {word}"
    frame = frame_of(_corrected(_overall(sides, pairs, margin)), columns)
    yield Table(name=name, title=title, caption=caption, frame=frame, limit=SHOWN)
    if len(pairs) <= BY_SUBTYPE_UP_TO and rows["subtype"].nunique() > 1:
        subtypes = subtypes_in_order(rows)
        parts = _corrected(_by_subtype(sides, pairs, subtypes, margin))
        frame = frame_of(parts, ("model", "with", "from", "to", "subtype", *NUMBERS))
        yield Table(name=f"{name}_subtype", title=f"{title}, by subtype", caption=caption, frame=frame)


CAPTION: Final = (
    "EM of the second (to) minus EM of the first (from), in points, on the questions both were asked. "
    "Only from, only to: questions that one alone has right. 95 % paired bootstrap interval over {clusters}; "
    "exact McNemar test, which takes questions for independent; Holm's correction over all rows of this "
    "table. p, equal: two one-sided tests, clustered alike and uncorrected; below 0.05 the two are less than "
    "{margin} points apart, the margin (to be declared before the run). Detectable: smallest true difference "
    "that so many questions show with 80 % power at 5 %, before Holm's correction, clustered alike. Few "
    "clusters: with fewer than 10 {clusters} the interval is too narrow."
)


def _overall(sides: Sides, pairs: list[Pair], margin: float) -> Iterator[dict[str, Any]]:
    for pair in pairs:
        start, end = _both(sides, pair)
        yield from _row(pair.words(), start, end, margin)


def _by_subtype(
    sides: Sides, pairs: list[Pair], subtypes: list[str], margin: float
) -> Iterator[dict[str, Any]]:
    for pair in pairs:
        start, end = _both(sides, pair)
        for name in subtypes:
            words = pair.words() | {"subtype": name}
            yield from _row(words, start[start["subtype"] == name], end[end["subtype"] == name], margin)


def _both(sides: Sides, pair: Pair) -> tuple[pd.DataFrame, pd.DataFrame]:
    start, end = (sides[pair.model, tuple(design.items())] for design in (pair.start, pair.end))
    return start, end


def _row(
    words: dict[str, str], start: pd.DataFrame, end: pd.DataFrame, margin: float
) -> Iterator[dict[str, Any]]:
    """Yield the row of two conditions, none where they share no question."""
    columns = ["em", "fact"]
    found = contrast(start[columns], end[columns], margin=margin)
    if found.pairs:
        yield words | _numbers(found)


def _numbers(found: Contrast) -> dict[str, Any]:
    return {
        "pairs": found.pairs,
        "em_from": found.mean_a,
        "em_to": found.mean_b,
        **found.difference.named("difference"),
        "only_from": found.only_a,
        "only_to": found.only_b,
        "p": found.p,
        "p_equivalent": found.p_equivalent,
        "detectable": found.detectable,
        "caution": f"few clusters ({found.clusters})" if found.few_clusters else "",
    }


def _corrected(rows: Iterator[dict[str, Any]]) -> list[dict[str, Any]]:
    every = list(rows)
    adjusted = holm([row["p"] for row in every])
    return [row | {"p_holm": p} for row, p in zip(every, adjusted, strict=True)]

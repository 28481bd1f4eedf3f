"""Is one model better than another? Paired on question and method, never on two averages."""

from collections.abc import Iterator
from typing import Final

import msgspec
import pandas as pd

from warebench.errors import UserError, did_you_mean
from warebench.report.accuracy import NAN
from warebench.report.conditions import (
    CONDITION,
    FAILED,
    check_scores,
    count_failed,
    in_order,
    per_question,
)
from warebench.report.pairing import Contrast, contrast
from warebench.stats.paired import holm
from warebench.stats.power import minimum_detectable_effect

PAIR: Final = ("track", "question_id", "method")
"""What makes two rows a pair: the same question, obfuscated or not, put by the same method."""
ALL: Final = "all"


class ComparisonRow(msgspec.Struct, frozen=True, kw_only=True):
    """One group of pairs. Shares run from 0 to 1; a number that does not exist is NaN."""

    group: str
    pairs: int
    em_a: float
    em_b: float
    difference: float
    """Mean EM of b minus mean EM of a."""
    low: float
    high: float
    only_a: int
    """Pairs where only a was right (with epochs: right more often)."""
    only_b: int
    p: float
    """Exact two-sided McNemar test."""
    p_holm: float
    """p after Holm's correction over the groups; the overall row is not corrected."""
    significant: bool
    """Whether the corrected p is below alpha."""
    minimum_detectable_effect: float
    """Smallest true difference that these pairs show with 80 % power; NaN when they are too few for any."""
    clusters: int
    """Independent facts among the pairs."""
    few_clusters: bool
    """Too few facts for a bootstrap interval to be trusted."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two models on the same questions: b against a."""

    a: str
    b: str
    by: str
    """Column of the groups, empty when there are none."""
    alpha: float
    overall: ComparisonRow
    groups: tuple[ComparisonRow, ...]
    warnings: tuple[str, ...]

    @property
    def rows(self) -> tuple[ComparisonRow, ...]:
        """The overall row and every group."""
        return (self.overall, *self.groups)


def compare_models(
    scores: pd.DataFrame, a: str, b: str, *, by: str | None = None, alpha: float = 0.05
) -> Comparison:
    """Compare two models question by question.

    Args:
        scores: The score table, one row per (model, method, question, epoch).
        a: First model, the reference.
        b: Second model; differences are b minus a.
        by: Column to group by, for example `subtype` or `method`.
        alpha: Level of the tests; intervals have the level 1 - alpha.

    Returns:
        Difference with its paired bootstrap interval (siblings of one fact resampled together), exact
        McNemar test, Holm's correction over the groups, and the minimum detectable effect.

    Raises:
        UserError: A model or column is unknown, both models are one, or no question was answered by both.
    """
    table = check_scores(scores)
    _check_names(table, a, b, by)
    sides = {model: _side(table[table["model"] == model], by) for model in (a, b)}
    overall = contrast(sides[a], sides[b], level=1 - alpha)
    if overall.pairs == 0:
        raise UserError(
            f"`{a}` and `{b}` share no scored question under one method",
            where="; ".join(_broken(table, a, b)),
            fix="Run both models on the same question set with the same method, then compare.",
        )
    groups = tuple(_grouped(sides[a], sides[b], by, alpha)) if by else ()
    return Comparison(
        a=a,
        b=b,
        by=by or "",
        alpha=alpha,
        overall=_row(ALL, overall, overall.p, alpha),
        groups=groups,
        warnings=tuple(_warnings(table, a, b, overall)),
    )


def _check_names(table: pd.DataFrame, a: str, b: str, by: str | None) -> None:
    models = in_order("model", table["model"])
    for model in (a, b):
        if model not in models:
            raise UserError(
                f"there are no scores of the model `{model}`",
                where=f"score table with {len(models)} models",
                fix=did_you_mean(model, models)
                or "Give a model as `warebench score` shows it, or run it first.",
            )
    if a == b:
        raise UserError(f"`{a}` is compared with itself", fix="Name two different models.")
    if by is not None and by not in table:
        raise UserError(
            f"The score table has no column `{by}`", fix=did_you_mean(by, map(str, table.columns))
        )


def _side(rows: pd.DataFrame, by: str | None) -> pd.DataFrame:
    """Return one model's questions, indexed by what pairs them, with the group of each."""
    questions = per_question(rows, PAIR).set_index(list(PAIR))
    if by is None:
        return questions
    groups = rows.drop_duplicates(list(PAIR)).assign(_group=rows[by].map(str)).set_index(list(PAIR))["_group"]
    return questions.join(groups)


def _grouped(a: pd.DataFrame, b: pd.DataFrame, by: str, alpha: float) -> Iterator[ComparisonRow]:
    names = in_order(by, [*a["_group"], *b["_group"]])
    found = [
        contrast(
            a[a["_group"] == name][["em", "fact"]], b[b["_group"] == name][["em", "fact"]], level=1 - alpha
        )
        for name in names
    ]
    adjusted = holm([each.p for each in found])
    for name, each, p_holm in zip(names, found, adjusted, strict=True):
        yield _row(name, each, p_holm, alpha)


def _row(group: str, found: Contrast, p_holm: float, alpha: float) -> ComparisonRow:
    return ComparisonRow(
        group=group,
        pairs=found.pairs,
        em_a=found.mean_a,
        em_b=found.mean_b,
        difference=found.difference.value,
        low=found.difference.low,
        high=found.difference.high,
        only_a=found.only_a,
        only_b=found.only_b,
        p=found.p,
        p_holm=p_holm,
        significant=p_holm < alpha,
        minimum_detectable_effect=_detectable(found, alpha),
        clusters=found.clusters,
        few_clusters=found.few_clusters,
    )


def _detectable(found: Contrast, alpha: float) -> float:
    """Return the smallest difference these pairs could show; siblings of one fact count once."""
    if found.pairs == 0:
        return NAN
    return minimum_detectable_effect(found.clusters, found.mean_a, alpha=alpha, correlation=found.correlation)


def _broken(table: pd.DataFrame, a: str, b: str) -> Iterator[str]:
    """Yield each condition of the two models in which no answer was judged, with what became of them."""
    rows = table[table["model"].isin([a, b])]
    for (model, method, level), part in rows.groupby(list(CONDITION), sort=True):
        if (part["outcome"] != "verdict").all():
            counts = (
                f"{number} {FAILED[name].replace('_', ' ')}"
                for name, number in count_failed(part).items()
                if number
            )
            named = method if level == "none" else f"{method} ({level} obfuscated)"
            yield f"`{model}` with {named} has no verdict: {', '.join(counts)}."


def _warnings(table: pd.DataFrame, a: str, b: str, overall: Contrast) -> Iterator[str]:
    for model, unpaired in ((a, overall.unpaired_a), (b, overall.unpaired_b)):
        if unpaired:
            yield f"{unpaired} scored questions of `{model}` have no partner and were left out."
    yield from _broken(table, a, b)
    unscored = int((table["model"].isin([a, b]) & (table["outcome"] == "unscored")).sum())
    if unscored:
        yield f"{unscored} unscored answers were left out; a pair needs both."
    if overall.few_clusters:
        yield (
            f"Only {overall.clusters} independent facts stand behind {overall.pairs} pairs: the interval is "
            f"too narrow; trust the exact test."
        )

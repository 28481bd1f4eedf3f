"""Two conditions on the same questions: the difference, its interval and its exact test."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from warebench.report.accuracy import LEVEL, NAN, RESAMPLES, SEED, Span, honest
from warebench.stats.clustered import design_effect, equivalence_test
from warebench.stats.paired import mcnemar_exact, paired_difference
from warebench.stats.power import minimum_detectable_effect

SAME: Final = 0.99
"""Highest correlation of two conditions that a power computation is fed with."""
MARGIN: Final = 0.03
"""Largest difference of EM that does not matter (BudgetSchemaBench, section 5, its preregistered margin)."""


Shares = npt.NDArray[np.float64]
"""Mean EM per question, shape (n,)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Contrast:
    """The paired difference b - a of mean EM. Every number is NaN when no pair was scored."""

    pairs: int
    unpaired_a: int
    unpaired_b: int
    mean_a: float
    mean_b: float
    difference: Span
    """Mean of b - a over pairs, with its paired bootstrap interval."""
    only_a: int
    """Pairs where a did better."""
    only_b: int
    """Pairs where b did better."""
    p: float
    """Exact two-sided McNemar test on the pairs that differ."""
    clusters: int
    """Independent facts among the pairs: siblings share one."""
    few_clusters: bool
    """Too few of them for the interval to be trusted."""
    correlation: float
    """Correlation of the two conditions over pairs, from 0 to 0.99, for a power computation."""
    p_equivalent: float
    """Two one-sided tests of a difference of the margin or more; NaN where all pairs differ alike."""
    detectable: float
    """Smallest true difference such pairs show with 80 % power, clusters heeded; NaN where they show none."""


def contrast(a: pd.DataFrame, b: pd.DataFrame, *, level: float = LEVEL, margin: float = MARGIN) -> Contrast:
    """Compare two conditions question by question.

    Args:
        a: First condition, one row per question, indexed by what pairs them, with `em` and `fact`.
        b: Second condition, alike.
        level: Level of the interval; the power computation tests at 1 - level.
        margin: Largest difference that does not matter, above 0.

    Returns:
        The difference b - a. With several epochs `em` is the question's mean over them, and a pair
        counts as differing when the means do: the exact sign test, which McNemar's is for one epoch.
    """
    both = a.add_suffix("_a").join(b.add_suffix("_b"), how="inner")
    em_a, em_b = both["em_a"].to_numpy(dtype=float), both["em_b"].to_numpy(dtype=float)
    facts = both["fact_a"].tolist()
    got = paired_difference(em_b, em_a, clusters=facts, resamples=RESAMPLES, level=level, seed=SEED)
    only_a, only_b = int((em_a > em_b).sum()), int((em_b > em_a).sum())
    empty = len(both) == 0
    return Contrast(
        pairs=len(both),
        unpaired_a=len(a) - len(both),
        unpaired_b=len(b) - len(both),
        mean_a=NAN if empty else float(em_a.mean()),
        mean_b=NAN if empty else float(em_b.mean()),
        difference=honest(got),
        only_a=only_a,
        only_b=only_b,
        p=NAN if empty else mcnemar_exact(only_a, only_b),
        clusters=got.clusters,
        few_clusters=got.few_clusters,
        correlation=_correlation(em_a, em_b),
        p_equivalent=_p_equivalent(em_a, em_b, facts, margin),
        detectable=_detectable(em_a, em_b, facts, 1 - level),
    )


def _p_equivalent(em_a: Shares, em_b: Shares, facts: list[str], margin: float) -> float:
    """Return the p value of equivalence; NaN where no pair differs from another: that is no certainty."""
    if len(em_a) == 0 or np.ptp(em_b - em_a) == 0:
        return NAN
    return equivalence_test(em_b, em_a, margin=margin, clusters=facts).p


def _detectable(em_a: Shares, em_b: Shares, facts: list[str], alpha: float) -> float:
    if len(set(facts)) < 2:
        return NAN
    effect = design_effect(em_b - em_a, facts)
    return minimum_detectable_effect(
        len(em_a),
        float(em_a.mean()),
        alpha=alpha,
        correlation=_correlation(em_a, em_b),
        # Clusters that happen to be more alike than chance are not worth more questions.
        design_effect=1.0 if np.isnan(effect) else max(1.0, effect),
    )


def _correlation(em_a: Shares, em_b: Shares) -> float:
    """Return how far two conditions agree; 0 where one of them never changes."""
    if len(em_a) < 2 or np.ptp(em_a) == 0 or np.ptp(em_b) == 0:
        return 0.0
    return float(np.clip(np.corrcoef(em_a, em_b)[0, 1], 0.0, SAME))

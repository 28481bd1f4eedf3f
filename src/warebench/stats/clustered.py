"""Paired tests that stay valid when questions come in clusters, such as those about one database."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from warebench.stats.intervals import FEW_CLUSTERS, Interval, Labels, Numbers, cluster_totals
from warebench.stats.paired import differences


@dataclass(frozen=True, kw_only=True, slots=True)
class PairedTest:
    """A mean difference, with the test of its being zero."""

    difference: Interval
    standard_error: float
    p: float
    """Two-sided; NaN where fewer than two clusters leave nothing to test with."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Equivalence:
    """Whether two conditions are as good as each other, up to a margin."""

    difference: Interval
    """At level 1 - 2 alpha: it lies within the margin exactly when the conditions are equivalent."""
    margin: float
    p_not_worse: float
    """Of the difference being -margin or less; small: the first condition is not worse."""
    p_not_better: float
    """Of the difference being margin or more."""
    p: float
    """The larger of the two: of the difference being margin or more in either direction."""
    equivalent: bool


def paired_t_test(
    a: Numbers, b: Numbers, *, clusters: Labels | None = None, level: float = 0.95
) -> PairedTest:
    """Return mean(a) - mean(b) on the same questions with the cluster-robust t-test.

    Beside the bootstrap of `paired_difference` this gives p-values for `holm`, and its interval, with the
    quantiles of t for clusters - 1 degrees of freedom, is wide enough for few clusters of like size.

    Args:
        a: One finite number per question, shape (n,).
        b: The other condition's numbers, same questions in the same order.
        clusters: One label per question. None: each question is its own cluster, the usual paired t-test.
        level: Confidence level, in (0, 1).

    Raises:
        ValueError: For unequal lengths, values that are not finite, or a level out of range.

    Reference:
        Liang and Zeger, Biometrika 73 (1986) 13-22; factor G / (G - 1) and t with G - 1 degrees of
        freedom: Cameron and Miller, Journal of Human Resources 50 (2015) 317-372, section VI.
    """
    if not 0 < level < 1:
        raise ValueError(f"no interval at level {level}")
    moments = _moments(differences(a, b), clusters)
    p = 2 * _tail(abs(moments.mean), moments)
    return PairedTest(
        difference=_interval(moments, level),
        standard_error=moments.standard_error,
        p=min(1.0, p) if not math.isnan(p) else p,
    )


def equivalence_test(
    a: Numbers, b: Numbers, *, margin: float, clusters: Labels | None = None, alpha: float = 0.05
) -> Equivalence:
    """Test whether two conditions differ by less than a margin (two one-sided tests, TOST).

    That a difference is not significant does not show that there is none; this test can.

    Args:
        a: One finite number per question, shape (n,).
        b: The other condition's numbers, same questions in the same order.
        margin: Largest difference that does not matter, in the unit of the numbers, above 0. To be
            declared before the numbers are seen.
        clusters: One label per question; None: each question is its own cluster.
        alpha: Significance level of either one-sided test, in (0, 0.5).

    Raises:
        ValueError: For unequal lengths, values that are not finite, or parameters out of range.

    Reference:
        Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15 (1987) 657-680. Variance as in
        `paired_t_test`.
    """
    if not 0 < margin < math.inf or not 0 < alpha < 0.5:
        raise ValueError(f"no equivalence test with margin {margin} at alpha {alpha}")
    moments = _moments(differences(a, b), clusters)
    not_worse, not_better = _tail(moments.mean + margin, moments), _tail(margin - moments.mean, moments)
    p = max(not_worse, not_better)
    return Equivalence(
        difference=_interval(moments, 1 - 2 * alpha),
        margin=margin,
        p_not_worse=not_worse,
        p_not_better=not_better,
        p=p,
        equivalent=p <= alpha,
    )


def design_effect(values: Numbers, clusters: Labels) -> float:
    """Return by how much clusters inflate the variance of a mean: n questions are worth n / effect.

    Args:
        values: One finite number per question, shape (n,), such as paired differences.
        clusters: One label per question.

    Returns:
        Cluster-robust variance over that of independent questions; below 1 where clusters are more
        alike than chance. NaN where nothing varies or there are fewer than two clusters.

    Reference:
        Kish, Survey Sampling (1965), section 5.4; as an estimate, Moulton (1990), Review of Economics and
        Statistics 72, 334-338.
    """
    alone, grouped = _moments(values, None), _moments(values, clusters)
    if not alone.standard_error > 0:
        return math.nan
    return (grouped.standard_error / alone.standard_error) ** 2


class _Moments(NamedTuple):
    mean: float
    standard_error: float
    n: int
    clusters: int


def _moments(values: Numbers, clusters: Labels | None) -> _Moments:
    data: npt.NDArray[np.float64] = np.asarray(values, dtype=np.float64)
    totals, sizes = cluster_totals(data, clusters)
    n, count = data.size, totals.size
    if count < 2:
        return _Moments(float(data.mean()) if n else math.nan, math.nan, n, count)
    residuals = totals - sizes * data.mean()
    variance = count / (count - 1) * float(residuals @ residuals) / n**2
    return _Moments(float(data.mean()), math.sqrt(variance), n, count)


def _tail(distance: float, moments: _Moments) -> float:
    """Return the probability of a mean this far above a bound, were the truth the bound itself."""
    if math.isnan(moments.standard_error):
        return math.nan
    if moments.standard_error == 0:
        # Nothing varies: the mean is what it is.
        return 0.0 if distance > 0 else (1.0 if distance < 0 else 0.5)
    return float(stats.t.sf(distance / moments.standard_error, moments.clusters - 1))


def _interval(moments: _Moments, level: float) -> Interval:
    reach = float(stats.t.ppf((1 + level) / 2, max(1, moments.clusters - 1))) * moments.standard_error
    return Interval(
        estimate=moments.mean,
        low=moments.mean - reach,
        high=moments.mean + reach,
        n=moments.n,
        clusters=moments.clusters,
        few_clusters=moments.clusters < FEW_CLUSTERS,
    )

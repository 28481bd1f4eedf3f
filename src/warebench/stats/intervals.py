"""Confidence intervals of means, macro means and proportions."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy import stats

Numbers = Sequence[float] | npt.NDArray[np.generic]
"""One number per question, shape (n,)."""

Labels = Sequence[Hashable]
"""One label per question, shape (n,); equal labels belong together."""

FEW_CLUSTERS = 10
"""Below this many resampled units a bootstrap interval is too narrow to be trusted."""

_CHUNK = 4_000_000
"""Draws held in memory at a time; 4 million are about 100 MB."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Interval:
    """An estimate with its confidence limits; all three are NaN when there was nothing to estimate."""

    estimate: float
    low: float
    high: float
    n: int
    """Values it was estimated from."""
    clusters: int
    """Units that were resampled: clusters where given, else values."""
    few_clusters: bool
    """True below `FEW_CLUSTERS` units: print the interval with a warning."""


def bootstrap_mean(
    values: Numbers,
    *,
    clusters: Labels | None = None,
    resamples: int = 2000,
    level: float = 0.95,
    seed: int,
) -> Interval:
    """Return the mean with its percentile bootstrap interval.

    Args:
        values: One finite number per question, shape (n,).
        clusters: One label per question; questions of one cluster are drawn together, since they
            are not independent. None: each question is its own cluster.
        resamples: Bootstrap samples.
        level: Confidence level, in (0, 1).
        seed: Seed of the draws; equal inputs and seed give equal limits.

    Raises:
        ValueError: For unequal lengths, values that are not finite, or parameters out of range.

    Complexity:
        O(n * resamples) time; memory is bounded for any n.

    Reference:
        DW-Bench, Appendix E (95 %, 2,000 resamples over questions). Efron and Tibshirani, An
        Introduction to the Bootstrap (1993), chapters 8.3 (clusters) and 13.3 (percentile).
    """
    data = _checked(values, resamples, level)
    totals, sizes = cluster_totals(data, clusters)
    means = _resampled_means(totals, sizes, resamples, np.random.default_rng(seed))
    estimate = float(data.mean()) if data.size else float("nan")
    return _interval(estimate, means, level, data.size, totals.size)


def bootstrap_macro(
    values: Numbers,
    groups: Labels,
    *,
    clusters: Labels | None = None,
    resamples: int = 2000,
    level: float = 0.95,
    seed: int,
) -> Interval:
    """Return the mean of the group means with its percentile bootstrap interval.

    Questions are drawn within their group (stratified), so every group keeps its size and weight.

    Args:
        values: One finite number per question, shape (n,).
        groups: One label per question, such as its subtype.
        clusters: One label per question; questions of one cluster and group are drawn together. A
            cluster that lies in several groups is drawn in each on its own. None: each question is
            its own cluster.
        resamples: Bootstrap samples.
        level: Confidence level, in (0, 1).
        seed: Seed of the draws.

    Returns:
        The interval; `few_clusters` is set where the smallest group has too few clusters, and
        `clusters` counts the units drawn in all groups.

    Raises:
        ValueError: For unequal lengths, values that are not finite, or parameters out of range.

    Reference:
        DW-Bench, section 5.1 (Macro-EM) and Appendix E. Davison and Hinkley, Bootstrap Methods and
        their Application (1997), section 3.2 (several samples).
    """
    data = _checked(values, resamples, level)
    codes, count = _coded(groups, data.size)
    rng = np.random.default_rng(seed)
    means = np.zeros(resamples)
    units = _coded(range(data.size) if clusters is None else clusters, data.size)[0]
    estimates, drawn = [], []
    for code in range(count):
        inside = codes == code
        totals, sizes = cluster_totals(data[inside], units[inside].tolist())
        means += _resampled_means(totals, sizes, resamples, rng) / count
        estimates.append(data[inside].mean())
        drawn.append(totals.size)
    estimate = float(np.mean(estimates)) if estimates else float("nan")
    interval = _interval(estimate, means if count else np.full(1, np.nan), level, data.size, sum(drawn))
    return replace(interval, few_clusters=min(drawn, default=0) < FEW_CLUSTERS)


def wilson(successes: int, n: int, level: float = 0.95) -> Interval:
    """Return a proportion with its Wilson score interval, without continuity correction.

    Args:
        successes: Right answers, 0 to n.
        n: Questions; 0 gives NaN.
        level: Confidence level, in (0, 1).

    Raises:
        ValueError: For counts or a level out of range.

    Reference:
        Wilson, JASA 22 (1927) 209-212; recommended by Brown, Cai and DasGupta, Statistical Science
        16 (2001) 101-133.
    """
    if not 0 <= successes <= n or not 0 < level < 1:
        raise ValueError(f"no proportion: {successes} of {n} at level {level}")
    if n == 0:
        return _interval(float("nan"), np.full(1, np.nan), level, 0, 0)
    limits = stats.binomtest(successes, n).proportion_ci(level, method="wilson")
    return Interval(
        estimate=successes / n,
        low=float(limits.low),
        high=float(limits.high),
        n=n,
        clusters=n,
        # The score interval is made for small samples: no warning belongs here.
        few_clusters=False,
    )


def _checked(values: Numbers, resamples: int, level: float) -> npt.NDArray[np.float64]:
    data = np.asarray(values, dtype=np.float64)
    if data.ndim != 1 or not np.isfinite(data).all():
        raise ValueError("values must be finite numbers in one dimension")
    if resamples < 1 or not 0 < level < 1:
        raise ValueError(f"no interval from {resamples} resamples at level {level}")
    return data


def _coded(labels: Labels, n: int) -> tuple[npt.NDArray[np.intp], int]:
    """Return the labels as 0, 1, ... in order of appearance, and how many there are."""
    if len(labels) != n:
        raise ValueError(f"{n} values with {len(labels)} labels")
    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    return np.fromiter((numbers[label] for label in labels), dtype=np.intp, count=n), len(numbers)


def cluster_totals(
    data: npt.NDArray[np.float64], clusters: Labels | None
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the sum and the size of each cluster, in order of appearance, shapes (clusters,)."""
    if clusters is None:
        return data, np.ones(data.size)
    codes, count = _coded(clusters, data.size)
    totals = np.bincount(codes, weights=data, minlength=count).astype(np.float64)
    return totals, np.bincount(codes, minlength=count).astype(np.float64)


def _resampled_means(
    totals: npt.NDArray[np.float64],
    sizes: npt.NDArray[np.float64],
    resamples: int,
    rng: np.random.Generator,
) -> npt.NDArray[np.float64]:
    units = totals.size
    if units == 0:
        return np.full(resamples, np.nan)
    means = np.empty(resamples)
    rows = max(1, _CHUNK // units)
    equal = bool((sizes == sizes[0]).all())
    for start in range(0, resamples, rows):
        stop = min(start + rows, resamples)
        drawn = rng.integers(0, units, size=(stop - start, units), dtype=np.int32)
        # Equal sizes need no second look-up, which halves the time of the common case.
        weight = units * sizes[0] if equal else sizes[drawn].sum(axis=1)
        means[start:stop] = totals[drawn].sum(axis=1) / weight
    return means


def _interval(
    estimate: float, means: npt.NDArray[np.float64], level: float, n: int, clusters: int
) -> Interval:
    low, high = np.quantile(means, ((1 - level) / 2, (1 + level) / 2))
    return Interval(
        estimate=estimate,
        low=float(low),
        high=float(high),
        n=n,
        clusters=clusters,
        few_clusters=clusters < FEW_CLUSTERS,
    )

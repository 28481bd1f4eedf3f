"""Two conditions on the same questions: differences, tests, many tests."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import stats

from warebench.stats.intervals import Interval, Labels, Numbers, bootstrap_mean


def paired_difference(
    a: Numbers,
    b: Numbers,
    *,
    clusters: Labels | None = None,
    resamples: int = 2000,
    level: float = 0.95,
    seed: int,
) -> Interval:
    """Return mean(a) - mean(b) on the same questions, with its percentile bootstrap interval.

    Args:
        a: One finite number per question, shape (n,).
        b: The other condition's numbers, same questions in the same order.
        clusters: One label per question; questions of one cluster are drawn together.
        resamples: Bootstrap samples of the n differences.
        level: Confidence level, in (0, 1).
        seed: Seed of the draws.

    Raises:
        ValueError: For unequal lengths, values that are not finite, or parameters out of range.

    Reference:
        Miller, Adding Error Bars to Evals (arXiv 2411.00640), section 4.2 (paired differences).
    """
    paired = differences(a, b)
    return bootstrap_mean(paired, clusters=clusters, resamples=resamples, level=level, seed=seed)


def differences(a: Numbers, b: Numbers) -> npt.NDArray[np.float64]:
    """Return a - b question by question, shape (n,).

    Raises:
        ValueError: For unequal lengths or values that are not finite.
    """
    if len(a) != len(b):
        raise ValueError(f"{len(a)} values cannot be paired with {len(b)}")
    found = np.asarray(a, dtype=np.float64) - np.asarray(b, dtype=np.float64)
    if found.ndim != 1 or not np.isfinite(found).all():
        raise ValueError("values must be finite numbers in one dimension")
    return found


def mcnemar_exact(b: int, c: int) -> float:
    """Return the two-sided exact p-value of McNemar's test.

    Args:
        b: Questions only the first condition has right.
        c: Questions only the second has right.

    Returns:
        The probability, under equal odds, of a split of the b + c discordant questions at least as
        uneven as this one; 1 where there are none.

    Raises:
        ValueError: For a negative count.

    Reference:
        McNemar, Psychometrika 12 (1947) 153-157.
    """
    if b < 0 or c < 0:
        raise ValueError(f"counts cannot be negative: {b}, {c}")
    return float(stats.binomtest(b, b + c).pvalue) if b + c else 1.0


def holm(pvalues: Sequence[float]) -> tuple[float, ...]:
    """Return p-values adjusted so that one threshold bounds the chance of any false alarm.

    Args:
        pvalues: P-values of one family of tests. NaN (no test was possible) stays NaN and does not
            count.

    Returns:
        Adjusted p-values in the order given, none smaller than its own.

    Raises:
        ValueError: For a value outside [0, 1].

    Reference:
        Holm, Scandinavian Journal of Statistics 6 (1979) 65-70.
    """
    if any(not 0 <= p <= 1 for p in pvalues if not math.isnan(p)):
        raise ValueError("a p-value lies in [0, 1]")
    tested = sorted((p, at) for at, p in enumerate(pvalues) if not math.isnan(p))
    adjusted = list(pvalues)
    highest = 0.0
    for rank, (p, at) in enumerate(tested):
        highest = max(highest, min(1.0, p * (len(tested) - rank)))
        adjusted[at] = highest
    return tuple(adjusted)

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from warebench.stats.paired import holm, mcnemar_exact, paired_difference


def test_difference_uses_the_pairing() -> None:
    rng = np.random.default_rng(0)
    hard = rng.random(300)
    a, b = (hard < 0.6).astype(float), (hard < 0.5).astype(float)
    ours = paired_difference(a, b, resamples=10_000, seed=0)
    theirs = stats.bootstrap(
        (a, b),
        lambda x, y, axis: (x - y).mean(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=10_000,
        method="percentile",
        rng=rng,
    ).confidence_interval
    assert ours.estimate == pytest.approx(a.mean() - b.mean())
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.008)
    # Without the pairing the interval would hold zero.
    assert ours.low > 0.05


def test_difference_of_equals_is_zero_without_width() -> None:
    same = paired_difference([1.0, 0.0] * 10, [1.0, 0.0] * 10, seed=0)
    assert (same.estimate, same.low, same.high, same.n) == (0, 0, 0, 20)


def test_difference_passes_clusters_on() -> None:
    found = paired_difference([1.0] * 20, [0.0] * 20, clusters=["x", "y"] * 10, seed=0)
    assert (found.estimate, found.clusters, found.few_clusters) == (1, 2, True)


def test_difference_of_nothing_is_nan() -> None:
    assert math.isnan(paired_difference([], [], seed=0).estimate)


def test_unequal_lengths_cannot_be_paired() -> None:
    with pytest.raises(ValueError, match="paired"):
        paired_difference([1.0], [1.0, 0.0], seed=0)


@pytest.mark.parametrize(("b", "c"), [(0, 5), (5, 0), (8, 2), (10, 10), (121, 59), (1, 0)])
def test_mcnemar_agrees_with_statsmodels(b: int, c: int) -> None:
    assert mcnemar_exact(b, c) == pytest.approx(mcnemar([[10, b], [c, 10]], exact=True).pvalue)


def test_mcnemar_by_hand() -> None:
    # Six to nil: two of the 64 equally likely splits.
    assert mcnemar_exact(6, 0) == pytest.approx(2 / 64)
    assert mcnemar_exact(0, 0) == 1
    with pytest.raises(ValueError, match="negative"):
        mcnemar_exact(-1, 3)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([]) == ()


@pytest.mark.parametrize("seed", range(20))
def test_holm_agrees_with_statsmodels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    # Rounded, so that there are ties; raised, so that some are small.
    pvalues = (rng.random(seed + 1).round(2) ** (1 + seed % 3)).tolist()
    assert holm(pvalues) == pytest.approx(tuple(multipletests(pvalues, method="holm")[1]))


def test_holm_leaves_tests_that_were_impossible() -> None:
    adjusted = holm([0.01, math.nan, 0.04])
    assert (adjusted[0], adjusted[2]) == pytest.approx((0.02, 0.04))
    assert math.isnan(adjusted[1])


def test_holm_refuses_what_is_no_probability() -> None:
    with pytest.raises(ValueError, match="p-value"):
        holm([0.5, 1.5])

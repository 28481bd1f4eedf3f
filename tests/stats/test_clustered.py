import math

import numpy as np
import numpy.typing as npt
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.weightstats import ttost_paired

from warebench.stats.clustered import design_effect, equivalence_test, paired_t_test
from warebench.stats.paired import paired_difference
from warebench.stats.power import minimum_detectable_effect

Floats = npt.NDArray[np.float64]


def two_conditions(seed: int, clusters: int = 12, shift: float = 0.05) -> tuple[Floats, Floats, list[str]]:
    """Return verdicts of two conditions on questions about databases of unequal size."""
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(clusters), rng.integers(1, 30, clusters))
    hard = rng.normal(size=clusters)[labels]
    swing = rng.normal(size=clusters)[labels]
    a = (rng.normal(size=labels.size) + hard + 0.5 * swing + shift > 0).astype(float)
    b = (rng.normal(size=labels.size) + hard - 0.5 * swing > 0).astype(float)
    return a, b, [f"db{label}" for label in labels]


@pytest.mark.parametrize("seed", range(8))
def test_it_is_the_cluster_robust_regression_of_statsmodels(seed: int) -> None:
    a, b, labels = two_conditions(seed)
    codes = np.unique(labels, return_inverse=True)[1]
    theirs = sm.OLS(a - b, np.ones(a.size)).fit(cov_type="cluster", cov_kwds={"groups": codes}, use_t=True)
    ours = paired_t_test(a, b, clusters=labels, level=0.9)
    assert ours.standard_error == pytest.approx(float(theirs.bse[0]))
    assert ours.p == pytest.approx(float(theirs.pvalues[0]))
    assert (ours.difference.low, ours.difference.high) == pytest.approx(tuple(theirs.conf_int(0.1)[0]))
    assert (ours.difference.n, ours.difference.clusters) == (a.size, 12)


@pytest.mark.parametrize("seed", range(8))
def test_without_clusters_it_is_the_paired_t_test(seed: int) -> None:
    a, b, _ = two_conditions(seed)
    theirs = stats.ttest_rel(a, b)
    ours = paired_t_test(a, b)
    assert ours.p == pytest.approx(float(theirs.pvalue))
    limits = theirs.confidence_interval(0.95)
    assert (ours.difference.low, ours.difference.high) == pytest.approx((limits.low, limits.high))


@pytest.mark.parametrize("margin", [0.02, 0.1, 0.3])
@pytest.mark.parametrize("seed", range(4))
def test_equivalence_agrees_with_statsmodels(seed: int, margin: float) -> None:
    a, b, _ = two_conditions(seed)
    p, lower, upper = ttost_paired(a, b, -margin, margin)
    ours = equivalence_test(a, b, margin=margin)
    assert (ours.p, ours.p_not_worse, ours.p_not_better) == pytest.approx((p, lower[1], upper[1]))


@pytest.mark.parametrize("margin", [0.05, 0.15, 0.4])
@pytest.mark.parametrize("seed", range(6))
def test_equivalent_means_the_interval_is_within_the_margin(seed: int, margin: float) -> None:
    a, b, labels = two_conditions(seed, shift=0.0)
    found = equivalence_test(a, b, margin=margin, clusters=labels, alpha=0.05)
    assert found.equivalent == (-margin < found.difference.low and found.difference.high < margin)
    assert found.p == max(found.p_not_worse, found.p_not_better)


def test_both_outcomes_occur() -> None:
    a, b, labels = two_conditions(0, clusters=40, shift=0.0)
    assert equivalence_test(a, b, margin=0.5, clusters=labels).equivalent
    assert not equivalence_test(a, b, margin=0.01, clusters=labels).equivalent
    assert equivalence_test(a + 0.2, b, margin=0.25, clusters=labels).p_not_worse < 1e-6


def test_few_clusters_keep_the_level_where_the_naive_test_does_not() -> None:
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(8), 15).tolist()
    clustered = naive = 0
    for _ in range(800):
        difference = np.repeat(rng.normal(size=8), 15) + rng.normal(size=120)
        zeros = np.zeros(120)
        clustered += paired_t_test(difference, zeros, clusters=labels).p < 0.05
        naive += paired_t_test(difference, zeros).p < 0.05
    assert clustered / 800 == pytest.approx(0.05, abs=0.025)
    assert naive / 800 > 0.3


def test_a_bound_at_the_margin_is_rejected_no_more_than_alpha() -> None:
    rng = np.random.default_rng(1)
    labels = np.repeat(np.arange(10), 8).tolist()
    found = 0
    for _ in range(800):
        difference = 0.2 + np.repeat(rng.normal(scale=0.1, size=10), 8) + rng.normal(scale=0.2, size=80)
        found += equivalence_test(difference, np.zeros(80), margin=0.2, clusters=labels).equivalent
    assert found / 800 == pytest.approx(0.05, abs=0.025)


def test_it_agrees_with_the_bootstrap_where_clusters_are_many() -> None:
    a, b, labels = two_conditions(3, clusters=300)
    ours = paired_t_test(a, b, clusters=labels).difference
    drawn = paired_difference(a, b, clusters=labels, resamples=10_000, seed=0)
    assert (ours.estimate, ours.clusters) == (pytest.approx(drawn.estimate), drawn.clusters)
    assert (ours.low, ours.high) == pytest.approx((drawn.low, drawn.high), abs=0.004)


@pytest.mark.parametrize(
    ("a", "b", "p", "equivalent"),
    [
        # Nothing varies: the difference is what it is.
        ([1.0, 1.0], [1.0, 1.0], 1.0, True),
        ([1.0, 1.0], [0.0, 0.0], 0.0, False),
        ([1.0, 1.0], [0.75, 0.75], 0.0, False),
        # One question or none leaves nothing to test with.
        ([1.0], [0.0], math.nan, False),
        ([], [], math.nan, False),
    ],
)
def test_degenerate_samples(a: list[float], b: list[float], p: float, equivalent: bool) -> None:
    assert paired_t_test(a, b).p == pytest.approx(p, nan_ok=True)
    found = equivalence_test(a, b, margin=0.25)
    assert found.equivalent is equivalent
    assert math.isnan(found.p) == math.isnan(p)


def test_one_cluster_is_no_sample() -> None:
    found = paired_t_test([1.0, 0.0, 1.0], [0.0, 0.0, 0.0], clusters=["x"] * 3)
    assert math.isnan(found.p)
    assert found.difference.few_clusters
    assert found.difference.estimate == pytest.approx(2 / 3)


def test_design_effect_of_equal_answers_is_the_size_of_the_clusters() -> None:
    means = np.random.default_rng(0).normal(size=200)
    values, labels = np.repeat(means, 5), np.repeat(np.arange(200), 5).tolist()
    assert design_effect(values, labels) == pytest.approx(5, rel=0.01)
    assert design_effect(values, list(range(1000))) == pytest.approx(1)
    assert math.isnan(design_effect([1.0, 1.0], ["x", "y"]))
    assert math.isnan(design_effect([1.0, 0.0], ["x", "x"]))


def test_the_detectable_effect_has_its_power_under_clusters() -> None:
    # Whole databases of ten equal verdicts: the design effect is ten.
    size, databases, p, correlation = 10, 300, 0.5, 0.4
    effect = minimum_detectable_effect(size * databases, p, correlation=correlation, design_effect=size)
    other = p + effect
    shared = correlation * math.sqrt(p * (1 - p) * other * (1 - other))
    only_a, only_b = p * (1 - other) - shared, other * (1 - p) - shared
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(databases), size).tolist()
    found = 0
    for _ in range(400):
        split = rng.choice([1.0, -1.0, 0.0], size=databases, p=[only_a, only_b, 1 - only_a - only_b])
        found += paired_t_test(np.repeat(split, size), np.zeros(size * databases), clusters=labels).p < 0.05
    assert found / 400 == pytest.approx(0.8, abs=0.06)


@pytest.mark.parametrize(
    ("margin", "alpha"), [(0.0, 0.05), (-0.1, 0.05), (math.inf, 0.05), (0.1, 0.5), (0.1, 0.0)]
)
def test_nonsense_is_refused(margin: float, alpha: float) -> None:
    with pytest.raises(ValueError, match="equivalence test"):
        equivalence_test([1.0], [0.0], margin=margin, alpha=alpha)


def test_bad_values_are_refused() -> None:
    with pytest.raises(ValueError, match="paired"):
        paired_t_test([1.0], [1.0, 0.0])
    with pytest.raises(ValueError, match="finite"):
        paired_t_test([math.nan], [0.0])
    with pytest.raises(ValueError, match="level"):
        paired_t_test([1.0], [0.0], level=1.0)
    with pytest.raises(ValueError, match="labels"):
        paired_t_test([1.0], [0.0], clusters=["x", "y"])

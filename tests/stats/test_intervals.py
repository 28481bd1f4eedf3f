import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from warebench.stats import intervals
from warebench.stats.intervals import Interval, bootstrap_macro, bootstrap_mean, wilson

RIGHT = [1.0] * 30 + [0.0] * 70


def test_limits_agree_with_scipy() -> None:
    values = np.random.default_rng(0).gamma(2.0, size=80)
    ours = bootstrap_mean(values, resamples=20_000, seed=1)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(2)
    ).confidence_interval
    assert ours.estimate == pytest.approx(values.mean())
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.02)


def test_limits_of_a_proportion_are_binomial_quantiles() -> None:
    # The bootstrap distribution of a mean of 0 and 1 is exactly Binomial(n, p) / n.
    ours = bootstrap_mean(RIGHT, resamples=50_000, seed=0)
    exact = stats.binom.ppf([0.025, 0.975], 100, 0.3) / 100
    assert (ours.low, ours.high) == pytest.approx(tuple(exact), abs=0.0101)


def test_a_level_widens_the_interval() -> None:
    widths = [(i := bootstrap_mean(RIGHT, level=level, seed=0)).high - i.low for level in (0.5, 0.9, 0.99)]
    assert widths == sorted(set(widths))


def test_clusters_widen_the_interval_by_the_design_effect() -> None:
    # Ten equal answers a cluster: the standard error is that of the 40 cluster means.
    means = np.random.default_rng(3).normal(size=40)
    values, clusters = np.repeat(means, 10), np.repeat(np.arange(40), 10).tolist()
    clustered = bootstrap_mean(values, clusters=clusters, resamples=10_000, seed=0)
    alone = bootstrap_mean(values, resamples=10_000, seed=0)
    ratio = (clustered.high - clustered.low) / (alone.high - alone.low)
    assert ratio == pytest.approx(math.sqrt(10), rel=0.06)
    assert clustered.estimate == alone.estimate
    assert (clustered.n, clustered.clusters, alone.clusters) == (400, 40, 400)


def test_unequal_clusters_are_drawn_whole() -> None:
    values, clusters = [0.0, 1.0, 1.0, 1.0], ["a", "b", "b", "b"]
    ours = bootstrap_mean(values, clusters=clusters, resamples=20_000, level=0.4, seed=0)
    # Drawn pairs are aa, ab, ba, bb: the mean is 0, 3/4, 3/4, 1 with probability 1/4 each.
    assert (ours.estimate, ours.low, ours.high) == (0.75, 0.75, 0.75)
    assert bootstrap_mean(values, clusters=clusters, resamples=20_000, level=0.6, seed=0).low == 0


def test_singleton_clusters_change_nothing() -> None:
    plain = bootstrap_mean(RIGHT, seed=4)
    assert bootstrap_mean(RIGHT, clusters=[("q", n) for n in range(100)], seed=4) == plain


@pytest.mark.parametrize(("count", "few"), [(9, True), (10, False)])
def test_few_clusters_are_flagged(count: int, few: bool) -> None:
    labels = [n % count for n in range(100)]
    assert bootstrap_mean(RIGHT, clusters=labels, seed=0).few_clusters is few
    assert bootstrap_mean(RIGHT[:count], seed=0).few_clusters is few
    assert bootstrap_macro(RIGHT, [n >= count for n in range(100)], seed=0).few_clusters is few


def test_macro_is_the_mean_of_group_means() -> None:
    values = [1.0, 1.0, 0.0, 1.0] + [0.0] * 96
    groups = ["a"] * 4 + ["b"] * 96
    macro = bootstrap_macro(values, groups, resamples=20_000, seed=0)
    assert macro.estimate == pytest.approx(0.375)
    # Group b never varies, so the limits are those of group a, halved.
    alone = bootstrap_mean(values[:4], resamples=20_000, seed=1)
    assert (macro.low, macro.high) == pytest.approx((alone.low / 2, alone.high / 2))
    assert (macro.n, macro.clusters) == (100, 100)


def test_macro_of_equal_groups_has_the_stratified_variance() -> None:
    values = np.concatenate([np.random.default_rng(5).normal(at, 1, size=200) for at in (0, 100)])
    groups = [0] * 200 + [1] * 200
    macro = bootstrap_macro(values, groups, resamples=10_000, seed=0)
    error = math.sqrt(values[:200].var() / 200 + values[200:].var() / 200) / 2
    assert (macro.high - macro.low) / 2 == pytest.approx(1.96 * error, rel=0.05)


def test_macro_draws_the_clusters_of_a_group_whole() -> None:
    # Two facts with 20 questions each, in each of two groups: the mean of a group is that of two facts.
    facts = np.repeat([0.0, 1.0, 0.0, 1.0], 20)
    labels = np.repeat(["a", "b", "c", "d"], 20).tolist()
    groups = [0] * 40 + [1] * 40
    macro = bootstrap_macro(facts, groups, clusters=labels, resamples=20_000, level=0.8, seed=0)
    alone = bootstrap_macro(facts, groups, resamples=20_000, level=0.8, seed=0)
    # A group's mean is 0, 1/2 or 1 with probability 1/4, 1/2, 1/4; that of two is 0 in 1 of 16 draws,
    # 1/4 or less in 5 of 16.
    assert (macro.estimate, macro.low, macro.high) == (0.5, 0.25, 0.75)
    assert alone.high - alone.low < 0.2
    assert (macro.n, macro.clusters, macro.few_clusters) == (80, 4, True)
    assert (alone.clusters, alone.few_clusters) == (80, False)


def test_a_cluster_in_two_groups_is_drawn_in_each() -> None:
    values, groups = [0.0, 1.0] * 20, [0] * 20 + [1] * 20
    shared = bootstrap_macro(values, groups, clusters=[0, 1] * 20, seed=0)
    apart = bootstrap_macro(values, groups, clusters=[0, 1] * 10 + [2, 3] * 10, seed=0)
    assert shared == apart
    assert shared.clusters == 4


def test_singleton_clusters_change_no_macro() -> None:
    groups = [n % 3 for n in range(100)]
    plain = bootstrap_macro(RIGHT, groups, seed=4)
    assert bootstrap_macro(RIGHT, groups, clusters=[("q", n) for n in range(100)], seed=4) == plain


@pytest.mark.parametrize(("count", "few"), [(9, True), (10, False)])
def test_few_clusters_of_the_smallest_group_are_flagged(count: int, few: bool) -> None:
    labels = [n % count if n < 50 else n for n in range(100)]
    found = bootstrap_macro(RIGHT, [n < 50 for n in range(100)], clusters=labels, seed=0)
    assert found.few_clusters is few


def test_nothing_gives_nan_and_never_zero() -> None:
    for empty in (bootstrap_mean([], seed=0), bootstrap_macro([], [], seed=0), wilson(0, 0)):
        assert all(math.isnan(number) for number in (empty.estimate, empty.low, empty.high))
        assert (empty.n, empty.clusters) == (0, 0)


@pytest.mark.parametrize(("successes", "n"), [(0, 10), (10, 10), (3, 10), (517, 1046), (1, 1)])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_wilson_agrees_with_statsmodels(successes: int, n: int, level: float) -> None:
    ours = wilson(successes, n, level)
    theirs = proportion_confint(successes, n, alpha=1 - level, method="wilson")
    assert (ours.low, ours.high) == pytest.approx(theirs, abs=1e-12)
    assert ours.estimate == successes / n


def test_wilson_agrees_with_a_worked_example() -> None:
    # Newcombe, Statistics in Medicine 17 (1998) 857-872, table I: 81 of 263 and 15 of 148.
    assert (wilson(81, 263).low, wilson(81, 263).high) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert (wilson(15, 148).low, wilson(15, 148).high) == pytest.approx((0.0624, 0.1605), abs=5e-5)


def test_bootstrap_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(6)
    runs = 400
    found = [bootstrap_mean(rng.random(60) < 0.4, resamples=500, seed=run) for run in range(runs)]
    covered = sum(interval.low <= 0.4 <= interval.high for interval in found) / runs
    # Standard error of a share of 0.95 in 400 runs is 0.011; the percentile method is a little narrow.
    assert 0.91 <= covered <= 0.98


def test_equal_seeds_give_equal_limits() -> None:
    assert bootstrap_mean(RIGHT, seed=7) == bootstrap_mean(RIGHT, seed=7)
    noisy = np.random.default_rng(0).normal(size=50)
    assert bootstrap_mean(noisy, seed=7) != bootstrap_mean(noisy, seed=8)


def test_memory_is_bounded() -> None:
    values = np.zeros(100_000)
    tracemalloc.start()
    bootstrap_mean(values, resamples=100, seed=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # All draws at once would need 120 MB even at these few resamples, 2.4 GB at 2,000.
    assert peak < 60e6


def test_chunks_do_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(1).normal(size=200)
    whole = bootstrap_mean(values, resamples=500, seed=0)
    monkeypatch.setattr(intervals, "_CHUNK", 1_000)
    assert bootstrap_mean(values, resamples=500, seed=0) == whole


@pytest.mark.parametrize(
    "call",
    [
        lambda: bootstrap_mean([1.0, float("nan")], seed=0),
        lambda: bootstrap_mean([1.0], clusters=[1, 2], seed=0),
        lambda: bootstrap_mean([1.0], level=1.0, seed=0),
        lambda: bootstrap_mean([1.0], resamples=0, seed=0),
        lambda: bootstrap_macro([1.0], [], seed=0),
        lambda: bootstrap_macro([1.0], ["a"], clusters=[1, 2], seed=0),
        lambda: wilson(2, 1),
        lambda: wilson(-1, 1),
        lambda: wilson(1, 1, level=0),
    ],
)
def test_nonsense_is_refused(call: object) -> None:
    assert callable(call)
    with pytest.raises(ValueError, match=r"\w"):
        call()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_limits_enclose_the_middle_and_stay_in_range(values: list[float], seed: int) -> None:
    found: Interval = bootstrap_mean(values, resamples=200, seed=seed)
    slack = 1e-9
    assert min(values) - slack <= found.low <= found.high <= max(values) + slack
    assert min(values) - slack <= found.estimate <= max(values) + slack

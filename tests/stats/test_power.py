import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import power_proportions_2indep

from warebench.stats.power import minimum_detectable_effect


@pytest.mark.parametrize("n", [50, 208, 1046, 20_000])
@pytest.mark.parametrize("p", [0.0, 0.1, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_unpaired_effect_has_the_power_asked_for(n: int, p: float, power: float) -> None:
    effect = minimum_detectable_effect(n, p, power=power)
    towards_half = effect if p <= 0.5 else -effect
    got = power_proportions_2indep(towards_half, p, n, alpha=0.05, return_results=False)
    assert got == pytest.approx(power, abs=0.002)


def test_unpaired_by_hand() -> None:
    # Fleiss, Levin and Paik: 93 a group, before continuity correction, tell 0.5 from 0.7.
    assert minimum_detectable_effect(93, 0.5) == pytest.approx(0.2, abs=0.001)


@pytest.mark.parametrize(("p", "correlation"), [(0.5, 0.0), (0.5, 0.6), (0.3, 0.4)])
def test_paired_effect_has_its_power_in_simulation(p: float, correlation: float) -> None:
    n, runs = 400, 4_000
    effect = minimum_detectable_effect(n, p, correlation=correlation)
    other = p + effect
    shared = correlation * math.sqrt(p * (1 - p) * other * (1 - other))
    only_first, only_other = p * (1 - other) - shared, other * (1 - p) - shared
    draws = np.random.default_rng(0).multinomial(
        n, [only_first, only_other, 1 - only_first - only_other], runs
    )
    b, c = draws[:, 0], draws[:, 1]
    found = np.mean((b - c) ** 2 / np.maximum(b + c, 1) > stats.chi2.ppf(0.95, 1))
    assert found == pytest.approx(0.8, abs=0.03)


def test_pairing_shows_smaller_effects() -> None:
    unpaired = minimum_detectable_effect(1046, 0.4)
    effects = [minimum_detectable_effect(1046, 0.4, correlation=rho) for rho in (0.0, 0.3, 0.6, 0.9)]
    assert effects == sorted(effects, reverse=True)
    assert effects[0] == pytest.approx(unpaired, rel=0.05)
    assert effects[-1] < unpaired / 2


def test_more_questions_show_smaller_effects() -> None:
    effects = [minimum_detectable_effect(n, 0.3) for n in (30, 300, 3_000, 30_000)]
    assert effects == sorted(effects, reverse=True)


@pytest.mark.parametrize("correlation", [None, 0.0, 0.9])
def test_the_effect_is_never_zero(correlation: float | None) -> None:
    for p in (0.0, 1.0):
        assert minimum_detectable_effect(100, p, correlation=correlation) > 0.01


def test_too_few_questions_show_nothing() -> None:
    assert math.isnan(minimum_detectable_effect(2, 0.5))


@pytest.mark.parametrize(
    ("n", "p", "alpha", "power", "correlation"),
    [
        (0, 0.5, 0.05, 0.8, None),
        (9, 1.5, 0.05, 0.8, None),
        (9, 0.5, 0, 0.8, None),
        (9, 0.5, 0.05, 1, None),
        (9, 0.5, 0.05, 0.8, 1.0),
        (9, 0.5, 0.05, 0.8, -0.1),
    ],
)
def test_nonsense_is_refused(n: int, p: float, alpha: float, power: float, correlation: float | None) -> None:
    with pytest.raises(ValueError, match=r"design|correlation"):
        minimum_detectable_effect(n, p, alpha=alpha, power=power, correlation=correlation)


@pytest.mark.parametrize("correlation", [None, 0.4])
def test_clusters_leave_fewer_independent_questions(correlation: float | None) -> None:
    clustered = minimum_detectable_effect(1000, 0.4, correlation=correlation, design_effect=4.0)
    assert clustered == minimum_detectable_effect(250, 0.4, correlation=correlation)
    with pytest.raises(ValueError, match="design effect"):
        minimum_detectable_effect(1000, 0.4, design_effect=0.0)

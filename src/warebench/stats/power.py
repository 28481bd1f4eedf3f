"""What difference between two proportions a number of questions can show."""

import math

from scipy import optimize, stats

_SMALLEST = 1e-12


def minimum_detectable_effect(
    n: int,
    p: float,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    correlation: float | None = None,
    design_effect: float = 1.0,
) -> float:
    """Return the smallest difference of two proportions that a two-sided test is likely to find.

    The difference is taken from `p` towards one half, where the variance is greater. It solves, with
    P = p, Q = p + effect, z the normal quantile, for two separate samples of n

        effect * sqrt(n) = z(1 - alpha/2) * sqrt(2 M (1 - M)) + z(power) * sqrt(P (1 - P) + Q (1 - Q)),
        M = (P + Q) / 2

    and for n questions both conditions answer, with D the share of discordant questions,

        effect * sqrt(n) = z(1 - alpha/2) * sqrt(D) + z(power) * sqrt(D - effect^2),
        D = P (1 - Q) + Q (1 - P) - 2 * correlation * sqrt(P (1 - P) Q (1 - Q)).

    Questions in clusters are worth n / design_effect of independent ones, which then stands for n.

    Args:
        n: Questions per condition, at least 1.
        p: Proportion right in the reference condition, in [0, 1].
        alpha: Significance level, two-sided, in (0, 1).
        power: Wanted probability of finding the difference, in (0, 1).
        correlation: Correlation of the two verdicts on one question, in [0, 1), for a paired test
            (McNemar's); None for an unpaired one.
        design_effect: Variance with clusters over that without (`clustered.design_effect`), above 0. The
            quantiles are normal ones: with few clusters the true effect is larger still.

    Returns:
        The absolute difference, in (0, 1]; NaN where n cannot show even the largest possible one.

    Raises:
        ValueError: For a parameter out of range.

    Reference:
        Unpaired: Fleiss, Levin and Paik, Statistical Methods for Rates and Proportions (2003),
        section 4.3. Paired: Connor, Biometrics 43 (1987) 207-211. Clusters: Kish, Survey Sampling (1965).
    """
    _check(n, p, alpha, power, correlation)
    if not 0 < design_effect < math.inf:
        raise ValueError(f"no design effect: {design_effect}")
    independent = n / design_effect
    baseline = min(p, 1 - p)
    from_alpha, from_power = stats.norm.ppf(1 - alpha / 2), stats.norm.ppf(power)

    def excess(effect: float) -> float:
        other = baseline + effect
        if correlation is None:
            under_null, under_effect = _unpaired_variances(baseline, other)
        else:
            under_null, under_effect = _paired_variances(baseline, other, correlation)
        needed = from_alpha * math.sqrt(under_null) + from_power * math.sqrt(under_effect)
        return effect * math.sqrt(independent) - float(needed)

    largest = 1 - baseline
    # Zero itself is a root where p is 0 or 1 and nothing varies.
    return float(optimize.brentq(excess, _SMALLEST, largest)) if excess(largest) >= 0 else float("nan")


def _check(n: int, p: float, alpha: float, power: float, correlation: float | None) -> None:
    if n < 1 or not 0 <= p <= 1 or not 0 < alpha < 1 or not 0 < power < 1:
        raise ValueError(f"no design: n={n}, p={p}, alpha={alpha}, power={power}")
    if correlation is not None and not 0 <= correlation < 1:
        raise ValueError(f"correlation must lie in [0, 1): {correlation}")


def _unpaired_variances(p: float, other: float) -> tuple[float, float]:
    mean = (p + other) / 2
    return 2 * mean * (1 - mean), p * (1 - p) + other * (1 - other)


def _paired_variances(p: float, other: float, correlation: float) -> tuple[float, float]:
    effect = other - p
    shared = 2 * correlation * math.sqrt(p * (1 - p) * other * (1 - other))
    # No two proportions this far apart can agree more often than that.
    discordant = max(p * (1 - other) + other * (1 - p) - shared, effect)
    return discordant, max(0.0, discordant - effect**2)

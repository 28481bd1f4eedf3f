"""The first method's tests of two groups: which one it is, and its p-value, from the figures of both."""

import math
from collections.abc import Callable, Mapping, Sequence

from warebench.tracks.intelligence.analyses.model import FEWEST_OF_A_KIND, Test, Unfit

Side = Mapping[str, float]
"""Figures of one group, by name."""

SAME = 1e-7
"""Logarithms of probabilities that are nearer to each other than this may be equal."""


def choose_test(test: Test, sides: Sequence[Side]) -> str:
    """Return the name of the test: shares of few rows have one of their own.

    Args:
        test: What suits the metric.
        sides: Figures of the two groups.
    """
    if test == "welch" or min(min(_counts(side)) for side in sides) >= FEWEST_OF_A_KIND:
        return test
    return "fisher"


def find_p(name: str, sides: Sequence[Side]) -> float:
    """Return the two-sided p-value of a test by name.

    Raises:
        Unfit: The test has none, or one that hangs by a thread.
    """
    return TESTS[name](sides)


def _counts(side: Side) -> tuple[int, int]:
    hits = round(side["numerator"])
    return hits, round(side["denominator"]) - hits


def _proportions(sides: Sequence[Side]) -> float:
    hits, sizes = [side["numerator"] for side in sides], [side["denominator"] for side in sides]
    pooled = sum(hits) / sum(sizes)
    error = math.sqrt(pooled * (1 - pooled) * sum(1 / size for size in sizes))
    from scipy.stats import norm  # noqa: PLC0415 - takes a second to import, and few questions need it

    z = (hits[0] / sizes[0] - hits[1] / sizes[1]) / error
    return float(2 * norm.sf(abs(z)))


def _fisher(sides: Sequence[Side]) -> float:
    (hits, misses), (other_hits, other_misses) = map(_counts, sides)
    size, other = hits + misses, other_hits + other_misses
    total = hits + other_hits
    whole = _log_choose(size + other, total)
    every = range(max(0, total - other), min(total, size) + 1)
    tables = {k: _log_choose(size, k) + _log_choose(other, total - k) - whole for k in every}
    found = tables.pop(hits)
    if any(abs(table - found) < SAME for table in tables.values()):
        raise Unfit("another outcome is as likely as the one found")
    extreme = [found, *(table for table in tables.values() if table < found)]
    return math.fsum(math.exp(table) for table in extreme)


def _log_choose(of: int, some: int) -> float:
    return math.lgamma(of + 1) - math.lgamma(some + 1) - math.lgamma(of - some + 1)


def _welch(sides: Sequence[Side]) -> float:
    if not all(side["stddev"] for side in sides):
        raise Unfit("all rows are alike")
    (one_mean, one_dev, one_size), (mean, dev, size) = (
        (side["avg"], side["stddev"], round(side["count"])) for side in sides
    )
    from scipy.stats import ttest_ind_from_stats  # noqa: PLC0415 - as above

    found = ttest_ind_from_stats(one_mean, one_dev, one_size, mean, dev, size, equal_var=False)
    return float(found.pvalue)


TESTS: Mapping[str, Callable[[Sequence[Side]], float]] = {
    "welch": _welch,
    "proportions": _proportions,
    "fisher": _fisher,
}
"""By the names that answers give them."""

"""Random numbers with the shapes real tables have: skewed, correlated, bounded, distinct."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from warebench.errors import InternalError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ROUNDS = 60
"""Draws after which distinct pairs are filled up from those not yet seen."""


def popularity(rng: np.random.Generator, choices: int, exponent: float) -> Floats:
    """Return how popular each choice is: a few are, most are not.

    Weights follow a Zipf-Mandelbrot law, 1 / (rank + 3) ** exponent, in random order, so that the popular
    choices are not those that come first.
    """
    return rng.permutation((np.arange(choices, dtype=np.float64) + 3.0) ** -exponent)


def weighted(rng: np.random.Generator, size: int, weights: Floats) -> Ints:
    """Return `size` positions drawn by weight."""
    bounds = np.cumsum(weights)
    found: Ints = np.searchsorted(bounds, rng.random(size) * bounds[-1], side="right").astype(np.int64)
    return np.minimum(found, len(weights) - 1)


def zipf(rng: np.random.Generator, size: int, choices: int, exponent: float) -> Ints:
    """Return `size` numbers below `choices`, drawn by a popularity of their own."""
    return weighted(rng, size, popularity(rng, choices, exponent))


def apportioned(rng: np.random.Generator, size: int, weights: Sequence[float]) -> Ints:
    """Return `size` positions in random order, as often as their weights say and each at least once.

    Raises:
        InternalError: `size` is less than the number of weights.
    """
    if size < len(weights):
        raise InternalError(f"{size} draws cannot hold each of {len(weights)} choices")
    bounds = np.cumsum(weights) / np.sum(weights) * (size - len(weights))
    counts = np.diff(np.rint(bounds).astype(np.int64), prepend=0) + 1
    return rng.permutation(np.repeat(np.arange(len(weights)), counts))


def correlated(rng: np.random.Generator, base: Floats, r: float) -> Floats:
    """Return standard normal numbers that correlate with the standard normal `base` by `r`."""
    found: Floats = r * base + np.sqrt(1.0 - r * r) * rng.standard_normal(len(base))
    return found


def lognormal(z: Floats, median: Floats | float, sigma: float, low: float, high: float) -> Floats:
    """Return right-skewed positive numbers from standard normal ones, cut off at both ends."""
    return np.clip(median * np.exp(sigma * z), low, high)


def cents(values: Floats, digits: int = 2) -> Floats:
    """Return numbers of at most `digits` decimals, so that they print short and in full."""
    return np.round(values, digits)


def whole(values: Floats) -> Ints:
    """Return the nearest integers."""
    return np.rint(values).astype(np.int64)


def ranks(groups: Ints) -> Ints:
    """Return how many earlier rows are of the same group, for every row."""
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    first = np.r_[True, ordered[1:] != ordered[:-1]]
    start = np.maximum.accumulate(np.where(first, np.arange(len(groups)), 0))
    found = np.empty(len(groups), dtype=np.int64)
    found[order] = np.arange(len(groups)) - start
    return found


def distinct(rng: np.random.Generator, size: int, choices: int) -> Ints:
    """Return `size` different numbers below `choices`, in random order.

    Raises:
        InternalError: There are not that many.
    """
    if size > choices:
        raise InternalError(f"{size} different numbers below {choices} do not exist")
    if choices < 4 * size:
        return rng.permutation(choices)[:size]
    found = _once(rng.integers(choices, size=size))
    while len(found) < size:
        found = _once(np.concatenate([found, rng.integers(choices, size=size - len(found))]))
    return rng.permutation(found)


def _once(values: Ints) -> Ints:
    """Return each value once, sorted; on millions, NumPy's own `unique` takes many times as long."""
    ordered = np.sort(values)
    kept: Ints = ordered[np.r_[True, ordered[1:] != ordered[:-1]][: len(ordered)]]
    return kept


def distinct_pairs(
    rng: np.random.Generator, size: int, shape: tuple[int, int], propose: Callable[[int], tuple[Ints, Ints]]
) -> tuple[Ints, Ints]:
    """Return `size` different pairs of numbers below `shape`, drawn as `propose` draws them.

    Args:
        rng: Fills up when `propose` keeps repeating itself.
        size: How many pairs.
        shape: Bounds of the first and the second number.
        propose: Given a count, that many pairs, repeated ones allowed.

    Raises:
        InternalError: There are not that many pairs.
    """
    codes = np.empty(0, dtype=np.int64)
    for _ in range(ROUNDS):
        left, right = propose(size - len(codes) + 8)
        codes = _first_seen(np.concatenate([codes, left * shape[1] + right]))[:size]
        if len(codes) == size:
            return codes // shape[1], codes % shape[1]
    unseen = np.setdiff1d(np.arange(shape[0] * shape[1]), codes)
    rest = unseen[distinct(rng, size - len(codes), len(unseen))]
    codes = np.concatenate([codes, rest])
    return codes // shape[1], codes % shape[1]


def _first_seen(values: Ints) -> Ints:
    return values[np.sort(np.unique(values, return_index=True)[1])]

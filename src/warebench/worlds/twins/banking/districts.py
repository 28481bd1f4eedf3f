"""77 districts: their names are geography, their figures are drawn."""

import numpy as np

from warebench.worlds.synthetic.columns import take
from warebench.worlds.synthetic.draw import Floats, Ints, cents, correlated, lognormal, whole
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns

DISTRICTS = 77

CAPITAL_SHARE, SMALL, SMALL_WEIGHT = 0.123, 7, 0.09
"""Share of accounts in Prague; districts where the bank is hardly present, and their weight."""


def account_weights(plan: Plan) -> Floats:
    """Return how many accounts the bank has in each district: few in some small towns."""
    rng = plan.generator("districts")
    weight = lognormal(rng.standard_normal(DISTRICTS), 1.0, 0.3, 0.6, 3.0)
    weight[1 + rng.permutation(DISTRICTS - 1)[:SMALL]] = SMALL_WEIGHT
    weight[0] = CAPITAL_SHARE / (1 - CAPITAL_SHARE) * weight[1:].sum()
    return weight


def make_districts(plan: Plan) -> Columns:
    """Draw people, towns, salaries, unemployment and crime; one district did not report for 1995."""
    rng, size = plan.generator("district"), DISTRICTS
    regions = plan.lists["regions"]
    z = rng.standard_normal(size)
    z[0] = 3.0
    people = whole(lognormal(z, 108_000.0, 0.4, 42_000, 330_000))
    people[0] = 1_205_000 + rng.integers(-9_000, 9_000)
    urban = np.clip(63 + 11 * correlated(rng, z, 0.5), 33, 100)
    urban[0] = 100.0
    jobless = np.clip(3.0 - 0.4 * z + 1.6 * rng.standard_normal(size), 0.3, 8.0)
    jobless[0] = 0.3 + 0.2 * rng.random()
    salary = np.clip(8_850 + 520 * correlated(rng, z, 0.6), 8_050, 11_000)
    salary[0] = 12_300 + 400 * rng.random()
    crimes = 0.028 * people * lognormal(correlated(rng, z, 0.6), 1.0, 0.25, 0.2, 5.0)
    silent = np.arange(size) == 1 + rng.integers(size - 1)
    return {
        "A1": np.arange(1, size + 1),
        "A2": take([name for _, *names in regions for name in names], np.arange(size)),
        "A3": take([region for region, *names in regions for _ in names], np.arange(size)),
        "A4": people,
        **_towns(rng, size),
        "A10": cents(urban, 1),
        "A11": whole(salary),
        "A12": np.ma.MaskedArray(cents(jobless), silent),
        "A13": cents(np.clip(jobless + 0.55 + 0.3 * rng.standard_normal(size), 0.4, 9.5)),
        "A14": whole(np.clip(116 + 13 * rng.standard_normal(size), 80, 170)),
        "A15": np.ma.MaskedArray(np.rint(crimes), silent),
        "A16": whole(crimes * np.exp(0.04 + 0.08 * rng.standard_normal(size))),
    }


def _towns(rng: np.random.Generator, size: int) -> Columns:
    """Return municipalities by size, and cities; Prague is one of each of the largest."""
    counts: dict[str, Ints] = {
        "A5": whole(lognormal(rng.standard_normal(size), 48.0, 0.6, 2, 150)),
        "A6": whole(np.clip(25 + 13 * rng.standard_normal(size), 1, 70)),
        "A7": whole(np.clip(6 + 4 * rng.standard_normal(size), 0, 20)),
        "A8": 1 + rng.binomial(4, 0.2, size=size),
        "A9": 2 + rng.binomial(9, 0.45, size=size),
    }
    for name, values in counts.items():
        values[0] = 1 if name in {"A8", "A9"} else 0
    return counts

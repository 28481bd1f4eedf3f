"""Twins the tests share, each made once, and the real data where they are."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from warebench.worlds import make_world

NAMES = ("ecommerce", "banking")
SCALE = {"ecommerce": 0.2, "banking": 0.1}
"""Enough rows for stable shares."""

DATA = Path(__file__).parents[2].parent / "shared" / "data"
SQLITE = DATA / "sqlite" / "olist_3000_orders.sqlite"
CSV = DATA / "olist" / "sample_3000_orders"
BERKA = DATA / "berka"
needs_data = pytest.mark.skipif(not DATA.exists(), reason="needs the real data of shared/data")


@cache
def sample(name: str):
    return make_world(name, seed=7, scale=SCALE[name])


@cache
def connection(name: str):
    return sample(name).connect()


def ask(name: str, query: str):
    return connection(name).execute(query).fetchone()[0]


def assert_near(found: Mapping, expected: Mapping, *, slack: float) -> None:
    """Compare counts with shares (%), give or take `slack` and three standard errors."""
    size = sum(found.values())
    for value, share in expected.items():
        error = 3 * (share * (100 - share) / size) ** 0.5
        assert 100 * found.get(value, 0) / size == pytest.approx(share, abs=slack + error), value

"""Which tables a prompt shows under each condition."""

import numpy as np
import pytest

from warebench.tracks.budget.conditions import CONDITIONS, choose

ORDER = np.array([3, 0, 4, 1, 2])
COSTS = np.array([4, 4, 4, 4, 4])


@pytest.mark.parametrize(
    ("condition", "cap", "tables"),
    [
        ("end_to_end", 8, (3, 0)),
        ("frozen_gold", 8, (3, 2)),
        ("frozen_gold", 12, (3, 0, 2)),
        ("frozen_gold", 3, (2,)),
        ("fixed_tables", 12, (3, 0, 2)),
        ("remove_gold", 12, (3, 0, 4)),
        ("remove_gold", 99, (3, 0, 4, 1)),
    ],
)
def test_what_is_shown(condition, cap, tables):
    assert choose(condition, ORDER, [2], COSTS, cap).tables == tables


def test_gold_never_stands_out_by_its_place():
    for condition in CONDITIONS:
        tables = choose(condition, ORDER, [2, 4], COSTS, 16).tables
        assert list(tables) == sorted(tables, key=ORDER.tolist().index)

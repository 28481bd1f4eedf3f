"""Which tables a question's prompt shows: retrieval alone, gold guaranteed, gold removed."""

from collections.abc import Collection
from typing import Literal, assert_never

import numpy as np

from warebench.tracks.budget.pack import Numbers, Packed, pack

Condition = Literal["end_to_end", "frozen_gold", "remove_gold", "fixed_tables"]
CONDITIONS: dict[Condition, str] = {
    "end_to_end": "what the ranker finds",
    "frozen_gold": "the tables that gold reads, and what the ranker finds beside them",
    "remove_gold": "what the ranker finds, without the tables that gold reads",
    "fixed_tables": "as frozen_gold, but the tables are those that fit in the largest representation",
}
"""The paper's three (BudgetSchemaBench, section 3) and the control that it leaves open."""


def choose(condition: Condition, order: Numbers, gold: Collection[int], costs: Numbers, cap: int) -> Packed:
    """Return the tables of one prompt, in rank order, so that a place says nothing of gold.

    Where gold is guaranteed and alone needs more than the cap, it is shown all the same, and nothing else.

    Args:
        condition: What is guaranteed or removed.
        order: All tables, best first.
        gold: Tables that gold reads.
        costs: What each table costs: in the run's representation, and for `fixed_tables` in the most costly.
        cap: Most tokens.

    Source: BudgetSchemaBench (arXiv 2610.00092), section 3.
    """
    required = sorted(gold)
    match condition:
        case "end_to_end":
            return pack(order, costs, cap)
        case "frozen_gold" | "fixed_tables":
            return pack(order, costs, cap, required)
        case "remove_gold":
            return pack(order[~np.isin(order, required)], costs, cap)
        case _:
            assert_never(condition)

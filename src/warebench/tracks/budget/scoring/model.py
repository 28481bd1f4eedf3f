"""The judgement of one query."""

from collections.abc import Mapping
from dataclasses import dataclass, field

RIGHT = "equal"
WRONG_NAMESPACE = "wrong namespace"
ACCIDENT = "accidental match"


@dataclass(frozen=True, slots=True)
class Judged:
    """Whether a query is right, and why."""

    correct: bool
    reason: str
    explanation: str
    f1: float = 0.0
    """Rows shared with gold, columns as they stand: F1, repeated rows counted; 1 where correct, 0 where the
    result is right and the query is not."""
    measures: Mapping[str, float] = field(default_factory=dict)

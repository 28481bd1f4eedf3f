"""The nine types: their operators, and which dimensions they go with.

Source: DI-Bench, Appendix A, Table 6, and section 3.3 (compatibility).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from warebench.questions.model import Difficulty
from warebench.tracks.intelligence.analyses.model import Analysis
from warebench.tracks.intelligence.knowledge.model import DimensionKind

Operator = Literal["Retrieve", "Filter", "Aggregate", "Compare", "Rank", "Temporal", "Test", "Group"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisType:
    """One analysis type."""

    name: Analysis
    operators: tuple[Operator, ...]
    needs: Literal["", "temporal", "groups"]
    """Which dimension a skeleton must have: none, that of the metric's time, or one to group by."""
    difficulty: Difficulty
    asks: str


TYPES: tuple[AnalysisType, ...] = (
    AnalysisType(
        name="knowledge_retrieval",
        operators=("Retrieve",),
        needs="",
        difficulty="easy",
        asks="what a rule document or the metric catalog states",
    ),
    AnalysisType(
        name="point_query",
        operators=("Retrieve", "Filter", "Aggregate"),
        needs="",
        difficulty="medium",
        asks="the value of a metric for some rows, or for each of some groups",
    ),
    AnalysisType(
        name="trend",
        operators=("Retrieve", "Temporal", "Aggregate"),
        needs="temporal",
        difficulty="medium",
        asks="direction, total change and peak of a metric over consecutive periods",
    ),
    AnalysisType(
        name="comparison",
        operators=("Retrieve", "Filter", "Aggregate", "Compare"),
        needs="groups",
        difficulty="medium",
        asks="a metric of two groups, and which is higher",
    ),
    AnalysisType(
        name="ranking",
        operators=("Retrieve", "Filter", "Aggregate", "Rank"),
        needs="groups",
        difficulty="hard",
        asks="the groups with the highest or lowest values of a metric, in order",
    ),
    AnalysisType(
        name="significance",
        operators=("Retrieve", "Filter", "Aggregate", "Test"),
        needs="groups",
        difficulty="hard",
        asks="whether a metric differs significantly between two groups, by the test to choose and name",
    ),
    AnalysisType(
        name="threshold_crossing",
        operators=("Retrieve", "Filter", "Aggregate", "Compare"),
        needs="",
        difficulty="medium",
        asks="whether a metric lies above or below a value",
    ),
    AnalysisType(
        name="counterfactual",
        operators=("Retrieve", "Filter", "Aggregate", "Compare"),
        needs="",
        difficulty="hard",
        asks="a metric as it is, and as it would be under another parameter or without any rule",
    ),
    AnalysisType(
        name="decomposition",
        operators=("Retrieve", "Filter", "Aggregate", "Group"),
        needs="groups",
        difficulty="hard",
        asks="a metric of every group, with shares where they add up",
    ),
)

TYPE: dict[str, AnalysisType] = {kind.name: kind for kind in TYPES}


def compatible(kind: AnalysisType, dimensions: Sequence[DimensionKind]) -> bool:
    """Return whether a skeleton with dimensions of these kinds can be asked so.

    Temporal dimensions support trends; spatial and categorical ones comparison, ranking, tests and
    breakdowns. What needs neither goes with all, the time as window and the others as filters.
    """
    if kind.needs == "temporal":
        return "temporal" in dimensions
    if kind.needs == "groups":
        return any(name != "temporal" for name in dimensions)
    return True

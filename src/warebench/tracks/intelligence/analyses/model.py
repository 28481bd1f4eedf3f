"""What a question asks, as data: enough to compute its answer again from a knowledge base and rows."""

from typing import Literal

import msgspec

from warebench.errors import BuildError
from warebench.tracks.intelligence.slice import Grain, Slice, Window

Analysis = Literal[
    "knowledge_retrieval",
    "point_query",
    "trend",
    "comparison",
    "ranking",
    "significance",
    "threshold_crossing",
    "counterfactual",
    "decomposition",
]
Test = Literal["", "welch", "proportions"]
"""What the rows of a metric are tested as: values with a mean, or counts with a share."""

PERCENT_DECIMALS = 2
"""Of changes and shares that are percentages of a figure."""

P_DECIMALS, P_TOLERANCE = 4, 0.0005
ALPHA = 0.05
FEWEST_OF_A_KIND = 10
"""Rows that count towards a share, and rows that do not, in each group of a z-test."""


class Unfit(BuildError):
    """A question that must not be asked so: its answer is missing, tied or on an edge of rounding."""


class Ask(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One question over rows."""

    analysis: Analysis
    variant: str = ""
    """`rows` of a point query; `parameter` or `no_rules` of a counterfactual."""
    metric: str
    rules: tuple[str, ...] = ()
    """Every rule that governs the metric and what it is made of; empty for its standard definition."""
    dimension: str = ""
    """What is grouped by."""
    members: tuple[str, ...] = ()
    """Stored values of `dimension`, as text: the groups that are asked about, in the order of the text."""
    filters: tuple[tuple[str, str], ...] = ()
    window: Window | None = None
    grain: Grain = ""
    top: int = 0
    ascending: bool = False
    threshold: float = 0.0
    parameter: str = ""
    supposed: float = 0.0
    """Value of the parameter in a counterfactual."""
    test: Test = ""


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """Values by group that an answer is made of."""

    name: str
    slice: Slice
    part: str = ""
    """Empty for the metric's value; else an aggregate of its one measure, or the name of a measure."""

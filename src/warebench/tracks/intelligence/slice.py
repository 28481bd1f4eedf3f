"""What is computed: a metric of some rows, under some rules."""

from typing import Literal

import msgspec

Grain = Literal["", "month", "quarter", "year"]

Key = tuple[str | int | float | bool, ...]
"""Of a group: the values of its dimensions, then its period."""


class Window(msgspec.Struct, frozen=True, kw_only=True):
    """Days of the metric's time, both included."""

    first: str
    """ISO date."""
    last: str


class Slice(msgspec.Struct, frozen=True, kw_only=True):
    """A metric for some rows. Its answer is a table: grouping columns, then the value."""

    metric: str
    """Id of the metric."""
    group: tuple[str, ...] = ()
    """Ids of dimensions to group by; groups without a value of the dimension are left out."""
    filters: tuple[tuple[str, str], ...] = ()
    """(dimension id, stored value as text) that rows must have."""
    window: Window | None = None
    grain: Grain = ""
    """Also group by the month, quarter or year of the metric's time; written 2017-03, 2017-Q1, 2017."""
    rules: tuple[str, ...] = ()
    """Ids of the rules applied, whatever their order."""
    parameters: tuple[tuple[str, float], ...] = ()
    """Values of parameters that replace those of definition and rules: what a counterfactual asks.

    They hold for the metric and for all it is made of; `minimum_rows` is one too.
    """

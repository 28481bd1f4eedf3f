"""What a template is: a text with placeholders, a query, and where its parameters come from."""

from typing import Literal

import msgspec

from warebench.queries.model import Query

Subcategory = Literal["EL", "TS", "CNT", "SUM", "AVG", "CC", "COR"]

SUBCATEGORIES: dict[Subcategory, str] = {
    "EL": "entity lookup",
    "TS": "top selection",
    "CNT": "count",
    "SUM": "sum",
    "AVG": "average",
    "CC": "composite comparison",
    "COR": "correlation",
}
"""TQA-Bench, section II-C, Table V."""


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """A placeholder of the text and a parameter of the query."""

    name: str
    column: str
    """`alias.column` of the query; values are drawn from the joined rows."""
    kind: Literal["value", "threshold"] = "value"
    """A value that occurs, or one between the 10 % and 90 % quantiles of those that do."""
    barred: tuple[str, ...] = ()
    """Values never drawn: placeholders for no value, and what cannot be quoted or told from another."""


class Template(msgspec.Struct, frozen=True, kw_only=True):
    """One of a database's question templates.

    A composite comparison (CC) is the difference between the query's answers for two values of its
    parameter `contrast`: the text has placeholders `{a}` and `{b}` for them, in place of it.
    """

    database: str
    subcategory: Subcategory
    number: Literal[1, 2]
    text: str
    """Placeholders `{name}` for each parameter; `{a}` and `{b}` for the contrast."""
    query: Query
    parameters: tuple[Parameter, ...]
    contrast: str = ""
    unit: str = ""
    """What a number counts or measures, for the answer format; empty for names."""
    strict: bool = False
    """Every filter has to change the answer, no difference is 0, and no answer is most of them."""
    barred: tuple[str, ...] = ()
    """Values of the column asked for that are no answers, nor change one."""
    measured: str = ""
    """Composed ones that sum or average: what the column measures, and what decided it."""

    @property
    def name(self) -> str:
        """Unique name, such as `airline-CNT-1`."""
        return f"{self.database}-{self.subcategory}-{self.number}"


def spelling(value: str) -> str:
    """Return a text without what readers pass over: case, and blanks at its ends or in a row."""
    return " ".join(value.casefold().split())

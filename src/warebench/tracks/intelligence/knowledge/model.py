"""A knowledge base: metrics, dimensions and rules. Data, not code; read from YAML and Markdown.

Expressions are SQL scalar expressions over `alias.column`. `:name` stands for a parameter of the metric. A
moment in a calendar coded as a number (`yymmdd`) stays that number, so that every database compares it alike.
"""

from typing import Literal

import msgspec

Aggregation = Literal["count", "count_distinct", "sum", "avg", "min", "max", "stddev"]
"""`stddev` is that of a sample. Rows without a value count for none of them, but for a `count` of rows."""

Tier = Literal["L1", "L2", "L3"]
"""L1: one aggregate. L2: a ratio, or several tables or conditions. L3: composite or weighted."""

RuleKind = Literal["definitional", "exclusionary", "temporal", "conditional", "privacy", "override"]
"""DI-Bench, Appendix B.1, Table 7."""

DimensionKind = Literal["categorical", "spatial", "temporal"]
Calendar = Literal["", "date", "timestamp", "yymmdd"]
"""How a temporal column is stored: `yymmdd` is a whole number such as 970131."""


class Join(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A left join from child to parent: each row finds one row at most, so nothing is counted twice."""

    table: str
    alias: str = ""
    """The table's name when empty."""
    on: tuple[tuple[str, str], ...] = ()
    """Pairs (`alias.column` that is there already, column of the joined table); empty: the foreign key."""

    @property
    def name(self) -> str:
        """Name by which expressions call the table."""
        return self.alias or self.table


class Relation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rows a metric is computed from: one for each row of `table`, widened by its parents."""

    table: str
    alias: str = ""
    joins: tuple[Join, ...] = ()
    where: tuple[str, ...] = ()
    """Conditions of the standard definition; a row stays when all are true."""

    @property
    def name(self) -> str:
        """Name by which expressions call the first table."""
        return self.alias or self.table


class Measure(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One aggregate over rows (or, outside an entity, over entities)."""

    aggregate: Aggregation
    value: str = ""
    """Expression of a row; empty for `count`, which counts rows."""
    where: str = ""
    """Only rows for which this is true."""


class Entity(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An intermediate unit such as a seller: rows are first summed up for each, and some units kept."""

    key: tuple[str, ...]
    """`alias.column`s that name the unit."""
    measures: dict[str, Measure]
    """Over the rows of one unit; the metric's own measures are then over units, and read these names."""
    keep: str = ""
    """Condition over the names of `measures` and parameters; empty keeps all."""


class Metric(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A business metric: its standard definition, before any rule.

    Its value is `formula` over the names of `measures`, `components` and `parameters`. A formula that divides
    by zero, or lacks a value, has no value.
    """

    id: str
    """Such as MV-SEL-001."""
    name: str
    tier: Tier
    description: str
    """What it says to a business reader, one or two sentences."""
    unit: str
    """Of the value: days, %, BRL, orders, ..."""
    relation: Relation | None = None
    """None for a composite, whose components have their own."""
    time: str = ""
    """`alias.column` by which windows and effective dates are read; empty when the metric has no time."""
    calendar: Calendar = ""
    entity: Entity | None = None
    measures: dict[str, Measure] = {}
    components: dict[str, str] = {}
    """Name in the formula to the id of another metric, computed for the same slice under the same rules."""
    parameters: dict[str, float] = {}
    """Named constants: thresholds and weights that rules may replace."""
    formula: str
    decimals: int = 2
    """Places that an answer is given with."""
    synonyms: tuple[str, ...] = ()


class Dimension(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A column to filter or group by."""

    id: str
    """Such as customer_state."""
    table: str
    column: str
    kind: DimensionKind
    label: str
    """As a business reader calls it: customer state."""
    calendar: Calendar = ""
    values: dict[str, str] = {}
    """Stored value to what a reader calls it; the stored value itself where it is missing."""


class Filter(msgspec.Struct, frozen=True, kw_only=True, tag="filter", forbid_unknown_fields=True):
    """Keep only rows for which a condition is true."""

    metrics: tuple[str, ...]
    where: str
    scope: str = ""
    """Only rows for which this is true are touched; empty: all. So for every kind of row operation."""


class Exclude(msgspec.Struct, frozen=True, kw_only=True, tag="exclude", forbid_unknown_fields=True):
    """Drop rows for which a condition is true."""

    metrics: tuple[str, ...]
    where: str
    scope: str = ""


class Threshold(msgspec.Struct, frozen=True, kw_only=True, tag="threshold", forbid_unknown_fields=True):
    """Give a parameter another value; with a scope or dates, only in expressions about such rows."""

    metrics: tuple[str, ...]
    parameter: str
    """A parameter of the metrics, or `minimum_rows`: groups of fewer rows are not reported."""
    value: float
    scope: str = ""


class Weight(msgspec.Struct, frozen=True, kw_only=True, tag="weight", forbid_unknown_fields=True):
    """Give a weight of a composite another value; weights are never about single rows."""

    metrics: tuple[str, ...]
    parameter: str
    value: float


class Override(msgspec.Struct, frozen=True, kw_only=True, tag="override", forbid_unknown_fields=True):
    """Replace a part of the definition."""

    metrics: tuple[str, ...]
    target: Literal["value", "where", "keep", "formula"]
    """`value` and `where` of the measure named; `keep` of the entity; the metric's `formula`."""
    measure: str = ""
    expression: str
    scope: str = ""
    """For `value` and `where` only."""


Operation = Filter | Exclude | Threshold | Weight | Override


class Fact(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something a document states, that can be asked without any data."""

    ask: str
    """The question."""
    answer: str | float
    unit: str = ""
    """Of a number."""
    quote: str
    """Words of the document that state it, verbatim; they contain the answer."""
    accept: tuple[str, ...] = ()
    """Other spellings of a text that are right."""


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A document in prose, and the truth of it, which no model is ever shown."""

    id: str
    """Such as BR-07."""
    title: str
    kind: RuleKind
    document: str
    """Path of the Markdown file below the knowledge base."""
    effective_from: str = ""
    """First day (ISO) it holds, by the metric's time; empty: always has."""
    effective_to: str = ""
    """Last day it holds; empty: no end."""
    supersedes: tuple[str, ...] = ()
    """Rules that no longer apply where this one does."""
    refers_to: tuple[str, ...] = ()
    """Rules that the document sends its reader to."""
    operations: tuple[Operation, ...] = ()
    facts: tuple[Fact, ...] = ()


class Knowledge(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All of it for one database."""

    name: str
    company: str
    """Who the fictional or real company is, one sentence."""
    metrics: tuple[Metric, ...]
    dimensions: tuple[Dimension, ...]
    rules: tuple[Rule, ...] = ()
    documents: dict[str, str] = {}
    """Path to text: what a model may search. Filled from the folder, never written in the YAML."""

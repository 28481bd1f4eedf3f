"""What expressions of a metric may name, by where they stand, and the kinds of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from warebench.catalog.model import Catalog
from warebench.errors import KnowledgeError, did_you_mean
from warebench.tracks.intelligence.knowledge.expressions import parse_expression
from warebench.tracks.intelligence.knowledge.kinds import (
    MOMENTS,
    NUMBERS,
    Kind,
    Lookup,
    infer_kind,
    kind_of_type,
)
from warebench.tracks.intelligence.knowledge.model import Measure, Metric
from warebench.tracks.intelligence.knowledge.relation import Place, find_table, find_type, resolve_relation


@dataclass(frozen=True, slots=True)
class RowNames:
    """In conditions and values of rows: `alias.column` and `:parameter`."""

    metric: Metric
    catalog: Catalog
    places: tuple[Place, ...]

    def __call__(self, node: exp.Column | exp.Placeholder) -> Kind:
        """Return the kind of a name."""
        if isinstance(node, exp.Placeholder):
            return _parameter(self.metric, node.name)
        tables = {place.alias: place.table for place in self.places}
        if not node.table:
            raise KnowledgeError(f"`{node.name}` stands without its table", fix="write alias.column")
        if node.table not in tables:
            raise KnowledgeError(
                f"nothing in the relation of {self.metric.id} is called `{node.table}`",
                fix=did_you_mean(node.table, tables),
            )
        return kind_of_type(find_type(find_table(self.catalog, tables[node.table]), node.name))


@dataclass(frozen=True, slots=True)
class BareNames:
    """In formulas and over units: bare names of measures or components, and parameters."""

    metric: Metric
    names: Mapping[str, Kind]

    def __call__(self, node: exp.Column | exp.Placeholder) -> Kind:
        """Return the kind of a name."""
        if isinstance(node, exp.Placeholder) or (not node.table and node.name in self.metric.parameters):
            return _parameter(self.metric, node.name)
        if node.table or node.name not in self.names:
            raise KnowledgeError(
                f"`{node.sql()}` names nothing that {self.metric.id} has computed here",
                fix=did_you_mean(node.name, [*self.names, *self.metric.parameters]),
            )
        return self.names[node.name]


def row_names(metric: Metric, catalog: Catalog) -> RowNames:
    """Return what expressions over rows may name.

    Raises:
        KnowledgeError: The metric is a composite, or its relation is wrong.
    """
    if metric.relation is None:
        raise KnowledgeError(f"{metric.id} is a composite and has no rows", fix="name its components")
    return RowNames(metric, catalog, resolve_relation(metric.relation, catalog))


def measure_names(metric: Metric, catalog: Catalog) -> Lookup:
    """Return what the metric's own measures may name: rows, or units where it has an entity."""
    rows = row_names(metric, catalog)
    if metric.entity is None:
        return rows
    inner = {name: kind_of_measure(measure, rows) for name, measure in metric.entity.measures.items()}
    return BareNames(metric, inner)


def formula_names(metric: Metric) -> BareNames:
    """Return what the formula may name."""
    return BareNames(metric, dict.fromkeys([*metric.measures, *metric.components], "number"))


def kind_of_measure(measure: Measure, names: Lookup) -> Kind:
    """Return the kind of an aggregate.

    Raises:
        KnowledgeError: Its value is missing, superfluous or of a kind that cannot be aggregated so.
    """
    if measure.aggregate == "count":
        if measure.value:
            raise KnowledgeError(
                "`count` counts rows and has no value", fix=f"write `where: {measure.value} IS NOT NULL`"
            )
        return "whole"
    if not measure.value:
        raise KnowledgeError(f"`{measure.aggregate}` needs a value", fix="write the expression to aggregate")
    kind = infer_kind(parse_expression(measure.value), names)
    if measure.aggregate == "count_distinct":
        return "whole"
    allowed = (*NUMBERS, *MOMENTS) if measure.aggregate in ("min", "max") else NUMBERS
    if kind != "any" and kind not in allowed:
        raise KnowledgeError(
            f"`{measure.aggregate}` of a {kind} has no meaning: `{measure.value}`",
            fix=f"aggregate a {' or '.join(allowed)}, or write `count_distinct`",
        )
    return kind if measure.aggregate in ("min", "max") else "number"


def _parameter(metric: Metric, name: str) -> Kind:
    if name not in metric.parameters:
        raise KnowledgeError(
            f"{metric.id} has no parameter `{name}`", fix=did_you_mean(name, metric.parameters)
        )
    return "number"

"""What a metric can be sliced by, and slices that ask for something that is not there."""

from datetime import date

from warebench.catalog.model import Catalog
from warebench.errors import BuildError, KnowledgeError, did_you_mean
from warebench.tracks.intelligence.knowledge.kinds import NUMBERS, kind_of_type
from warebench.tracks.intelligence.knowledge.links import find_dimension, find_rule, metric_tree
from warebench.tracks.intelligence.knowledge.model import Dimension, Knowledge, Metric
from warebench.tracks.intelligence.knowledge.relation import find_table, find_type, reach, resolve_relation
from warebench.tracks.intelligence.slice import Slice


def check_slice(knowledge: Knowledge, catalog: Catalog, wanted: Slice) -> None:
    """Refuse a slice that asks for something that is not there.

    Raises:
        BuildError: An unknown metric, dimension, rule or parameter; a dimension that a metric has no way to;
            a window or grain of a metric without a time.
        KnowledgeError: The metric itself is wrong.
    """
    metrics = metric_tree(knowledge, wanted.metric)
    for rule in wanted.rules:
        find_rule(knowledge, rule)
    reachable = {dimension.id for dimension in sliceable(knowledge, catalog, wanted.metric)}
    for name in dict.fromkeys([*wanted.group, *(name for name, _ in wanted.filters)]):
        if find_dimension(knowledge, name).id not in reachable:
            raise BuildError(
                f"{wanted.metric} cannot be sliced by {name}",
                fix=did_you_mean(name, reachable) or "leave it out",
            )
    if len(set(wanted.group)) < len(wanted.group):
        raise BuildError("a dimension stands twice in the grouping", fix="name each once")
    for name, value in wanted.filters:
        _check_value(find_dimension(knowledge, name), value, catalog)
    _check_times(metrics, wanted)
    known = {"minimum_rows", *(name for metric in metrics for name in metric.parameters)}
    for name, _ in wanted.parameters:
        if name not in known:
            raise BuildError(f"{wanted.metric} has no parameter `{name}`", fix=did_you_mean(name, known))


def sliceable(knowledge: Knowledge, catalog: Catalog, name: str) -> tuple[Dimension, ...]:
    """Return the dimensions that a metric, with all it is made of, can be filtered and grouped by.

    Temporal ones are not among them: windows and grains read the metric's own time.
    """
    metrics = metric_tree(knowledge, name)
    return tuple(
        dimension
        for dimension in knowledge.dimensions
        if dimension.kind != "temporal" and all(_reaches(metric, catalog, dimension) for metric in metrics)
    )


def _reaches(metric: Metric, catalog: Catalog, dimension: Dimension) -> bool:
    if metric.relation is None:
        return True
    try:
        reach(resolve_relation(metric.relation, catalog), catalog, dimension)
    except KnowledgeError:
        return False
    return True


def _check_value(dimension: Dimension, value: str, catalog: Catalog) -> None:
    if is_number(dimension, catalog):
        try:
            float(value)
        except ValueError as error:
            raise BuildError(
                f"{dimension.id} holds numbers, and `{value}` is none", fix="write a number"
            ) from error


def is_number(dimension: Dimension, catalog: Catalog) -> bool:
    """Return whether the stored values of a dimension are numbers."""
    return kind_of_type(find_type(find_table(catalog, dimension.table), dimension.column)) in NUMBERS


def _check_times(metrics: tuple[Metric, ...], wanted: Slice) -> None:
    if wanted.window is None and not wanted.grain:
        return
    for metric in metrics:
        if metric.relation is not None and not metric.time:
            raise BuildError(f"{metric.id} has no time", fix="leave window and grain out")
    if wanted.window:
        try:
            first, last = (date.fromisoformat(day) for day in (wanted.window.first, wanted.window.last))
        except ValueError as error:
            raise BuildError(f"a window is of days: {error}", fix="write them as 2018-01-31") from error
        if first > last:
            raise BuildError("the window ends before it begins", fix="exchange its days")

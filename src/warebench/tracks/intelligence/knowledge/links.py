"""Which metrics a metric is made of, and which rules govern it."""

from collections.abc import Iterable
from typing import TypeVar

from warebench.errors import BuildError, KnowledgeError, did_you_mean
from warebench.tracks.intelligence.knowledge.model import Dimension, Knowledge, Metric, Operation, Rule

T = TypeVar("T", Metric, Dimension, Rule)


def find_metric(knowledge: Knowledge, name: str) -> Metric:
    """Return the metric of an id.

    Raises:
        BuildError: There is none.
    """
    return _find(knowledge.metrics, name, "metric")


def find_dimension(knowledge: Knowledge, name: str) -> Dimension:
    """Return the dimension of an id.

    Raises:
        BuildError: There is none.
    """
    return _find(knowledge.dimensions, name, "dimension")


def find_rule(knowledge: Knowledge, name: str) -> Rule:
    """Return the rule of an id.

    Raises:
        BuildError: There is none.
    """
    return _find(knowledge.rules, name, "rule")


def metric_tree(knowledge: Knowledge, name: str) -> tuple[Metric, ...]:
    """Return a metric, then all it is made of, each once.

    Raises:
        KnowledgeError: A metric is a component of itself.
        BuildError: An id is unknown.
    """
    found: dict[str, Metric] = {}
    _walk(knowledge, name, (), found)
    return tuple(found.values())


def governing_rules(knowledge: Knowledge, name: str) -> tuple[str, ...]:
    """Return the ids of the rules with an operation on a metric or on anything it is made of."""
    tree = {metric.id for metric in metric_tree(knowledge, name)}
    return tuple(rule.id for rule in knowledge.rules if tree & touched_metrics(rule).keys())


def touched_metrics(rule: Rule) -> dict[str, tuple[Operation, ...]]:
    """Return the operations of a rule by the metric they are on, in order."""
    found: dict[str, tuple[Operation, ...]] = {}
    for operation in rule.operations:
        for metric in dict.fromkeys(operation.metrics):
            found[metric] = (*found.get(metric, ()), operation)
    return found


def _walk(knowledge: Knowledge, name: str, above: tuple[str, ...], found: dict[str, Metric]) -> None:
    if name in above:
        circle = " -> ".join([*above[above.index(name) :], name])
        raise KnowledgeError(f"{name} is made of itself: {circle}", fix="take one component out")
    metric = find_metric(knowledge, name)
    found.setdefault(name, metric)
    for component in metric.components.values():
        _walk(knowledge, component, (*above, name), found)


def _find(items: Iterable[T], name: str, kind: str) -> T:
    known = {item.id: item for item in items}
    if name not in known:
        raise BuildError(f"there is no {kind} `{name}`", fix=did_you_mean(name, known))
    return known[name]

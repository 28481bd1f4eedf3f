"""Weights of a composite add up to 1: in its definition, and under every rule that changes one."""

from collections.abc import Iterator, Mapping, Sequence
from math import isclose

from sqlglot import exp

from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.knowledge.expressions import parse_expression
from warebench.tracks.intelligence.knowledge.links import touched_metrics
from warebench.tracks.intelligence.knowledge.model import Knowledge, Metric, Threshold, Weight

PREFIXES = ("w_", "weight")
"""By which a parameter says that it is a weight; one that an operation `weight` changes is one, too."""


def find_weight_faults(knowledge: Knowledge) -> Iterator[KnowledgeError]:
    """Yield an error for every sum of weights that is not 1.

    Weights are the parameters by which the terms of a metric's formula are multiplied, `:a * x + :b * y`,
    where one of them at least is called or treated as a weight. Expressions are assumed to be checked.
    """
    for metric in knowledge.metrics:
        weights = _weights(knowledge, metric)
        if not weights:
            continue
        yield from _fault(metric, weights, metric.parameters, "its definition")
        for rule in knowledge.rules:
            changed = {
                item.parameter: item.value
                for item in touched_metrics(rule).get(metric.id, ())
                if isinstance(item, Weight | Threshold) and item.parameter in weights
            }
            if changed:
                yield from _fault(metric, weights, metric.parameters | changed, f"rule {rule.id}")


def _fault(
    metric: Metric, weights: Sequence[str], values: Mapping[str, float], under: str
) -> Iterator[KnowledgeError]:
    total = sum(values[name] for name in weights)
    if not isclose(total, 1, abs_tol=1e-9):
        said = " + ".join(f"{name} {values[name]:g}" for name in weights)
        yield KnowledgeError(
            f"the weights of {metric.id} add up to {total:g} under {under}: {said}",
            where=f"metric {metric.id}",
            fix="make them add up to 1, the rule giving each that changes; or name no parameter w_ or weight",
        )


def _weights(knowledge: Knowledge, metric: Metric) -> list[str]:
    """Return the weights of a metric in the order of its formula, one of several terms as often."""
    found = [_factor(term, metric) for term in _terms(parse_expression(metric.formula))]
    names = [name for name in found if name]
    changed = {
        item.parameter
        for rule in knowledge.rules
        for item in touched_metrics(rule).get(metric.id, ())
        if isinstance(item, Weight)
    }
    meant = any(name.startswith(PREFIXES) or name in changed for name in names)
    return names if meant and len(names) == len(found) > 1 else []


def _terms(tree: exp.Expr) -> list[exp.Expr]:
    tree = tree.unnest()
    return [*_terms(tree.left), *_terms(tree.right)] if isinstance(tree, exp.Add) else [tree]


def _factor(term: exp.Expr, metric: Metric) -> str:
    """Return the one parameter that a term is multiplied by."""
    if not isinstance(term, exp.Mul):
        return ""
    sides = [side.name for side in (term.left.unnest(), term.right.unnest())
             if isinstance(side, exp.Placeholder | exp.Column)]  # fmt: skip
    own = [name for name in sides if name in metric.parameters]
    return own[0] if len(own) == 1 else ""

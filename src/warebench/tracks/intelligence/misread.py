"""Rules as a careless reader takes them: another number, or the other way round. For test doubles only."""

import re
from collections.abc import Collection

import msgspec

from warebench.tracks.intelligence.knowledge.model import (
    Exclude,
    Filter,
    Knowledge,
    Operation,
    Override,
    Rule,
    Threshold,
    Weight,
)

NUMBER = re.compile(r"(?<![\w.'-])\d+(?:\.\d+)?(?![\w.'-])")
"""A number that is no part of a name or a date."""


def misread_rules(knowledge: Knowledge, names: Collection[str]) -> Knowledge:
    """Return a knowledge base in which some rules are misread.

    Args:
        knowledge: The knowledge base.
        names: Ids of the rules.
    """
    rules = tuple(_rule(rule) if rule.id in names else rule for rule in knowledge.rules)
    return msgspec.structs.replace(knowledge, rules=rules)


def _rule(rule: Rule) -> Rule:
    return msgspec.structs.replace(rule, operations=tuple(_operation(item) for item in rule.operations))


def _operation(operation: Operation) -> Operation:
    match operation:
        case Threshold(value=value) | Weight(value=value):
            return msgspec.structs.replace(operation, value=_other(value))
        case Override(expression=text):
            return msgspec.structs.replace(operation, expression=_with_others(text))
        case Filter(where=text) | Exclude(where=text) if NUMBER.search(text):
            return msgspec.structs.replace(operation, where=_with_others(text))
        case Filter(metrics=metrics, where=text, scope=scope):
            return Exclude(metrics=metrics, where=text, scope=scope)
        case Exclude(metrics=metrics, where=text, scope=scope):
            return Filter(metrics=metrics, where=text, scope=scope)


def _with_others(text: str) -> str:
    return NUMBER.sub(lambda found: f"{_other(float(found[0])):g}", text)


def _other(value: float) -> float:
    return round(value * 1.5, 6) if value % 1 else value + 2

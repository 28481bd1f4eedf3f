"""What would be if a rule were not: the test by which a rule earns its place in a question.

Source: DI-Bench, section 3.1 (counterfactual checks) and appendix L (tasks are kept only when removal of a
rule changes the executed answer).
"""

from collections.abc import Mapping

import msgspec

from warebench.engine.database import Database
from warebench.tracks.intelligence.compute.run import Opened, find_values, open_database
from warebench.tracks.intelligence.knowledge.links import find_metric, governing_rules
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.slice import Key, Slice


def effective_rules(knowledge: Knowledge, source: Database | Opened, wanted: Slice) -> tuple[str, ...]:
    """Return the rules of a slice without which its answer, as written, would be another one.

    Values are compared as they are given, rounded to the metric's decimals: a change that rounds away is
    none. A group that comes or goes is a change.

    Args:
        knowledge: The knowledge base, checked.
        source: The database.
        wanted: The slice; its rules are taken away one at a time.

    Raises:
        StraddleError: Without a rule, one that it supersedes holds for a part of the slice.
        GoldDisagreement: The two methods differ: a bug of warebench.
    """
    if isinstance(source, Database):
        with open_database(source) as opened:
            return effective_rules(knowledge, opened, wanted)
    decimals = find_metric(knowledge, wanted.metric).decimals
    whole = as_written(find_values(knowledge, source, wanted), decimals)
    governing = governing_rules(knowledge, wanted.metric)
    return tuple(
        rule
        for rule in wanted.rules
        if rule in governing
        and as_written(find_values(knowledge, source, without_rule(wanted, rule)), decimals) != whole
    )


def without_rule(wanted: Slice, rule: str) -> Slice:
    """Return a slice without one of its rules."""
    return msgspec.structs.replace(wanted, rules=tuple(name for name in wanted.rules if name != rule))


def as_written(values: Mapping[Key, float], decimals: int) -> dict[Key, float]:
    """Return values rounded as answers are; -0 is 0."""
    return {key: round(value, decimals) + 0.0 for key, value in values.items()}


def rounds_safely(value: float, decimals: int) -> bool:
    """Return whether a value is far enough from the middle of two roundings to round alike everywhere.

    "Far enough" is a ten-thousandth of the last place: far above the error of sums in another order.
    """
    scaled = abs(value) * 10.0**decimals
    return abs(scaled % 1.0 - 0.5) > 1e-4

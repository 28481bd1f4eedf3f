"""What the second method looks up for a question by itself: slices, rules, metric, single rows."""

from collections.abc import Callable, Mapping

from warebench.answers.model import Answer
from warebench.tracks.intelligence.analyses.model import Ask
from warebench.tracks.intelligence.analyses.observations import observations
from warebench.tracks.intelligence.analyses.second import Facts, answer_again
from warebench.tracks.intelligence.compute.frame import Table
from warebench.tracks.intelligence.compute.rows import Store
from warebench.tracks.intelligence.knowledge.grammar import read_formula
from warebench.tracks.intelligence.knowledge.model import Knowledge, Metric
from warebench.tracks.intelligence.slice import Key, Slice

Found = Mapping[str, Mapping[Key, float]]


def remember(knowledge: Knowledge, store: Store, ask: Ask, table: Callable[[Slice], Table]) -> Answer:
    """Return the answer to a question by the second method.

    Args:
        knowledge: The knowledge base.
        store: The database.
        ask: What is asked.
        table: What `compute` finds for a slice.

    Raises:
        Unfit: A value that is asked for is missing.
        StraddleError: A rule that is not about single rows holds for a part of what is asked.
    """
    metric = next(item for item in knowledge.metrics if item.id == ask.metric)
    dimension = next((item for item in knowledge.dimensions if item.id == ask.dimension), None)
    wanted = _main(knowledge, ask)
    rows = observations(knowledge, store, wanted) if ask.test == "welch" else {}
    return answer_again(ask, _figures(metric, ask, wanted, table), Facts(metric, dimension, rows))


def _main(knowledge: Knowledge, ask: Ask) -> Slice:
    by = [ask.dimension] if ask.dimension else []
    rules = _governing(knowledge, ask.metric) if ask.rules else []
    return Slice(
        metric=ask.metric, group=tuple(by), filters=ask.filters, window=ask.window, grain=ask.grain,
        rules=tuple(rules),
    )  # fmt: skip


def _governing(knowledge: Knowledge, metric: str) -> list[str]:
    """Return the rules on a metric or on anything that it is made of: what a question under rules means."""
    parts, before = {metric}, 0
    while before < len(parts):
        before = len(parts)
        parts |= {part for item in knowledge.metrics if item.id in parts for part in item.components.values()}
    return [
        rule.id
        for rule in knowledge.rules
        if any(not parts.isdisjoint(operation.metrics) for operation in rule.operations)
    ]


def _figures(metric: Metric, ask: Ask, wanted: Slice, table: Callable[[Slice], Table]) -> Found:
    found = table(wanted)
    if ask.test == "proportions":
        hits, size = _share(metric)
        return {"numerator": found.measures[hits], "denominator": found.measures[size]}
    if ask.test:
        return {"avg": found.values}
    if ask.analysis != "counterfactual":
        return {"value": found.values}
    plain = ask.variant == "no_rules"
    other = Slice(
        metric=wanted.metric, group=wanted.group, filters=wanted.filters, window=wanted.window,
        grain=wanted.grain, rules=() if plain else wanted.rules,
        parameters=() if plain else ((ask.parameter, ask.supposed),),
    )  # fmt: skip
    return {"actual": found.values, "supposed": table(other).values}


def _share(metric: Metric) -> tuple[str, str]:
    """Return the names above and below the line of `100 * a / b`."""
    above, below = read_formula(metric.formula).parts
    return above.parts[1].word, below.word

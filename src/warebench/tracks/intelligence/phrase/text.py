"""The text of a question: a paraphrase by seed, then what applies, then the answer format."""

import random
from collections.abc import Mapping

from warebench.tracks.intelligence.analyses.model import Ask
from warebench.tracks.intelligence.knowledge.links import find_dimension, find_metric
from warebench.tracks.intelligence.knowledge.model import Fact, Knowledge
from warebench.tracks.intelligence.phrase.formats import answer_format
from warebench.tracks.intelligence.phrase.leads import LEADS, RULED, STANDARD
from warebench.tracks.intelligence.phrase.words import (
    amount,
    days,
    group,
    listed,
    member,
    number,
    parameter,
    period,
    population,
    unit,
)


def question_text(knowledge: Knowledge, ask: Ask, seed: str) -> str:
    """Return the text of a question over rows.

    A question and its matched variant without rules differ by the sentence that says which rules apply.

    Args:
        knowledge: The knowledge base.
        ask: What is asked.
        seed: Chooses the paraphrase.
    """
    rng = random.Random(seed)  # noqa: S311 - repeatable
    lead = rng.choice(_leads(ask)).format_map(_words(knowledge, ask, rng))
    return f"{lead} {_applied(ask, rng)} {answer_format(knowledge, ask)}"


def fact_text(fact: Fact, seed: str) -> str:
    """Return the text of a question about what a document states."""
    rng = random.Random(seed)  # noqa: S311 - repeatable
    return f"{rng.choice(LEADS['knowledge_retrieval']).format(ask=fact.ask)} {_fact_format(fact)}"


def _fact_format(fact: Fact) -> str:
    if isinstance(fact.answer, str):
        return "Answer with a few words, as it is stated there."
    return f"Answer with one number{f' (unit: {unit(fact.unit)})' if fact.unit else ''}."


def _leads(ask: Ask) -> list[str]:
    return list(LEADS.get(f"{ask.analysis}.{ask.variant}") or LEADS[ask.analysis])


def _words(knowledge: Knowledge, ask: Ask, rng: random.Random) -> Mapping[str, str]:
    metric = find_metric(knowledge, ask.metric)
    names = [group(knowledge, ask.dimension, stored) for stored in ask.members]
    return {
        "metric": metric.name,
        "scope": _scope(knowledge, ask, rng),
        "label": find_dimension(knowledge, ask.dimension).label if ask.dimension else "",
        "members": listed(names) if names else "",
        "a": names[0] if names else "",
        "b": names[-1] if names else "",
        "one": member(knowledge, ask.dimension, ask.members[0]) if names else "",
        "other": member(knowledge, ask.dimension, ask.members[-1]) if names else "",
        "grain": ask.grain,
        "top": str(ask.top),
        "end": "lowest" if ask.ascending else "highest",
        "threshold": amount(ask.threshold, metric.unit),
        "supposition": _supposition(ask, metric.name),
    }


def _scope(knowledge: Knowledge, ask: Ask, rng: random.Random) -> str:
    when = rng.choice((days, period))(ask.window) if ask.window else ""
    return "".join(f" {part}" for part in (population(knowledge, ask.filters), when) if part)


def _supposition(ask: Ask, name: str) -> str:
    if ask.variant != "parameter":
        return ""
    return (
        f'the parameter "{parameter(ask.parameter)}" were {number(ask.supposed)} wherever it '
        "occurs in the definition "
        f"of the {name} or of anything it is made of, whatever the catalog or a rule document "
        "says about it, and "
        "everything else stayed as it is"
    )


def _applied(ask: Ask, rng: random.Random) -> str:
    sentence = rng.choice(list(zip(RULED, STANDARD, strict=True)))[0 if ask.rules else 1]
    if ask.variant == "no_rules":
        return (
            "The actual value is the one under every rule document that governs this metric "
            "or anything it is made "
            "of; the counterfactual one is that of the standard definition in the metric catalog."
        )
    return sentence

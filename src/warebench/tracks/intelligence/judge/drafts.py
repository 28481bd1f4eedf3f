"""Tasks of the track as drafts of validation, and back."""

from collections.abc import Iterator

import msgspec

from warebench.answers.render import render
from warebench.errors import InternalError
from warebench.tracks.intelligence.analyses.model import Ask
from warebench.tracks.intelligence.judge.model import Draft
from warebench.tracks.intelligence.knowledge.links import find_metric
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.phrase.formats import answer_format
from warebench.tracks.intelligence.phrase.leads import RULED, STANDARD
from warebench.tracks.intelligence.phrase.words import (
    amount,
    days,
    group,
    number,
    parameter,
    period,
    population,
)
from warebench.tracks.intelligence.validate.model import Task


def draft_of(knowledge: Knowledge, task: Task, name: str) -> Draft:
    """Return a task as validation sees it.

    Args:
        knowledge: The knowledge base.
        task: With text and gold.
        name: What to call the draft; unique among those judged together.

    Raises:
        InternalError: The text lacks something that fixes its gold.
    """
    metric = find_metric(knowledge, task.ask.metric).name if task.ask else ""
    return Draft(
        id=name,
        text=task.text,
        must_contain=tuple(words for words in dict.fromkeys(_fixed(knowledge, task)) if words),
        gold=render(task.gold),
        sql=task.sql,
        analysis=task.analysis,
        metric=metric,
    )


def with_text(task: Task, text: str) -> Task:
    """Return a task with another text; its variant under the standard definition gets it too.

    The two differ by the sentence that says which rules apply, and by nothing else.

    Raises:
        InternalError: A text lacks that sentence.
    """
    standard = task.standard
    if standard is not None:
        other = text.replace(_said(text, *RULED), _said(standard.text, *STANDARD))
        standard = msgspec.structs.replace(standard, text=other)
    return msgspec.structs.replace(task, text=text, standard=standard)


def _fixed(knowledge: Knowledge, task: Task) -> Iterator[str]:
    """Yield the words that fix the gold of a task."""
    if task.fact is not None:
        yield _said(task.text, task.fact.ask)
        yield task.text.partition(task.fact.ask)[2].strip()
    if task.ask is not None:
        yield from _fixed_rows(knowledge, task.ask, task.text)


def _fixed_rows(knowledge: Knowledge, ask: Ask, text: str) -> Iterator[str]:
    metric = find_metric(knowledge, ask.metric)
    members = [group(knowledge, ask.dimension, member) for member in ask.members]
    yield _said(text, metric.name)
    if ask.filters:
        yield _said(text, population(knowledge, ask.filters))
    if ask.window:
        yield _said(text, days(ask.window), period(ask.window))
    for letter, member in zip("ab", members, strict=False):
        yield _said(text, f"({letter}) {member}" if ask.analysis == "comparison" else member)
    for member in members[2:]:
        yield _said(text, member)
    if ask.analysis == "threshold_crossing":
        yield _said(text, amount(ask.threshold, metric.unit))
    if ask.parameter:
        yield _said(text, f'the parameter "{parameter(ask.parameter)}" were {number(ask.supposed)}')
        yield _said(text, "whatever the catalog or a rule document says about it")
    if ask.variant == "no_rules":
        yield _said(text, *NO_RULES)
    else:
        yield _said(text, *(RULED if ask.rules else STANDARD))
    yield _said(text, answer_format(knowledge, ask))


NO_RULES = (
    "The actual value is the one under every rule document that governs this metric or anything it is made "
    "of; the counterfactual one is that of the standard definition in the metric catalog.",
)
"""As `phrase.text` says it of the counterfactual without rules."""


def _said(text: str, *choices: str) -> str:
    """Return which of some passages stands in a text.

    Raises:
        InternalError: None does: phrasing and this file no longer agree.
    """
    for words in choices:
        if words in text:
            return words
    raise InternalError(f"a question does not say {choices[0]!r}: {text}")

"""What a judge sees, says and decides."""

from dataclasses import dataclass

DIMENSIONS: dict[str, str] = {
    "objectivity": "The question has one answer that follows from data and documents; nothing in it is a "
    "matter of taste or guesswork.",
    "leakage": "The question gives away neither the answer, nor names of tables or columns, nor which "
    "documents to consult.",
    "naturalness": "A business stakeholder could have written it: grammatical, clear, no template artefacts.",
    "relevance": "It asks for something that matters to a business reader of this metric.",
    "format": "The answer format it states is that of the gold answer: the same keys, units and rounding.",
    "correctness": "The SQL computes what the question asks for, with the same filters, days and groups.",
    "reasoning": "The question needs the steps of its analysis type, and no others.",
    "scope": "Question, SQL and gold answer are about the same rows, days and groups.",
}
"""The eight of the paper with what each asks, in our words: the paper's prompt is not printed in our copy.

Source: DI-Bench, section 3.5 and Appendix E.2.
"""

PHRASING = ("objectivity", "leakage", "naturalness", "format")
"""Faults that another text can mend: the four about the text alone. The paper does not list its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A task as validation sees it."""

    id: str
    text: str
    must_contain: tuple[str, ...]
    """What every text of the task has to say word for word: days, population, rules, answer format."""
    gold: str
    """The gold answer as text."""
    sql: str
    analysis: str
    metric: str = ""
    """Name of the metric."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """A judge's verdict: 0 or 1 and one sentence for each dimension."""

    passed: dict[str, bool]
    reasons: dict[str, str]

    @property
    def failed(self) -> tuple[str, ...]:
        """Names of the dimensions that failed, in order."""
        return tuple(name for name in DIMENSIONS if not self.passed[name])


@dataclass(frozen=True, slots=True, kw_only=True)
class Dismissed:
    """A draft that was not admitted."""

    draft: Draft
    """With the last text that was tried."""
    reason: str
    """In words that recur, to be counted."""
    failed: tuple[str, ...] = ()
    """Dimensions that failed."""
    detail: str = ""
    """The reason in full, where it says more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What a judge made of drafts."""

    admitted: tuple[Draft, ...]
    """In their order; some with another text."""
    dismissed: tuple[Dismissed, ...]
    rewritten: tuple[str, ...] = ()
    """Ids of admitted drafts whose text was rewritten."""

    def counts(self) -> dict[str, int]:
        """Return how many failed each dimension, and how many were not admitted for another reason."""
        found: dict[str, int] = dict.fromkeys(DIMENSIONS, 0)
        for item in self.dismissed:
            for name in item.failed or ("other",):
                found[name] = found.get(name, 0) + 1
        return {name: count for name, count in found.items() if count}

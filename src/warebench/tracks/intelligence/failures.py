"""Why a question under rules was answered wrongly, as far as the trace of the tools tells.

The first obstacle counts: a rule that never came back explains everything behind it.

Source: DI-Bench, section 4.3 and Appendix K (by hand there).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from warebench.answers.compare import compare
from warebench.answers.model import Abstain, Answer, Field, Quantity, Record, Reply, Table
from warebench.answers.parse import Unparsed
from warebench.answers.scalar import is_near
from warebench.questions.model import Question
from warebench.tracks.intelligence.stored import ask_of

FailureClass = Literal[
    "no answer",
    "rule never retrieved",
    "rule found but not read",
    "no query succeeded",
    "retrieved but SQL unchanged",
    "applied wrongly",
]

EXPLANATIONS: dict[FailureClass, str] = {
    "no answer": "no answer could be read, or the model gave none",
    "rule never retrieved": "no tool returned the document of a rule that is needed, not even a passage",
    "rule found but not read": "of the document of a needed rule only a passage came back, in a search",
    "no query succeeded": "the rules were read, and no query returned rows",
    "retrieved but SQL unchanged": "the rules were read; answer or last query is the standard definition's",
    "applied wrongly": "the rules were read; the answer is neither gold nor the standard definition's",
}

DERIVED = frozenset({"total_change_pct", "change", "p_value", "threshold"})
"""Fields that are computed from figures, or stand in the question: no query need return them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Trace:
    """What the tools returned."""

    found: frozenset[str]
    """Documents of which at least a passage came back."""
    read: frozenset[str]
    """Documents that came back whole, or stood in the prompt."""
    numbers: tuple[float, ...] | None
    """Numbers in the rows of the last query that returned some; None where none did."""


def classify(
    question: Question,
    reply: Reply | Unparsed,
    documents: Sequence[str],
    standard: Answer | None,
    trace: Trace,
) -> FailureClass:
    """Return the class of a wrong answer to a question under rules.

    Args:
        question: What was asked.
        reply: The wrong answer.
        documents: Those of the rules that are needed.
        standard: The answer under the standard definition, where it is known.
        trace: What the tools returned.
    """
    if isinstance(reply, Unparsed | Abstain):
        return "no answer"
    if not set(documents) <= trace.found | trace.read:
        return "rule never retrieved"
    if not set(documents) <= trace.read:
        return "rule found but not read"
    if trace.numbers is None:
        return "no query succeeded"
    if standard is not None and (
        compare(standard, reply).correct or _holds_only(standard, question.gold, trace.numbers)
    ):
        return "retrieved but SQL unchanged"
    return "applied wrongly"


def standard_answer(question: Question, matched: Question | None) -> Answer | None:
    """Return the answer to a question under rules by one who applies none.

    Args:
        question: The question under rules.
        matched: Its matched variant. A counterfactual that takes the rules away has none, and needs none: its
            own gold holds the figure without rules.
    """
    if matched is not None:
        return matched.gold
    ask = ask_of(question)
    if ask is None or ask.variant != "no_rules" or not isinstance(question.gold, Record):
        return None
    fields = {field.name: field.value for field in question.gold.fields}
    without, change = fields["counterfactual"], fields["change"]
    if not isinstance(change, Quantity):
        return None
    nothing = msgspec.structs.replace(change, value=0.0)
    return Record((Field("actual", without), Field("counterfactual", without), Field("change", nothing)))


def _holds_only(standard: Answer, gold: Answer, numbers: Sequence[float]) -> bool:
    """Return whether the figures of one answer are among some numbers, and those of the other are not."""
    return _hold(figures_of(standard), numbers) and not _hold(figures_of(gold), numbers)


def _hold(figures: Sequence[Quantity], numbers: Sequence[float]) -> bool:
    return bool(figures) and all(any(is_near(figure, number) for number in numbers) for figure in figures)


def figures_of(answer: Answer) -> list[Quantity]:
    """Return the numbers of an answer that a query returns as they are."""
    match answer:
        case Quantity():
            return [answer]
        case Record(fields):
            return [
                field.value
                for field in fields
                if isinstance(field.value, Quantity) and field.name not in DERIVED
            ]
        case Table(columns, rows):
            at = next((at for at, column in enumerate(columns) if column.name == "value"), None)
            if at is None:
                return []
            column = columns[at]
            cells = [row[at] for row in rows]
            return [
                Quantity(float(cell), column.relative, column.absolute)
                for cell in cells
                if isinstance(cell, int | float)
            ]
        case _:
            return []

"""Checks of prose against its truth: a document names a metric, and states what its facts quote."""

import re
from collections.abc import Iterator

from warebench.errors import KnowledgeError, did_you_mean
from warebench.tracks.intelligence.knowledge.links import metric_tree, touched_metrics
from warebench.tracks.intelligence.knowledge.model import Fact, Knowledge, Rule

SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMBER_WORDS = {word: float(value) for value, word in enumerate(SMALL)} | {
    word: 10.0 * place for place, word in enumerate(TENS, 2)
}
"""Numbers that a document may write in letters."""

DIGITS = re.compile(r"(?<![\w.,])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?")


def check_document(knowledge: Knowledge, rule: Rule) -> None:
    """Refuse a rule whose document is missing, or names no metric that the rule is on.

    Id, name and synonyms count. A rule without operations may name any metric, one on a composite's parts the
    composite as well.

    Raises:
        KnowledgeError: There is no such document, or it names none.
    """
    if rule.document not in knowledge.documents:
        raise KnowledgeError(
            "there is no such document",
            fix=did_you_mean(rule.document, knowledge.documents) or "write it, or correct `document`",
        )
    text = _plain(knowledge.documents[rule.document])
    touched = touched_metrics(rule).keys()
    for metric in knowledge.metrics:
        concerned = not touched or touched & {part.id for part in metric_tree(knowledge, metric.id)}
        if concerned and any(_plain(name) in text for name in (metric.id, metric.name, *metric.synonyms)):
            return
    own = f" that its rule is on: {', '.join(touched)}" if touched else ""
    raise KnowledgeError(
        f"the document names no metric{own}",
        fix="write the metric's name, or give the metric the synonym that the document uses",
    )


def check_fact(knowledge: Knowledge, rule: Rule, fact: Fact) -> None:
    """Refuse a fact that its document does not state in these words.

    Raises:
        KnowledgeError: The quote is not in the document, or the answer not in the quote.
    """
    if rule.document not in knowledge.documents:
        return  # told already
    text = " ".join(knowledge.documents[rule.document].split())
    if " ".join(fact.quote.split()) not in text:
        raise KnowledgeError(f"the document does not say: {fact.quote}", fix="quote it verbatim")
    if not _stands(fact.answer, fact.quote):
        raise KnowledgeError(
            f"the answer `{fact.answer}` is not in the quote: {fact.quote}",
            fix="quote the words that state it",
        )


def _stands(answer: str | float, quote: str) -> bool:
    if isinstance(answer, str):
        return _plain(answer) in _plain(quote)
    return answer in _numbers(quote)


def _numbers(text: str) -> Iterator[float]:
    """Yield the numbers that a text states, in digits or in letters."""
    for found in DIGITS.findall(text):
        yield float(found.replace(",", ""))
    for word in re.findall(r"[a-z]+(?:-[a-z]+)?", text.lower()):
        ten, _, unit = word.partition("-")
        if word in NUMBER_WORDS:
            yield NUMBER_WORDS[word]
        elif ten in TENS and NUMBER_WORDS.get(unit, 10) < 10:
            yield NUMBER_WORDS[ten] + NUMBER_WORDS[unit]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()

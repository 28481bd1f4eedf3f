"""Knowledge tasks: what rule documents and catalog pages state, with the words that state it."""

import random
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from warebench.answers.model import Answer, Quantity, Text
from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.knowledge.documents import check_fact
from warebench.tracks.intelligence.knowledge.model import Fact, Knowledge, Rule
from warebench.tracks.intelligence.phrase.catalog import catalog_facts, page_path
from warebench.tracks.intelligence.phrase.text import fact_text
from warebench.tracks.intelligence.validate.model import Task

RULES_FIRST = 3
"""Facts of rule documents for each one of the metric catalog."""


def fact_tasks(knowledge: Knowledge, seed: int) -> Iterator[Task]:
    """Yield the knowledge tasks, documents in turn, so that any number of them covers as many as it can.

    Args:
        knowledge: The knowledge base; its documents hold the catalog pages too.
        seed: Of order and paraphrase.
    """
    rng = random.Random(f"{seed}:{knowledge.name}:facts")  # noqa: S311 - repeatable
    rules = [[(rule.document, fact) for fact in rule.facts] for rule in knowledge.rules]
    pages = [[(page_path(m), fact) for fact in catalog_facts(knowledge, m)] for m in knowledge.metrics]
    for document, fact in _mixed(_in_turn(rules, rng), _in_turn(pages, rng)):
        yield Task(
            text=fact_text(fact, f"{seed}:{document}:{fact.ask}"),
            gold=fact_gold(fact),
            tier="knowledge",
            fact=fact,
            document=document,
        )


def fact_gold(fact: Fact) -> Answer:
    """Return the answer that a fact states."""
    if isinstance(fact.answer, str):
        return Text(fact.answer, fact.accept)
    return Quantity(float(fact.answer), 0.0, 1e-9)


def fact_again(knowledge: Knowledge, document: str, fact: Fact) -> Answer | None:
    """Return the answer to a fact by the words of its document: the second method.

    The document must hold the quote, and the quote the answer, a number in digits or letters.

    Args:
        knowledge: The knowledge base; its documents hold the catalog pages too.
        document: Path of the document.
        fact: The fact.

    Returns:
        The answer, or None where the document does not state it.
    """
    source = Rule(id=document, title=document, kind="definitional", document=document)
    try:
        check_fact(knowledge, source, fact)
    except KnowledgeError:
        return None
    return fact_gold(fact)


Stated = tuple[str, Fact]


def _in_turn(groups: Sequence[Sequence[Stated]], rng: random.Random) -> list[Stated]:
    """Return the first of every group, then the second, groups and their facts shuffled."""
    mixed = [rng.sample(group, len(group)) for group in groups]
    rng.shuffle(mixed)
    return [item for turn in zip_longest(*mixed) for item in turn if item is not None]


def _mixed(many: list[Stated], few: list[Stated]) -> Iterator[Stated]:
    while many or few:
        yield from many[:RULES_FIRST]
        yield from few[:1]
        many, few = many[RULES_FIRST:], few[1:]

"""Tasks on their way into a set, and the record of those that do not get there."""

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from warebench.answers.model import Answer
from warebench.catalog.model import Catalog
from warebench.tracks.intelligence.analyses.model import Ask
from warebench.tracks.intelligence.knowledge.model import Fact, Knowledge
from warebench.tracks.intelligence.sampling.subgraph import Subgraph

Tier = Literal["knowledge", "analytics", "rule"]
Stage = Literal["computation", "programmatic", "judge"]


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """A question with everything it was made from. A review may give it another text, and nothing else."""

    text: str
    gold: Answer
    tier: Tier
    ask: Ask | None = None
    """What is asked about rows; None for knowledge retrieval."""
    fact: Fact | None = None
    """What a document states; None for questions about rows."""
    document: str = ""
    """Path of the document that states the fact."""
    required: tuple[str, ...] = ()
    """Rules without each of which the answer would be a wrong one."""
    skeleton: Subgraph | None = None
    augmented: bool = False
    """Whether its skeleton was added to reach the number wanted."""
    sql: str = ""
    """The executed queries."""
    standard: "Task | None" = None
    """The matched variant of a rule task, under the standard definition."""

    @property
    def analysis(self) -> str:
        """Its analysis type."""
        return self.ask.analysis if self.ask else "knowledge_retrieval"


class Rejection(msgspec.Struct, frozen=True, kw_only=True):
    """A candidate that did not become a question."""

    stage: Stage
    analysis: str
    tier: Tier
    skeleton: str
    reason: str
    text: str = ""
    """Where it came so far as to have one."""


Review = Callable[[Knowledge, Catalog, Sequence[Task]], tuple[list[Task], list[Rejection]]]
"""Takes tasks that have text and gold; returns those that pass, in order, and why the others do not.

A model's judgement is one more review after the programmatic one; it may return tasks with other texts.
"""

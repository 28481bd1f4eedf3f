"""A candidate: a question before it is chosen, phrased and proved."""

import random
from dataclasses import dataclass, field

from warebench.answers.model import Answer
from warebench.graph.build import SchemaGraph
from warebench.questions.model import Value
from warebench.tracks.topology.semantics import Semantics


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """What a question asks, its gold, and what it shares with its siblings."""

    subtype: str
    variant: str = ""
    subjects: tuple[str, ...]
    gold: Answer
    method: str
    """Dotted name of the function that found the gold."""
    fact: str
    """Questions with one fact are siblings: who knows one answer knows the other."""
    sibling: bool = False
    """Chosen although an earlier question has the same fact."""
    values: dict[str, Value] = field(default_factory=dict)
    """Parameters of the variant that stand in the text."""
    path_length: int | None = None
    """Edges on the gold path, or of the longest lineage chain in the gold."""
    evidence: tuple[str, ...] | None = ()
    """Tables whose edges must be seen to derive the answer; None for the whole schema."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Draw:
    """What a generator draws from: a graph, the meaning of words, and seeded chance."""

    graph: SchemaGraph
    semantics: Semantics
    random: random.Random
    balanced: bool = True
    """Whether yes and no must be equally many, but for one question where only one of them occurs."""

    def tables(self) -> list[str]:
        """Return all tables in a seeded order."""
        return self.random.sample(self.graph.names, len(self.graph.names))


def pair_fact(kind: str, first: str, second: str) -> str:
    """Return the fact of an unordered pair."""
    return ":".join([kind, *sorted((first, second))])

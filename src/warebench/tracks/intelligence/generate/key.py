"""What a question turns on: questions with one key are siblings, and only one of them is asked."""

import msgspec

from warebench.questions.model import digest
from warebench.tracks.intelligence.analyses.model import Ask


def fact_key(name: str, ask: Ask) -> str:
    """Return what a question turns on, whatever rules apply.

    Args:
        name: Name of the knowledge base.
        ask: What is asked; how many places a ranking has, and the order of groups, make no other fact.
    """
    bare = msgspec.structs.replace(
        ask,
        rules=(),
        members=tuple(sorted(ask.members)),
        filters=tuple(sorted(ask.filters)),
        top=0,
        threshold=0.0,
    )
    return f"{name}:{ask.analysis}:{ask.metric}:{digest(bare)[:16]}"

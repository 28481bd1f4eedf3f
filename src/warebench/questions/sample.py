"""Drawing some of a set's questions, the same number of each group."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable

from warebench.questions.model import Question


def draw(
    questions: Iterable[Question], group: Callable[[Question], str], limit: int, seed: int
) -> list[Question]:
    """Return at most `limit` questions of each group, in the order given.

    The draw goes by `pair_id`, so that an original set and its twin yield the same pairs.

    Args:
        questions: To draw from.
        group: Name of the group a question belongs to.
        limit: Most questions of each.
        seed: Seed of the draw.
    """

    def rank(question: Question) -> str:
        return hashlib.sha256(f"{seed}:{question.pair_id}".encode()).hexdigest()

    every = list(questions)
    groups: dict[str, list[Question]] = defaultdict(list)
    for question in sorted(every, key=rank):
        groups[group(question)].append(question)
    chosen = {question.id for members in groups.values() for question in members[:limit]}
    return [question for question in every if question.id in chosen]

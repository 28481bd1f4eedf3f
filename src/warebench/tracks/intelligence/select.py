"""Some of a set's questions: by condition, tier, analysis type and domain."""

from collections.abc import Callable, Collection

import msgspec

from warebench.errors import RunError, did_you_mean
from warebench.questions.model import Question, QuestionSet
from warebench.questions.sample import draw


class Choosing(msgspec.Struct, frozen=True, kw_only=True):
    """Which questions to ask; the whole benchmark, without matched variants, by default."""

    condition: str = "whole"
    tiers: tuple[str, ...] = ()
    analyses: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    limit_per_subtype: int | None = None
    seed: int


def select(question_set: QuestionSet, choosing: Choosing) -> QuestionSet:
    """Return the set with the chosen questions, in its order, and the databases they need.

    Args:
        question_set: A set with its matched variants.
        choosing: What to keep. Conditions rule and oracle_rule ask the questions under rules that have a
            matched variant; no_rule asks those variants, each under its question's id, so that conditions
            are compared question by question.

    Raises:
        RunError: A name is not in the set, the limit is below 1, or nothing is left.
    """
    limit = choosing.limit_per_subtype
    if limit is not None and limit < 1:
        raise RunError(f"limit_per_subtype must be at least 1, not {limit}", fix="Leave it out to ask all.")
    kept = _condition(question_set, choosing.condition)
    kept = _filter(kept, choosing.tiers, "tier", lambda question: str(question.facets["tier"]))
    kept = _filter(kept, choosing.analyses, "analysis", lambda question: question.subtype)
    kept = _filter(kept, choosing.domains, "domain", lambda question: str(question.facets["domain"]))
    if limit is not None:
        kept = draw(kept, lambda question: question.subtype, limit, choosing.seed)
    if not kept:
        raise RunError("the set holds no such question", fix="Choose other tiers, analyses or domains.")
    contexts = {question.context for question in kept}
    return msgspec.structs.replace(
        question_set,
        questions=tuple(kept),
        databases={name: rows for name, rows in question_set.databases.items() if name in contexts},
    )


def _condition(question_set: QuestionSet, condition: str) -> list[Question]:
    main = [question for question in question_set.questions if "matched" not in question.facets]
    if condition == "whole":
        return main
    twins = {str(q.facets["matched"]): q for q in question_set.questions if "matched" in q.facets}
    ruled = [question for question in main if question.id in twins]
    if condition != "no_rule":
        return ruled
    return [
        msgspec.structs.replace(twins[question.id], id=question.id, pair_id=question.pair_id)
        for question in ruled
    ]


def _filter(
    questions: list[Question], wanted: Collection[str], what: str, of: Callable[[Question], str]
) -> list[Question]:
    known = list(dict.fromkeys(of(question) for question in questions))
    for name in wanted:
        if name not in known:
            raise RunError(
                f"there is no question of the {what} `{name}` to ask",
                fix=f"{did_you_mean(name, known)} There are: {', '.join(known)}.".strip(),
            )
    return [question for question in questions if not wanted or of(question) in wanted]

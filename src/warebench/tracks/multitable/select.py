"""Some of a set's questions: by window, by database, so many of each template."""

from collections.abc import Callable, Collection

import msgspec

from warebench.errors import RunError, did_you_mean
from warebench.questions.model import Question, QuestionSet
from warebench.questions.sample import draw


class Choosing(msgspec.Struct, frozen=True, kw_only=True):
    """Which questions to ask; all by default."""

    windows: tuple[str, ...] = ()
    databases: tuple[str, ...] = ()
    limit_per_template: int | None = None
    limit_per_subtype: int | None = None
    seed: int


def select(question_set: QuestionSet, choosing: Choosing) -> QuestionSet:
    """Return the set with the chosen questions, in its order, and the databases they need.

    Raises:
        RunError: A window or database is not in the set, a limit is below 1, or nothing is left.
    """
    kept = list(question_set.questions)
    kept = _filter(kept, choosing.windows, "window", lambda question: str(question.facets["window"]))
    kept = _filter(kept, choosing.databases, "database", lambda question: question.catalog)
    for limit, name, group in (
        (choosing.limit_per_template, "limit_per_template", _template),
        (choosing.limit_per_subtype, "limit_per_subtype", _subtype),
    ):
        if limit is None:
            continue
        if limit < 1:
            raise RunError(f"{name} must be at least 1, not {limit}", fix="Leave it out to ask all.")
        kept = draw(kept, group, limit, choosing.seed)
    if not kept:
        raise RunError("the set holds no such question", fix="Choose other windows or databases.")
    contexts = {question.context for question in kept}
    return msgspec.structs.replace(
        question_set,
        questions=tuple(kept),
        databases={name: rows for name, rows in question_set.databases.items() if name in contexts},
    )


def _filter(
    questions: list[Question], wanted: Collection[str], what: str, of: Callable[[Question], str]
) -> list[Question]:
    known = {of(question) for question in questions}
    for name in wanted:
        if name not in known:
            raise RunError(f"the set has no {what} `{name}`", fix=did_you_mean(name, known))
    return [question for question in questions if not wanted or of(question) in wanted]


def _template(question: Question) -> str:
    return str(question.facets["template"])


def _subtype(question: Question) -> str:
    return question.subtype

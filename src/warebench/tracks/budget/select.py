"""Some of a set's questions: by database, so many of each subtype."""

import msgspec

from warebench.errors import RunError, did_you_mean
from warebench.questions.model import Question, QuestionSet
from warebench.questions.sample import draw


class Choosing(msgspec.Struct, frozen=True, kw_only=True):
    """Which questions to ask; all by default. The catalog stays whole."""

    databases: tuple[str, ...] = ()
    limit_per_database: int | None = None
    limit_per_subtype: int | None = None
    seed: int


def select(question_set: QuestionSet, choosing: Choosing) -> QuestionSet:
    """Return the set with the chosen questions, in its order.

    Raises:
        RunError: No question is about a database, a limit is below 1, or nothing is left.
    """
    kept = _of_databases(question_set.questions, choosing.databases)
    for name, group in (("limit_per_database", _database), ("limit_per_subtype", _subtype)):
        limit = getattr(choosing, name)
        if limit is None:
            continue
        if not isinstance(limit, int) or limit < 1:
            raise RunError(f"{name} must be at least 1, not {limit}", fix="Leave it out to ask all.")
        kept = draw(kept, group, limit, choosing.seed)
    if not kept:
        raise RunError("the set holds no question", fix="Build it again with more databases.")
    return msgspec.structs.replace(question_set, questions=tuple(kept))


def _of_databases(questions: tuple[Question, ...], wanted: tuple[str, ...]) -> list[Question]:
    known = {question.context for question in questions}
    for name in wanted:
        if name not in known:
            raise RunError(f"no question is about a database `{name}`", fix=did_you_mean(name, known))
    return [question for question in questions if not wanted or question.context in wanted]


def _database(question: Question) -> str:
    return question.context


def _subtype(question: Question) -> str:
    return question.subtype

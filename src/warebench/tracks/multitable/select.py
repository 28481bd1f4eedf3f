"""Some of a set's questions: by window, by database, so many of each template."""

from collections.abc import Callable, Collection

import msgspec

from warebench.errors import RunError, did_you_mean
from warebench.questions.model import Question, QuestionSet
from warebench.questions.sample import draw

LIMITS = ("instances", "size", "limit_per_template", "limit_per_subtype")


class Choosing(msgspec.Struct, frozen=True, kw_only=True):
    """Which questions to ask; all by default."""

    windows: tuple[str, ...] = ()
    databases: tuple[str, ...] = ()
    instances: int | None = None
    """Of each database and window."""
    size: int | None = None
    """Questions of each template and instance."""
    limit_per_template: int | None = None
    limit_per_subtype: int | None = None
    seed: int


def select(question_set: QuestionSet, choosing: Choosing) -> QuestionSet:
    """Return the set with the chosen questions, in its order, and the databases they need.

    Raises:
        RunError: A window or database is not in the set, a limit is below 1, or nothing is left.
    """
    check_limits(choosing)
    kept = list(question_set.questions)
    kept = _filter(kept, choosing.windows, "window", lambda question: str(question.facets["window"]))
    kept = _filter(kept, choosing.databases, "database", lambda question: question.catalog)
    kept = _first_instances(kept, choosing.instances)
    for limit, group in (
        (choosing.size, _template_of_instance),
        (choosing.limit_per_template, _template),
        (choosing.limit_per_subtype, _subtype),
    ):
        if limit is not None:
            kept = draw(kept, group, limit, choosing.seed)
    if not kept:
        raise RunError("the set holds no such question", fix="Choose other windows or databases.")
    contexts = {question.context for question in kept}
    return msgspec.structs.replace(
        question_set,
        questions=tuple(kept),
        databases={name: rows for name, rows in question_set.databases.items() if name in contexts},
    )


def check_limits(choosing: Choosing) -> None:
    """Refuse a limit that leaves nothing.

    Raises:
        RunError: A limit is below 1.
    """
    for name in LIMITS:
        limit = getattr(choosing, name)
        if limit is not None and limit < 1:
            raise RunError(f"{name} must be at least 1, not {limit}", fix="Leave it out to ask all.")


def _first_instances(questions: list[Question], count: int | None) -> list[Question]:
    """Return the questions about the first so many instances of each database and window."""
    if count is None:
        return questions
    numbers: dict[tuple[str, str], set[int]] = {}
    for question in questions:
        numbers.setdefault(_sampled(question), set()).add(_number(question))
    first = {key: sorted(found)[:count] for key, found in numbers.items()}
    return [question for question in questions if _number(question) in first[_sampled(question)]]


def _sampled(question: Question) -> tuple[str, str]:
    return question.catalog, str(question.facets["window"])


def _number(question: Question) -> int:
    return int(question.facets["instance"])


def _template_of_instance(question: Question) -> str:
    return f"{question.context}:{_template(question)}"


def _filter(
    questions: list[Question], wanted: Collection[str], what: str, of: Callable[[Question], str]
) -> list[Question]:
    known = {of(question) for question in questions}
    for name in wanted:
        if name not in known:
            listed = ",".join(sorted(known, key=lambda name: (len(name), name)))
            raise RunError(
                f"the set has no {what} `{name}`",
                fix=f"{did_you_mean(name, known)} Give -T {what}s={listed} or fewer.".strip(),
            )
    return [question for question in questions if not wanted or of(question) in wanted]


def _template(question: Question) -> str:
    return str(question.facets["template"])


def _subtype(question: Question) -> str:
    return question.subtype

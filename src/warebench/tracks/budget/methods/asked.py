"""Under which set and settings a question is being asked right now: policies look here for names.

A policy is a test double. It knows gold, and needs the names of the prompt to write it.
"""

from contextvars import ContextVar
from dataclasses import dataclass

from warebench.errors import InternalError
from warebench.questions.model import Question
from warebench.sql.namespace import to_bare
from warebench.tracks.budget.scoring.bench import gold_sql
from warebench.tracks.budget.settings import Settings
from warebench.tracks.budget.subject import Subject


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A set, and how it is asked."""

    subject: Subject
    settings: Settings


_ASKED: ContextVar[Asked | None] = ContextVar("asked_budget", default=None)


def set_asked(asked: Asked) -> None:
    """Say what the calling task asks from now on."""
    _ASKED.set(asked)


def current_asked() -> Asked:
    """Return what is being asked.

    Raises:
        InternalError: No solver of this track has put a prompt.
    """
    asked = _ASKED.get()
    if asked is None:
        raise InternalError("no question of the budget track is being asked")
    return asked


def gold_in_prompt(asked: Asked, question: Question) -> str:
    """Return the gold query in the names that the prompt uses."""
    return in_prompt(asked, gold_sql(question))


def in_prompt(asked: Asked, sql: str) -> str:
    """Return a query with pool names in the names that the prompt uses."""
    if asked.settings.names == "prefixed":
        return sql
    return to_bare(sql, asked.subject.bare_names, asked.subject.dialect)

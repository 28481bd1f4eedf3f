"""Which set is being asked right now: the policies of this track look here for its knowledge bases."""

from contextvars import ContextVar

from warebench.errors import InternalError
from warebench.tracks.intelligence.methods.subject import Subject

_ASKED: ContextVar[Subject | None] = ContextVar("asked_intelligence", default=None)


def set_asked(subject: Subject) -> None:
    """Say what the calling task asks from now on."""
    _ASKED.set(subject)


def current_subject() -> Subject:
    """Return what is being asked.

    Raises:
        InternalError: No solver of this track has put a prompt.
    """
    subject = _ASKED.get()
    if subject is None:
        raise InternalError("no question of the intelligence track is being asked")
    return subject

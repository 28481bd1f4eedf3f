"""What reading a model's text can come to."""

import msgspec

from warebench.answers.model import AnswerKind, Reply

__all__ = ["TRUNCATED", "AnswerKind", "Reading", "Unparsed"]


class Unparsed(msgspec.Struct, frozen=True):
    """No answer could be read; `reason` says why in a few words."""

    reason: str


TRUNCATED = Unparsed("truncated")
"""The answer was cut off: half a list is not scored as an answer."""

Reading = Reply | Unparsed | None
"""A reply, a statement that is no answer of the kind, or nothing that looks like an answer."""

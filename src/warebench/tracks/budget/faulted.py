"""The faults of a set's gold SQL, in the set's file `faults.jsonl`."""

from collections.abc import Iterable

import msgspec

from warebench.errors import SetError
from warebench.questions.model import QuestionSet
from warebench.sql.lint import Fault

FAULTED = "faults.jsonl"
"""Path in a question set: one line for each question whose gold has a fault."""


class QuestionFaults(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with the gold SQL of one question."""

    question: str
    """Id of the question."""
    faults: tuple[Fault, ...]


def encode_faults(found: Iterable[QuestionFaults]) -> bytes:
    """Return the bytes of the file."""
    return b"".join(msgspec.json.encode(item) + b"\n" for item in found)


def read_faults(question_set: QuestionSet) -> list[QuestionFaults]:
    """Return the faults of a set's gold, of those questions that have any.

    Raises:
        SetError: The set has no such file, or the file is torn.
    """
    try:
        lines = question_set.read_file(FAULTED).splitlines()
        return [msgspec.json.decode(line, type=QuestionFaults) for line in lines]
    except (KeyError, OSError, msgspec.DecodeError) as error:
        raise SetError(
            f"the faults of gold cannot be read: {error}",
            where=FAULTED,
            fix="Build the set again with `warebench build budget`.",
        ) from error

"""The labels of a set's questions, in the set's file `labels.jsonl`."""

from collections.abc import Iterable

import msgspec

from warebench.errors import SetError
from warebench.questions.model import QuestionSet
from warebench.sql.labels.model import ColumnLabel

LABELS = "labels.jsonl"
"""Path in a question set: one line a question."""


class QuestionLabels(msgspec.Struct, frozen=True, kw_only=True):
    """What the gold SQL of one question reads. Tables have their pool names, `database.table`."""

    question: str
    """Id of the question."""
    tables: tuple[str, ...]
    columns: tuple[ColumnLabel, ...]


def encode_labels(labels: Iterable[QuestionLabels]) -> bytes:
    """Return the bytes of the file."""
    return b"".join(msgspec.json.encode(label) + b"\n" for label in labels)


def read_labels(question_set: QuestionSet) -> dict[str, QuestionLabels]:
    """Return the labels of a set by question.

    Raises:
        SetError: The set has no such file, the file is torn, or a question has no labels.
    """
    try:
        lines = question_set.read_file(LABELS).splitlines()
        read = [msgspec.json.decode(line, type=QuestionLabels) for line in lines]
    except (KeyError, OSError, msgspec.DecodeError) as error:
        raise SetError(
            f"the labels of the questions cannot be read: {error}",
            where=LABELS,
            fix="Build the set again with `warebench build budget`.",
        ) from error
    found = {label.question: label for label in read}
    for question in question_set.questions:
        if question.id not in found:
            raise SetError(
                "a question has no labels", where=f"{LABELS}: {question.id}", fix="Build the set again."
            )
    return found

"""Answers of examples to questions with ids, and the files that stand beside them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from warebench.catalog.model import Catalog
from warebench.engine.collection import SqliteFile
from warebench.questions.assemble import identify
from warebench.questions.model import FileContent, Question
from warebench.tracks.budget.ask import Asked
from warebench.tracks.budget.faulted import FAULTED, QuestionFaults, encode_faults
from warebench.tracks.budget.files import sqlite_file
from warebench.tracks.budget.labelled import LABELS, QuestionLabels, encode_labels
from warebench.tracks.budget.left_out import LEFT_OUT, LeftOut, encode_left_out
from warebench.tracks.budget.paraphrase import reword


@dataclass(frozen=True, slots=True)
class Made:
    """A question with its id, and what it was made of."""

    question: Question
    asked: Asked


def mark_siblings(asked: Sequence[Asked]) -> Iterator[Made]:
    """Yield the questions with ids; of those that share their gold SQL all but the first are siblings."""
    seen: set[str] = set()
    for item in asked:
        yield Made(_identify(item.question, sibling=item.question.fact in seen), item)
        seen.add(item.question.fact)


def with_paraphrases(made: Sequence[Made], catalogs: Mapping[str, Catalog]) -> Iterator[Made | LeftOut]:
    """Yield each question, and after it its paraphrase, or that there is none.

    Args:
        made: Questions.
        catalogs: By database.
    """
    texts = {(item.question.context, item.question.text) for item in made}
    for item in made:
        yield item
        database = item.question.context
        other = reword(item.asked, catalogs[database])
        if other is None or (database, other.text) in texts:
            where = item.asked.example.id
            yield LeftOut(where=where, database=database, reason="no other words", example=False)
        else:
            texts.add((database, other.text))
            yield Made(_identify(other, sibling=True), item.asked)


def _identify(question: Question, *, sibling: bool) -> Question:
    if not sibling:
        return identify(question)
    return identify(msgspec.structs.replace(question, facets={**question.facets, "sibling": True}))


def label_coverage(made: Sequence[Made], left_out: Sequence[LeftOut]) -> float:
    """Return the share of gold queries that run and could be labelled, among those that run."""
    labelled = len({item.asked.example.id for item in made})
    labelled += sum(item.reason in ("wall clock", "faulty", "not invariant") for item in left_out)
    unlabelled = sum(item.reason == "unlabelled" for item in left_out)
    return round(labelled / (labelled + unlabelled), 6)


def make_files(
    made: Sequence[Made], left_out: Sequence[LeftOut], databases: Sequence[SqliteFile]
) -> dict[str, FileContent]:
    """Return the further files of a set: labels, faults, what was left out, and SQLite databases."""
    labels = (
        QuestionLabels(
            question=item.question.id, tables=item.asked.pool_tables, columns=item.asked.pool_columns
        )
        for item in made
    )
    faults = (
        QuestionFaults(question=item.question.id, faults=item.asked.faults)
        for item in made
        if item.asked.faults
    )
    written: dict[str, FileContent] = {
        LABELS: encode_labels(labels),
        FAULTED: encode_faults(faults),
        LEFT_OUT: encode_left_out(left_out),
    }
    return written | {sqlite_file(item.catalog.name): item.path for item in databases}

"""What a method works on: the question set, its catalogs, and what is derived from them once."""

from collections.abc import Mapping
from dataclasses import dataclass

from warebench.answers.parse import AnswerKind
from warebench.catalog.model import Catalog
from warebench.harness.dataset import QuestionIndex, find_question, index_questions
from warebench.questions.model import Question, QuestionSet
from warebench.tracks.topology.methods.view import SchemaView
from warebench.tracks.topology.semantics import Semantics, from_manifest
from warebench.tracks.topology.subtypes import SUBTYPE


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """A question set as solvers need it. Inspect logs it by its `name`, so no gold reaches a header."""

    name: str
    index: QuestionIndex
    catalogs: Mapping[str, Catalog]
    views: Mapping[str, SchemaView]
    """The same catalogs, as prompts show them."""
    semantics: Semantics

    def question(self, sample_id: str | int) -> Question:
        """Return the question a sample asks."""
        return find_question(self.index, sample_id)

    def view(self, question: Question) -> SchemaView:
        """Return the catalog a question is about, as prompts show it."""
        return self.views[question.catalog]


def open_subject(question_set: QuestionSet) -> Subject:
    """Return the subject of a topology set."""
    index = index_questions(question_set)
    return Subject(
        name=index.name,
        index=index,
        catalogs=question_set.catalogs,
        views={name: SchemaView(catalog) for name, catalog in question_set.catalogs.items()},
        semantics=from_manifest(question_set.manifest.parameters),
    )


def answer_kind(question: Question) -> AnswerKind:
    """Return the kind of answer a question asks for: known from its subtype, without looking at gold."""
    return SUBTYPE[question.subtype].answer

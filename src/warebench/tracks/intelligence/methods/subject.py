"""What a method works on: questions, databases, documents, and what only scorer and policies may know."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from warebench.engine.database import Database
from warebench.harness.dataset import QuestionIndex, find_question, index_questions
from warebench.harness.sql import schema_text
from warebench.questions.model import Question, QuestionSet
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.methods.library import Library, open_library
from warebench.tracks.intelligence.stored import knowledge_name, stored_knowledge


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """A question set as solvers need it. Inspect logs it by its `name`, so no gold reaches a header."""

    name: str
    question_set: QuestionSet
    index: QuestionIndex
    databases: Mapping[str, Database]
    libraries: Mapping[str, Library]
    """By the name of the knowledge base."""
    knowledge: Mapping[str, Knowledge]
    """Structured truth included: for scorer and policies, never for a prompt."""
    standard: Mapping[str, Question]
    """Question under rules, by id, to its matched variant under the standard definition."""
    _schemas: dict[str, str] = field(default_factory=dict)

    def question(self, sample_id: str | int) -> Question:
        """Return the question a sample asks."""
        return find_question(self.index, sample_id)

    def library(self, question: Question) -> Library:
        """Return the documents a question is about."""
        return self.libraries[knowledge_name(question)]

    def schema(self, question: Question) -> str:
        """Return the schema of the database a question is about, made once."""
        if question.context not in self._schemas:
            self._schemas[question.context] = schema_text(self.databases[question.context])
        return self._schemas[question.context]


def open_subject(whole: QuestionSet, asked: QuestionSet) -> Subject:
    """Return the subject of an intelligence set.

    Args:
        whole: The set with its matched variants.
        asked: What of it is asked.

    Raises:
        SetError: The set lacks a knowledge base.
    """
    index = index_questions(asked)
    names = dict.fromkeys(knowledge_name(question) for question in asked.questions)
    knowledge = {name: stored_knowledge(whole, name) for name in names}
    return Subject(
        name=index.name,
        question_set=asked,
        index=index,
        databases=asked.databases,
        libraries={name: open_library(base.documents) for name, base in knowledge.items()},
        knowledge=knowledge,
        standard=matched(whole),
    )


def matched(question_set: QuestionSet) -> dict[str, Question]:
    """Return the matched variants of a set, by the id of the question under rules."""
    return {
        str(question.facets["matched"]): question
        for question in question_set.questions
        if "matched" in question.facets
    }

"""What a method works on: the questions in the form it asks them in, and the databases they are about."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from warebench.answers.model import Choice
from warebench.answers.parse import AnswerKind, kind_of
from warebench.engine.database import Database
from warebench.errors import RunError
from warebench.harness.dataset import QuestionIndex, find_question, index_questions
from warebench.questions.model import Question, QuestionSet
from warebench.tracks.multitable.choices import GOLD, LETTERS

Form = Literal["choice", "open"]
"""A letter of four options, or the value itself."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """A question set as solvers need it. Inspect logs it by its `name`, so no gold reaches a header."""

    name: str
    question_set: QuestionSet
    index: QuestionIndex
    form: Form
    databases: Mapping[str, Database]
    _texts: dict[tuple[str, str], str] = field(default_factory=dict)

    def question(self, sample_id: str | int) -> Question:
        """Return the question a sample asks."""
        return find_question(self.index, sample_id)

    def database(self, question: Question) -> Database:
        """Return the rows a question is about."""
        return self.databases[question.context]

    def text(self, question: Question, what: str, make: Callable[[Database], str]) -> str:
        """Return a text about the database of a question, made once.

        Args:
            question: The question.
            what: Name of the kind of text.
            make: Makes it.
        """
        key = (what, question.context)
        if key not in self._texts:
            self._texts[key] = make(self.database(question))
        return self._texts[key]


def open_subject(question_set: QuestionSet, form: Form) -> Subject:
    """Return the subject of a multitable set; ids and hash stay, so that methods compare pairwise.

    Args:
        question_set: A set whose gold is the value.
        form: `choice` replaces gold by the letter of its option.

    Raises:
        RunError: A question has no options where a letter is asked for.
    """
    asked = as_choice(question_set) if form == "choice" else question_set
    index = index_questions(asked)
    return Subject(
        name=f"{index.name}-{form}",
        question_set=asked,
        index=index,
        form=form,
        databases=question_set.databases,
    )


def as_choice(question_set: QuestionSet) -> QuestionSet:
    """Return the set with the letter of the right option as gold.

    Raises:
        RunError: A question has no options, or more than there are letters.
    """
    asked = tuple(
        msgspec.structs.replace(question, gold=right_letter(question)) for question in question_set.questions
    )
    return msgspec.structs.replace(question_set, questions=asked)


def right_letter(question: Question) -> Choice:
    """Return the letter of the option that is gold.

    Raises:
        RunError: There is no such option.
    """
    for letter, option in zip(LETTERS, question.options, strict=False):
        if option.origin == GOLD:
            return Choice(letter)
    raise RunError("the question has no options", where=question.id, fix="Ask it with the method `open`.")


def answer_kind(question: Question) -> AnswerKind:
    """Return the kind of answer asked for, which the text of the question states too."""
    return kind_of(question.gold)

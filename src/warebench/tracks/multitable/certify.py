"""The second method on a finished set: every certificate's SQL, executed once more."""

from decimal import Decimal
from typing import Any

import duckdb

from warebench.answers.model import Answer, Number, Quantity, Text
from warebench.queries.prove import agree
from warebench.questions.model import Question, QuestionSet
from warebench.tracks.multitable.ask import restore
from warebench.tracks.multitable.wording import is_number, spell


def prove_set(question_set: QuestionSet) -> dict[str, Answer | None]:
    """Return the answer of the certificate's SQL to every question of a set, by question id."""
    answers: dict[str, Answer | None] = {}
    for name, database in question_set.databases.items():
        connection = database.connect()
        for question in question_set.questions:
            if question.context == name:
                answers[question.id] = _answer(connection, question)
        connection.close()
    return answers


def _answer(connection: duckdb.DuckDBPyConnection, question: Question) -> Answer | None:
    found: list[Any] = []
    for binding in restore(question.certificate.parameters):
        try:
            rows = connection.execute(question.certificate.sql, dict(binding)).fetchall()
        except duckdb.Error:
            return None
        if len(rows) != 1 or rows[0][0] is None:
            return None
        found.append(rows[0][0])
    return _like(question.gold, found[0] if len(found) == 1 else found[0] - found[1])


def _like(gold: Answer, outcome: Any) -> Answer | None:
    """Return the outcome in the form of the gold; the gold itself where floats differ in the last digits."""
    match gold:
        case Quantity(value, relative, absolute):
            return gold if agree(value, outcome) else Quantity(float(outcome), relative, absolute)
        case Number():
            return Number(int(outcome)) if isinstance(outcome, (int, Decimal)) else None
        case Text():
            return None if is_number(outcome) else Text(spell(outcome))
        case _:
            return None

"""The proof of a finished set: certificates executed once more, and every answer found again in memory."""

from warebench.answers.model import Answer
from warebench.errors import SetError, UserError
from warebench.questions.model import Question, QuestionSet
from warebench.tracks.intelligence.analyses.answers import answer
from warebench.tracks.intelligence.analyses.figures import figures
from warebench.tracks.intelligence.analyses.lab import SEPARATOR, Lab, second_answer
from warebench.tracks.intelligence.analyses.model import Ask
from warebench.tracks.intelligence.compute.run import execute, open_database
from warebench.tracks.intelligence.generate.facts import fact_again
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.stored import ask_of, fact_of, knowledge_name, stored_knowledge


def prove_set(question_set: QuestionSet) -> dict[str, Answer | None]:
    """Return the answer of the second method to every question of a set, by question id.

    Of a question over rows the certificate's SQL is executed too; where the two differ there is no answer. A
    knowledge question has one if its document still states it in the words that the certificate quotes.

    Raises:
        SetError: The set lacks a knowledge base.
    """
    found: dict[str, Answer | None] = {}
    for name, database in question_set.databases.items():
        mine = [question for question in question_set.questions if question.context == name]
        bases = {
            base: stored_knowledge(question_set, base) for base in dict.fromkeys(map(knowledge_name, mine))
        }
        with open_database(database) as opened:
            labs = {base: Lab(knowledge, opened) for base, knowledge in bases.items()}
            found |= {question.id: _prove(labs[knowledge_name(question)], question) for question in mine}
    return found


def _prove(lab: Lab, question: Question) -> Answer | None:
    ask = ask_of(question)
    if ask is None:
        return _state(lab.knowledge, question)
    try:
        again = second_answer(lab, ask)
        executed = _execute(lab, ask, question.certificate.sql)
    except UserError:
        return None
    return again if executed == again else None


def _execute(lab: Lab, ask: Ask, sql: str) -> Answer | None:
    asked, queries = figures(ask), sql.split(SEPARATOR)
    if len(asked) != len(queries):
        return None
    values = {figure.name: execute(lab.opened, query) for figure, query in zip(asked, queries, strict=True)}
    return answer(lab.knowledge, ask, values)


def _state(knowledge: Knowledge, question: Question) -> Answer | None:
    found = fact_of(question)
    if found is None:
        raise SetError(
            "a question has neither rows nor a document to be proved by",
            where=question.id,
            fix="Build the set again; a set is never edited by hand.",
        )
    return fact_again(knowledge, *found)

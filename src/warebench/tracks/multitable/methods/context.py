"""What each method puts before the question. Nothing here computes an answer; only `oracle` may see gold."""

import json
from collections.abc import Callable
from typing import Any

from warebench.answers.render import render
from warebench.harness.sql import schema_text
from warebench.questions.model import Question
from warebench.tracks.multitable.methods import prompts
from warebench.tracks.multitable.methods.merge import merge
from warebench.tracks.multitable.methods.settings import Settings
from warebench.tracks.multitable.methods.subject import Subject
from warebench.tracks.multitable.serialise import serialise

MakeContext = Callable[[Subject, Question, Settings], str]


def tables(subject: Subject, question: Question, settings: Settings) -> str:
    """Return all tables (TQA-Bench, section III, direct prompting)."""
    form = settings.serialisation
    shown = subject.text(question, form, lambda database: serialise(database, form))
    return prompts.with_tables(prompts.TABLES.format(notation=prompts.NOTATION[form]), shown)


def single_table(subject: Subject, question: Question, settings: Settings) -> str:
    """Return the tables the question needs as one (TQA-Bench, section IV-A).

    Everything else is as in `tables`: same writer, a heading, no row numbers.
    """
    form = settings.serialisation
    shown = serialise(merge(subject.database(question), question), form)
    return prompts.with_tables(prompts.SINGLE_TABLE.format(notation=prompts.NOTATION[form]), shown)


def text_to_sql(subject: Subject, question: Question, settings: Settings) -> str:
    """Return the schema, and no row (TQA-Bench, section IV-E)."""
    return prompts.with_schema(prompts.TEXT_TO_SQL, subject.text(question, "schema", schema_text))


def code_agent(subject: Subject, question: Question, settings: Settings) -> str:
    """Return the schema: the code reads the rows."""
    intro = prompts.CODE_AGENT.format(rounds=settings.rounds)
    return prompts.with_schema(intro, subject.text(question, "schema", schema_text))


def sql_agent(subject: Subject, question: Question, settings: Settings) -> str:
    """Return nothing of the database: the tools show it."""
    return prompts.SQL_AGENT.format(calls=settings.calls)


def question_alone(subject: Subject, question: Question, settings: Settings) -> str:
    """Return nothing of the data: an agent of the user's has its own way to them."""
    return prompts.QUESTION_ALONE.format(database=question.catalog)


def oracle(subject: Subject, question: Question, settings: Settings) -> str:
    """Return gold: what is left is reading and the form of the answer."""
    gold: Any = json.loads(render(question.gold))["answer"]
    return prompts.ORACLE.format(gold=json.dumps(gold, ensure_ascii=False))

"""What each method puts before the question: pure functions of catalog and question.

Nothing here computes an answer; only `oracle` may see gold.
"""

import json
from collections.abc import Callable
from typing import Any

from warebench.answers.render import render
from warebench.graph.neighbourhood import neighbourhood
from warebench.questions.model import Question
from warebench.tracks.topology.methods import prompts
from warebench.tracks.topology.methods.dense import retrieve
from warebench.tracks.topology.methods.names import mentioned
from warebench.tracks.topology.methods.settings import Settings
from warebench.tracks.topology.methods.view import SchemaView

MakeContext = Callable[[SchemaView, Question, Settings], str]


def flat_text(view: SchemaView, question: Question, settings: Settings) -> str:
    """Return the whole schema (DW-Bench, section 4, Flat Text)."""
    return prompts.with_schema(prompts.FLAT_TEXT, view.text)


def vector_rag(view: SchemaView, question: Question, settings: Settings) -> str:
    """Return the k chunks nearest to the question (DW-Bench, section 4, Vector-RAG), and nothing else."""
    chunks = retrieve(view.catalog, question.text, settings.k)
    return prompts.with_schema(prompts.VECTOR_RAG.format(k=len(chunks)), "\n\n".join(chunks))


def graph_augmented(view: SchemaView, question: Question, settings: Settings) -> str:
    """Return the neighbourhood of the mentioned tables, the whole schema when none is (Graph-Augmented)."""
    tables = mentioned(question.text, view.names)
    if not tables:
        return flat_text(view, question, settings)
    near = neighbourhood(view.graph, tables, settings.hops)
    intro = prompts.GRAPH_AUGMENTED.format(hops=settings.hops)
    return prompts.with_schema(intro, view.part(near))


def tool_use(view: SchemaView, question: Question, settings: Settings) -> str:
    """Return no schema at all: the tools show it (Tool-Use)."""
    return prompts.TOOL_USE.format(calls=settings.calls)


def react_code(view: SchemaView, question: Question, settings: Settings) -> str:
    """Return no schema at all: the code can read it (ReAct-Code)."""
    return prompts.REACT_CODE.format(rounds=settings.rounds)


def question_alone(view: SchemaView, question: Question, settings: Settings) -> str:
    """Return nothing of the data: an agent of the user's has its own way to them."""
    return prompts.QUESTION_ALONE


def oracle(view: SchemaView, question: Question, settings: Settings) -> str:
    """Return gold as the output of an algorithm (Oracle)."""
    gold: Any = json.loads(render(question.gold))["answer"]
    return prompts.ORACLE.format(gold=json.dumps(gold, ensure_ascii=False))

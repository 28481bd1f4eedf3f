"""What each method puts before the question: pure functions of catalog and question.

Nothing here computes an answer; only `oracle` may see gold.
"""

import json
from collections.abc import Callable
from typing import Any

from warebench.answers.render import render
from warebench.catalog.model import Catalog
from warebench.catalog.render import to_text
from warebench.graph.build import build_graph
from warebench.graph.neighbourhood import neighbourhood
from warebench.questions.model import Question
from warebench.tracks.topology.methods import prompts
from warebench.tracks.topology.methods.dense import retrieve
from warebench.tracks.topology.methods.names import mentioned
from warebench.tracks.topology.methods.settings import Settings

MakeContext = Callable[[Catalog, Question, Settings], str]


def flat_text(catalog: Catalog, question: Question, settings: Settings) -> str:
    """Return the whole schema (DW-Bench, section 4, Flat Text)."""
    return prompts.with_schema(prompts.FLAT_TEXT, to_text(catalog))


def vector_rag(catalog: Catalog, question: Question, settings: Settings) -> str:
    """Return the k chunks nearest to the question (DW-Bench, section 4, Vector-RAG), and nothing else."""
    chunks = retrieve(catalog, question.text, settings.k)
    return prompts.with_schema(prompts.VECTOR_RAG.format(k=len(chunks)), "\n\n".join(chunks))


def graph_augmented(catalog: Catalog, question: Question, settings: Settings) -> str:
    """Return the neighbourhood of the mentioned tables, the whole schema when none is (Graph-Augmented)."""
    tables = mentioned(question.text, catalog.table_names)
    if not tables:
        return flat_text(catalog, question, settings)
    near = neighbourhood(build_graph(catalog), tables, settings.hops)
    intro = prompts.GRAPH_AUGMENTED.format(hops=settings.hops)
    return prompts.with_schema(intro, to_text(catalog, tables=near))


def tool_use(catalog: Catalog, question: Question, settings: Settings) -> str:
    """Return no schema at all: the tools show it (Tool-Use)."""
    return prompts.TOOL_USE.format(calls=settings.calls)


def react_code(catalog: Catalog, question: Question, settings: Settings) -> str:
    """Return no schema at all: the code can read it (ReAct-Code)."""
    return prompts.REACT_CODE.format(rounds=settings.rounds)


def oracle(catalog: Catalog, question: Question, settings: Settings) -> str:
    """Return gold as the output of an algorithm (Oracle)."""
    gold: Any = json.loads(render(question.gold))["answer"]
    return prompts.ORACLE.format(gold=json.dumps(gold, ensure_ascii=False))

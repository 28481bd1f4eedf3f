"""The scorer of this track: the shared verdict, partial credit, turns, and why a rule was not applied."""

import json
import math
from collections.abc import Iterator

from inspect_ai.model import ChatMessageAssistant, ChatMessageTool
from inspect_ai.scorer import Score, Scorer, Target, accuracy, mean, scorer, stderr
from inspect_ai.solver import TaskState

from warebench.answers.credit import credit
from warebench.answers.model import Abstain, Record, Reply, Table
from warebench.answers.parse import Unparsed, kind_of, parse
from warebench.harness.logs import MEASURES
from warebench.harness.scorers import no_reading, score_output
from warebench.questions.model import Question
from warebench.tracks.intelligence.failures import EXPLANATIONS, Trace, classify, standard_answer
from warebench.tracks.intelligence.methods.knowledge_tools import DOCUMENTS
from warebench.tracks.intelligence.methods.solvers import rule_documents
from warebench.tracks.intelligence.methods.subject import Subject


@scorer(metrics={"em": [accuracy(), stderr()], "f1": [mean(), stderr()]}, name="verdict")
def verdict(subject: Subject) -> Scorer:
    """Score `{"em": 0 or 1, "f1": 0..1}` with a reason, an explanation and measures.

    Args:
        subject: The set the task's samples come from.
    """

    async def score(state: TaskState, target: Target) -> Score:
        question = subject.question(state.sample_id)
        judged = score_output(state.output, question, subject.index.tables.get(question.catalog, ()))
        if no_reading(state.output):
            return judged
        reply, trace = parse(state.output.completion, kind_of(question.gold)), read_trace(state)
        documents = rule_documents(subject, question)
        judged.metadata = {MEASURES: measures(state, question, reply, documents)}
        if documents and isinstance(judged.value, dict) and judged.value["em"] == 0:
            standard = standard_answer(question, subject.standard.get(question.id))
            failure = classify(question, reply, documents, standard, trace)
            judged.explanation = f"{EXPLANATIONS[failure]} ({judged.reason}: {judged.explanation})"
            judged.reason = failure
        return judged

    return score


def measures(
    state: TaskState, question: Question, reply: Reply | Unparsed, documents: list[str]
) -> dict[str, float]:
    """Return what is measured beside the verdict; what a question has none of is left out.

    Args:
        state: The finished sample.
        question: What was asked.
        reply: The answer.
        documents: Those of the rules that are needed.
    """
    trace = read_trace(state)
    found = {"turns": float(sum(isinstance(message, ChatMessageAssistant) for message in state.messages))}
    if documents:
        found["rules_found"] = len(set(documents) & (trace.found | trace.read)) / len(documents)
        found["rules_read"] = len(set(documents) & trace.read) / len(documents)
    if isinstance(question.gold, Record | Table):
        said = Abstain() if isinstance(reply, Unparsed) else reply
        shares = credit(question.gold, said)
        found |= {
            "credit_rows": shares.rows,
            "credit_keys": shares.keys,
            "credit_numbers": shares.numbers,
        }
    return {name: value for name, value in found.items() if not math.isnan(value)}


def read_trace(state: TaskState) -> Trace:
    """Return what the tools of a sample returned."""
    seen: list[dict[str, str]] = state.store.get(DOCUMENTS, [])
    results = [numbers for message in state.messages for numbers in _numbers(message)]
    return Trace(
        found=frozenset(entry["document"] for entry in seen),
        read=frozenset(entry["document"] for entry in seen if entry["how"] != "found"),
        numbers=results[-1] if results else None,
    )


def _numbers(message: object) -> Iterator[tuple[float, ...]]:
    """Yield the numbers of a query's rows, where a message holds any rows."""
    if not isinstance(message, ChatMessageTool) or message.function != "query" or message.error:
        return
    rows = json.loads(message.text).get("rows")
    if rows:
        yield tuple(
            float(cell)
            for row in rows
            for cell in row
            if isinstance(cell, int | float) and not isinstance(cell, bool)
        )

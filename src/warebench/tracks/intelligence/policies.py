"""Policies of this track: agents that apply rules, ignore them, read and ignore them, or misread them."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType

import msgspec
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool
from inspect_ai.tool import ToolInfo

from warebench.answers.model import Answer
from warebench.answers.render import render
from warebench.errors import StraddleError, UserError
from warebench.harness.models.policy import Call, Move, Policy
from warebench.questions.model import Question
from warebench.tracks.intelligence.analyses.answers import answer
from warebench.tracks.intelligence.analyses.figures import figures
from warebench.tracks.intelligence.analyses.lab import SEPARATOR
from warebench.tracks.intelligence.analyses.metrics import part_of
from warebench.tracks.intelligence.analyses.model import Ask
from warebench.tracks.intelligence.compute.dialects import to_dialect
from warebench.tracks.intelligence.compute.rewrite import apply_rules
from warebench.tracks.intelligence.compute.sql import VALUE, base_sql
from warebench.tracks.intelligence.generate.facts import fact_again
from warebench.tracks.intelligence.knowledge.links import find_metric
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.methods.asked import current_subject
from warebench.tracks.intelligence.methods.solvers import rule_documents
from warebench.tracks.intelligence.misread import misread_rules
from warebench.tracks.intelligence.slice import Key
from warebench.tracks.intelligence.stored import ask_of, fact_of, knowledge_name

NO_ANSWER = '{"answer": null}'

Write = Callable[[Question, Ask], Sequence[str]]
"""The queries that a policy executes, one for each figure of a question."""


def rule_follower(write: Write, *, reads: bool) -> Policy:
    """Return the policy that searches and reads the rules a question needs, or not, and executes queries.

    Questions about documents it answers from the document, where that states the answer.

    Args:
        write: Its queries.
        reads: Whether it looks at rules at all.
    """

    def policy(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], question: Question) -> Move:
        ask = ask_of(question)
        steps = _look_up(question) if ask is None else _read_rules(question) if reads else []
        if ask is not None:
            steps = [
                *steps,
                tuple(Call(tool="query", arguments={"sql": sql}) for sql in write(question, ask)),
            ]
        taken = sum(isinstance(message, ChatMessageAssistant) for message in messages)
        if taken < len(steps) and tools:
            return Move(calls=steps[taken])
        said = _stated(messages, question) if ask is None else _computed(messages, question, ask)
        return Move(text=NO_ANSWER if said is None else render(said))

    return policy


def gold_queries(question: Question, ask: Ask) -> list[str]:
    """Return the queries of the certificate."""
    return [_narrowed(sql, ask) for sql in question.certificate.sql.split(SEPARATOR)]


def standard_queries(question: Question, ask: Ask) -> list[str]:
    """Return the queries of the metric's standard definition."""
    return _queries(_knowledge(question), question, msgspec.structs.replace(ask, rules=()))


def misread_queries(question: Question, ask: Ask) -> list[str]:
    """Return the queries by one who forgets one of several rules, or misreads the only one."""
    *others, last = str(question.facets["rules"]).split(",")
    if others:
        fewer = tuple(name for name in ask.rules if name != last)
        with suppress(StraddleError):  # what the forgotten rule supersedes may hold for a part of the slice
            return _queries(_knowledge(question), question, msgspec.structs.replace(ask, rules=fewer))
    return _queries(misread_rules(_knowledge(question), [last]), question, ask)


def _queries(knowledge: Knowledge, question: Question, ask: Ask) -> list[str]:
    catalog = current_subject().question_set.catalogs[question.catalog]
    found = []
    for figure in figures(ask):
        about = part_of(knowledge, figure.slice.metric, figure.part) if figure.part else knowledge
        base = base_sql(about, catalog, figure.slice)
        found.append(_narrowed(to_dialect(apply_rules(base, about, catalog, figure.slice), "duckdb"), ask))
    return found


def _narrowed(sql: str, ask: Ask) -> str:
    """Return a query without the groups that nobody asks about: the tool returns so many rows at most."""
    whole = f"SELECT * FROM (\n{sql}\n) AS figures"  # noqa: S608 - of a test double
    if ask.members:
        listed = ", ".join("'" + name.replace("'", "''") + "'" for name in ask.members)
        return f'{whole} WHERE CAST("{ask.dimension}" AS VARCHAR) IN ({listed})'
    if ask.top:
        order = "ASC" if ask.ascending else "DESC"
        return f"{whole} ORDER BY {VALUE} {order} NULLS LAST LIMIT {ask.top}"
    return sql


def _read_rules(question: Question) -> list[tuple[Call, ...]]:
    documents = rule_documents(current_subject(), question)
    if not documents:
        return []
    metric = find_metric(_knowledge(question), str(question.facets["metric"])).name
    return [
        (Call(tool="search_knowledge", arguments={"query": metric}),),
        tuple(_read(document) for document in documents),
    ]


def _look_up(question: Question) -> list[tuple[Call, ...]]:
    found = fact_of(question)
    if found is None:
        return []
    document, fact = found
    return [(Call(tool="search_knowledge", arguments={"query": fact.ask}),), (_read(document),)]


def _read(document: str) -> Call:
    return Call(tool="read_document", arguments={"document": document})


def _stated(messages: Sequence[ChatMessage], question: Question) -> Answer | None:
    """Return the answer that the document which came back states."""
    found = fact_of(question)
    texts = _results(messages, "read_document")
    if found is None or not texts:
        return None
    document, fact = found
    shown = msgspec.structs.replace(_knowledge(question), documents={document: texts[-1]})
    return fact_again(shown, document, fact)


def _computed(messages: Sequence[ChatMessage], question: Question, ask: Ask) -> Answer | None:
    """Return the answer that the rows which came back make."""
    names = [figure.name for figure in figures(ask)]
    values = [_values(text) for text in _results(messages, "query")]
    if len(values) != len(names):
        return None
    try:
        return answer(_knowledge(question), ask, dict(zip(names, values, strict=True)))
    except UserError:
        return None


def _values(text: str) -> dict[Key, float]:
    rows = json.loads(text).get("rows") or []
    return {tuple(row[:-1]): float(row[-1]) for row in rows if row[-1] is not None}


def _results(messages: Sequence[ChatMessage], tool: str) -> list[str]:
    return [
        message.text
        for message in messages
        if isinstance(message, ChatMessageTool) and message.function == tool
    ]


def _knowledge(question: Question) -> Knowledge:
    return current_subject().knowledge[knowledge_name(question)]


POLICIES: Mapping[str, Policy] = MappingProxyType(
    {
        "applies_rules": rule_follower(gold_queries, reads=True),
        "ignores_rules": rule_follower(standard_queries, reads=False),
        "retrieves_not_applies": rule_follower(standard_queries, reads=True),
        "misapplies": rule_follower(misread_queries, reads=True),
    }
)
"""What the track adds to `policy/...`; `applies_rules` executes the certificate's SQL."""

"""Checking a question set: gold proved anew, and everything that makes a question worthless."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from warebench.answers.model import Answer, NameSet, Table
from warebench.answers.mutate import self_check
from warebench.graph.build import build_graph
from warebench.graph.lineage import lineage_cycles
from warebench.questions.assemble import identify, oracle_fault
from warebench.questions.model import Question, QuestionSet, digest

Prove = Callable[[QuestionSet], Mapping[str, Answer | None]]
"""Answers every question again by the second method: question id to answer, None where it finds none."""

LONGEST = 1_000
"""Characters of an answer that a finding shows; a table has many rows."""

Severity = Literal["error", "warning"]
"""A set with an error is not what it claims to be; a warning says what is odd about what it was made from."""

CHECKS: dict[str, str] = {
    "WB001": "the second method finds another answer",
    "WB002": "the question is asked twice",
    "WB003": "two questions share a fact and are not marked as siblings",
    "WB004": "the answer is empty",
    "WB005": "the question's text contains its answer",
    "WB006": "the id is not the hash of the question",
    "WB007": "the certificate is for another answer",
    "WB008": "the comparator rejects the gold, or accepts a wrong answer",
    "WB009": "lineage runs in a cycle",
    "WB010": "the gold SQL has a fault of its own",
    "WB011": "the question declares no comparison that fits its gold",
    "WB012": "something of the knowledge base finds nothing in the database",
    "WB013": "the pool is a single database",
    "WB014": "something of the source was left out",
}
"""What `warebench check` looks for."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Something wrong with a question or a catalog."""

    code: str
    where: str
    """Question id or catalog name."""
    message: str
    severity: Severity = "error"


Examine = Callable[[QuestionSet], Iterable[Finding]]
"""A track's own look at its questions."""


def check_questions(question_set: QuestionSet, prove: Prove, examine: Examine | None = None) -> list[Finding]:
    """Return what is wrong with a question set; an empty list when it is clean.

    Args:
        question_set: The set.
        prove: The track's second method.
        examine: In place of WB008, where models do not state the gold itself.
    """
    again = prove(question_set)
    findings = [
        *(examine(question_set) if examine else ()),
        *_repeats(question_set.questions),
        *_siblings(question_set.questions),
        *_cycles(question_set),
        *_left_out(question_set),
    ]
    tables = {name: catalog.table_names for name, catalog in question_set.catalogs.items()}
    for question in question_set.questions:
        findings += _check_one(question, again.get(question.id))
        if not examine:
            findings += _check_comparator(question, tables[question.catalog])
    return findings


def _finding(question: Question, code: str, detail: str = "", severity: Severity = "error") -> Finding:
    message = CHECKS[code] + (f": {detail}" if detail else "")
    return Finding(code=code, where=question.id, message=message, severity=severity)


def _check_one(question: Question, again: Answer | None) -> Iterator[Finding]:
    if again != question.gold:
        yield _finding(question, "WB001", f"{_brief(again)} instead of {_brief(question.gold)}")
    if isinstance(question.gold, NameSet) and not question.gold.names:
        yield _finding(question, "WB004")
    if isinstance(question.gold, Table) and not question.gold.rows:
        yield _finding(question, "WB004", severity="warning")
    if leaked := _leaked(question):
        yield _finding(question, "WB005", leaked)
    twin_of = question.pair_id if question.pair_id != question.id else ""
    if identify(question, twin_of) != question:
        yield _finding(question, "WB006")
    if question.certificate.digest != digest(question.gold):
        yield _finding(question, "WB007")


def _brief(answer: Answer | None) -> str:
    text = str(answer)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."


def _check_comparator(question: Question, tables: tuple[str, ...]) -> Iterator[Finding]:
    if unreadable := oracle_fault(question.gold, tables):
        yield _finding(question, "WB008", unreadable)
    for fault in self_check(question.gold, names=tables, seed=0):
        yield _finding(question, "WB008", fault)


def _leaked(question: Question) -> str:
    if not isinstance(question.gold, NameSet):
        return ""
    names = set(question.gold.names) - set(question.subjects)
    return ", ".join(sorted(name for name in names if f"`{name}`" in question.text))


def _repeats(questions: Iterable[Question]) -> Iterator[Finding]:
    seen = Counter((question.context or question.catalog, question.text) for question in questions)
    for (where, text), times in seen.items():
        if times > 1:
            yield Finding(code="WB002", where=where, message=f"asked {times} times: {text}")


def _siblings(questions: Iterable[Question]) -> Iterator[Finding]:
    seen: dict[str, str] = {}
    for question in questions:
        if question.facets.get("sibling"):
            continue
        if question.fact in seen:
            message = f"{CHECKS['WB003']}: {seen[question.fact]}"
            yield Finding(code="WB003", where=question.id, message=message)
        seen[question.fact] = question.id


def _cycles(question_set: QuestionSet) -> Iterator[Finding]:
    for name, catalog in question_set.catalogs.items():
        for cycle in lineage_cycles(build_graph(catalog)):
            yield Finding(code="WB009", where=name, message=f"{CHECKS['WB009']}: {', '.join(cycle)}")


def _left_out(question_set: QuestionSet) -> Iterator[Finding]:
    for missing in question_set.manifest.left_out or ():
        message = f"{CHECKS['WB014']}: {missing}"
        yield Finding(code="WB014", where=missing.catalog, message=message, severity="warning")

"""Checking a question set: gold proved anew, and everything that makes a question worthless."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from warebench.answers.compare import compare
from warebench.answers.model import Answer, NameSet
from warebench.answers.mutate import self_check
from warebench.answers.parse import Unparsed, kind_of, parse
from warebench.answers.render import render
from warebench.graph.build import build_graph
from warebench.graph.lineage import lineage_cycles
from warebench.questions.assemble import identify
from warebench.questions.model import Question, QuestionSet, digest

Prove = Callable[[QuestionSet], Mapping[str, Answer | None]]
"""Answers every question again by the second method: question id to answer, None where it finds none."""

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
}
"""What `warebench check` looks for."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Something wrong with a question or a catalog."""

    code: str
    where: str
    """Question id or catalog name."""
    message: str


def check_questions(question_set: QuestionSet, prove: Prove) -> list[Finding]:
    """Return what is wrong with a question set; an empty list when it is clean.

    Args:
        question_set: The set.
        prove: The track's second method.
    """
    again = prove(question_set)
    findings = [
        *_repeats(question_set.questions),
        *_siblings(question_set.questions),
        *_cycles(question_set),
    ]
    tables = {name: catalog.table_names for name, catalog in question_set.catalogs.items()}
    for question in question_set.questions:
        findings += _check_one(question, again.get(question.id), tables[question.catalog])
    return findings


def _check_one(question: Question, again: Answer | None, tables: tuple[str, ...]) -> Iterator[Finding]:
    def finding(code: str, detail: str = "") -> Finding:
        return Finding(code=code, where=question.id, message=CHECKS[code] + (f": {detail}" if detail else ""))

    if again != question.gold:
        yield finding("WB001", f"{again} instead of {question.gold}")
    if isinstance(question.gold, NameSet) and not question.gold.names:
        yield finding("WB004")
    if leaked := _leaked(question):
        yield finding("WB005", leaked)
    twin_of = question.pair_id if question.pair_id != question.id else ""
    if identify(question, twin_of) != question:
        yield finding("WB006")
    if question.certificate.digest != digest(question.gold):
        yield finding("WB007")
    if unreadable := _unreadable(question, tables):
        yield finding("WB008", unreadable)
    for fault in self_check(question.gold, names=tables, seed=0):
        yield finding("WB008", fault)


def _leaked(question: Question) -> str:
    if not isinstance(question.gold, NameSet):
        return ""
    names = set(question.gold.names) - set(question.subjects)
    return ", ".join(sorted(name for name in names if f"`{name}`" in question.text))


def _unreadable(question: Question, tables: tuple[str, ...]) -> str:
    """Return what goes wrong when a model states the gold in the form that is asked for."""
    said = parse(render(question.gold), kind_of(question.gold))
    if isinstance(said, Unparsed):
        return f"the gold itself reads as unparsed ({said.reason}): a table's name looks like something else"
    return "" if compare(question.gold, said, names=tables).correct else f"the gold reads as {said}"


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

"""Each check finds the fault it is named for, and nothing else."""

import msgspec
import pytest
from tests.topology.sample import CATALOG

from warebench.answers import mutate
from warebench.answers.model import NameSet
from warebench.catalog.model import LineageEdge
from warebench.questions.assemble import identify
from warebench.questions.check import CHECKS, check_questions
from warebench.questions.model import QuestionSet, digest
from warebench.tracks.topology.build import Options, build
from warebench.tracks.topology.certify import prove_set

MADE = build([CATALOG], Options(size=3))


def codes(question_set: QuestionSet, prove=prove_set) -> list[str]:
    return sorted({finding.code for finding in check_questions(question_set, prove)})


def with_first(subtype, change):
    at = next(i for i, q in enumerate(MADE.questions) if q.subtype == subtype)
    questions = list(MADE.questions)
    questions[at] = change(questions[at])
    return msgspec.structs.replace(MADE, questions=tuple(questions))


def changed(identified=True, **fields):
    def change(question):
        other = msgspec.structs.replace(question, **fields)
        return identify(other) if identified else other

    return change


def test_clean():
    assert codes(MADE) == []


def test_wrong_gold():
    gold = NameSet(("lonely",))
    certificate = msgspec.structs.replace(MADE.questions[0].certificate, digest=digest(gold))
    assert codes(with_first("forward", changed(gold=gold, certificate=certificate))) == ["WB001"]


def test_twice():
    twice = msgspec.structs.replace(MADE, questions=(*MADE.questions, MADE.questions[0]))
    assert codes(twice) == ["WB002", "WB003"]


def test_siblings():
    fact = MADE.questions[-1].fact
    assert codes(with_first("forward", changed(fact=fact))) == ["WB003"]


def test_empty_answer():
    gold = NameSet(())
    certificate = msgspec.structs.replace(MADE.questions[0].certificate, digest=digest(gold))
    found = codes(with_first("forward", changed(gold=gold, certificate=certificate)))
    assert "WB004" in found


def test_answer_in_the_text():
    text = "Which of `stage`, `mart`, `board`, `audit` derive directly from it?"
    assert codes(with_first("forward", changed(text=text))) == ["WB005"]


def test_edited_question():
    assert codes(with_first("forward", changed(identified=False, difficulty="hard"))) == ["WB006"]


def test_certificate_of_another_answer():
    certificate = msgspec.structs.replace(MADE.questions[0].certificate, digest="0" * 64)
    assert codes(with_first("forward", changed(certificate=certificate))) == ["WB007"]


def test_comparator_that_accepts_everything(monkeypatch):
    right = mutate.compare(NameSet(("a",)), NameSet(("a",)))
    monkeypatch.setattr(mutate, "compare", lambda *_, **__: right)
    assert codes(MADE) == ["WB008"]


def test_cycle():
    back = LineageEdge(downstream="stage", upstream="board")
    looped = msgspec.structs.replace(CATALOG, lineage=(*CATALOG.lineage, back))
    made = build([looped], Options(size=3))
    findings = check_questions(made, prove_set)
    assert [finding.code for finding in findings] == ["WB009"]
    assert findings[0].message.endswith("board, mart, stage")


@pytest.mark.parametrize("code", CHECKS)
def test_every_check_is_explained(code):
    assert len(CHECKS[code]) > 10

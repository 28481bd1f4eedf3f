"""`warebench check` on a set of this track: gold proved in the pool, faults of gold as warnings."""

import msgspec
import pytest
from tests.budget.pools import GOOD, duckdb_pool, write_spider

from warebench.answers.model import Column, Table
from warebench.answers.result import Comparison, compare_results
from warebench.engine.collection import read_collection
from warebench.errors import SetError
from warebench.questions.assemble import identify
from warebench.questions.check import check_questions
from warebench.questions.model import QuestionSet, digest
from warebench.questions.store import read_questions, write_questions
from warebench.tracks.budget import certify
from warebench.tracks.budget.build import Options, build
from warebench.tracks.budget.certify import examine_set, prove_set


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> QuestionSet:
    home = tmp_path_factory.mktemp("set")
    folder = write_spider(home / "spider", bad=False)
    write_questions(build([read_collection(f"spider:{folder}")], Options(paraphrase=True)), home / "out")
    return read_questions(home / "out")


def findings(question_set: QuestionSet) -> list[tuple[str, str]]:
    found = check_questions(question_set, prove_set, examine_set)
    return sorted({(finding.code, finding.severity) for finding in found})


def with_first(question_set: QuestionSet, change) -> QuestionSet:
    first, *others = question_set.questions
    return msgspec.structs.replace(question_set, questions=(change(first), *others))


def test_clean_but_for_faults_of_gold(made):
    assert findings(made) == [("WB004", "warning"), ("WB010", "warning")]


def test_duckdb_is_clean():
    assert findings(build([duckdb_pool()], Options())) == []


def test_another_gold_is_found(made):
    def change(question):
        gold = Table(columns=question.gold.columns, rows=((99,),))
        certificate = msgspec.structs.replace(question.certificate, digest=digest(gold))
        return identify(msgspec.structs.replace(question, gold=gold, certificate=certificate))

    assert ("WB001", "error") in findings(with_first(made, change))


@pytest.mark.parametrize("sql", ["SELECT count(*) FROM clinic.staff, clinic.staff", "SELECT nothing"])
def test_another_pool_sql_is_found(made, sql):
    def change(question):
        parameters = {**question.certificate.parameters, "pool_sql": sql}
        certificate = msgspec.structs.replace(question.certificate, parameters=parameters)
        return identify(msgspec.structs.replace(question, certificate=certificate))

    assert ("WB001", "error") in findings(with_first(made, change))


def test_scorer_that_accepts_everything(made, monkeypatch):
    right = compare_results([(1,)], [(1,)])
    monkeypatch.setattr(certify, "compare_results", lambda *_: right)
    assert ("WB008", "error") in findings(made)


def test_scorer_that_rejects_everything(made, monkeypatch):
    wrong = compare_results([(1,)], [(2,)])
    monkeypatch.setattr(certify, "compare_results", lambda *_: wrong)
    assert ("WB008", "error") in findings(made)


@pytest.mark.parametrize(
    ("tolerance", "is_too_wide"),
    [({}, False), ({"absolute": 0.5}, False), ({"absolute": 1000}, True), ({"relative": 0.9}, True)],
)
def test_a_tolerance_that_accepts_half_of_gold_is_found(tolerance, is_too_wide):
    gold = Table(columns=(Column("price", "quantity"),), rows=((1.5,), (19.5,)))
    said = list(certify._misjudged(gold, Comparison(**tolerance)))
    assert any("the tolerance is too wide" in fault for fault in said) == is_too_wide


@pytest.mark.parametrize(
    ("how", "told"),
    [
        (None, "there is none; mend"),
        (Comparison(ordered=True), "no ORDER BY of its own; mend"),
        (Comparison(order_keys=(0,)), "the order of rows is not to count; mend"),
    ],
)
def test_comparison_that_does_not_fit_is_found(made, how, told):
    changed = with_first(made, lambda question: identify(msgspec.structs.replace(question, comparison=how)))
    (found,) = [item for item in check_questions(changed, prove_set, examine_set) if item.code == "WB011"]
    assert (found.severity, found.where) == ("error", changed.questions[0].id)
    assert told in found.message


@pytest.mark.parametrize(
    "fields",
    [
        {"ordered": False, "order_keys": ()},
        {"duplicates": False},
        {"columns": "given"},
        {"nulls": "blank"},
        {"relative": 0.5},
    ],
)
def test_the_scorer_is_checked_under_what_each_question_declares(made, fields):
    def change(question):
        how = msgspec.structs.replace(question.comparison, **fields)
        return identify(msgspec.structs.replace(question, comparison=how))

    changed = msgspec.structs.replace(made, questions=tuple(map(change, made.questions)))
    # Ids of labels and faults are the old ones, which only warnings name.
    assert findings(changed) == findings(made)


def test_another_comparison_without_another_id_is_found(made):
    changed = with_first(
        made, lambda question: msgspec.structs.replace(question, comparison=Comparison(nulls="blank"))
    )
    assert ("WB006", "error") in findings(changed)


def test_fault_names_its_question_and_code(made):
    (fault,) = [item for item in check_questions(made, prove_set, examine_set) if item.code == "WB010"][:1]
    (question,) = [item for item in made.questions if item.id == fault.where]
    assert question.text == GOOD[7][1]
    assert "empty_result" in fault.message


def test_set_without_its_faults_is_refused(made):
    files = {path: content for path, content in made.files.items() if path != "faults.jsonl"}
    with pytest.raises(SetError, match="faults"):
        findings(msgspec.structs.replace(made, files=files))

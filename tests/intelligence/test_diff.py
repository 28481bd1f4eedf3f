"""A living benchmark: rules or data change, the set is built again, and the diff says what for."""

from collections import Counter

import pytest
from tests.intelligence.shop import TRUTH_YAML, make_database, write_folder

from warebench.questions.diff import diff_questions
from warebench.tracks.intelligence.build import Options, build

OUTLIERS = '''"DATE_DIFF('day', o.purchased, o.delivered) > 30"'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_folder(tmp_path_factory.mktemp("knowledge") / "shop")


def made(folder, database=None):
    options = Options(knowledge=str(folder), size=8, minimum=0, target=40, workers=1)
    return build([database or make_database()], options)


@pytest.fixture(scope="module")
def before(folder):
    return made(folder)


def statuses(diff):
    return Counter(change.status for change in diff.changes)


def test_nothing_changes_when_nothing_did(folder, before):
    found = diff_questions(before, made(folder))
    assert set(statuses(found)) == {"kept"}
    assert found.inputs == ()


def test_an_edited_rule_changes_what_it_governs(tmp_path, before):
    edited = write_folder(tmp_path / "shop")
    (edited / "truth.yaml").write_text(TRUTH_YAML.replace(OUTLIERS, OUTLIERS.replace("30", "10")))
    (edited / "rules/outliers.md").write_text(
        "# Outliers\n\nAverage Delivery Time leaves out more than 10 days.\n"
    )
    after = made(edited)
    found = diff_questions(before, after)
    told = statuses(found)
    assert told["changed"] > 0
    assert told["kept"] > told["changed"]
    governed = {
        question.id
        for question in after.questions
        if "BR-02" in str(question.facets.get("governing", "")).split(",")
    }
    changed = {change.new_id for change in found.changes if change.what == ("gold",)}
    assert changed
    assert changed <= governed
    assert {item.name for item in found.inputs} >= {"documents/shop/rules/outliers.md", "knowledge/shop.json"}
    assert {item.kind for item in found.inputs} == {"file"}


def test_other_rows_change_gold_and_not_what_documents_state(folder, before):
    found = diff_questions(before, made(folder, make_database(seed=43)))
    told = [change.status for change in found.changes if change.tier == "knowledge"]
    assert set(told) == {"kept"}
    assert any(change.what == ("gold",) for change in found.changes)
    assert ("database", "shop", "changed") in {(item.kind, item.name, item.status) for item in found.inputs}

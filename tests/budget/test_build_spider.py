"""Spider's dev questions as a set: every one that runs, each of the others with its reason."""

from collections import Counter

from tests.budget.spider import FOLDER, need_data

from warebench.engine.collection import read_collection
from warebench.questions.check import check_questions
from warebench.tracks.budget.build import Options, build
from warebench.tracks.budget.certify import examine_set, prove_set
from warebench.tracks.budget.left_out import read_left_out


def test_dev():
    need_data()
    made = build([read_collection(f"spider:{FOLDER}")], Options())
    assert len(made.questions) == 972
    assert made.manifest.parameters["label_coverage"] == 1.0
    lost = [item for item in read_left_out(made) if item.example]
    assert Counter(item.reason for item in lost) == {"no rows": 62}
    assert Counter(question.subtype for question in made.questions) == {
        "lookup": 494,
        "join": 280,
        "nested": 155,
        "multi_join": 43,
    }
    findings = check_questions(made, prove_set, examine_set)
    assert [item for item in findings if item.severity == "error"] == []
    codes = Counter(item.message.split(": ")[1] for item in findings if item.code == "WB010")
    assert codes["tie_at_limit"] == 46
    assert codes["empty_result"] == 77

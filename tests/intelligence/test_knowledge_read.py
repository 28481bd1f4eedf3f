"""Reading the folder of a knowledge base: what it holds, and errors that name file, entry and key."""

import pytest
from tests.intelligence.shop import DOCUMENTS, FILES, make_knowledge, write_folder

from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.knowledge.read import parse_knowledge, read_knowledge
from warebench.tracks.intelligence.knowledge.yaml import parse_yaml

BROKEN = [
    ("metrics.yaml", "tier: L1", "tier: L9", "Invalid enum value 'L9'", "metric MV-DEL-001, key tier"),
    ("metrics.yaml", "synonyms:", "synonym:", "unknown field `synonym`", "metric MV-DEL-001"),
    ("metrics.yaml", "aggregate: avg", "aggregate: mean", "'mean'", "metric MV-DEL-001, key measures[...]"),
    ("metrics.yaml", "decimals: 0", "decimals: x", "Expected `int`", "metric MV-CUS-001, key decimals"),
    ("metrics.yaml", "decimals: 0", "decimals: 0\n    decimals: 1", "stands twice", "metrics.yaml, line"),
    ("metrics.yaml", "metrics:", "metric:", "no list of metrics", "metrics.yaml"),
    (
        "truth.yaml",
        "type: weight",
        "type: wait",
        "Invalid value 'wait'",
        "rule BR-06, key operations[0].type",
    ),
    ("truth.yaml", "title: Small groups", "title: [", "expected", "truth.yaml, line"),
    ("knowledge.yaml", "name: shop", "name: 3", "`name` is missing or not text", "knowledge.yaml"),
    ("knowledge.yaml", "name: shop", "name: shop\nmetrics: []", "unknown key `metrics`", "knowledge.yaml"),
    ("knowledge.yaml", "kind: spatial", "kind: special", "'special'", "dimension customer_state, key kind"),
]


def test_a_folder_gives_what_its_texts_give(tmp_path):
    assert read_knowledge(write_folder(tmp_path / "shop")) == make_knowledge()


def test_truth_may_be_missing(tmp_path):
    folder = write_folder(tmp_path / "shop")
    (folder / "truth.yaml").unlink()
    found = read_knowledge(folder)
    assert (found.rules, sorted(found.documents)) == ((), sorted(DOCUMENTS))


@pytest.mark.parametrize(("file", "old", "new", "what", "where"), BROKEN)
def test_broken_entries(file, old, new, what, where):
    assert old in FILES[file]
    with pytest.raises(KnowledgeError) as caught:
        parse_knowledge({**FILES, **DOCUMENTS, file: FILES[file].replace(old, new, 1)})
    assert what in caught.value.what
    assert file in caught.value.where
    assert where in caught.value.where
    assert caught.value.fix


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(KnowledgeError, match="no such folder"):
        read_knowledge(tmp_path / "nowhere")
    folder = write_folder(tmp_path / "shop")
    (folder / "metrics.yaml").write_bytes(b"\xff")
    with pytest.raises(KnowledgeError, match="UTF-8"):
        read_knowledge(folder)
    (folder / "metrics.yaml").unlink()
    with pytest.raises(KnowledgeError, match="missing"):
        read_knowledge(folder)


def test_yaml_words_stay_words():
    text = "{on: NO, day: 2018-01-01, yes: true, n: 3, x: 1.5}"
    assert parse_yaml(text, "f") == {"on": "NO", "day": "2018-01-01", "yes": True, "n": 3, "x": 1.5}

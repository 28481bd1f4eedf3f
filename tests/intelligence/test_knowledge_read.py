"""Reading the folder of a knowledge base: what it holds, and errors that name file, entry and key."""

import os
from itertools import pairwise

import pytest
from tests.intelligence import shop
from tests.intelligence.shop import DOCUMENTS, FILES, make_knowledge, write_folder

from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.knowledge.read import parse_knowledge, read_knowledge
from warebench.tracks.intelligence.knowledge.yaml import parse_yaml

BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n" for before, name in pairwise("abcdefghi")
)
"""A hundred million values in nine lines."""

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
    *(
        ("knowledge.yaml", "name: shop", f"name: {name}", "cannot be the name", "knowledge.yaml")
        for name in ("../../evil", "/etc/evil", '"a\\0b"', "CON", "nul.txt", "'.'", "a/b", "'a,b'", "a" * 300)
    ),
    ("knowledge.yaml", "name: shop", "name: ' '", "`name` is missing", "knowledge.yaml"),
    ("metrics.yaml", shop.METRICS_YAML, "", "there is no metric", "metrics.yaml"),
    ("metrics.yaml", shop.METRICS_YAML, "metrics: []", "there is no metric", "metrics.yaml"),
    ("metrics.yaml", shop.METRICS_YAML, "- a\n- b", "Expected `object`", "metrics.yaml, metric 1"),
    ("metrics.yaml", shop.METRICS_YAML, "words", "there is no list of metrics", "metrics.yaml"),
    ("metrics.yaml", "metrics:", "metrics:\n\t- x", "'\\t'", "metrics.yaml, line"),
    ("metrics.yaml", "metrics:", "a: [1]\nmetrics:", "there is no list of metrics", "metrics.yaml"),
    ("metrics.yaml", shop.METRICS_YAML, BOMB, "stand for more than 1,000,000 values", "metrics.yaml"),
    ("metrics.yaml", shop.METRICS_YAML, "metrics: &a [*a]", "stands within itself", "metrics.yaml"),
    ("metrics.yaml", shop.METRICS_YAML, "[" * 5000 + "]" * 5000, "nested too deeply", "metrics.yaml"),
    ("metrics.yaml", shop.METRICS_YAML, "? [a]\n: 1", "a key is no word", "metrics.yaml, line 1"),
    ("metrics.yaml", "name: Active", "name: !!python/name:os.system Active", "constructor", "metrics.yaml"),
    ("rules/grace.md", "# Grace", "---\nid: BR-03\n# Grace", "has no end", "rules/grace.md"),
    ("rules/grace.md", "# Grace", "---\n- BR-03\n---\n# Grace", "is no mapping", "rules/grace.md"),
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
    files = {**FILES, **DOCUMENTS}
    assert old in files[file]
    with pytest.raises(KnowledgeError) as caught:
        parse_knowledge({**files, file: files[file].replace(old, new, 1)})
    assert what in caught.value.what
    assert file in caught.value.where
    assert where in caught.value.where
    assert caught.value.fix
    if what.startswith("Invalid enum"):
        assert "Did you mean" in caught.value.fix or "Known: " in caught.value.fix


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


@pytest.mark.parametrize(
    ("file", "raw", "what"),
    [
        ("metrics.yaml", shop.METRICS_YAML.encode("utf-16"), "cannot be read as UTF-8"),
        ("metrics.yaml", shop.METRICS_YAML.encode("utf-16-le"), "NUL"),
        ("metrics.yaml", b"# pad\n" * 900_000, "has 5.4 MB, and may have 5"),
        ("rules/grace.md", b"word " * 2_000_000, "has 10.0 MB, and may have 1"),
        ("rules/grace.md", b"Late Delivery Rate\0", "NUL"),
    ],
)
def test_files_that_are_no_text_of_their_kind(tmp_path, file, raw, what):
    folder = write_folder(tmp_path / "shop")
    (folder / file).write_bytes(raw)
    with pytest.raises(KnowledgeError, match=what) as caught:
        read_knowledge(folder)
    assert caught.value.where == str(folder / file)
    assert caught.value.fix


def test_marks_and_line_ends_of_other_editors_do_not_matter(tmp_path):
    folder = write_folder(tmp_path / "shop")
    for name, text in {**FILES, **DOCUMENTS}.items():
        (folder / name).write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert read_knowledge(folder) == make_knowledge()


def test_yaml_words_stay_words():
    text = "{on: NO, day: 2018-01-01, yes: true, n: 3, x: 1.5}"
    assert parse_yaml(text, "f") == {"on": "NO", "day": "2018-01-01", "yes": True, "n": 3, "x": 1.5}


@pytest.mark.parametrize(
    "text",
    [
        "a: !!int abc",
        "a: !!float abc",
        "a: !!timestamp 2020-99-99",
        "a: !!timestamp x",
        "a: !!bool perhaps",
        "a: " + "1" * 5_000,
        "a: !!int ''",
        "a: !!python/object:os.system x",
        "a: !!omap 3",
        "a: " + "[" * 100_000,
        "? " * 100_000,
    ],
    ids=lambda text: text[:30],
)
def test_odd_values_of_yaml_are_the_users(text):
    with pytest.raises(KnowledgeError) as caught:
        parse_yaml(text, "metrics.yaml")
    assert "metrics.yaml" in caught.value.where


def test_a_pipe_in_a_knowledge_base_is_refused(tmp_path):
    write_folder(tmp_path)
    (tmp_path / "truth.yaml").unlink()
    os.mkfifo(tmp_path / "truth.yaml")
    with pytest.raises(KnowledgeError, match="a pipe"):
        read_knowledge(tmp_path)

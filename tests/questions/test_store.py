"""A set on disk is read back as it was, or refused with the file's name."""

import pytest
from tests.topology.sample import CATALOG

from warebench.errors import SetError
from warebench.questions.store import read_questions, write_questions
from warebench.tracks.topology.build import Options, build

MADE = build([CATALOG], Options(size=2))


@pytest.fixture
def folder(tmp_path):
    write_questions(MADE, tmp_path)
    return tmp_path


def test_round_trip(folder):
    assert read_questions(folder) == MADE


def test_written_over_an_older_set(folder):
    (folder / "catalogs" / "old.json").write_text("{}")
    write_questions(MADE, folder)
    assert [path.name for path in (folder / "catalogs").iterdir()] == ["sample.json"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("manifest.json", None, "No such file"),
        ("manifest.json", b"{", "torn"),
        ("manifest.json", b"[]", "torn"),
        ("questions.jsonl", None, "No such file"),
        ("questions.jsonl", b"", "not the ones"),
        ("questions.jsonl", b"edited", "not the ones"),
        ("catalogs/sample.json", None, "No such file"),
        ("catalogs/sample.json", b"\xff\xfe", "torn"),
        ("catalogs/sample.json", b'{"name":"sample","tables":[]}', "not the one"),
    ],
)
def test_damage_is_named(folder, name, content, words):
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)
    with pytest.raises(SetError) as error:
        read_questions(folder)
    assert words in str(error.value)
    assert name in str(error.value)


def test_another_format(folder):
    manifest = folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"format": 1', '"format": 9'))
    with pytest.raises(SetError, match="format 9"):
        read_questions(folder)


def test_other_files_are_left_alone(tmp_path):
    (tmp_path / "catalogs").mkdir()
    mine = tmp_path / "catalogs" / "mine.json"
    mine.write_text("{}")
    with pytest.raises(SetError, match="other files"):
        write_questions(MADE, tmp_path)
    assert mine.read_text() == "{}"


def test_not_a_folder(tmp_path):
    with pytest.raises(SetError, match="fix: Give the folder"):
        read_questions(tmp_path / "nowhere")

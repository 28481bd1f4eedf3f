"""Building: the same bytes with any number of workers, read back, proved again."""

from pathlib import Path

import pytest

from warebench.errors import BuildError
from warebench.questions.check import check_questions
from warebench.questions.store import read_questions, write_questions
from warebench.tracks.multitable.build import Options, build
from warebench.tracks.multitable.certify import prove_set
from warebench.worlds.questions import library

FEW = Options(databases=("movie", "restaurant"), windows=("8K",), instances=1)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_library_is_whole():
    assert sum(len(templates) for templates in library().values()) == 140
    names = {template.name for templates in library().values() for template in templates}
    assert len(names) == 140


def test_workers_do_not_change_a_byte(tmp_path):
    import msgspec

    alone = build([], FEW)
    write_questions(alone, tmp_path / "one")
    write_questions(build([], msgspec.structs.replace(FEW, workers=2)), tmp_path / "two")
    assert files(tmp_path / "one") == files(tmp_path / "two")
    read = read_questions(tmp_path / "two")
    assert read.questions == alone.questions
    assert check_questions(read, prove_set) == []


def test_edited_rows_are_noticed(tmp_path):
    from warebench.errors import SetError

    write_questions(build([], FEW), tmp_path)
    rows = next((tmp_path / "databases").rglob("*.arrows"))
    rows.write_bytes(rows.read_bytes()[:-40])
    with pytest.raises(SetError, match="rows"):
        read_questions(tmp_path)


def test_a_window_named_twice_is_asked_about_once():
    twice = build([], Options(databases=("movie",), windows=("8K", "8K"), instances=1))
    assert twice.manifest.parameters["windows"] == "8K"
    assert check_questions(twice, prove_set) == []
    assert len(twice.questions) == 14


def test_every_template_asks_in_the_smallest_window():
    made = build([], FEW)
    assert made.manifest.shortfalls == ()
    assert len(made.questions) == 2 * 14


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Options(windows=("9K",)), "unknown window"),
        (Options(databases=("airlines",)), "Did you mean `airline`"),
        (Options(profile="papr"), "Did you mean `paper`"),
        (Options(tokenizer="cl100k"), "unknown tokenizer"),
        (Options(size=0), "at least 1"),
        (Options(size=10**9), "at most 1,000"),
        (Options(instances=1001), "at most 1,000"),
        (Options(windows=()), "no window is asked for"),
    ],
)
def test_bad_options_are_explained(options, words):
    with pytest.raises(BuildError) as error:
        build([], options)
    assert words in str(error.value)

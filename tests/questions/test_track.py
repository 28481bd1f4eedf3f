"""Tracks: their table, their options by name, their dispatch."""

import inspect
from importlib import import_module

import pyarrow as pa
import pytest

from warebench.catalog.bundled import load_bundled
from warebench.engine.database import Database
from warebench.errors import BuildError
from warebench.tracks import TRACKS, find_track
from warebench.tracks.dispatch import build_questions, check_questions, obfuscate_questions


def test_names_are_distinct_and_found() -> None:
    assert [find_track(track.name) for track in TRACKS] == list(TRACKS)
    assert len({track.name for track in TRACKS}) == len(TRACKS)
    with pytest.raises(BuildError, match="Did you mean `topology`"):
        find_track("topolgy")


@pytest.mark.parametrize("track", TRACKS, ids=lambda track: track.name)
def test_the_task_exists_and_takes_a_set_and_a_method(track) -> None:
    module, name = track.task.split(":")
    task = getattr(import_module(module), name)
    assert {"questions", "method", "limit_per_subtype"} <= set(inspect.signature(task).parameters)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"sise": 3}, "Did you mean `size`?"),
        ({"size": "three"}, "does not fit"),
        ({"subtypes": ["forwrd"]}, "Did you mean `forward`?"),
    ],
)
def test_options_that_do_not_fit(options: dict[str, object], said: str) -> None:
    with pytest.raises(BuildError) as caught:
        build_questions("topology", load_bundled("tpc_di"), **options)
    assert said in str(caught.value)


def test_build_check_and_obfuscate_by_name() -> None:
    done: list[str] = []
    made = build_questions("topology", load_bundled("tpc_di"), size=1, progress=done.append)
    assert done == ["tpc_di"]
    assert {question.subtype for question in made.questions} == {kind.name for kind in TRACKS[0].subtypes}
    twin = obfuscate_questions(made, "tables")
    assert twin.manifest.obfuscation == "tables"
    assert check_questions(made) == check_questions(twin) == []


def test_words_become_options() -> None:
    words = {"windows": "8K, 16K", "mess": "true", "workers": "2", "databases": ""}
    read = find_track("multitable").read_words(words)
    assert read == {"windows": ("8K", "16K"), "mess": True, "workers": 2, "databases": ()}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"wndows": "8K"}, "no option `wndows`\n  fix: Did you mean `windows`"),
        ({"workers": "two"}, "`workers` of the multitable track does not fit"),
    ],
)
def test_words_that_do_not_fit(words: dict[str, str], said: str) -> None:
    with pytest.raises(BuildError) as caught:
        find_track("multitable").read_words(words)
    assert said in str(caught.value)


def test_a_track_about_rows_needs_rows() -> None:
    with pytest.raises(BuildError, match="the multitable track asks about rows"):
        build_questions("multitable", load_bundled("tpc_di"))


def test_a_database_is_a_catalog_too() -> None:
    catalog = load_bundled("tpc_di")
    rows = {
        table.name: pa.table({c.name: pa.array([], pa.string()) for c in table.columns})
        for table in catalog.tables
    }
    made = build_questions("topology", Database(catalog=catalog, tables=rows), size=1)
    assert made.questions == build_questions("topology", catalog, size=1).questions


def test_rows_make_no_twin() -> None:
    made = build_questions("multitable", windows=("8K",), instances=1, databases=("movie",))
    with pytest.raises(BuildError, match="no obfuscated twin"):
        obfuscate_questions(made, "tables")
    assert check_questions(made) == []

"""Tracks: their table, their options by name, their dispatch."""

import inspect
from importlib import import_module

import pytest

from warebench.catalog.bundled import load_bundled
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

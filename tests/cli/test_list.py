"""`warebench list`."""

import json

import pytest
from inspect_ai.model import get_model

from warebench.cli.list import LISTS
from warebench.questions.check import CHECKS
from warebench.tracks import TRACKS


@pytest.mark.parametrize("what", LISTS)
def test_every_list_prints_and_parses(run, what: str) -> None:
    rows = json.loads(run("list", what, "--format", "json").stdout)
    text = run("list", what).stdout.splitlines()
    assert len(text) == len(rows) + 2
    assert text[0].split()[0] == next(iter(rows[0]))


@pytest.mark.parametrize(
    ("what", "key", "names"),
    [
        ("subtypes", "subtype", [kind.name for track in TRACKS for kind in track.subtypes]),
        ("methods", "method", [name for track in TRACKS for name in track.methods]),
        ("experiments", "experiment", [each.name for track in TRACKS for each in track.experiments]),
        ("checks", "code", list(CHECKS)),
    ],
)
def test_lists_are_whole(run, what: str, key: str, names: list[str]) -> None:
    assert [row[key] for row in json.loads(run("list", what, "--format", "json").stdout)] == names


def test_models_are_those_that_inspect_finds(run) -> None:
    listed = [row["model"] for row in json.loads(run("list", "models", "--format", "json").stdout)]
    assert {name for name in listed if name.startswith("policy/")} == {
        f"policy/{name}"
        for name in get_model("policy/oracle").api.policies  # type: ignore[attr-defined]
    }


def test_unknown_list(run) -> None:
    assert run("list", "trackz").exit_code == 2

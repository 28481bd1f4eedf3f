"""`warebench compare`."""

import json
from pathlib import Path

A, B = "test/good", "test/bad"


def test_table(run, scores: Path) -> None:
    done = run("compare", scores, A, B, "--by", "subtype")
    assert done.exit_code == 0
    rows = {line.split()[0]: line.split() for line in done.stdout.splitlines()[5:]}
    assert rows["all"][1:5] == ["40", "100.0", "50.0", "\N{MINUS SIGN}50.0"]
    assert set(rows) == {"all", "count", "forward"}


def test_json(run, scores: Path) -> None:
    found = json.loads(run("compare", scores, A, B, "--format", "json", "-q").stdout)
    assert found["overall"]["difference"] == -0.5
    assert found["overall"]["only_a"] == 20
    assert found["overall"]["significant"] is True


def test_regression_is_exit_1(run, scores: Path) -> None:
    assert run("compare", scores, A, B, "--fail-on", "regression").exit_code == 1
    assert run("compare", scores, B, A, "--fail-on", "regression").exit_code == 0


def test_alpha(run, scores: Path) -> None:
    options = ("--fail-on", "regression", "--alpha", "0.0000000001")
    assert run("compare", scores, A, B, *options).exit_code == 0
    assert run("compare", scores, A, B, "--alpha", "2").exit_code == 2
    done = run("compare", scores, A, B, "--alpha", "nan")
    assert done.exit_code == 2
    assert "nan is not a number" in done.stderr


def test_unknown_model(run, scores: Path) -> None:
    done = run("compare", scores, A, "test/bat")
    assert done.exit_code == 2
    assert "Did you mean `test/bad`?" in done.stderr

"""`warebench report`."""

from pathlib import Path

import pytest


def test_everything_is_written(run, scores: Path) -> None:
    done = run("report", scores, "--out", "r")
    assert done.exit_code == 0
    assert {path.name for path in Path("r").iterdir()} == {"index.html", "report.md", "report.json", "tables"}
    assert done.stdout.splitlines()[:3] == ["r/index.html", "r/report.md", "r/report.json"]


def test_chosen_formats(run, scores: Path) -> None:
    run("report", scores, "--out", "r", "--format", "md", "--note", "A slice of forty.")
    assert [path.name for path in Path("r").iterdir()] == ["report.md"]
    assert "A slice of forty." in Path("r/report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("least", "code"), [("0.5", 0), ("0.51", 1)])
def test_fail_under(run, scores: Path, least: str, code: int) -> None:
    done = run("report", scores, "--format", "json", "--fail-under", least)
    assert done.exit_code == code
    assert ("test/bad with flat_text" in done.stderr) == bool(code)


@pytest.mark.parametrize("least", ["nan", "1.5", "-0.1", "half"])
def test_a_threshold_is_a_share(run, scores: Path, least: str) -> None:
    done = run("report", scores, "--fail-under", least)
    assert done.exit_code == 2
    assert "--fail-under" in done.stderr
    assert not Path("report").exists()


def test_no_score_table(run) -> None:
    assert run("report", "nowhere.parquet").exit_code == 2
    Path("torn.parquet").write_bytes(b"PAR1 torn")
    done = run("report", "torn.parquet")
    assert done.exit_code == 2
    assert "Traceback" not in done.stderr

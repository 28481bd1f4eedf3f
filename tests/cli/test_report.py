"""`warebench report`."""

from pathlib import Path

import pandas as pd
import pytest

from warebench.harness.scores import write_scores


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


def test_the_margin_reaches_the_report(run, scores: Path) -> None:
    rows = pd.read_parquet(scores)
    write_scores(pd.concat([rows, rows.assign(method="vector_rag")]), Path("two.parquet"))
    assert run("report", "two.parquet", "--format", "md", "--margin", "0.045").exit_code == 0
    assert "less than 4.5 points apart" in Path("report/report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("margin", ["0", "1", "nan"])
def test_a_margin_lies_between_nothing_and_everything(run, scores: Path, margin: str) -> None:
    done = run("report", scores, "--margin", margin)
    assert done.exit_code == 2
    assert "--margin" in done.stderr


def test_no_score_table(run) -> None:
    assert run("report", "nowhere.parquet").exit_code == 2
    Path("torn.parquet").write_bytes(b"PAR1 torn")
    done = run("report", "torn.parquet")
    assert done.exit_code == 2
    assert "Traceback" not in done.stderr

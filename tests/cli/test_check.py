"""`warebench check`."""

import json
from pathlib import Path

import pytest

from warebench.cli import check
from warebench.questions.assemble import assemble
from warebench.questions.check import Finding
from warebench.questions.model import QuestionSet
from warebench.questions.store import read_questions, write_questions


@pytest.fixture
def clean(run, shop: Path) -> Path:
    run("build", "--source", shop, "--size", 2, "--out", "clean", "--obfuscate", "tables")
    return Path("clean")


@pytest.fixture
def faulty(clean: Path) -> Path:
    """A set with whole hashes whose first question is asked twice."""
    old: QuestionSet = read_questions(clean)
    doubled = assemble(
        track="topology",
        profile="default",
        seed=7,
        parameters=old.manifest.parameters,
        catalogs=old.catalogs.values(),
        questions=[*old.questions, old.questions[0]],
    )
    write_questions(doubled, Path("faulty"))
    return Path("faulty")


def test_clean_set_and_twin(run, clean: Path) -> None:
    done = run("check", clean, "clean-tables")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "0 findings" in done.stderr


def test_findings(run, faulty: Path) -> None:
    done = run("check", faulty)
    assert done.exit_code == 1
    assert "WB002" in done.stdout
    assert run("check", faulty, "--exit-zero").exit_code == 0


def test_findings_as_json(run, faulty: Path) -> None:
    codes = {finding["code"] for finding in json.loads(run("check", faulty, "--format", "json", "-q").stdout)}
    assert "WB002" in codes


def test_findings_as_annotations(run, faulty: Path) -> None:
    lines = run("check", faulty, "--format", "github").stdout.splitlines()
    assert all(line.startswith("::error file=faulty/questions.jsonl,title=WB") for line in lines)


def test_clean_json_is_an_empty_list(run, clean: Path) -> None:
    assert json.loads(run("check", clean, "--format", "json").stdout) == []


def test_an_edited_set_is_refused(run, clean: Path) -> None:
    path = clean / "questions.jsonl"
    line = path.read_bytes().splitlines()[0]
    path.write_bytes(line.replace(b"easy", b"hard") + b"\n")
    done = run("check", clean)
    assert done.exit_code == 2
    assert "not the ones the manifest was written for" in done.stderr


def test_no_set(run) -> None:
    assert run("check", "nowhere").exit_code == 2
    assert run("check").exit_code == 2


@pytest.mark.parametrize(("severity", "code"), [("warning", 0), ("error", 1)])
def test_warnings_are_shown_but_do_not_fail(run, clean: Path, monkeypatch, severity, code) -> None:
    odd = Finding(code="WB010", where="q", message="a tie", severity=severity)
    monkeypatch.setattr(check, "check_questions", lambda _: [odd])
    done = run("check", clean)
    assert done.exit_code == code
    assert done.stdout == f"clean: q: {severity} WB010 a tie\n"
    assert ("0 findings, 1 warnings" in done.stderr) is (severity == "warning")
    assert json.loads(run("check", clean, "--format", "json").stdout)[0]["severity"] == severity
    assert run("check", clean, "--format", "github").stdout.startswith(f"::{severity} file=")

"""`warebench run` and `warebench score`: the way from a set to a score table, without a language model."""

import json
import shlex
from pathlib import Path

import pytest

from warebench.harness.scores import read_scores


@pytest.fixture
def set_folder(run, shop: Path) -> Path:
    run("build", "--source", shop, "--size", 1, "--out", "set")
    return Path("set")


def test_dry_run_prints_the_commands_of_inspect(run, set_folder: Path) -> None:
    options = (
        "--method",
        "tool_use",
        "--method",
        "oracle",
        "-T",
        "calls=5",
        "--limit-per-subtype",
        2,
        "--epochs",
        3,
    )
    done = run(
        "run",
        "topology",
        "--questions",
        set_folder,
        "--model",
        "a/b",
        "--model",
        "c/d",
        *options,
        "--dry-run",
    )
    first, second = (shlex.split(line) for line in done.stdout.splitlines())
    assert first == shlex.split(
        "inspect eval warebench/warebench_topology --model a/b,c/d -T questions=set -T method=tool_use"
        " -T limit_per_subtype=2 -T calls=5 --epochs 3 --log-dir logs"
    )
    assert second == [word.replace("tool_use", "oracle") for word in first]


def test_all_methods(run, set_folder: Path) -> None:
    done = run("run", "topology", "--questions", set_folder, "--model", "a/b", "--method", "all", "--dry-run")
    assert len(done.stdout.splitlines()) == 6


def test_run_then_score(run, set_folder: Path) -> None:
    words = (
        "--questions",
        set_folder,
        "--model",
        "policy/oracle",
        "--method",
        "flat_text",
        "--format",
        "json",
    )
    done = run("run", "topology", *words)
    said = json.loads(done.stdout)
    assert (done.exit_code, said["success"], said["errors"]) == (0, True, [])
    assert all(Path(log).exists() for log in said["logs"])
    scored = run("score", "logs", "--format", "json")
    table = json.loads(scored.stdout)
    assert scored.exit_code == 0
    assert table["rows"] == table["outcomes"]["verdict"] == len(read_scores(Path("scores.parquet")))
    assert table["conditions"][0]["micro_em"] == 1.0
    assert "Policy models are programs" in run("score", "logs").stderr


def test_the_order_of_logs_does_not_matter(run, set_folder: Path) -> None:
    for folder, model in (("a", "policy/oracle"), ("b", "policy/oracle"), ("b", "policy/random")):
        words = ("--questions", set_folder, "--model", model, "--method", "flat_text", "--log-dir", folder)
        assert run("run", "topology", *words).exit_code == 0
    for order in (("a", "b"), ("b", "a")):
        assert run("score", *order, "--out", f"{'-'.join(order)}.parquet").exit_code == 0
    one, other = (read_scores(Path(name)) for name in ("a-b.parquet", "b-a.parquet"))
    assert one.equals(other)
    assert one.attrs == other.attrs
    assert sorted(name[0] for name in one.attrs["warebench"]["logs"]) == ["a", "b", "b"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--method", "tool_uze"), "Did you mean `tool_use`?"),
        (("--method", "flat_text", "-T", "kk=3"), "the task has no argument `kk`"),
        (("--method", "flat_text", "-T", "method=oracle"), "Give --method."),
        (("--method", "flat_text", "-T", "k=0"), "k must be at least 1"),
        (("--method", "flat_text", "--questions", "nowhere"), "does not exist"),
        ((), "Missing option '--method'"),
    ],
)
def test_refusals(run, set_folder: Path, words: tuple[str, ...], said: str) -> None:
    done = run("run", "topology", "--questions", set_folder, "--model", "policy/oracle", *words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert not Path("logs").exists()


def test_unknown_model_is_exit_2(run, set_folder: Path) -> None:
    words = ("--questions", set_folder, "--method", "flat_text", "--model", "nobody/nothing")
    done = run("run", "topology", *words)
    assert done.exit_code == 2
    assert "Traceback" not in done.stderr


def test_no_logs(run) -> None:
    done = run("score", "nowhere")
    assert done.exit_code == 2
    assert "there is no log here" in done.stderr

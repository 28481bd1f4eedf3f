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


def test_dry_run_as_json(run, set_folder: Path) -> None:
    words = ("--questions", set_folder, "--model", "a/b", "--method", "oracle", "--dry-run")
    line = run("run", "topology", *words).stdout.strip()
    assert json.loads(run("run", "topology", *words, "--format", "json").stdout) == {"commands": [line]}


def test_a_set_named_twice_is_asked_once(run, set_folder: Path) -> None:
    twice = ("--questions", set_folder, "--questions", set_folder.resolve(), "--questions", f"./{set_folder}")
    done = run("run", "topology", *twice, "--model", "a/b", "--method", "oracle", "--dry-run")
    (line,) = done.stdout.splitlines()
    assert "questions=set " in line


def experiment_commands(run, *words: object) -> list[list[str]]:
    done = run("run", "multitable", "--model", "a/b", "--dry-run", *words)
    assert done.exit_code == 0, done.stderr
    return [shlex.split(line) for line in done.stdout.splitlines()]


def test_an_experiment_is_one_command_for_each_run(run) -> None:
    lines = experiment_commands(run, "--experiment", "single-or-multi", "--limit-per-subtype", 2)
    assert [word for line in lines for word in line if word.startswith("method=")] == [
        "method=choice",
        "method=single_table",
    ]
    for line in lines:
        assert {"windows=8K", "databases=airline", "instances=10", "size=10", "limit_per_subtype=2"} <= set(
            line
        )


def test_arguments_override_those_of_an_experiment(run) -> None:
    lines = experiment_commands(run, "--experiment", "serialisation", "-T", "windows=8K", "-T", "instances=1")
    assert len(lines) == 4
    assert all({"windows=8K", "instances=1"} <= set(line) for line in lines)
    (line,) = experiment_commands(
        run, "--experiment", "serialisation", *("-T", "windows=8K"), *("-T", "serialisation=csv")
    )
    assert "serialisation=csv" in line


@pytest.mark.parametrize(
    ("words", "environment", "methods"),
    [
        (("--experiment", "stability"), {}, ["method=choice"]),
        (("--method", "open"), {"WAREBENCH_RUN_EXPERIMENT": "stability"}, ["method=open"]),
        ((), {"WAREBENCH_RUN_EXPERIMENT": "stability"}, ["method=choice"]),
        ((), {}, ["method=oracle"]),
    ],
)
def test_a_flag_wins_over_the_file(run, words, environment, methods) -> None:
    Path("warebench.toml").write_text('[run]\nmethod = ["oracle"]\n', encoding="utf-8")
    done = run("run", "multitable", "--model", "a/b", "--dry-run", *words, **environment)
    assert [word for word in shlex.split(done.stdout) if word.startswith("method=")] == methods


def test_unknown_experiment(run) -> None:
    done = run("run", "multitable", "--experiment", "serialization", "--model", "a/b")
    assert done.exit_code == 2
    assert "Did you mean `serialisation`?" in done.stderr


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
        (("--method", "tool_use", "-T", "calls=abc"), "`calls=abc` does not fit: Expected `int`"),
        (("--experiment", "any"), "the topology track has no named experiments"),
        (("--experiment", "any", "--method", "flat_text"), "exclude each other"),
        ((), "Missing option '--method' or '--experiment'"),
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

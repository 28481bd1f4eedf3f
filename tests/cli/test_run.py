"""`warebench run` and `warebench score`: the way from a set to a score table, without a language model."""

import json
import shlex
import sys
from pathlib import Path

import pytest
from tests.budget.mini import mini_set

from warebench.harness.scores import read_scores
from warebench.questions.store import write_questions


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


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("topology --method flat_text -T k=zero", "`k=zero` does not fit"),
        ("topology --method flat_text -T nosuch=1", "no argument `nosuch`"),
        ("multitable --method choice -T serialisation=typo", "unknown serialisation `typo`"),
        ("budget --method sql -T budget=abc", "`budget=abc` does not fit"),
        ("budget --method sql -T ranker=typo", "unknown ranker `typo`"),
        ("intelligence --method agent -T condition=typo", "`typo`"),
    ],
)
def test_a_dry_run_refuses_what_the_run_would(run, words: str, said: str) -> None:
    tried = run("run", *words.split(), "--model", "a/b", "--dry-run")
    assert (tried.exit_code, tried.stdout) == (2, "")
    assert said in tried.stderr
    assert "fix:" in tried.stderr
    # Both stop before a set is built, as none was given.
    assert run("run", *words.split(), "--model", "a/b").stderr == tried.stderr


@pytest.mark.parametrize(
    "words",
    [
        "topology --method vector_rag",
        "topology --method all",
        "budget --method sql -T ranker=fused",
        "budget --experiment budget_sweep",
    ],
)
@pytest.mark.parametrize("dry", [("--dry-run",), ()])
def test_an_extra_is_asked_for_before_anything_is_run(run, monkeypatch, words: str, dry: tuple[str]) -> None:
    monkeypatch.setitem(sys.modules, "faiss", None)
    done = run("run", *words.split(), "--model", "policy/random", *dry)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "`faiss` is not installed" in done.stderr
    assert "pip install 'warebench[dense]', or in a clone: pip install -e '.[dense]'" in done.stderr
    assert not Path("logs").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("multitable --method text_to_sql", "fix: Give --model policy/sql_gold"),
        ("multitable --method all", "fix: Give --model policy/sql_gold"),
        ("budget --method sql", "fix: Give --model policy/sql_oracle"),
    ],
)
def test_the_oracle_writes_no_queries(run, words: str, said: str) -> None:
    done = run("run", *words.split(), "--model", "policy/oracle", "--dry-run")
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr


def test_what_is_asked_is_told(run, set_folder: Path) -> None:
    words = ("--questions", set_folder, "--method", "oracle", "--method", "flat_text", "--limit", 2)
    done = run("run", "topology", *words, "--model", "policy/oracle", "--epochs", 3)
    assert "Asking 12 questions in all; conditions: 2." in done.stderr
    assert "Asking" not in run("run", "topology", *words, "--model", "policy/random", "-q").stderr


def test_ctrl_c_says_how_to_go_on(run, set_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*words: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("warebench.harness.run.eval_set", stop)
    words = ("--questions", set_folder, "--method", "oracle", "--model", "policy/oracle", "--log-dir", "here")
    done = run("run", "topology", *words)
    assert done.exit_code == 130
    assert "Interrupted. Run the same command again to go on; logs: here\n" in done.stderr


def test_a_dry_run_reads_the_set_that_was_given(run, set_folder: Path) -> None:
    words = ("--questions", set_folder, "--model", "a/b", "--method", "oracle", "-T", "subtypes=typo")
    tried = run("run", "topology", *words, "--dry-run")
    assert tried.exit_code == 2
    assert "unknown subtype `typo`" in tried.stderr


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


@pytest.fixture
def budget_folder(run) -> Path:
    write_questions(mini_set(), "mini")
    return Path("mini")


def test_a_way_to_compare_holds_for_every_run_of_an_experiment(run, budget_folder: Path) -> None:
    words = ("--questions", budget_folder, "--experiment", "remove_gold", "--compare", "bird")
    done = run("run", "budget", "--model", "a/b", *words, "--dry-run")
    lines = [shlex.split(line) for line in done.stdout.splitlines()]
    assert ["condition=end_to_end" in line for line in lines] == [True, False]
    assert all("compare=bird" in line for line in lines)


def test_a_way_to_compare_comes_to_the_score_table(run, budget_folder: Path) -> None:
    for how in ((), ("--compare", "bird")):
        words = ("--questions", budget_folder, "--method", "all", "--model", "policy/sql_oracle", *how)
        assert run("run", "budget", *words).exit_code == 0
    assert run("score", "logs").exit_code == 0
    table = read_scores(Path("scores.parquet"))
    assert table.groupby(["method", "setting.compare"])["em"].agg(["size", "mean"]).to_dict("index") == {
        ("oracle", "bird"): {"size": 4, "mean": 1.0},
        ("oracle", "strict"): {"size": 4, "mean": 1.0},
        ("sql", "strict"): {"size": 4, "mean": 1.0},
        ("sql compare=bird", "bird"): {"size": 4, "mean": 1.0},
    }
    # BIRD's own comparison looks at the real rows alone.
    assert set(table[table["setting.compare"] == "bird"]["measure.variants"].isna()) == {True}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("budget", "--compare", "brd"), "unknown compare `brd`\n  fix: Did you mean `bird`?"),
        (("budget", "-T", "compare=bird"), "`compare` has a flag of its own\n  fix: Give --compare."),
        (("topology", "--compare", "bird"), "the topology track has no use for --compare"),
        (("budget", "--unsafe-local"), "the budget track has no use for --unsafe-local"),
    ],
)
def test_a_flag_that_does_not_fit_the_track(run, words: tuple[str, ...], said: str) -> None:
    done = run("run", *words, "--model", "a/b", "--method", "oracle", "--dry-run")
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr


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
        (("--method", "flat_text", "-T", "kk=3"), "the topology task has no argument `kk`"),
        (("--method", "flat_text", "-T", "method=oracle"), "Give --method."),
        (("--method", "flat_text", "-T", "k=0"), "k must be at least 1"),
        (("--method", "flat_text", "--questions", "nowhere"), "does not exist"),
        (("--method", "tool_use", "-T", "calls=abc"), "`calls=abc` does not fit"),
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

"""The paper's five experiments: what they ask, and that each runs offline as one command."""

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai.log import read_eval_log

from warebench.cli.program import main
from warebench.harness.sandbox import sandbox_available
from warebench.harness.scores import read_scores
from warebench.tracks.multitable.methods import METHODS
from warebench.tracks.multitable.sampling import WINDOWS
from warebench.tracks.multitable.serialise import FORMATS
from warebench.tracks.multitable.track import EXPERIMENTS

NARROW = "-T databases=airline -T windows=8K -T instances=2 -T size=1 --limit-per-subtype 2"


def command(line: str) -> str:
    done = CliRunner().invoke(main, shlex.split(line), prog_name="warebench")
    assert done.exit_code == 0, done.output
    return done.stdout


def test_there_are_five_of_the_paper():
    assert [f"Experiment {number}" in each.asks for number, each in enumerate(EXPERIMENTS, 1)] == [True] * 5
    assert len({each.name for each in EXPERIMENTS}) == 5


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_every_argument_is_one_of_ours(experiment):
    for run in experiment.runs:
        assert run["method"] in METHODS
        assert set(str(run["windows"]).split(",")) <= set(WINDOWS)
        assert run.get("serialisation", "markdown") in FORMATS


def test_experiments_1_and_4_ask_1400_questions_of_ten_instances():
    for name in ("single-or-multi", "stability"):
        runs = next(each.runs for each in EXPERIMENTS if each.name == name)
        assert {int(run["instances"]) * int(run["size"]) * 14 for run in runs} == {1400}


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_runs_offline_and_reports(experiment, tmp_path, monkeypatch):
    if any(run["method"] == "code_agent" for run in experiment.runs) and (reason := sandbox_available()):
        pytest.skip(reason)
    monkeypatch.chdir(tmp_path)
    words = f"run multitable --experiment {experiment.name} --model policy/random {NARROW} --format json"
    logs = [read_eval_log(log, header_only=True) for log in json.loads(command(words))["logs"]]
    assert len(logs) == len(experiment.runs)
    assert len({log.eval.metadata["method"] for log in logs}) == len(experiment.runs)
    command("score logs")
    scores = read_scores(Path("scores.parquet"))
    assert scores.groupby("method")["question_id"].agg(frozenset).nunique() == 1
    assert set(scores["outcome"]) == {"verdict"}
    command("report scores.parquet --format csv")
    tables = {path.stem for path in Path("report/tables/multitable").iterdir()}
    assert "stability" in tables
    assert ("setting_serialisation" in tables) == (experiment.name == "serialisation")
    assert ("paired_method" in tables) == (len({run["method"] for run in experiment.runs}) > 1)

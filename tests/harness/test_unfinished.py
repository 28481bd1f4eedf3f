import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from warebench.harness.logs import read_logs


def outcomes(scores: pd.DataFrame) -> dict[str, str]:
    return dict(zip(scores["question_id"], scores["outcome"], strict=True))


ONE_ANSWER = """
import anyio
from pathlib import Path
from inspect_ai.solver import generate, solver
from tests.harness.conftest import tiny_task
from tests.harness.tiny import tiny_set
from warebench.harness.run import run

begun = []

@solver
def patient():
    async def solve(state, generate):
        begun.append(state.sample_id)
        if len(begun) == 3:  # of two at a time: one has ended
            Path({folder!r}, "third").touch()
        await anyio.sleep(0 if state.sample_id == "q-connected" else {seconds})
        return state
    return solve

tasks = [tiny_task(tiny_set(), [patient(), generate()])]
print(run(tasks, ["tinypolicy/oracle"], Path({folder!r}), options={{"max_samples": 2}}).success)
"""


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM])
def test_the_answers_of_a_killed_run_count_and_it_resumes(tmp_path: Path, by: signal.Signals) -> None:
    def start(seconds: float) -> subprocess.Popen[str]:
        code = ONE_ANSWER.format(seconds=seconds, folder=str(tmp_path))
        return subprocess.Popen([sys.executable, "-c", code], text=True, stdout=subprocess.PIPE)

    killed = start(30)
    deadline = time.monotonic() + 300
    while not (tmp_path / "third").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1)
    os.kill(killed.pid, by)
    killed.communicate()
    before = {path.name: path.read_bytes() for path in tmp_path.glob("*.eval")}
    for _ in range(2):
        left = read_logs(tmp_path)
        assert outcomes(left.scores) == dict.fromkeys(outcomes(left.scores), "not_run") | {
            "q-connected": "verdict"
        }
        assert left.unfinished == dict.fromkeys(before, 4)
        assert set(left.scores[left.scores["outcome"] == "not_run"]["reason"]) <= {
            "not run: the run is unfinished",
            "not run: cancelled",
        }
    assert {path.name: path.read_bytes() for path in tmp_path.glob("*.eval")} == before
    resumed = start(0)
    assert resumed.communicate()[0].strip() == "True"
    reading = read_logs(tmp_path)
    assert set(outcomes(reading.scores).values()) == {"verdict"}
    assert (len(reading.scores), reading.unfinished) == (5, {})

"""All 1,046 questions of the paper, asked of the two policy models that bound a run from above."""

from pathlib import Path

import pytest

from warebench.catalog.bundled import BUNDLED, load_bundled
from warebench.harness.logs import read_logs
from warebench.harness.run import run
from warebench.questions.store import write_questions
from warebench.tracks.topology.build import Options, build


@pytest.fixture(scope="module")
def scores(tmp_path_factory):
    from warebench.tracks.topology.tasks import warebench_topology

    folder: Path = tmp_path_factory.mktemp("paper")
    made = build([load_bundled(name, preset="released") for name in BUNDLED], Options(profile="paper"))
    write_questions(made, folder / "set")
    for model, method in (("policy/oracle", "oracle"), ("policy/planner", "tool_use")):
        task = warebench_topology(questions=str(folder / "set"), method=method)
        assert run([task], [model], folder / "logs").success
    return read_logs(folder / "logs").scores


def test_oracle_is_always_right(scores):
    mine = scores[scores.model == "policy/oracle"]
    assert len(mine) == 1046
    assert mine.em.mean() == 1.0


def test_planner_with_tools_is_right_exactly_where_three_calls_suffice(scores):
    mine = scores[scores.model == "policy/planner"]
    assert len(mine) == 1046
    assert (mine.em == mine.feasible.astype(float)).all()
    assert 0.9 < mine.em.mean() < 1.0

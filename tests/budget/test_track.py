"""The track's entry: every experiment starts, and names what it says it varies."""

import pytest
from tests.budget.mini import mini_set

from warebench.questions.store import write_questions
from warebench.tracks.budget.methods import METHODS as SOLVERS
from warebench.tracks.budget.tasks import warebench_budget
from warebench.tracks.budget.track import BUDGET, BUDGETS, METHODS


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("sets") / "mini"
    write_questions(mini_set(), path)
    return str(path)


@pytest.mark.parametrize(
    ("name", "runs", "varied"),
    [
        ("budget_sweep", 8, {"budget": 4, "ranker": 2}),
        ("representation", 12, {"budget": 4, "representation": 3}),
        ("remove_gold", 2, {"condition": 2}),
        ("unprefixed", 16, {"budget": 4, "ranker": 2, "names": 2}),
        ("fixed_tables", 12, {"budget": 4, "representation": 3}),
    ],
)
def test_experiments(folder, name, runs, varied):
    experiment = next(item for item in BUDGET.experiments if item.name == name)
    settings = [warebench_budget(questions=folder, **run).metadata["settings"] for run in experiment.runs]
    assert len(settings) == runs == len({str(setting) for setting in settings})
    found = {key: len({setting[key] for setting in settings}) for key in settings[0]}
    assert {key: count for key, count in found.items() if count > 1} == varied


def test_no_experiment_is_left_out_above():
    assert [item.name for item in BUDGET.experiments] == [
        "budget_sweep",
        "representation",
        "remove_gold",
        "unprefixed",
        "fixed_tables",
    ]
    assert BUDGETS == (2.5, 10, 25, 50)


def test_methods_have_solvers():
    assert list(METHODS) == list(SOLVERS)

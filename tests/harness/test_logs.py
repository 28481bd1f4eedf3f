import math
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd
import pytest
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver
from inspect_ai.tool import ToolInfo
from tests.harness.conftest import run_task, tiny_task
from tests.harness.tiny import tiny_set

from warebench.errors import RunError
from warebench.harness.logs import read_logs
from warebench.harness.models.policy import Move, Policy, chance, oracle
from warebench.harness.run import run
from warebench.questions.model import Question, QuestionSet

Add = Callable[[str, Policy], str]


@pytest.fixture
def logs(question_set: QuestionSet, tmp_path: Path) -> Path:
    """A folder with a run of the oracle."""
    run_task(tiny_task(question_set), "tinypolicy/oracle", tmp_path / "logs")
    return tmp_path / "logs"


def fails_on(*question_ids: str) -> Policy:
    def move(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], question: Question) -> Move:
        if question.id in question_ids:
            raise OSError("the wire broke\nsecond line")
        return oracle(messages, tools, question)

    return move


def outcomes(scores: pd.DataFrame) -> dict[str, str]:
    return dict(zip(scores["question_id"], scores["outcome"], strict=True))


def test_every_question_has_a_described_row(logs: Path, question_set: QuestionSet) -> None:
    reading = read_logs(logs)
    scores = reading.scores
    assert set(scores["question_id"]) == {question.id for question in question_set.questions}
    row = scores.set_index("question_id").loc["q-join_path"]
    assert row[["track", "model", "method", "catalog", "subtype", "path_difficulty", "outcome"]].tolist() == [
        "tiny", "tinypolicy/oracle", "plain", "shop", "join_path", "medium", "verdict",
    ]  # fmt: skip
    assert (row["em"], row["f1"], row["path_length"], row["feasible"]) == (1.0, 1.0, 2, True)
    assert row["output_tokens"] > 0
    assert row["seconds"] >= 0
    assert row["tool_calls"] == 0
    assert math.isnan(scores.set_index("question_id").loc["q-count", "path_length"])
    assert len(reading.logs) == 1
    assert reading.skipped == {}


def test_broken_machinery_is_an_error_row(question_set: QuestionSet, policy: Add, tmp_path: Path) -> None:
    model = policy("breaks", fails_on("q-count"))
    log = run_task(tiny_task(question_set), model, tmp_path)
    assert log.status == "error"
    scores = read_logs(tmp_path).scores
    assert len(scores) == 5
    row = scores.set_index("question_id").loc["q-count"]
    assert (row["outcome"], row["em"], row["f1"], row["subtype"]) == ("error", 0.0, 0.0, "count")
    assert row["reason"] == "OSError: the wire broke"
    assert outcomes(scores)["q-connected"] == "verdict"


def test_unscored_rows_are_nan(question_set: QuestionSet, tmp_path: Path) -> None:
    @solver
    def silent() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            return state

        return solve

    run_task(tiny_task(question_set, silent()), "tinypolicy/oracle", tmp_path)
    scores = read_logs(tmp_path).scores
    assert set(scores["outcome"]) == {"unscored"}
    assert set(scores["reason"]) == {"no output"}
    assert scores["em"].isna().all()


def test_questions_that_never_ran_count_nothing(
    question_set: QuestionSet, policy: Add, tmp_path: Path
) -> None:
    """Inspect stops at the first error when told so: the rest has no sample, and still a row."""
    options = {"continue_on_fail": False, "max_samples": 1}
    run_task(tiny_task(question_set), policy("stops", fails_on("q-connected")), tmp_path, options)
    scores = read_logs(tmp_path).scores
    assert outcomes(scores)["q-connected"] == "error"
    assert len(scores) == 5
    never = scores[scores["outcome"] == "not_run"]
    assert len(never) > 1
    assert never["em"].isna().all()
    assert never["reason"].str.startswith("not run").all()
    assert "" in set(never["subtype"])
    described = read_logs(tmp_path, question_sets=[question_set]).scores
    assert set(described["subtype"]) == {question.subtype for question in question_set.questions}


def test_what_never_ran_is_described_by_other_models_rows(
    question_set: QuestionSet, policy: Add, tmp_path: Path
) -> None:
    options = {"continue_on_fail": False, "max_samples": 1}
    model = policy("stops", fails_on("q-connected"))
    run_task(tiny_task(question_set), model, tmp_path, options)
    run_task(tiny_task(question_set), "tinypolicy/oracle", tmp_path)
    scores = read_logs(tmp_path).scores
    assert len(scores) == 10
    assert "" not in set(scores["subtype"])
    assert scores[scores["model"] == model]["em"].sum() == 0


def test_the_last_attempt_at_a_sample_counts(question_set: QuestionSet, policy: Add, tmp_path: Path) -> None:
    broken = ["q-count", "q-all"]

    def heals(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], question: Question) -> Move:
        return fails_on(*broken)(messages, tools, question)

    model = policy("heals", heals)
    run_task(tiny_task(question_set), model, tmp_path)
    assert list(outcomes(read_logs(tmp_path).scores).values()).count("error") == 2
    broken.clear()
    log = run_task(tiny_task(question_set), model, tmp_path)
    assert log.status == "success"
    scores = read_logs(tmp_path).scores
    assert set(outcomes(scores).values()) == {"verdict"}
    assert len(scores) == 5


@pytest.fixture
def attempts(question_set: QuestionSet, policy: Add, tmp_path: Path) -> Callable[..., list[Path]]:
    """Return a function that runs one model several times, each in a folder of its own."""

    def attempt(*moves: Policy) -> list[Path]:
        folders = [tmp_path / f"attempt-{number}" for number in range(len(moves))]
        chosen: list[Policy] = []

        def again(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], question: Question) -> Move:
            return chosen[-1](messages, tools, question)

        # Inspect keeps a model by its name: what stands behind the name changes
        for folder, move in zip(folders, moves, strict=True):
            chosen.append(move)
            run_task(tiny_task(question_set), policy(tmp_path.name, again), folder)
            time.sleep(1.1)  # a log is dated to the second
        return folders

    return attempt


@pytest.mark.parametrize("backwards", [False, True])
def test_the_last_attempt_counts_in_whatever_order_logs_are_given(
    attempts: Callable[..., list[Path]], backwards: bool
) -> None:
    first, second = attempts(oracle, chance)
    reading = read_logs([second, first] if backwards else [first, second])
    alone = read_logs(second).scores
    pd.testing.assert_frame_equal(reading.scores.drop(columns="log"), alone.drop(columns="log"))
    assert {name.split("/")[0] for name in reading.scores["log"]} == {"attempt-1"}
    assert reading.scores["em"].mean() < 1.0
    assert sorted(name.split("/")[0] for name in reading.logs) == ["attempt-0", "attempt-1"]


@pytest.mark.parametrize("backwards", [False, True])
def test_an_attempt_that_broke_replaces_no_verdict(
    attempts: Callable[..., list[Path]], backwards: bool
) -> None:
    folders = attempts(oracle, fails_on("q-count"))
    scores = read_logs(folders[::-1] if backwards else folders).scores
    assert set(outcomes(scores).values()) == {"verdict"}
    assert outcomes(read_logs(folders[1]).scores)["q-count"] == "error"


def test_logs_of_one_name_and_a_path_given_twice(logs: Path, tmp_path: Path) -> None:
    (good,) = logs.glob("*.eval")
    shutil.copytree(logs, tmp_path / "other")
    reading = read_logs([logs, tmp_path / "other", good, logs / ".." / "logs"])
    assert set(reading.logs) == {f"logs/{good.name}", f"other/{good.name}"}
    assert len(reading.scores) == 5


def test_a_bug_of_ours_is_no_torn_log(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise KeyError("bug")

    monkeypatch.setattr("warebench.harness.logs._refusal", broken)
    with pytest.raises(KeyError, match="bug"):
        read_logs(logs)


def test_epochs_are_rows(question_set: QuestionSet, tmp_path: Path) -> None:
    run_task(tiny_task(question_set), "tinypolicy/oracle", tmp_path, {"epochs": 2})
    scores = read_logs(tmp_path).scores
    assert len(scores) == 10
    assert set(scores["epoch"]) == {1, 2}


def test_limit_asks_fewer_and_expects_fewer(question_set: QuestionSet, tmp_path: Path) -> None:
    run_task(tiny_task(question_set), "tinypolicy/oracle", tmp_path, {"limit": 2})
    assert outcomes(read_logs(tmp_path).scores) == {"q-connected": "verdict", "q-count": "verdict"}


def test_methods_and_models_are_kept_apart(question_set: QuestionSet, tmp_path: Path) -> None:
    tasks = [tiny_task(question_set, name=f"tiny_{method}", method=method) for method in ("flat", "tools")]
    result = run(tasks, ["tinypolicy/oracle", "tinypolicy/random"], tmp_path)
    assert result.success
    scores = read_logs(tmp_path).scores
    assert scores.groupby(["model", "method"]).size().tolist() == [5] * 4
    assert scores[scores["model"] == "tinypolicy/oracle"]["em"].mean() == 1.0


def test_runs_under_other_settings_are_kept_apart(question_set: QuestionSet, tmp_path: Path) -> None:
    for budget in (10, 50):
        task = tiny_task(question_set)
        task.metadata = {**(task.metadata or {}), "settings": {"budget": budget}}
        run_task(task, "tinypolicy/oracle", tmp_path / str(budget))
    scores = read_logs(tmp_path).scores
    assert scores.groupby("setting.budget").size().to_dict() == {10: 5, 50: 5}


@pytest.mark.parametrize(
    ("options", "column", "word"),
    [
        ({"solver": generate()}, "agent", "generate"),
        ({"temperature": 0.7}, "options", "temperature=0.7"),
        ({"system_message": "Be brief."}, "options", "system_message=Be_brief.#"),
        ({"epochs": 2}, "options", "epochs=2"),
        ({"turn_limit": 3}, "options", "turn_limit=3"),
        ({"metadata": {"label": "v2"}}, "label", "v2"),
        ({"metadata": {"experiment": "e"}}, "experiment", "e"),
    ],
)
def test_whatever_differs_is_another_condition(
    question_set: QuestionSet, tmp_path: Path, options: dict[str, object], column: str, word: str
) -> None:
    for number, given in enumerate(({}, options)):
        task, folder = tiny_task(question_set), str(tmp_path / str(number))
        eval(task, model="tinypolicy/oracle", log_dir=folder, display="none", **given)
    scores = read_logs(tmp_path).scores
    sizes = scores[column].value_counts()
    assert sizes[""] == 5
    (other,) = (name for name in sizes.index if name)
    assert word in other
    assert sizes[other] == 5 * int(options.get("epochs", 1))


def test_a_torn_log_is_named_and_the_others_are_read(logs: Path) -> None:
    (good,) = logs.glob("*.eval")
    content = good.read_bytes()
    for name, torn in {
        "head.eval": content[: len(content) // 2],
        "empty.eval": b"",
        "text.eval": b"hello",
    }.items():
        (logs / name).write_bytes(torn)
    reading = read_logs(logs)
    assert len(reading.scores) == 5
    assert set(reading.skipped) == {"head.eval", "empty.eval", "text.eval"}
    assert all("torn" in why for why in reading.skipped.values())


def test_damage_anywhere_is_named_or_harmless(logs: Path) -> None:
    (good,) = logs.glob("*.eval")
    whole, draw = good.read_bytes(), random.Random(1)  # noqa: S311
    right = read_logs(logs).scores
    seen: list[str] = []
    for _ in range(60):
        damaged = bytearray(whole)
        damaged[draw.randrange(len(whole))] ^= 255
        good.write_bytes(damaged)
        try:
            seen.append("the same" if read_logs(logs).scores.equals(right) else "other scores")
        except RunError as error:
            seen.append("named" if good.name in error.where else str(error))
    assert set(seen) == {"the same", "named"}


def test_only_torn_logs_is_an_error_that_names_them(tmp_path: Path) -> None:
    (tmp_path / "a.eval").write_bytes(b"")
    with pytest.raises(RunError, match="no log can be scored") as caught:
        read_logs(tmp_path)
    assert "a.eval" in caught.value.where


def test_a_folder_without_logs_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no log here"):
        read_logs(tmp_path)
    with pytest.raises(RunError, match="no log here"):
        read_logs(tmp_path / "nowhere")


def test_foreign_tasks_are_left_out(logs: Path) -> None:
    eval(Task(dataset=[Sample(input="hi")]), model="tinypolicy/oracle", log_dir=str(logs), display="none")
    reading = read_logs(logs)
    assert len(reading.scores) == 5
    assert list(reading.skipped.values()) == ["not a warebench task"]


def test_one_log_file_will_do(logs: Path) -> None:
    (good,) = logs.glob("*.eval")
    assert len(read_logs(good).scores) == 5


SLOW_RUN = """
import sys, time
from pathlib import Path
from tests.harness import conftest
from tests.harness.tiny import tiny_set
from warebench.harness.models.policy import oracle
from warebench.harness.run import run

def slow(messages, tools, question):
    time.sleep({seconds})
    return oracle(messages, tools, question)

conftest.EXTRA["slow"] = slow
tasks = [conftest.tiny_task(tiny_set())]
print(run(tasks, ["tinypolicy/slow"], Path({folder!r}), options={{"max_samples": 1}}).success)
"""


def test_what_ctrl_c_ended_was_not_run(tmp_path: Path) -> None:
    code = SLOW_RUN.replace("time.sleep({seconds})", "time.sleep(0 if question.id == 'q-connected' else 2)")
    # Tests may run where Ctrl-C is ignored, as behind a shell's `&`.
    code = f"import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n{code}"
    stopped = subprocess.Popen([sys.executable, "-c", code.format(folder=str(tmp_path))])
    deadline = time.monotonic() + 300
    while not list(tmp_path.glob("*.eval")) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1)
    stopped.send_signal(signal.SIGINT)
    stopped.wait()
    scores = read_logs(tmp_path).scores
    found = outcomes(scores)
    assert len(found) == 5
    assert (found["q-connected"], found["q-join_path"]) == ("verdict", "not_run")
    assert set(found.values()) == {"verdict", "not_run"}
    assert scores["em"].mean() == 1.0


def test_a_copied_log_changes_nothing(logs: Path) -> None:
    (good,) = logs.glob("*.eval")
    shutil.copy(good, logs / f"copy-{good.name}")
    assert len(read_logs(logs).scores) == 5


def test_reading_again_gives_the_same_table(logs: Path) -> None:
    again = read_logs(logs).scores
    pd.testing.assert_frame_equal(again, read_logs(logs, question_sets=[tiny_set()]).scores)

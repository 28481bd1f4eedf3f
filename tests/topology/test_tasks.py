"""The task, run by Inspect itself, offline: every method with the planner, and what refuses to start."""

import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from tests.topology.sample import CATALOG

from warebench import _registry
from warebench.catalog.bundled import load_bundled
from warebench.errors import RunError, SetError
from warebench.harness.logs import read_logs
from warebench.harness.run import run as run_tasks
from warebench.harness.sandbox import sandbox_available
from warebench.harness.version import read_version
from warebench.questions.store import write_questions
from warebench.tracks.topology.build import Options, build
from warebench.tracks.topology.methods import METHODS
from warebench.tracks.topology.methods.settings import READS
from warebench.tracks.topology.tasks import select, warebench_topology
from warebench.tracks.topology.twins import twin

ONE = {"limit_per_subtype": 1}


@pytest.fixture(scope="module")
def sets(tmp_path_factory):
    """Folders of a set about two catalogs, one of them with deep lineage, and of its twins."""
    folder = tmp_path_factory.mktemp("sets")
    original = build([CATALOG, load_bundled("tpc_di")], Options(size=1, seed=3))
    made_sets = {"none": original} | {level: twin(original, level) for level in ("tables", "columns")}
    for name, made in made_sets.items():
        write_questions(made, folder / name)
    return folder


def run(task, model, folder):
    return evaluate(task, model=model, display="none", log_dir=str(folder), score_display=False)[0]


def outcome(log):
    assert log.status == "success", log.error
    return {sample.id: sample.scores["verdict"].value["em"] for sample in log.samples}


def plan(sets, tmp_path, method, obfuscation, **arguments):
    task = warebench_topology(questions=str(sets / obfuscation), method=method, **arguments)
    return run(task, "policy/planner", tmp_path)


@pytest.mark.parametrize("obfuscation", ["none", "tables", "columns"])
@pytest.mark.parametrize("method", ["flat_text", "oracle"])
def test_planner_is_right_wherever_all_is_shown(sets, tmp_path, method, obfuscation):
    assert set(outcome(plan(sets, tmp_path, method, obfuscation)).values()) == {1.0}


@pytest.mark.parametrize("obfuscation", ["none", "tables"])
def test_planner_is_right_with_code(sets, tmp_path, obfuscation):
    if reason := sandbox_available():
        pytest.skip(reason)
    assert set(outcome(plan(sets, tmp_path, "react_code", obfuscation)).values()) == {1.0}


@pytest.mark.parametrize("obfuscation", ["none", "tables", "columns"])
def test_planner_with_tools_is_right_exactly_where_the_budget_suffices(sets, tmp_path, obfuscation):
    log = plan(sets, tmp_path, "tool_use", obfuscation)
    feasible = {sample.id: float(sample.metadata["facets"]["feasible"]) for sample in log.samples}
    assert outcome(log) == feasible
    assert set(feasible.values()) == {0.0, 1.0}


def test_more_calls_reach_more(sets, tmp_path):
    assert set(outcome(plan(sets, tmp_path, "tool_use", "none", calls=40)).values()) == {1.0}
    assert set(outcome(plan(sets, tmp_path, "tool_use", "none", calls=0)).values()) == {0.0}


def test_planner_calls_no_more_tools_than_it_needs(sets, tmp_path):
    for sample in plan(sets, tmp_path, "tool_use", "none", calls=40).samples:
        assert len(sample.store["tool_calls"]) == sample.metadata["facets"]["min_tool_calls"]


def test_planner_cannot_answer_without_rounds(sets, tmp_path):
    if reason := sandbox_available():
        pytest.skip(reason)
    found = outcome(plan(sets, tmp_path, "react_code", "none", rounds=0, limit_per_subtype=1))
    assert set(found.values()) == {0.0}


def test_the_neighbourhood_bounds_the_planner(sets, tmp_path):
    near = outcome(plan(sets, tmp_path, "graph_augmented", "none", hops=0, subtypes="transitive,membership"))
    far = outcome(plan(sets, tmp_path, "graph_augmented", "none", hops=40, subtypes="transitive,membership"))
    assert set(near.values()) == {0.0}
    assert set(far.values()) == {1.0}


def test_retrieval_bounds_the_planner(sets, tmp_path):
    few = outcome(plan(sets, tmp_path, "vector_rag", "none", k=1, subtypes="transitive,membership"))
    all_ = outcome(plan(sets, tmp_path, "vector_rag", "none", k=40, subtypes="transitive,membership"))
    assert 0.0 in few.values()
    assert set(all_.values()) == {1.0}


def test_structured_output_is_asked_for_by_kind(sets, tmp_path):
    log = plan(
        sets, tmp_path, "flat_text", "none", structured=True, subtypes="direct_fk", limit_per_subtype=1
    )
    event = next(event for event in log.samples[0].events if event.event == "model")
    answer = event.config.response_schema.json_schema.properties["answer"]
    assert [kind.type for kind in answer.anyOf] == ["boolean", "null"]


def test_a_loop_without_an_answer_ends_in_a_structured_turn(sets, tmp_path):
    usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    said = ["Let me think.", '{"answer": true}']
    outputs = [ModelOutput.from_content("mockllm/model", text) for text in said]
    for output in outputs:
        output.usage = usage
    task = warebench_topology(
        questions=str(sets / "none"),
        method="tool_use",
        structured=True,
        subtypes="isolation",
        limit_per_subtype=1,
    )
    log = run(task, get_model("mockllm/model", custom_outputs=outputs), tmp_path)
    events = [event for event in log.samples[0].events if event.event == "model"]
    assert [event.config.response_schema is not None for event in events] == [False, True]
    assert log.samples[0].output.completion == '{"answer": true}'


def test_logs_tell_methods_apart_and_hold_no_gold_in_their_head(sets, tmp_path):
    log = plan(sets, tmp_path, "flat_text", "none", limit_per_subtype=1)
    assert (log.eval.task, log.eval.metadata["method"]) == ("warebench_topology_flat_text", "flat_text")
    assert log.eval.task_version == read_version("warebench.tracks.topology")
    assert "gold" not in log.eval.model_dump_json() + log.plan.model_dump_json()
    assert [step.solver for step in log.plan.steps]


def test_runs_with_other_settings_are_other_conditions(sets, tmp_path):
    folder = str(sets / "none")
    for calls in (1, 3, 1):
        task = warebench_topology(questions=folder, method="tool_use", calls=calls, **ONE)
        assert run_tasks([task], ["policy/planner"], tmp_path).success
    scores = read_logs(tmp_path).scores
    assert set(scores["method"]) == {"tool_use", "tool_use calls=1"}
    em = scores.groupby("method")["em"].sum()
    assert em["tool_use calls=1"] < em["tool_use"]
    assert scores.groupby("method")["question_id"].nunique().nunique() == 1


NAMES = [
    ({"method": "vector_rag", "k": 15, "calls": 9}, "vector_rag"),
    ({"method": "vector_rag", "k": 4}, "vector_rag k=4"),
    ({"method": "graph_augmented", "hops": 0}, "graph_augmented hops=0"),
    ({"method": "tool_use", "structured": False, "calls": 5}, "tool_use calls=5 structured=false"),
    (
        {"method": "react_code", "rounds": 2, "unsafe_local": True, "k": 1},
        "react_code rounds=2 unsafe_local=true",
    ),
    ({"method": "oracle", "structured": True}, "oracle"),
]


@pytest.mark.parametrize(("arguments", "name"), NAMES)
def test_a_method_is_named_with_what_it_was_given(sets, arguments, name):
    task = warebench_topology(questions=str(sets / "none"), **arguments)
    assert task.metadata["method"] == name
    assert task.name == f"warebench_topology_{arguments['method']}"


def test_every_method_says_what_it_reads():
    assert READS.keys() == METHODS.keys()


def test_a_set_of_another_track_is_refused(tmp_path):
    made = build([CATALOG], Options(size=1, seed=3))
    manifest = msgspec.structs.replace(made.manifest, track="multitable")
    write_questions(msgspec.structs.replace(made, manifest=manifest), tmp_path / "other")
    with pytest.raises(
        RunError, match=r"the set is of the track `multitable`.*\n.*\n.*warebench run multitable"
    ):
        warebench_topology(questions=str(tmp_path / "other"))


def test_the_version_is_a_number_and_a_letter():
    assert re.fullmatch(r"\d+-[A-Z]", read_version("warebench.tracks.topology"))


def test_twins_are_drawn_in_pairs(sets):
    original = build([CATALOG], Options(size=4, seed=3))
    drawn = select(original, [], 2, seed=1).questions
    hidden = select(twin(original, "tables"), [], 2, seed=1).questions
    assert [question.pair_id for question in hidden] == [question.id for question in drawn]
    assert max(sum(other.subtype == question.subtype for other in drawn) for question in drawn) == 2


def test_subtypes_may_come_as_a_list_or_as_text(sets):
    folder = str(sets / "none")
    for subtypes in ("forward, count", ["forward", "count"]):
        task = warebench_topology(questions=folder, subtypes=subtypes)
        assert {sample.metadata["subtype"] for sample in task.dataset} == {"forward", "count"}


REFUSED = [
    ({"method": "oracl"}, "Did you mean `oracle`"),
    ({"subtypes": "forwards"}, "Did you mean `forward`"),
    ({"limit_per_subtype": 0}, "at least 1"),
    ({"k": 0}, "k must be at least 1"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_what_does_not_fit_is_refused(sets, arguments, message):
    with pytest.raises(RunError, match=message):
        warebench_topology(questions=str(sets / "none"), **arguments)


def test_a_missing_set_is_refused(tmp_path):
    with pytest.raises(SetError, match="no question set here"):
        warebench_topology(questions=str(tmp_path / "nowhere"))


def test_code_needs_a_sandbox(sets, monkeypatch):
    monkeypatch.setattr("warebench.harness.code.sandbox_available", lambda: "no sandbox here")
    with pytest.raises(RunError, match="no sandbox here"):
        warebench_topology(questions=str(sets / "none"), method="react_code")
    assert warebench_topology(questions=str(sets / "none"), method="react_code", unsafe_local=True)


def test_inspect_runs_the_task_by_name(sets, tmp_path):
    log = evaluate(
        "warebench/warebench_topology",
        model="policy/oracle",
        task_args={"questions": str(sets / "none"), "method": "tool_use", "limit_per_subtype": 1},
        display="none",
        log_dir=str(tmp_path),
    )[0]
    assert set(outcome(log).values()) == {1.0}


def test_a_model_that_never_answers_is_wrong_everywhere(sets, tmp_path):
    output = ModelOutput.from_content("mockllm/model", "I would rather not say.")
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    task = warebench_topology(questions=str(sets / "none"), method="flat_text", limit_per_subtype=1)
    model = get_model("mockllm/model", custom_outputs=lambda *_: output)
    assert set(outcome(run(task, model, tmp_path)).values()) == {0.0}


@pytest.mark.parametrize("module", ["warebench.tracks.topology", "warebench.tracks.topology.build"])
def test_building_needs_no_inspect(module):
    code = f"import sys, {module}; sys.exit('inspect_ai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_eval_yaml_names_the_task():
    text = (Path(_registry.__file__).parent / "tracks" / "topology" / "eval.yaml").read_text(encoding="utf-8")
    assert "- name: warebench_topology\n" in text


@pytest.mark.parametrize("method", METHODS)
def test_every_solver_is_in_the_plan(sets, method):
    if method == "react_code" and (reason := sandbox_available()):
        pytest.skip(reason)
    last = {"tool_use": "use_graph_tools", "react_code": "write_code"}.get(method, "answer_once")
    task = warebench_topology(questions=str(sets / "none"), method=method)
    names = [step.__registry_info__.name for step in task.solver]
    assert names == ["warebench/set_question", "warebench/ask", f"warebench/{last}"]

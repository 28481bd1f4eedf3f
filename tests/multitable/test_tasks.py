"""The task, run by Inspect itself, offline: every method with the policies, and what refuses to start."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from tests.multitable.shop import shop_set
from tests.topology.sample import CATALOG

from warebench import _registry
from warebench.errors import RunError, SetError
from warebench.harness.sandbox import sandbox_available
from warebench.harness.version import read_version
from warebench.questions.store import write_questions
from warebench.tracks.multitable.methods import METHODS
from warebench.tracks.multitable.policies import gold_sql
from warebench.tracks.multitable.tasks import READS, warebench_multitable
from warebench.tracks.topology.build import Options as TopologyOptions
from warebench.tracks.topology.build import build as build_topology


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Folder of a set of two questions a template."""
    path = tmp_path_factory.mktemp("sets") / "shop"
    write_questions(shop_set(2), path)
    return str(path)


def run(task, model, logs, limit=None):
    log = evaluate(task, model=model, display="none", log_dir=str(logs), score_display=False, limit=limit)[0]
    assert log.status == "success", log.error
    return log


def outcome(log):
    return {sample.id: sample.scores["verdict"].value["em"] for sample in log.samples}


def reasons(log):
    return {sample.scores["verdict"].reason for sample in log.samples}


def said(*texts):
    """Return a model that says these texts in turn, the last one for ever."""
    left = list(texts)

    def output(*_):
        made = ModelOutput.from_content("mockllm/model", left.pop(0) if len(left) > 1 else left[0])
        made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return made

    return get_model("mockllm/model", custom_outputs=output)


def needs_sandbox(method):
    if method == "code_agent" and (reason := sandbox_available()):
        pytest.skip(reason)


@pytest.mark.parametrize("method", [name for name in METHODS if name != "text_to_sql"])
def test_oracle_is_right(folder, tmp_path, method):
    needs_sandbox(method)
    log = run(warebench_multitable(questions=folder, method=method), "policy/oracle", tmp_path)
    assert set(outcome(log).values()) == {1.0}
    assert len(log.samples) == len(shop_set(2).questions)


@pytest.mark.parametrize("method", METHODS)
def test_random_is_judged(folder, tmp_path, method):
    needs_sandbox(method)
    log = run(warebench_multitable(questions=folder, method=method), "policy/random", tmp_path)
    assert 0.0 in outcome(log).values()


@pytest.mark.parametrize("method", ["text_to_sql", "sql_agent"])
def test_the_gold_sql_is_right_through_the_database(folder, tmp_path, method):
    log = run(warebench_multitable(questions=folder, method=method), "policy/sql_gold", tmp_path)
    assert set(outcome(log).values()) == {1.0}
    for sample in log.samples:
        assert [query["outcome"] for query in sample.store["queries"]] == ["rows"]


def test_agents_have_as_many_calls_as_they_are_granted(folder, tmp_path):
    task = warebench_multitable(questions=folder, method="sql_agent", calls=0)
    assert set(outcome(run(task, "policy/sql_gold", tmp_path)).values()) == {0.0}


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("I would rather not say.", "no query"),
        ('{"answer": 7}', "no query"),
        ("```sql\nSELECT nothing\n```", "query: execution"),
        ("```sql\nSELECT FROM WHERE\n```", "query: parse"),
        ('```sql\nDROP TABLE "order lines"\n```', "query: forbidden"),
        ('```sql\nSELECT id FROM "order lines"\n```', "query: execution"),
        ("```sql\nSELECT id FROM range(1000)\n```", "query: execution"),
        ("```sql\nSELECT NULL\n```", "query: execution"),
    ],
)
def test_queries_without_an_answer_are_wrong_with_a_reason(folder, tmp_path, reply, reason):
    task = warebench_multitable(questions=folder, method="text_to_sql", limit_per_subtype=1)
    log = run(task, said(reply), tmp_path)
    assert set(outcome(log).values()) == {0.0}
    assert reasons(log) == {reason}
    assert all(sample.scores["verdict"].explanation for sample in log.samples)


def test_a_query_with_another_answer_is_wrong(folder, tmp_path):
    task = warebench_multitable(questions=folder, method="text_to_sql")
    log = run(task, said("```sql\nSELECT 123456\n```"), tmp_path)
    assert reasons(log) <= {"wrong value", "outside tolerance"}


def test_the_query_stays_in_the_log(folder, tmp_path):
    task = warebench_multitable(questions=folder, method="text_to_sql", limit_per_subtype=1)
    sample = run(task, "policy/sql_gold", tmp_path).samples[0]
    question = next(question for question in shop_set(2).questions if question.id == sample.id)
    assert gold_sql(question) in sample.messages[-1].text
    assert json.loads(sample.output.completion)["answer"] is not None


def test_code_reads_the_tables(folder, tmp_path):
    needs_sandbox("code_agent")
    code = """```python
lines = TABLES["order lines"].merge(TABLES["customers"], left_on="customer_id", right_on="id")
print(len(lines), lines["amount"].sum().round(2), lines["pieces"].isna().sum(), lines["day"].dropna().max())
print(dict(lines.dtypes.astype(str)), sorted(TABLES))
```"""
    task = warebench_multitable(questions=folder, method="code_agent", limit_per_subtype=1)
    log = run(task, said(code, '{"answer": 1}'), tmp_path, limit=1)
    shown = log.samples[0].messages[-2].text
    rows = [
        row
        for row in shop_set().databases["shop-8k-0"].tables["order lines"].to_pylist()
        if row["customer_id"] is not None
    ]
    total = float(sum(row["amount"] for row in rows))
    missing = sum(row["pieces"] is None for row in rows)
    assert f"{len(rows)} {total:g} {missing} 2024-12-24" in shown
    assert "'pieces': 'Int64'" in shown
    assert "['customers', 'order lines']" in shown


@pytest.mark.parametrize("form", ["csv", "json", "html"])
def test_tables_come_in_the_form_asked_for(folder, tmp_path, form):
    task = warebench_multitable(questions=folder, method="open", serialisation=form, limit_per_subtype=1)
    text = run(task, "policy/oracle", tmp_path).samples[0].messages[1].text
    assert {"csv": "0,Ann | Co", "json": '"name": "Ann | Co"', "html": "<td>Ann | Co</td>"}[form] in text


def test_structured_output_is_asked_for_by_kind(folder, tmp_path):
    for method, key in (("choice", "answer"), ("text_to_sql", "sql")):
        task = warebench_multitable(questions=folder, method=method, structured=True, limit_per_subtype=1)
        log = run(task, "policy/oracle", tmp_path)
        event = next(event for event in log.samples[0].events if event.event == "model")
        assert list(event.config.response_schema.json_schema.properties) == [key]


def test_a_loop_without_an_answer_ends_in_a_structured_turn(folder, tmp_path):
    task = warebench_multitable(
        questions=folder, method="sql_agent", structured=True, limit_per_template=1, limit_per_subtype=1
    )
    log = run(task, said("Let me think.\n\nIt is difficult.", '{"answer": "A"}'), tmp_path, limit=1)
    events = [event for event in log.samples[0].events if event.event == "model"]
    assert [event.config.response_schema is not None for event in events] == [False, True]


def test_logs_tell_methods_apart_and_hold_no_gold_in_their_head(folder, tmp_path):
    log = run(warebench_multitable(questions=folder, method="single_table"), "policy/oracle", tmp_path)
    assert (log.eval.task, log.eval.metadata["method"]) == (
        "warebench_multitable_single_table",
        "single_table",
    )
    assert log.eval.task_version == read_version("warebench.tracks.multitable")
    assert "gold" not in log.eval.model_dump_json() + log.plan.model_dump_json()
    assert log.samples[0].metadata["facets"]["window"] == "8K"


def test_limits_draw_the_same_questions_for_every_method(folder):
    drawn = [
        [
            sample.id
            for sample in warebench_multitable(questions=folder, method=method, limit_per_template=1).dataset
        ]
        for method in ("choice", "open", "text_to_sql")
    ]
    assert drawn[0] == drawn[1] == drawn[2]
    assert len(drawn[0]) == len(shop_set(1).questions)


def test_default_set_is_one_instance_of_each_twin():
    task = warebench_multitable()
    assert len(task.dataset) == 140
    assert {sample.metadata["facets"]["window"] for sample in task.dataset} == {"8K"}
    some = warebench_multitable(databases="airline, movie")
    assert {sample.metadata["catalog"] for sample in some.dataset} == {"airline", "movie"}
    assert len(some.dataset) == 28


def test_instances_and_sizes_of_the_default_set():
    task = warebench_multitable(databases="airline", instances=2, size=3)
    facets = [sample.metadata["facets"] for sample in task.dataset]
    assert set(Counter((each["instance"], each["template"]) for each in facets).values()) == {3}
    assert {each["instance"] for each in facets} == {0, 1}
    assert len(task.dataset) == 84


def test_a_size_of_nothing_is_refused_before_anything_is_built():
    with pytest.raises(RunError, match="size must be at least 1"):
        warebench_multitable(size=0)


REFUSED = [
    ({"method": "chioce"}, "Did you mean `choice`"),
    ({"windows": "8k"}, "the set has no window `8k`"),
    ({"databases": ["sop"]}, "Did you mean `shop`"),
    ({"windows": ["8K", "16K"]}, "the set has no window `16K`\n.*-T windows=8K"),
    ({"instances": 0}, "instances must be at least 1"),
    ({"size": 0}, "size must be at least 1"),
    ({"limit_per_template": 0}, "limit_per_template must be at least 1"),
    ({"limit_per_subtype": 0}, "limit_per_subtype must be at least 1"),
    ({"serialisation": "xml"}, "unknown serialisation `xml`"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_what_does_not_fit_is_refused(folder, arguments, message):
    with pytest.raises(RunError, match=message):
        warebench_multitable(questions=folder, **arguments)


def test_a_missing_set_is_refused(tmp_path):
    with pytest.raises(SetError, match="no question set here"):
        warebench_multitable(questions=str(tmp_path / "nowhere"))


def test_code_needs_a_sandbox(folder, monkeypatch):
    monkeypatch.setattr("warebench.harness.code.sandbox_available", lambda: "no sandbox here")
    with pytest.raises(RunError, match="no sandbox here"):
        warebench_multitable(questions=folder, method="code_agent")
    assert warebench_multitable(questions=folder, method="code_agent", unsafe_local=True)


def test_inspect_runs_the_task_by_name(folder, tmp_path):
    log = evaluate(
        "warebench/warebench_multitable",
        model="policy/options_smallest",
        task_args={"questions": folder},
        display="none",
        log_dir=str(tmp_path),
    )[0]
    assert log.status == "success"
    assert {sample.scores["verdict"].reason for sample in log.samples} <= {"equal", "wrong value"}


def test_eval_yaml_names_the_task_and_its_version():
    assert re.fullmatch(r"\d+-[A-Z]", read_version("warebench.tracks.multitable"))
    text = (Path(_registry.__file__).parent / "tracks" / "multitable" / "eval.yaml").read_text(
        encoding="utf-8"
    )
    assert "- name: warebench_multitable\n" in text


@pytest.mark.parametrize("module", ["warebench.tracks.multitable", "warebench.tracks.multitable.build"])
def test_building_needs_no_inspect(module):
    code = f"import sys, {module}; sys.exit('inspect_ai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_set_of_another_track_is_refused(tmp_path):
    write_questions(build_topology([CATALOG], TopologyOptions(size=1)), tmp_path / "other")
    with pytest.raises(RunError, match=r"the set is of the track `topology`.*\n.*\n.*warebench run topology"):
        warebench_multitable(questions=str(tmp_path / "other"))


NAMES = [
    ({"method": "choice", "serialisation": "csv", "calls": 2}, "choice serialisation=csv"),
    ({"method": "sql_agent", "serialisation": "csv", "calls": 2}, "sql_agent calls=2"),
    ({"method": "text_to_sql", "rounds": 2}, "text_to_sql"),
]


@pytest.mark.parametrize(("arguments", "name"), NAMES)
def test_a_method_is_named_with_what_it_was_given(folder, arguments, name):
    assert warebench_multitable(questions=folder, **arguments).metadata["method"] == name


COMPARED = [
    ({"method": "choice", "serialisation": "csv"}, {"serialisation": "csv"}),
    ({"method": "sql_agent", "calls": 2}, {"calls": 2}),
    ({"method": "code_agent", "unsafe_local": True}, {"rounds": 5}),
    ({"method": "text_to_sql"}, {}),
]


@pytest.mark.parametrize(("arguments", "settings"), COMPARED)
def test_a_log_says_what_its_run_can_be_compared_by(folder, arguments, settings):
    metadata = warebench_multitable(questions=folder, **arguments).metadata
    assert metadata["settings"] == settings
    assert metadata["breakdowns"] == ["window", "instance"]


def test_every_method_says_what_it_reads():
    assert READS.keys() == METHODS.keys()


@pytest.mark.parametrize("method", METHODS)
def test_every_solver_is_in_the_plan(folder, method):
    needs_sandbox(method)
    steps = {
        "text_to_sql": ["ask_for_query", "execute_query"],
        "sql_agent": ["ask", "use_sql_tools"],
        "code_agent": ["ask", "write_code"],
    }.get(method, ["ask", "answer_once"])
    task = warebench_multitable(questions=folder, method=method)
    names = [step.__registry_info__.name for step in task.solver]
    assert names == [f"warebench/{name}" for name in ("set_question", *steps)]

"""The task: conditions, selections, turns, what refuses to start, and a report of the experiments."""

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai import eval as evaluate
from inspect_ai.model import ChatMessageAssistant, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolCall
from tests.topology.sample import CATALOG

from warebench.cli.program import main
from warebench.errors import RunError
from warebench.harness.scores import read_scores
from warebench.questions.store import write_questions
from warebench.tracks.intelligence.methods import METHODS
from warebench.tracks.intelligence.methods.settings import CONDITIONS
from warebench.tracks.intelligence.methods.turns import MOST_CALLS
from warebench.tracks.intelligence.select import Choosing, select
from warebench.tracks.intelligence.tasks import READS, default_set, warebench_intelligence
from warebench.tracks.intelligence.track import EXPERIMENTS
from warebench.tracks.intelligence.track import METHODS as TRACK_METHODS
from warebench.tracks.topology.build import Options, build

ONE = {"analyses": "comparison", "tiers": "rule", "limit_per_subtype": 1}


def run(task, model, logs):
    log = evaluate(task, model=model, display="none", log_dir=str(logs), score_display=False)[0]
    assert log.status == "success", log.error
    return log


def model_of(*outputs):
    """Return a model that says or calls these in turn, the last one for ever: texts, or lists of calls."""
    left = list(outputs)

    def output(*_):
        said = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(said, str):
            made = ModelOutput.from_content("mockllm/model", said)
        else:
            made = ModelOutput.for_tool_call("mockllm/model", "query", {})
            made.choices[0].message = ChatMessageAssistant(content="", tool_calls=said, source="generate")
        made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return made

    return get_model("mockllm/model", custom_outputs=output)


def call(number, tool, **arguments):
    return ToolCall(id=f"c{number}", function=tool, arguments=arguments)


def test_conditions_ask_the_same_questions_under_one_id():
    asked = {
        name: select(default_set(), Choosing(condition=name, seed=1, limit_per_subtype=3)).questions
        for name in CONDITIONS
    }
    ids = [[question.id for question in asked[name]] for name in ("rule", "oracle_rule", "no_rule")]
    assert ids[0] == ids[1] == ids[2]
    assert not any("matched" in question.facets for question in asked["whole"])
    for ruled, bare in zip(asked["rule"], asked["no_rule"], strict=True):
        assert ruled.facets["tier"] == "rule"
        assert bare.variant == "no_rule"
        assert bare.facets["metric"] == ruled.facets["metric"]
        assert bare.gold != ruled.gold


@pytest.mark.parametrize(
    ("choosing", "message"),
    [
        ({"tiers": ("ruel",)}, "no question of the tier `ruel`"),
        ({"analyses": ("rankng",)}, "Did you mean `ranking`"),
        ({"domains": ("shop",)}, "no question of the domain `shop`"),
        ({"limit_per_subtype": 0}, "limit_per_subtype must be at least 1"),
        ({"tiers": ("knowledge",), "analyses": ("trend",)}, "no question of the analysis `trend`"),
    ],
)
def test_what_is_not_there_is_refused(choosing, message):
    with pytest.raises(RunError, match=message):
        select(default_set(), Choosing(seed=1, **choosing))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"turns": 0}, "turns must be at least 1"),
        ({"condition": "oracle"}, "Did you mean `oracle_rule`"),
        ({"method": "agnt"}, "unknown method `agnt`"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, message):
    with pytest.raises((RunError, KeyError), match=message):
        warebench_intelligence(**arguments)


def test_sets_of_other_tracks_are_refused(tmp_path):
    write_questions(build([CATALOG], Options(size=1)), tmp_path / "set")
    with pytest.raises(RunError, match="track `topology`"):
        warebench_intelligence(questions=str(tmp_path / "set"))


@pytest.mark.parametrize("method", METHODS)
def test_oracle_is_right_by_every_method(tmp_path, method):
    log = run(warebench_intelligence(method=method, limit_per_subtype=1), "policy/oracle", tmp_path)
    assert {sample.scores["verdict"].value["em"] for sample in log.samples} == {1.0}
    assert len(log.samples) == 9


def test_the_last_turn_has_no_tools(tmp_path):
    busy = model_of([call(1, "query", sql="SELECT 1")])
    log = run(warebench_intelligence(turns=3, **ONE), busy, tmp_path)
    (sample,) = log.samples
    assert sample.scores["verdict"].reason == "no answer"
    assert sample.scores["verdict"].metadata["measures"]["turns"] == 3.0
    assert [query["outcome"] for query in sample.store["queries"]] == ["rows", "rows"]
    assert "last turn" in [message.text for message in sample.messages if message.role == "user"][-1]


def test_one_turn_is_an_answer_without_tools(tmp_path):
    log = run(warebench_intelligence(turns=1, **ONE), model_of('{"answer": null}'), tmp_path)
    (sample,) = log.samples
    assert [message.role for message in sample.messages] == ["system", "user", "assistant"]


def test_calls_of_one_turn_are_limited(tmp_path):
    many = [call(at, "query", sql=f"SELECT {at}") for at in range(MOST_CALLS + 2)]
    (sample,) = run(warebench_intelligence(**ONE), model_of(many, '{"answer": null}'), tmp_path).samples
    assert len(sample.store["queries"]) == MOST_CALLS
    assert sum("Refused" in message.text for message in sample.messages if message.role == "tool") == 2


def test_tools_answer_odd_calls(tmp_path):
    odd = [
        call(1, "query", sql="DROP TABLE orders"),
        call(2, "read_document", document="rules/br-01-delivery-outlier.txt"),
        call(3, "read_document", document="../knowledge/ecommerce.json"),
        call(4, "search_knowledge", query="zzz"),
        call(5, "search_knowledge", query="late delivery rate", k=1000),
        call(6, "search_knowledge", query="late delivery rate", k=-3),
        call(7, "read_document", document="BR-01"),
    ]
    task = warebench_intelligence(domains="ecommerce", **ONE)
    (sample,) = run(task, model_of(odd, '{"answer": null}'), tmp_path).samples
    told = [message.text for message in sample.messages if message.role == "tool"]
    assert json.loads(told[0])["error"] == "forbidden"
    assert "Did you mean" in json.loads(told[1])["error"]
    assert "there is no one document" in json.loads(told[2])["error"]
    assert [len(json.loads(text)["documents"]) for text in told[3:6]] == [0, 10, 1]
    assert told[6].startswith("# Delivery Outliers")


def test_labels_carry_what_was_changed():
    task = warebench_intelligence(condition="no_rule", turns=5, limit_per_subtype=1)
    assert task.metadata["method"] == "agent condition=no_rule turns=5"
    assert task.metadata["settings"] == {"condition": "no_rule"}
    assert task.metadata["breakdowns"] == ["tier", "domain"]


def test_the_track_lists_these_methods_and_conditions():
    assert tuple(METHODS) == tuple(TRACK_METHODS) == tuple(READS)
    for experiment in EXPERIMENTS:
        for arguments in experiment.runs:
            assert arguments["method"] in METHODS
            assert arguments.get("condition", "whole") in CONDITIONS


def command(line):
    done = CliRunner().invoke(main, shlex.split(line), prog_name="warebench")
    assert done.exit_code == 0, done.output
    return done.stdout


def test_rule_application_runs_and_reports(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_questions(default_set(), tmp_path / "set")
    words = "--experiment rule_application --questions set --limit-per-subtype 1"
    command(f"run intelligence {words} --model policy/ignores_rules --format json")
    command("score logs")
    scores = read_scores(Path("scores.parquet"))
    right = scores.groupby("setting.condition")["em"].mean()
    assert right.to_dict() == {"rule": 0.0, "oracle_rule": 0.0, "no_rule": 1.0}
    assert scores.groupby("setting.condition")["question_id"].agg(frozenset).nunique() == 1
    assert {"measure.turns", "measure.rules_read", "measure.credit_rows"} <= set(scores.columns)
    command("report scores.parquet --format csv")
    tables = {path.stem for path in Path("report/tables/intelligence").iterdir()}
    assert "setting_condition" in tables

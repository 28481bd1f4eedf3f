"""The task, run by Inspect itself, offline: policies whose curves are known, and what refuses to start."""

import pytest
from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from tests.budget.mini import mini_set
from tests.multitable.shop import shop_set

from warebench import _registry
from warebench.errors import RunError, SetError
from warebench.harness.logs import read_logs
from warebench.questions.store import write_questions
from warebench.tracks.budget.conditions import CONDITIONS
from warebench.tracks.budget.methods import METHODS
from warebench.tracks.budget.rank.rankers import RANKERS
from warebench.tracks.budget.represent import NAMES, REPRESENTATIONS
from warebench.tracks.budget.tasks import READS, SETTINGS, warebench_budget

DIALECTS = ("sqlite", "duckdb")


@pytest.fixture(scope="module", params=DIALECTS)
def folder(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("sets") / request.param
    write_questions(mini_set(request.param), path)
    return str(path)


@pytest.fixture(scope="module")
def sqlite_folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("sets") / "mini"
    write_questions(mini_set(), path)
    return str(path)


def run(task, model, logs):
    log = evaluate(task, model=model, display="none", log_dir=str(logs), score_display=False)[0]
    assert log.status == "success", log.error
    return log


def scores(log):
    return [sample.scores["verdict"] for sample in log.samples]


def em(log):
    return [score.value["em"] for score in scores(log)]


def measures(log, name):
    return [score.metadata["measures"].get(name) for score in scores(log)]


def said(text):
    def output(*_):
        made = ModelOutput.from_content("mockllm/model", text)
        made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return made

    return get_model("mockllm/model", custom_outputs=output)


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("method", METHODS)
def test_gold_as_prediction_is_right(folder, tmp_path, method, names):
    log = run(warebench_budget(questions=folder, method=method, names=names), "policy/sql_oracle", tmp_path)
    assert em(log) == [1.0] * len(mini_set().questions)


def test_another_databases_names_are_wrong(folder, tmp_path):
    log = run(warebench_budget(questions=folder), "policy/wrong_namespace", tmp_path)
    assert em(log) == [0.0] * len(mini_set().questions)
    # Three questions have a sibling with the same rows, the fourth none with its tables.
    assert [score.reason for score in scores(log)][:3] == ["wrong namespace"] * 3
    assert measures(log, "result_only") == [1.0, 1.0, 1.0, 0.0]


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("budget", [2.5, 10, 25, 50, 100])
def test_a_copier_is_right_exactly_where_all_gold_tables_are_shown(sqlite_folder, tmp_path, budget, names):
    task = warebench_budget(questions=sqlite_folder, budget=budget, representation="enriched", names=names)
    log = run(task, "policy/copier", tmp_path)
    assert em(log) == [float(recall == 1) for recall in measures(log, "table_recall")]
    assert measures(log, "prompt_tokens") != [0.0] * 4 or budget == 2.5
    if names == "prefixed":
        caps = measures(log, "cap_tokens")
        assert all(used <= cap for used, cap in zip(measures(log, "prompt_tokens"), caps, strict=True))


def test_the_copiers_curve_rises_with_the_budget(sqlite_folder, tmp_path):
    curve = [
        sum(
            em(
                run(
                    warebench_budget(questions=sqlite_folder, budget=budget, representation="enriched"),
                    "policy/copier",
                    tmp_path,
                )
            )
        )
        for budget in (2.5, 25, 100)
    ]
    assert curve[0] < curve[1] <= curve[2] == 4


@pytest.mark.parametrize("condition", ["frozen_gold", "fixed_tables"])
@pytest.mark.parametrize("representation", REPRESENTATIONS)
def test_guaranteed_tables_are_shown(sqlite_folder, tmp_path, condition, representation):
    task = warebench_budget(
        questions=sqlite_folder, budget=2.5, condition=condition, representation=representation
    )
    log = run(task, "policy/copier", tmp_path)
    assert em(log) == measures(log, "table_recall") == [1.0] * 4
    over = measures(log, "gold_over_cap")
    assert over == [float(condition == "fixed_tables" or representation == "enriched")] * 4 or sum(over)


def test_fixed_tables_are_the_same_for_all_representations(sqlite_folder, tmp_path):
    shown = []
    for form in REPRESENTATIONS:
        given = {"budget": 50, "condition": "fixed_tables", "representation": form}
        log = run(warebench_budget(questions=sqlite_folder, **given), "policy/copier", tmp_path)
        shown.append(measures(log, "tables_shown"))
    assert shown[0] == shown[1] == shown[2]
    assert shown[0][0] > 2


@pytest.mark.parametrize("names", NAMES)
def test_a_reciter_is_right_without_its_tables_and_names_them(folder, tmp_path, names):
    task = warebench_budget(questions=folder, budget=50, condition="remove_gold", names=names)
    log = run(task, "policy/reciter", tmp_path)
    assert em(log) == measures(log, "named_removed") == [1.0] * 4
    assert measures(log, "table_recall") == [0.0] * 4
    shown = run(warebench_budget(questions=folder, budget=100, names=names), "policy/reciter", tmp_path)
    assert em(shown) == [0.0] * 4
    assert {score.reason for score in scores(shown)} == {"no query"}


def test_a_copier_without_its_tables_is_wrong(sqlite_folder, tmp_path):
    task = warebench_budget(questions=sqlite_folder, budget=50, condition="remove_gold")
    log = run(task, "policy/copier", tmp_path)
    assert em(log) == [0.0] * 4
    assert measures(log, "named_removed") == [None] * 4


def test_the_unprefixed_form_shows_the_same_tables_under_other_names(sqlite_folder, tmp_path):
    logs = [
        run(warebench_budget(questions=sqlite_folder, names=names), "policy/sql_oracle", tmp_path)
        for names in NAMES
    ]
    assert measures(logs[0], "tables_shown") == measures(logs[1], "tables_shown")
    assert measures(logs[0], "table_recall") == measures(logs[1], "table_recall")
    prefixed, bare = (log.samples[0].messages[1].text for log in logs)
    assert "shop.customers(" in prefixed
    assert "shop" not in bare
    assert "customers_2(" in bare or "customers_3(" in bare


def test_nothing_of_gold_is_in_the_messages(sqlite_folder, tmp_path):
    log = run(
        warebench_budget(
            questions=sqlite_folder, condition="remove_gold", budget=100, representation="enriched"
        ),
        "policy/copier",
        tmp_path,
    )
    prompt = log.samples[0].messages[1].text
    assert "shop.customers" not in prompt
    assert "store.customers" in prompt


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("I would rather not say.", "no query"),
        (" ", "empty"),
        ("```sql\nDROP TABLE shop.customers\n```", "forbidden"),
        ("```sql\nSELECT count(*) FROM customers\n```", "unqualified"),
        ('{"sql": "SELECT id, city, name FROM shop.customers"}', "column count"),
    ],
)
def test_every_reply_has_a_reason(sqlite_folder, tmp_path, reply, reason):
    log = run(warebench_budget(questions=sqlite_folder, limit_per_subtype=1), said(reply), tmp_path)
    assert em(log) == [0.0] * 3
    assert scores(log)[0].reason == reason
    assert all(score.metadata["measures"]["result_only"] == 0.0 for score in scores(log))


def test_a_reply_that_did_not_fit_is_no_reading(sqlite_folder, tmp_path):
    def output(*_):
        made = ModelOutput.from_content("mockllm/model", "SELECT", stop_reason="model_length")
        made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return made

    log = run(
        warebench_budget(questions=sqlite_folder), get_model("mockllm/model", custom_outputs=output), tmp_path
    )
    reading = read_logs(tmp_path)
    assert set(reading.scores["outcome"]) == {"unscored"}
    assert log.status == "success"


def test_logs_tell_conditions_apart(sqlite_folder, tmp_path):
    given = {"budget": 2.5, "ranker": "expanded", "representation": "hybrid", "condition": "frozen_gold"}
    run(warebench_budget(questions=sqlite_folder, **given), "policy/copier", tmp_path)
    run(warebench_budget(questions=sqlite_folder, compare="bird"), "policy/copier", tmp_path)
    table = read_logs(tmp_path).scores
    assert sorted(set(table["method"])) == [
        "sql budget=2.5 condition=frozen_gold ranker=expanded representation=hybrid",
        "sql compare=bird",
    ]
    row = table[table["method"].str.contains("hybrid")].iloc[0]
    defaults = {"names": "prefixed", "compare": "strict"}
    assert {name: row[f"setting.{name}"] for name in SETTINGS} == given | defaults
    assert set(table["setting.compare"]) == {"strict", "bird"}
    assert row["by.tables"] in (1, 2)
    assert row["measure.table_recall"] == 1.0
    assert table["measure.column_recall_filter"].notna().any()


def test_the_log_header_holds_no_gold(sqlite_folder, tmp_path):
    log = run(warebench_budget(questions=sqlite_folder), "policy/copier", tmp_path)
    header = log.model_dump_json(exclude={"samples", "reductions"})
    assert "pool_sql" not in header
    assert "SELECT" not in header


@pytest.mark.parametrize(
    "given",
    [
        {"budget": 0},
        {"budget": 101},
        {"ranker": "bm25"},
        {"representation": "rich"},
        {"condition": "gold"},
        {"names": "bare"},
        {"compare": "loose"},
        {"perturbed": -1},
        {"perturbed": 21},
        {"perturbed": 1.5},
        {"perturbed": "abc"},
        {"budget": "abc"},
        {"budget": float("nan")},
        {"budget": float("inf")},
        {"ranker": 3},
        {"structured": "maybe"},
        {"databases": 7},
        {"limit_per_database": "x"},
        {"method": "direct"},
        {"databases": "mall"},
        {"limit_per_subtype": 0},
    ],
)
def test_arguments_that_do_not_fit_are_refused(sqlite_folder, given):
    with pytest.raises(RunError):
        warebench_budget(questions=sqlite_folder, **given)


def test_limits_and_databases_choose_questions(sqlite_folder):
    def asked(**given):
        return len(warebench_budget(questions=sqlite_folder, **given).dataset)

    assert asked() == 4
    assert asked(databases="clinic") == asked(databases=["clinic"]) == 1
    assert asked(limit_per_subtype=1) == 3
    assert asked(limit_per_database=1) == 2


def test_sets_of_another_track_are_refused(tmp_path):
    write_questions(shop_set(), tmp_path / "other")
    with pytest.raises(RunError, match="warebench_multitable"):
        warebench_budget(questions=str(tmp_path / "other"))
    with pytest.raises(SetError):
        warebench_budget(questions=str(tmp_path / "none"))


def test_words_that_help_lists_are_the_ones_there_are():
    text = warebench_budget.__doc__
    for known in (METHODS, RANKERS, REPRESENTATIONS, CONDITIONS, NAMES):
        assert all(name in text for name in known)
    assert set(READS) == set(METHODS)


def test_inspect_finds_the_task():
    assert _registry.warebench_budget is warebench_budget

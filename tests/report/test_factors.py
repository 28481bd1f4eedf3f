import pandas as pd
import pytest
from tests.report.swept import swept
from tests.report.synthetic import score_table

from warebench.report.conditions import check_scores, in_order
from warebench.report.factors import BASE, breakdowns, is_scale, label, measures, settings


def test_what_varies_is_found():
    table = check_scores(swept())
    assert settings(table) == ["setting.budget", "setting.ranker"]
    assert breakdowns(table) == ["by.window"]
    assert measures(table) == ["measure.table_recall"]
    assert is_scale(table, "setting.budget")
    assert not is_scale(table, "setting.ranker")
    assert set(table[BASE]) == {"sql"}


def test_what_does_not_vary_is_no_factor():
    table = check_scores(swept().assign(**{"setting.ranker": "bm25", "by.window": "8K"}))
    assert settings(table) == ["setting.budget"]
    assert breakdowns(table) == []


def test_a_table_without_factors_has_none():
    table = check_scores(score_table({"m": 0.0}, ("flat_text",), per_subtype=1))
    assert (settings(table), breakdowns(table), measures(table)) == ([], [], [])
    assert set(table[BASE]) == {"flat_text"}


def test_a_method_that_hides_its_settings_gets_its_name_completed():
    table = check_scores(swept().assign(method="sql"))
    assert in_order("method", table["method"])[:3] == [
        "sql budget=2.5 ranker=bm25",
        "sql budget=2.5 ranker=dense",
        "sql budget=10 ranker=bm25",
    ]
    assert set(table[BASE]) == {"sql"}


def test_a_method_without_a_setting_keeps_its_name():
    other = swept().assign(method="oracle", **{"setting.budget": float("nan"), "setting.ranker": None})
    other = other.drop_duplicates("question_id")
    table = check_scores(pd.concat([swept(), other]))
    assert "oracle" in set(table["method"])
    assert set(table[BASE]) == {"oracle", "sql"}


@pytest.mark.parametrize(
    ("column", "values", "ordered"),
    [
        ("by.window", ["64K", "all", "8K", "16K"], ["8K", "16K", "64K", "all"]),
        ("setting.budget", ["50", "2.5", "10"], ["2.5", "10", "50"]),
        ("method", ["oracle", "sql k=10", "sql k=9", "sql"], ["sql", "sql k=9", "sql k=10", "oracle"]),
        ("by.mixed", ["b", "10", "a", "9"], ["9", "10", "a", "b"]),
    ],
)
def test_values_go_by_size(column, values, ordered):
    assert in_order(column, values) == ordered


@pytest.mark.parametrize(
    ("name", "said"),
    [("setting.budget", "budget"), ("measure.table_recall", "table recall"), (BASE, "method")],
)
def test_labels(name, said):
    assert label(name) == said


def test_measures_stand_in_the_order_of_their_meaning():
    names = (
        "turns",
        "prompt_tokens",
        "tables_shown",
        "column_recall_filter",
        "column_recall",
        "credit_rows",
        "rules_read",
        "result_only",
    )
    rows = pd.DataFrame({f"measure.{name}": [1.0] for name in names})
    assert [name.removeprefix("measure.") for name in measures(rows)] == [
        "result_only",
        "credit_rows",
        "column_recall",
        "rules_read",
        "column_recall_filter",
        "tables_shown",
        "prompt_tokens",
        "turns",
    ]

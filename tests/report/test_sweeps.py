import pandas as pd
import pytest
from tests.report.swept import BUDGETS, swept
from tests.report.tables_at import row_at

from warebench.report.conditions import check_scores
from warebench.report.sweeps import measure_table, sweep_tables


def tables(scores):
    return {table.name: table for table in sweep_tables(check_scores(scores))}


def test_em_and_measures_by_every_setting():
    found = tables(swept())
    assert sorted(found) == [
        "setting_budget",
        "setting_budget_measures",
        "setting_ranker",
        "setting_ranker_measures",
    ]
    for rank, budget in enumerate(BUDGETS):
        at = {"setting.budget": budget, "setting.ranker": "dense"}
        assert row_at(found["setting_budget"], **at)["em"] == (rank + 1) / 4
        measured = row_at(found["setting_budget_measures"], **at)
        assert measured["value"] == pytest.approx((rank + 0.5) / 4)
        assert measured["value_low"] < measured["value"] < measured["value_high"]
        assert (measured["measure"], measured["rows"]) == ("table recall", 24)


def test_only_questions_asked_under_every_value_count():
    scores = swept()
    easier = scores["question_id"].str[1:].astype(int) % 4 == 0
    scores = scores[(scores["setting.budget"] != 2.5) | easier]
    table = tables(scores)["setting_budget"]
    # at the smallest budget only questions were asked that are always right
    assert set(table.frame["em"]) == {1.0}
    assert set(table.frame["questions"]) == {6}


def test_values_without_a_shared_question_stay():
    scores = swept()
    own = scores["question_id"] + scores["setting.budget"].astype(str)
    table = tables(scores.assign(question_id=own))["setting_budget"]
    assert set(table.frame["questions"]) == {24}


def test_a_series_of_one_value_is_no_comparison():
    scores = swept()
    alone = scores[(scores["setting.budget"] == 10) & (scores["setting.ranker"] == "bm25")]
    table = tables(pd.concat([scores, alone.assign(method="other")]))["setting_budget"]
    assert set(table.frame["base_method"]) == {"sql"}


def test_measures_without_settings():
    table = measure_table(check_scores(swept()))
    assert row_at(table, method="sql budget=50 ranker=bm25")["value"] == pytest.approx(0.625)


def test_no_measure_no_row():
    scores = check_scores(swept().drop(columns="measure.table_recall"))
    assert measure_table(scores).frame.empty

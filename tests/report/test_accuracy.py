import numpy as np
import pandas as pd
import pytest
from tests.report.synthetic import score_table
from tests.report.tables_at import checked, row_at

from warebench.report.accuracy import breakdowns, em_by, headline, macro, micro, overview
from warebench.report.conditions import check_scores, per_question

HAND = [
    # model, method, obfuscation, questions, micro, macro, f1, errors, unscored: counted by hand
    ("acme/large", "tool_use", "none", 6, 5 / 6, (1 + 1 + 0.5) / 3, 5.5 / 6, 0, 0),
    ("acme/large", "graph_augmented", "none", 6, 3 / 6, (1 + 0.5 + 0) / 3, 4 / 6, 1, 0),
    ("acme/large", "graph_augmented", "tables", 6, 1 / 6, (0.5 + 0 + 0) / 3, 3 / 6, 1, 0),
    ("acme/large", "oracle", "none", 6, 1.0, 1.0, 1.0, 0, 0),
    ("local/tiny", "graph_augmented", "none", 5, 1 / 5, (0.5 + 0 + 0) / 3, 2.5 / 5, 1, 1),
]


@pytest.mark.parametrize("case", HAND, ids=lambda case: f"{case[0]} {case[1]} {case[2]}")
def test_headline_by_hand(case):
    model, method, level, questions, micro_em, macro_em, f1, errors, unscored = case
    row = row_at(headline(checked()), model=model, method=method, obfuscation=level)
    assert row["questions"] == questions
    assert row["micro_em"] == pytest.approx(micro_em)
    assert row["macro_em"] == pytest.approx(macro_em)
    assert row["f1"] == pytest.approx(f1)
    assert (row["errors"], row["unscored"]) == (errors, unscored)
    assert row["micro_em_low"] <= row["micro_em"] <= row["micro_em_high"]


def test_all_right_has_wilsons_interval_not_a_width_of_zero():
    row = row_at(headline(checked()), model="acme/large", method="oracle")
    # Five facts behind six questions: Wilson's lower limit for 5 of 5 is 5 / (5 + 1.96 ** 2).
    assert row["micro_em_low"] == pytest.approx(5 / (5 + 1.959964**2), abs=1e-4)
    assert row["micro_em_high"] == 1.0


def test_interval_covers_the_true_mean_about_as_often_as_it_says():
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(100):
        span = micro(pd.DataFrame({"em": (rng.random(120) < 0.7).astype(float), "fact": range(120)}))
        covered += span.low <= 0.7 <= span.high
    # 95 of 100 wanted; below 89 or above 99 has a chance under 1 %.
    assert 89 <= covered <= 99


def test_one_fact_has_no_interval():
    span = micro(pd.DataFrame({"em": [1.0, 0.0], "fact": [7, 7]}))
    assert span.value == 0.5
    assert np.isnan([span.low, span.high]).all()


def test_siblings_widen_the_interval():
    table = check_scores(score_table({"m": 0.0}, ("flat_text",), levels=("none",), per_subtype=20))
    alone = per_question(table, ["question_id", "subtype"])
    # Ten equal answers behind every fact hold a tenth of the information.
    siblings = alone.sort_values("em").assign(fact=[number // 10 for number in range(len(alone))])
    assert micro(siblings).high - micro(siblings).low > 2 * (micro(alone).high - micro(alone).low)


def test_siblings_widen_the_macro_interval_too():
    # Two facts with 20 questions each: two independent answers, not 40.
    rows = {"em": [0.0, 1.0] * 20, "subtype": ["count"] * 40}
    siblings = macro(pd.DataFrame(rows | {"fact": [0, 1] * 20}))
    alone = macro(pd.DataFrame(rows | {"fact": range(40)}))
    assert (siblings.value, siblings.low, siblings.high) == (0.5, 0.0, 1.0)
    assert alone.high - alone.low < 0.4


def test_macro_weighs_subtypes_not_questions():
    table = checked()
    rows = table[(table["model"] == "acme/large") & (table["method"] == "tool_use")]
    questions = per_question(rows[rows["obfuscation"] == "none"], ["question_id", "subtype"])
    assert macro(questions).value == pytest.approx(2.5 / 3)


def test_breakdowns_use_original_names_only():
    for table in breakdowns(checked()):
        assert set(table.frame["obfuscation"]) == {"none"}
    assert [table.name for table in breakdowns(checked())] == [
        "by_subtype",
        "by_difficulty",
        "by_path_difficulty",
        "by_catalog",
    ]


def test_value_that_was_never_met_has_no_row_and_unscored_has_nan():
    frame = em_by(checked(), "subtype")
    tiny = frame[(frame["model"] == "local/tiny") & (frame["subtype"] == "combined_impact")].iloc[0]
    assert (tiny["questions"], tiny["em"]) == (1, 0.0)
    only = em_by(checked()[checked()["question_id"] == "q5"], "subtype")
    assert only.loc[only["model"] == "local/tiny", "em"].isna().all()
    assert set(only["subtype"]) == {"combined_impact"}


def test_overview_agrees_with_headline():
    top = headline(checked())
    row = row_at(overview(top), model="acme/large", method="tool_use", obfuscation="tables", mean="macro")
    assert row["em"] == row_at(top, model="acme/large", method="tool_use", obfuscation="tables")["macro_em"]

import pytest
from tests.report.synthetic import score_table
from tests.report.tables_at import checked, row_at

from warebench.report.conditions import check_scores
from warebench.report.contrasts import obfuscation, oracle_gap

HAND = [
    # model, method, pairs, original, obfuscated, lost, won, p: binomial of the pairs that differ
    ("acme/large", "tool_use", 6, 5 / 6, 4 / 6, 1, 0, 1.0),
    ("acme/large", "graph_augmented", 6, 3 / 6, 1 / 6, 2, 0, 0.5),
    ("policy/planner", "tool_use", 6, 5 / 6, 5 / 6, 0, 0, 1.0),
]


@pytest.mark.parametrize("case", HAND, ids=lambda case: f"{case[0]} {case[1]}")
def test_obfuscation_by_hand(case):
    model, method, pairs, original, obfuscated, lost, won, p = case
    row = row_at(obfuscation(checked()), model=model, method=method)
    assert row["pairs"] == pairs
    assert row["original_em"] == pytest.approx(original)
    assert row["delta"] == pytest.approx(obfuscated - original)
    assert (row["only_original"], row["only_obfuscated"]) == (lost, won)
    assert row["p"] == pytest.approx(p)
    assert row["p_holm"] >= row["p"]


def test_only_questions_present_in_both_count():
    table = checked()
    table = table[~((table["obfuscation"] == "tables") & (table["pair_id"] == "q1"))]
    row = row_at(obfuscation(table), model="acme/large", method="graph_augmented")
    # Without q1 the two conditions have 2 and 0 of 5 right.
    assert (row["pairs"], row["unpaired"]) == (5, 1)
    assert row["delta"] == pytest.approx(-2 / 5)


def test_condition_without_twin_has_no_row():
    assert "local/tiny" not in set(obfuscation(checked()).frame["model"])


def test_real_loss_is_found_and_none_is_not():
    scores = check_scores(score_table({"m": 0.5}, ("flat_text", "oracle"), per_subtype=30))
    table = obfuscation(scores)
    assert row_at(table, method="flat_text")["p_holm"] < 0.05
    assert row_at(table, method="oracle")["p_holm"] > 0.05


def test_two_levels_make_two_rows():
    scores = check_scores(
        score_table({"m": 0.5}, ("flat_text",), per_subtype=4, levels=("none", "tables", "columns"))
    )
    assert list(obfuscation(scores).frame["obfuscation"]) == ["tables", "columns"]


def test_oracle_gap_by_hand():
    table = oracle_gap(checked())
    assert set(table.frame["model"]) == {"acme/large"}
    row = row_at(table, subtype="combined_impact")
    assert (row["best_method"], row["best_em"], row["gap"]) == ("tool_use", 0.5, 0.5)
    assert row_at(table, subtype="forward")["gap"] == 0.0

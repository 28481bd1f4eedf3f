import numpy as np
import pandas as pd
import pytest
from scipy import stats
from tests.report.swept import swept
from tests.report.synthetic import score_table
from tests.report.tables_at import row_at

from warebench.report.conditions import check_scores
from warebench.report.differences import difference_tables
from warebench.report.pairing import MARGIN


def tables(scores, margin=MARGIN):
    return {table.name: table for table in difference_tables(check_scores(scores), margin)}


def two(only_a: int, only_b: int, both: int) -> pd.DataFrame:
    """Return two methods on the same questions, each right alone on some."""
    em = {
        "choice": [1] * only_a + [0] * only_b + [1] * both,
        "single": [0] * only_a + [1] * only_b + [1] * both,
    }
    return pd.DataFrame(
        {
            "track": "tables",
            "model": "m",
            "method": method,
            "subtype": f"s{number % 2}",
            "question_id": f"q{number}",
            "outcome": "verdict",
            "em": float(value),
        }
        for method, values in em.items()
        for number, value in enumerate(values)
    )


def test_methods_are_paired_with_the_exact_test():
    row = row_at(tables(two(3, 14, 20))["paired_method"], **{"from": "choice", "to": "single"})
    assert (row["pairs"], row["only_from"], row["only_to"]) == (37, 3, 14)
    assert row["difference"] == pytest.approx(11 / 37)
    assert row["p"] == pytest.approx(stats.binomtest(3, 17).pvalue)
    assert row["p_holm"] == row["p"]
    assert row["difference_low"] < row["difference"] < row["difference_high"]


def test_few_pairs_are_shown_by_subtype_with_their_own_family():
    table = tables(two(3, 14, 20))["paired_method_subtype"]
    assert list(table.frame["subtype"]) == ["s0", "s1"]
    assert table.frame["pairs"].sum() == 37
    smallest = table.frame["p"].min()
    assert table.frame["p_holm"].min() == pytest.approx(min(1.0, 2 * smallest))


def test_a_number_is_compared_at_its_ends_everything_else_equal():
    table = tables(swept())["paired_budget"]
    assert list(table.frame["from"]) == ["2.5", "2.5"]
    assert list(table.frame["to"]) == ["50", "50"]
    assert list(table.frame["with"]) == ["sql, ranker=bm25", "sql, ranker=dense"]
    assert set(table.frame["difference"]) == {0.5}
    assert set(table.frame["only_to"]) == {12}


def test_words_are_compared_pair_by_pair():
    table = tables(swept())["paired_ranker"]
    assert list(table.frame["with"]) == ["sql, budget=2.5", "sql, budget=10", "sql, budget=50"]
    assert set(table.frame["difference"]) == {0.0}


@pytest.mark.parametrize(("catalogs", "caution"), [(4, "few clusters (4)"), (12, ""), (1, "")])
def test_databases_are_the_clusters_where_there_are_several(catalogs, caution):
    table = tables(swept(catalogs=catalogs))["paired_budget"]
    assert set(table.frame["caution"]) == {caution}


def test_clusters_widen_the_interval():
    scores = two(0, 20, 20).assign(fact=lambda rows: rows["question_id"])
    alike = scores["question_id"].str[1:].astype(int) < 20
    single = row_at(tables(scores)["paired_method"])
    clustered = row_at(tables(scores.assign(catalog=np.where(alike, "a", "b")))["paired_method"])
    wide, narrow = (row["difference_high"] - row["difference_low"] for row in (clustered, single))
    assert wide > 2 * narrow


def test_methods_with_other_settings_are_not_compared():
    other = (
        swept().query("`setting.budget` == 50").assign(method="agent budget=50", **{"setting.ranker": None})
    )
    other = other.drop_duplicates("question_id")
    table = tables(pd.concat([swept(), other]))["paired_method"]
    # any ranker, as the agent has none, but the budget that it has
    assert sorted(table.frame["with"]) == ["budget=50, ranker=bm25", "budget=50, ranker=dense"]


def test_the_oracle_is_no_rival():
    found = tables(score_table({"m": 0.0}, ("flat_text", "oracle"), per_subtype=2, levels=("none",)))
    assert found == {}


def test_conditions_that_share_no_question_give_no_row():
    scores = two(1, 1, 1)
    apart = scores.assign(question_id=scores["question_id"] + scores["method"])
    assert tables(apart) == {}


@pytest.mark.parametrize(
    ("only_each", "both", "margin", "equal"),
    [(1, 398, 0.03, True), (1, 398, 0.001, False), (20, 20, 0.03, False)],
)
def test_equivalence_is_tested_against_the_margin(only_each, both, margin, equal):
    row = row_at(tables(two(only_each, only_each, both), margin)["paired_method"])
    n = 2 * only_each + both
    error = np.std([1] * only_each + [-1] * only_each + [0] * both, ddof=1) / np.sqrt(n)
    assert row["p_equivalent"] == pytest.approx(stats.t.sf(margin / error, n - 1), rel=1e-6)
    assert bool(row["p_equivalent"] <= 0.05) is equal


def test_pairs_that_all_differ_alike_are_no_proof_of_equivalence():
    row = row_at(tables(two(0, 0, 30))["paired_method"])
    assert row["difference"] == 0
    assert np.isnan(row["p_equivalent"])


def test_the_margin_is_said():
    assert "less than 2.5 points apart" in tables(two(3, 3, 10), 0.025)["paired_method"].caption


def test_what_could_be_detected_shrinks_with_questions_and_grows_with_clusters():
    few, many = (row_at(tables(two(k, k, 8 * k))["paired_method"])["detectable"] for k in (4, 40))
    assert 0 < many < few < 1
    scores = two(40, 40, 320)
    # who is right alone goes by database
    number = scores["question_id"].str[1:].astype(int)
    clustered = scores.assign(catalog=np.where(number < 40, "a", np.where(number < 80, "b", "c")))
    assert row_at(tables(clustered)["paired_method"])["detectable"] > 2 * many

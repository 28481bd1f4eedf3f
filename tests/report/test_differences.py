import numpy as np
import pandas as pd
import pytest
from scipy import stats
from tests.report.swept import swept
from tests.report.synthetic import score_table
from tests.report.tables_at import row_at

from warebench.report.conditions import check_scores
from warebench.report.differences import difference_tables


def tables(scores):
    return {table.name: table for table in difference_tables(check_scores(scores))}


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

import math

import pandas as pd
import pytest
from tests.report.synthetic import score_table
from tests.report.tables_at import small

from warebench.errors import UserError
from warebench.report.compare import compare_models


def test_by_hand():
    found = compare_models(small(), "policy/planner", "acme/large")
    row = found.overall
    # tool_use on 6 originals and 6 twins: planner 10 right, large 9; they differ on one twin.
    assert (row.pairs, row.only_a, row.only_b, row.p) == (12, 1, 0, 1.0)
    assert row.em_a == pytest.approx(10 / 12)
    assert row.difference == pytest.approx(-1 / 12)
    assert not row.significant
    # Five facts cannot show any difference: said, not hidden.
    assert math.isnan(row.minimum_detectable_effect)


def test_warns_of_unpaired_rows_and_few_facts():
    found = compare_models(small(), "policy/planner", "acme/large")
    assert found.overall.few_clusters
    assert found.overall.clusters == 5
    assert found.warnings == (
        "18 scored questions of `acme/large` have no partner and were left out.",
        "Only 5 independent facts stand behind 12 pairs: the interval is too narrow; trust the exact test.",
    )


def test_unscored_answers_pair_with_nothing():
    found = compare_models(small(), "local/tiny", "acme/large")
    assert found.overall.pairs == 5
    assert "1 unscored answers were left out; a pair needs both." in found.warnings


def test_finds_a_better_model_and_corrects_over_groups():
    scores = score_table({"weak": -1.0, "strong": 1.0}, ("flat_text", "tool_use"), levels=("none",))
    found = compare_models(scores, "weak", "strong", by="difficulty")
    assert found.overall.significant
    assert found.overall.low > 0
    assert 0 < found.overall.minimum_detectable_effect < found.overall.difference
    assert [row.group for row in found.groups] == ["easy", "medium", "hard"]
    assert all(row.p_holm >= row.p for row in found.groups)
    assert min(row.p_holm for row in found.groups) == pytest.approx(3 * min(row.p for row in found.groups))
    assert sum(row.pairs for row in found.groups) == found.overall.pairs


def test_swapping_the_models_mirrors_the_result():
    scores = score_table({"a": 0.0, "b": 0.5}, ("flat_text",), levels=("none",))
    there, back = compare_models(scores, "a", "b").overall, compare_models(scores, "b", "a").overall
    assert there.difference == pytest.approx(-back.difference)
    assert there.p == back.p
    assert (there.only_a, there.only_b) == (back.only_b, back.only_a)


def test_equal_models_differ_in_nothing():
    rows = score_table({"a": 0.0}, ("flat_text",), levels=("none",))
    row = compare_models(pd.concat([rows, rows.assign(model="b")]), "a", "b").overall
    assert (row.difference, row.p, row.significant) == (0.0, 1.0, False)
    assert math.isnan(row.low)


def test_alpha_sets_the_level_of_the_interval():
    scores = score_table({"a": 0.0, "b": 0.5}, ("flat_text",), levels=("none",))
    wide = compare_models(scores, "a", "b", alpha=0.01).overall
    narrow = compare_models(scores, "a", "b", alpha=0.2).overall
    assert wide.high - wide.low > narrow.high - narrow.low
    assert wide.minimum_detectable_effect > narrow.minimum_detectable_effect


def test_group_without_pairs_is_shown_as_nothing():
    rows = small()
    rows = rows[~((rows["model"] == "policy/planner") & (rows["subtype"] == "forward"))]
    found = compare_models(rows, "policy/planner", "acme/large", by="subtype")
    empty = next(row for row in found.groups if row.group == "forward")
    assert empty.pairs == 0
    assert math.isnan(empty.p_holm)
    assert math.isnan(empty.minimum_detectable_effect)
    assert not empty.significant


def test_a_method_whose_samples_all_errored_is_named_and_left_out():
    rows = small()
    broken = rows.assign(method="vector_rag", outcome="error", em=0.0, f1=0.0)
    broken = broken.drop_duplicates(["model", "obfuscation", "question_id"])
    found = compare_models(pd.concat([rows, broken]), "local/tiny", "acme/large")
    assert found.overall.pairs == compare_models(rows, "local/tiny", "acme/large").overall.pairs
    assert "`local/tiny` with vector_rag has no verdict: 6 error." in found.warnings


REFUSED = [
    ({"a": "acme/lrge"}, "no scores of the model `acme/lrge`\n  where: .*\n  fix: Did you mean `acme/large`"),
    ({"a": "local/tiny"}, "is compared with itself"),
    ({"by": "subtpye"}, "no column `subtpye`\n  fix: Did you mean `subtype`"),
    ({"a": "policy/planner"}, "share no scored question"),
]


@pytest.mark.parametrize(("change", "message"), REFUSED, ids=[message[:30] for _, message in REFUSED])
def test_refuses(change, message):
    asked = {"a": "acme/large", "b": "local/tiny", "by": None} | change
    with pytest.raises(UserError, match=message):
        compare_models(small(), asked["a"], asked["b"], by=asked["by"])

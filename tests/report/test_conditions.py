import numpy as np
import pandas as pd
import pytest
from tests.report.tables_at import checked, small

from warebench.errors import UserError
from warebench.report.conditions import check_scores, in_order, per_question, primary, subtypes_in_order

REFUSED = [
    (lambda t: t.head(0), "no row"),
    (lambda t: t.drop(columns="em"), "no column `em`"),
    (lambda t: t.assign(outcome="verdct"), "unknown outcome `verdct`"),
    (lambda t: t.assign(obfuscation="table"), "unknown obfuscation `table`"),
    (lambda t: t.assign(outcome="verdict", em=np.nan), "no number from 0 to 1"),
    (lambda t: t.assign(outcome="verdict", em=1.5), "no number from 0 to 1"),
    (lambda t: pd.concat([t, t.head(2)]), "2 rows of the score table stand in it twice"),
]


@pytest.mark.parametrize(("change", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_refuses(change, message):
    with pytest.raises(UserError, match=message):
        check_scores(change(small()))


def test_suggests_the_closest_column():
    with pytest.raises(UserError, match="Did you mean `outcomes`"):
        check_scores(small().rename(columns={"outcome": "outcomes"}))


def test_row_order_does_not_matter():
    shuffled = small().sample(frac=1, random_state=3)
    pd.testing.assert_frame_equal(check_scores(shuffled), checked())


def test_does_not_change_its_input():
    given = small()
    before = given.copy()
    check_scores(given)
    pd.testing.assert_frame_equal(given, before)


def test_error_counts_zero_and_unscored_counts_nothing():
    table = check_scores(small().assign(em=1.0))
    assert set(table.loc[table["outcome"] == "error", "em"]) == {0.0}
    assert table.loc[table["outcome"] == "unscored", "em"].isna().all()


def test_missing_facets_become_nan_and_booleans_become_numbers():
    table = check_scores(small().assign(feasible=[True, False, None] * 16).drop(columns="beyond_radius"))
    assert table["beyond_radius"].isna().all()
    assert sorted(table["feasible"].dropna().unique()) == [0.0, 1.0]


def test_primary_is_the_least_obfuscated():
    assert set(primary(checked())["obfuscation"]) == {"none"}
    assert set(primary(checked()[checked()["obfuscation"] == "tables"])["obfuscation"]) == {"tables"}


def test_epochs_are_averaged_per_question():
    twice = pd.concat([small(), small().assign(epoch=2, outcome="verdict", em=0.0)])
    questions = per_question(check_scores(twice), ["model", "method", "obfuscation", "question_id"])
    assert set(questions["em"]) == {0.0, 0.5}


@pytest.mark.parametrize(
    ("column", "values", "ordered"),
    [
        ("method", ["oracle", "tool_use", "flat_text", "oracle"], ["flat_text", "tool_use", "oracle"]),
        ("obfuscation", ["columns", "none", "tables"], ["none", "tables", "columns"]),
        ("difficulty", ["hard", "easy", "medium", "odd"], ["easy", "medium", "hard", "odd"]),
        ("model", ["b", "a"], ["a", "b"]),
    ],
)
def test_display_order(column, values, ordered):
    assert in_order(column, values) == ordered


def test_subtypes_run_from_easy_to_hard():
    assert subtypes_in_order(checked()) == ["forward", "join_path", "combined_impact"]

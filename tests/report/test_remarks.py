import math

import pandas as pd
from tests.report.synthetic import score_table
from tests.report.tables_at import checked

from warebench.report.conditions import check_scores
from warebench.report.remarks import remarks


def quiet(**changes):
    scores = score_table({"a": 0.0, "b": 1.0}, ("flat_text",), per_subtype=20, levels=("none",))
    return check_scores(scores.assign(outcome="verdict", em=1.0, **changes))


def test_a_clean_run_has_no_remark():
    assert remarks(quiet()) == ()


def test_uneven_questions_are_named():
    scores = quiet()
    (text,) = remarks(scores.drop(index=scores.index[-1]))
    assert text.startswith(
        "Not every condition answered the same questions (original names; 279 to 280 questions)"
    )


def test_as_many_questions_are_not_the_same_questions():
    scores = quiet()
    ends = [scores.index[0], scores.index[-1]]
    assert scores.loc[ends, "model"].tolist() == ["a", "b"]
    (text,) = remarks(scores.drop(index=ends))
    assert "(original names; 279 each, not the same ones)" in text


def test_few_questions_are_named():
    assert any(text.startswith("3 of 3 subtypes have fewer than 20") for text in remarks(checked()))


def test_a_broken_run_is_named():
    scores = quiet()
    broken = scores.assign(outcome=scores["outcome"].where(scores["model"] != "a", "error"))
    (text,) = remarks(broken)
    assert text.startswith("In 1 of 2 conditions more than 5% of the answers are errors")


def test_unscored_counts_as_failing():
    scores = quiet()
    broken = pd.concat(
        [scores[scores["model"] == "b"], scores[scores["model"] == "a"].assign(outcome="unscored")]
    )
    assert len(remarks(broken.assign(em=math.nan))) == 1

import pandas as pd
from tests.report.tables_at import checked, small

from warebench.report.accuracy import headline
from warebench.report.summary import CAVEATS, best, model_note, summary_rows
from warebench.report.wording import NOTHING


def test_rows_are_text_with_the_track_first():
    summary = summary_rows(small())
    assert summary.headers == (
        "track",
        "model",
        "names",
        "mean",
        "n",
        "graph_augmented",
        "tool_use",
        "oracle",
    )
    assert summary.rows[0] == ("topology", "acme/large", "original", "micro", "6", "50.0", "83.3", "100.0")
    assert all(len(row) == len(summary.headers) for row in summary.rows)


def test_policy_and_local_models_carry_their_caveat():
    assert summary_rows(small()).caveats == tuple(text for _, text in CAVEATS)
    assert summary_rows(small()[small()["model"] == "acme/large"]).caveats == ()
    assert "programs" in model_note("policy/planner")
    assert "near chance" in model_note("local/gemma-3-270m")
    assert model_note("acme/large") == ""


def test_best_is_neither_oracle_nor_policy():
    row = best(headline(checked()).frame)
    assert (row["model"], row["method"]) == ("acme/large", "tool_use")
    only_policy = checked()[checked()["model"] == "policy/planner"]
    assert best(headline(only_policy).frame) is None


def test_tracks_with_other_methods_do_not_share_columns_by_place():
    other = small().assign(track="budget", method="flat_text")
    other = other.drop_duplicates(["model", "obfuscation", "question_id"])
    summary = summary_rows(pd.concat([small(), other]))
    rows = [dict(zip(summary.headers, row, strict=True)) for row in summary.rows]
    assert all(row["tool_use"] == NOTHING for row in rows if row["track"] == "budget")
    assert all(row["flat_text"] == NOTHING for row in rows if row["track"] == "topology")

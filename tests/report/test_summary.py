import pandas as pd
import pytest
from tests.report.tables_at import checked, small

from warebench.report.accuracy import headline
from warebench.report.content import build_content
from warebench.report.markdown import markdown
from warebench.report.summary import CAVEATS, best, model_note, summary_rows
from warebench.report.wording import NOTHING


def test_rows_are_text_with_the_track_first():
    summary = summary_rows(small())
    assert summary.headers == (
        "track",
        "model",
        "method",
        "names",
        "n",
        "micro EM %",
        "95 % interval",
        "macro EM %",
        "errors",
        "unscored",
    )
    assert summary.rows[0] == (
        "topology",
        "acme/large",
        "graph_augmented",
        "original",
        "6",
        "50.0",
        "12.5\N{EN DASH}100.0*",
        "50.0",
        "1",
        "0",
    )
    assert all(len(row) == len(summary.headers) for row in summary.rows)


def test_every_condition_has_a_row_and_its_interval():
    summary = summary_rows(small())
    assert len(summary.rows) == len(headline(checked()).frame)
    for row in summary.rows:
        low, high = row[6].rstrip("*").split(NOTHING)
        assert float(low) <= float(row[5]) <= float(high)


@pytest.mark.parametrize(
    ("outcome", "shown"), [("error", "error"), ("not_run", "not run"), ("unscored", "unscored")]
)
def test_a_condition_without_a_verdict_has_no_number(outcome, shown):
    rows = small()
    rows.loc[rows["model"] == "acme/large", "outcome"] = outcome
    summary = summary_rows(rows)
    broken = [row for row in summary.rows if row[1] == "acme/large"]
    assert {row[4:8] for row in broken} == {("0", shown, NOTHING, shown)}
    assert ("not run" in summary.headers) == (outcome == "not_run")
    text = markdown(build_content(rows))
    lines = [line for line in text.splitlines() if "acme/large" in line and "cro |" in line]
    assert lines
    assert all(shown in line and "0.0" not in line for line in lines)


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


def test_base_models_and_programs_are_never_the_best():
    frame = headline(checked()).frame
    assert best(frame.assign(model="local/gemma-3-270m")) is None


def test_tracks_stand_below_each_other():
    other = small().assign(track="budget", method="flat_text")
    other = other.drop_duplicates(["model", "obfuscation", "question_id"])
    summary = summary_rows(pd.concat([small(), other]))
    methods = {row[0]: {line[2] for line in summary.rows if line[0] == row[0]} for row in summary.rows}
    assert methods["budget"] == {"flat_text"}
    assert "flat_text" not in methods["topology"]

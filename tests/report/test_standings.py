import pandas as pd
import pytest
from tests.report.tables_at import checked, row_at, small

from warebench.report.content import build_content
from warebench.report.standings import LONGEST, steps
from warebench.report.tables import build_tables


def test_each_model_with_its_best_fair_method():
    table = build_tables(checked())["standings"]
    assert list(table.frame["model"]) == ["acme/large", "local/tiny", "policy/planner"]
    row = row_at(table, model="acme/large")
    assert (row["best_of"], row["questions"], row["micro_em"]) == ("tool_use", 6, 5 / 6)
    assert row["strongest"] == "forward and 1 more: 100.0 % of 2"
    assert row["weakest"] == "combined_impact: 50.0 % of 2"
    assert row["mistake"] == "missing tables (1 of 1)"


def test_a_probe_never_ranks_and_is_named():
    rows = checked()
    rows = rows.assign(probe=(rows["method"] == "tool_use").map({True: "part of gold is given", False: ""}))
    assert row_at(build_tables(rows)["standings"], model="acme/large")["best_of"] != "tool_use"
    content = build_content(rows)
    assert "with tool_use" not in content.sections[0].result
    assert any("tool_use (part of gold is given)" in remark for remark in content.sections[0].remarks)


def test_only_the_least_obfuscated_names_count():
    twins = checked()[checked()["obfuscation"] == "tables"]
    assert row_at(build_tables(twins)["standings"], model="acme/large")["micro_em"] == 4 / 6


def test_the_title_says_what_the_standings_say():
    rows = small()
    rows = rows.assign(em=(rows["obfuscation"] == "tables").astype(float))
    content = build_content(rows)
    assert row_at(content.standings, model="acme/large")["micro_em"] == 0.0
    assert content.title == "acme/large is right on 0.0 % of 6 questions"


def test_nothing_is_said_where_all_subtypes_are_alike():
    row = row_at(build_tables(checked().assign(em=1.0, outcome="verdict"))["standings"], model="acme/large")
    assert (row["strongest"], row["weakest"], row["mistake"]) == ("", "", "")


def test_a_long_reason_is_cut():
    rows = checked().assign(reason="x" * 500)
    assert len(row_at(build_tables(rows)["standings"], model="acme/large")["mistake"]) < LONGEST + 20


def test_a_model_without_a_fair_score_has_no_row():
    rows = small()
    assert build_content(rows[rows["method"] == "oracle"]).standings.frame.empty
    assert build_content(rows.assign(outcome="unscored")).standings.frame.empty


def test_steps_leave_out_programs_and_base_models():
    said = list(steps(build_tables(checked())["standings"].frame))
    assert said[0].startswith(
        "Ask more questions: the interval of local/tiny with graph_augmented spans 60.0"
    )
    assert said[1:] == [
        "Read the wrong answers of acme/large where it is weakest, combined_impact: 50.0 % of 2."
    ]


@pytest.mark.parametrize("tracks", [("topology",), ("topology", "budget")])
def test_the_track_is_named_where_there_are_several(tracks):
    content = build_content(pd.concat([small().assign(track=track) for track in tracks]))
    frame = content.standings.frame
    assert len(frame) == 3 * len(tracks)
    assert ("track" in frame) == (len(tracks) > 1)
    assert (content.title == "acme/large is right on 83.3 % of 6 questions") == (len(tracks) == 1)

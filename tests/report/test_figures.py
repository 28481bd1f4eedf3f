import math

import pandas as pd
from tests.report.swept import BUDGETS, instanced, swept
from tests.report.synthetic import score_table
from tests.report.tables_at import checked

from warebench.report.conditions import check_scores
from warebench.report.curves import MOST_BANDS, Axes, curves
from warebench.report.figures import MODELS_DRAWN, build_figures, drawn_models
from warebench.report.tables import build_tables
from warebench.report.wording import NOTHING


def figures(scores):
    return {figure.name: figure for figure in build_figures(build_tables(scores))}


def test_every_figure_of_a_full_run():
    drawn = figures(check_scores(score_table({"a": 0.0, "b": 1.0}, per_subtype=4)))
    assert list(drawn) == ["accuracy", "subtypes", "path_length", "obfuscation", "micro_macro", "tokens"]
    assert [subtitle for subtitle, _ in drawn["subtypes"].panels] == ["a", "b"]


def test_marks_stand_at_the_numbers_of_the_table():
    ((_, plot),) = figures(checked())["accuracy"].panels
    marks = {x for trace in plot.data if trace.mode == "markers" for x in trace.x if x is not None}
    table = build_tables(checked())["headline"].frame
    assert marks == {100 * value for value in table["micro_em"]}


def test_heat_map_shows_a_dash_where_nothing_ran():
    panels = dict(figures(checked())["subtypes"].panels)
    texts = [
        text for trace in panels["policy/planner"].data if trace.type == "scatter" for text in trace.text
    ]
    assert texts.count(NOTHING) == 6
    assert sorted(text for text in texts if text != NOTHING) == ["100", "100", "50"]


def test_curve_needs_two_lengths():
    one = checked().assign(path_length=2.0)
    assert "path_length" not in figures(one)


def test_models_without_tokens_are_left_out():
    drawn = figures(checked())
    assert [subtitle for subtitle, _ in drawn["tokens"].panels] == ["acme/large", "local/tiny"]
    assert "tokens" not in figures(checked().assign(input_tokens=math.nan, output_tokens=math.nan))


def test_many_models_draw_the_best():
    frame = pd.DataFrame(
        {
            "model": [f"m{number:02d}" for number in range(50)],
            "micro_em": [number / 50 for number in range(50)],
        }
    )
    assert drawn_models(frame) == [f"m{number:02d}" for number in range(50 - MODELS_DRAWN, 50)]


def test_nothing_scored_draws_nothing():
    scores = checked().assign(outcome="unscored", em=math.nan)
    assert build_figures(build_tables(scores)) == ()


def test_a_setting_is_drawn_as_curves_with_bands():
    drawn = figures(check_scores(swept()))
    for name, values in (
        ("exact_match_over_budget", [25.0, 50.0, 75.0]),
        ("table_recall_over_budget", [12.5, 37.5, 62.5]),
    ):
        ((title, plot),) = drawn[name].panels
        lines = [trace for trace in plot.data if trace.mode == "lines+markers"]
        bands = [trace for trace in plot.data if trace.fill == "toself"]
        assert title == "m"
        assert [list(line.x) for line in lines] == [list(BUDGETS)] * 2
        assert [list(line.y) for line in lines] == [values] * 2
        assert [len(band.x) for band in bands] == [6, 6]
        assert all(max(band.y) > value > min(band.y) for band in bands for value in values)
        assert [note.text for note in plot.layout.annotations] == ["bm25", "dense"]
        assert plot.layout.xaxis.type == "log"


def test_a_crowded_curve_is_split_into_panels():
    parts = [swept().assign(**{"setting.representation": name}) for name in ("raw", "rich", "both")]
    drawn = figures(check_scores(pd.concat(parts)))
    panels = drawn["exact_match_over_budget"].panels
    assert [title for title, _ in panels] == ["m, both", "m, raw", "m, rich"]
    assert all(len(plot.layout.annotations) == 2 for _, plot in panels)


def test_a_breakdown_is_drawn_with_its_totals():
    drawn = figures(check_scores(swept()))
    panels = dict(drawn["subtype_window"].panels)
    heat = next(trace for trace in panels["m, sql, budget 10, bm25"].data if trace.type == "heatmap")
    assert list(heat.x) == ["8K", "16K", "128K", "all"]
    assert list(heat.y) == ["join", "single", "all"]
    assert heat.z[-1][-1] == 50.0
    ((_, plot),) = drawn["over_window"].panels
    assert list(plot.layout.xaxis.ticktext) == ["8K", "16K", "128K"]


def test_many_conditions_draw_the_best_of_each_model():
    scores = pd.concat([swept().assign(model=f"m{number}") for number in range(3)])
    figure = figures(check_scores(scores))["subtype_window"]
    assert len(figure.panels) == 3
    assert all("budget 50" in title for title, _ in figure.panels)
    assert "15 more conditions" in figure.caption


def test_instances_stand_over_what_chance_gives():
    ((_, plot),) = figures(check_scores(instanced(((3, 10), (9, 10)))))["stability"].panels
    marks = [trace.x[0] for trace in plot.data if trace.mode == "markers"]
    (bar,) = (trace for trace in plot.data if trace.mode == "lines")
    assert marks == [30.0, 90.0]
    assert (bar.x[0], bar.x[1]) == (30.0, 90.0)


def test_many_methods_share_a_colour_and_stand_in_rows():
    scores = pd.concat([swept().assign(**{"setting.ranker": f"r{number}"}) for number in range(4)])
    plain = scores.assign(method=lambda rows: "sql " + rows["setting.ranker"]).query("`setting.budget` == 10")
    every = pd.concat([plain.assign(method=plain["method"] + f" k={number}") for number in range(3)])
    one = every.drop_duplicates(["method", "question_id"])
    ((_, plot),) = figures(check_scores(one))["subtypes"].panels
    heat = next(trace for trace in plot.data if trace.type == "heatmap")
    assert len(heat.y) == 12
    assert list(heat.x) == ["join", "single"]


def test_many_lines_have_no_bands_that_would_hide_each_other():
    lines = [f"m{number}" for number in range(MOST_BANDS + 1)]
    points = pd.DataFrame(
        [
            {"line": line, "x": x, "value": 0.5, "low": 0.4, "high": 0.6, "n": 9}
            for line in lines
            for x in (1.0, 2.0)
        ]
    )

    def bands(count: int) -> int:
        shown = points[points["line"].isin(lines[:count])]
        return sum(trace.fill == "toself" for trace in curves(shown, Axes(x="x"), lines[:count]).data)

    assert (bands(MOST_BANDS), bands(MOST_BANDS + 1)) == (MOST_BANDS, 0)

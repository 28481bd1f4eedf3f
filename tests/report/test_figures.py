import math

import pandas as pd
from tests.report.synthetic import score_table
from tests.report.tables_at import checked

from warebench.report.conditions import check_scores
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

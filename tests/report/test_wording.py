import math

import pytest
from tests.report.tables_at import checked

from warebench.report.accuracy import breakdowns, headline, overview
from warebench.report.effort import failures
from warebench.report.table import Table, frame_of
from warebench.report.wording import MINUS, NOTHING, amount, count, p_value, percent, plain, points, shown

NAN = math.nan
WORDS = [
    (percent, 0.8934, "89.3"),
    (percent, 0.0, "0.0"),
    (percent, NAN, NOTHING),
    (points, 0.05, "+5.0"),
    (points, -0.054, f"{MINUS}5.4"),
    (points, -0.0001, "0.0"),
    (points, NAN, NOTHING),
    (p_value, 0.0004, "< 0.001"),
    (p_value, 0.04, "0.040"),
    (p_value, NAN, NOTHING),
    (count, 14400, "14\u202f400"),
    (count, NAN, NOTHING),
    (amount, 5234.6, "5\u202f235"),
    (amount, 12.34, "12.3"),
    (amount, 2.345, "2.35"),
    (amount, NAN, NOTHING),
    (plain, 7.0, "7"),
    (plain, 1.5, "1.5"),
    (plain, NAN, NOTHING),
]


@pytest.mark.parametrize(("word", "value", "text"), WORDS)
def test_words(word, value, text):
    assert word(value) == text


def test_methods_become_columns_and_the_best_fair_one_is_marked():
    view = shown(overview(headline(checked())))
    labels = [column.label for column in view.columns]
    assert labels == ["model", "names", "mean", "n", "graph_augmented", "tool_use", "oracle"]
    first = view.rows[0]
    assert [cell.text for cell in first] == ["acme/large", "original", "micro", "6", "50.0", "83.3", "100.0"]
    assert [cell.best for cell in first] == [False] * 5 + [True, False]


def test_nothing_is_best_among_methods_that_answered_other_questions():
    rows = checked()
    fewer = rows[(rows["method"] != "tool_use") | (rows["question_id"] != "q6")]
    view = shown(overview(headline(fewer)))
    assert [cell.best for cell in view.rows[0]] == [False] * len(view.columns)


def test_a_code_is_spelled_out():
    rows = checked().assign(subtype="EL")
    (table,) = (found for found in breakdowns(rows) if found.name == "by_subtype")
    assert "EL, entity lookup" in {cell.text for row in shown(table).rows for cell in row}


def test_nothing_is_best_where_one_method_ran_or_all_failed():
    view = shown(overview(headline(checked())))
    assert not any(cell.best for row in view.rows if row[0].text == "local/tiny" for cell in row)
    wrong = headline(checked().assign(em=0.0))
    assert not any(cell.best for row in shown(overview(wrong)).rows for cell in row)


def test_cell_where_nothing_ran_is_a_dash():
    view = shown(breakdowns(checked())[0])
    planner = next(row for row in view.rows if row[0].text == "policy/planner")
    assert [cell.text for cell in planner] == ["policy/planner", "forward", "2", NOTHING, "100.0", NOTHING]


def test_interval_joins_its_number():
    row = shown(headline(checked())).rows[0]
    assert row[4].interval.count(NOTHING) == 1
    assert row[4].text == "50.0"


def test_signed_interval_is_spelt_out():
    frame = frame_of(
        [{"delta": -0.1, "delta_low": -0.2, "delta_high": 0.05}], ["delta", "delta_low", "delta_high"]
    )
    view = shown(Table(name="t", title="", caption="", frame=frame))
    assert (view.rows[0][0].text, view.rows[0][0].interval) == (f"{MINUS}10.0", f"{MINUS}20.0 to +5.0")


def test_limit_hides_rows_and_says_how_many():
    table = failures(checked())
    view = shown(Table(name="t", title="", caption="", frame=table.frame, limit=1))
    assert (len(view.rows), view.hidden) == (1, 3)

import pytest
from tests.report.swept import instanced, swept
from tests.report.tables_at import row_at

from warebench.report.breakdown import breakdown_tables
from warebench.report.conditions import check_scores
from warebench.report.wording import shown


@pytest.fixture(scope="module")
def table():
    (found,) = breakdown_tables(check_scores(swept()))
    return found


def test_cells_and_both_margins(table):
    at = {"method": "sql budget=10 ranker=bm25"}
    asked = range(24)
    for subtype, odd in (("join", [0]), ("single", [1]), ("all", [0, 1])):
        for window, third in (("8K", [0]), ("16K", [1]), ("128K", [2]), ("all", [0, 1, 2])):
            cell = [number for number in asked if number % 2 in odd and number % 3 in third]
            row = row_at(table, subtype=subtype, **{"by.window": window}, **at)
            assert row["questions"] == len(cell)
            assert row["em"] == pytest.approx(sum(number % 4 <= 1 for number in cell) / len(cell))


def test_values_stand_in_their_order_and_totals_last(table):
    view = shown(table)
    assert [column.label for column in view.columns] == [
        "model",
        "method",
        "subtype",
        "n",
        *("window 8K", "window 16K", "window 128K", "all"),
    ]
    assert [row[2].text for row in view.rows[:3]] == ["join", "single", "all"]


def test_few_questions_in_a_cell_are_said(table):
    view = shown(table)
    assert view.note.startswith("* few clusters")
    assert any(cell.interval.endswith("*") for row in view.rows for cell in row)


def test_one_value_is_no_breakdown():
    assert breakdown_tables(check_scores(instanced(((3, 10),)))) == ()

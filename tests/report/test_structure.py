import math

import pytest
from tests.report.swept import swept
from tests.report.tables_at import checked, row_at

from warebench.report.conditions import check_scores
from warebench.report.structure import feasibility, hop_distance, path_length
from warebench.report.tables import build_tables


def test_path_length_by_hand():
    table = path_length(checked())
    short = row_at(table, model="acme/large", method="graph_augmented", path_length=2.0)
    long = row_at(table, model="acme/large", method="graph_augmented", path_length=5.0)
    assert (short["em"], long["em"]) == (1.0, 0.0)
    assert set(table.frame["path_length"]) == {2.0, 5.0}


def test_hop_distance_by_hand():
    row = row_at(hop_distance(checked()), subtype="all", model="acme/large")
    assert (row["questions"], row["beyond"], row["beyond_share"]) == (6, 3, 0.5)
    assert row["em"] == pytest.approx(0.5)
    assert (row["em_within"], row["em_beyond"]) == (1.0, 0.0)


def test_hop_distance_without_the_method_keeps_the_shares():
    table = checked()
    row = row_at(hop_distance(table[table["method"] != "graph_augmented"]), subtype="combined_impact")
    assert (row["beyond"], row["model"]) == (2, "")
    assert math.isnan(row["em"])


def test_feasibility_by_hand():
    row = row_at(feasibility(checked()), subtype="all", model="policy/planner")
    assert (row["feasible"], row["feasible_share"]) == (5, pytest.approx(5 / 6))
    assert row["em"] == pytest.approx(5 / 6)
    assert (row["em_feasible"], row["em_infeasible"]) == (1.0, 0.0)
    assert row["median_calls"] == 1.5


@pytest.mark.parametrize("table", [path_length, hop_distance, feasibility])
def test_no_facet_no_rows(table):
    scores = checked().assign(path_length=math.nan, beyond_radius=math.nan, feasible=math.nan)
    frame = table(scores).frame
    assert frame.empty or frame["questions"].eq(0).all()


def test_a_track_without_paths_has_none_of_these_tables():
    tables = build_tables(check_scores(swept()))
    assert not {"by_path_length", "hop_distance", "feasibility", "by_path_difficulty", "obfuscation"} & set(
        tables
    )
    assert "by_subtype" in tables

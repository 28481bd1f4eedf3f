import numpy as np
import pytest
from tests.report.swept import instanced, swept
from tests.report.tables_at import row_at

from warebench.report.conditions import check_scores
from warebench.report.stability import instances, stability


def test_spread_beside_the_binomial_one():
    row = row_at(stability(check_scores(instanced(((20, 100), (40, 100), (60, 100))))))
    assert (row["instances"], row["per_instance"]) == (3, 100)
    assert row["em_mean"] == pytest.approx(0.4)
    assert (row["em_lowest"], row["em_highest"]) == (0.2, 0.6)
    assert row["em_sd"] == pytest.approx(0.2)
    assert row["em_sd_expected"] == pytest.approx(np.sqrt(0.4 * 0.6 / 100))
    assert row["spread_ratio"] == pytest.approx(0.2 / np.sqrt(0.0024))
    assert row["p"] < 1e-6


def test_chance_alone_is_not_called_instability():
    rng = np.random.default_rng(5)
    found = []
    for _ in range(200):
        rights = tuple((int(right), 60) for right in rng.binomial(60, 0.3, 10))
        found.append(row_at(stability(check_scores(instanced(rights)))))
    assert np.mean([row["p"] < 0.05 for row in found]) < 0.1
    assert np.mean([row["spread_ratio"] for row in found]) == pytest.approx(1.0, abs=0.1)


def test_every_instance_with_its_range_by_chance():
    table = instances(check_scores(instanced(tuple((5, 10) for _ in range(11)))))
    assert list(table.frame["instance"]) == [str(number) for number in range(11)]
    row = row_at(table, instance="10")
    assert (row["em"], row["chance_low"], row["chance_high"]) == (0.5, 0.2, 0.8)


def test_all_right_has_no_spread():
    row = row_at(stability(check_scores(instanced(((4, 4), (4, 4))))))
    assert (row["em_sd"], row["em_sd_expected"]) == (0.0, 0.0)
    assert np.isnan(row["spread_ratio"])
    assert np.isnan(row["p"])


@pytest.mark.parametrize("scores", [swept(), instanced(((3, 10),))], ids=["no instances", "one instance"])
def test_without_instances_there_is_nothing_to_say(scores):
    assert stability(check_scores(scores)).frame.empty
    assert instances(check_scores(scores)).frame.empty

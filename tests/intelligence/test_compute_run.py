"""Answers of the shop against plain loops, and errors that have names."""

import math
from collections import defaultdict

import pytest
from tests.intelligence.shop import make_database, make_knowledge

from warebench.errors import BuildError, EmptySlice, GoldDisagreement
from warebench.tracks.intelligence.compute import run
from warebench.tracks.intelligence.compute.counterfactual import effective_rules, rounds_safely
from warebench.tracks.intelligence.compute.frame import Table
from warebench.tracks.intelligence.compute.run import answer, open_database
from warebench.tracks.intelligence.slice import Slice, Window
from warebench.tracks.intelligence.slicing import sliceable

KNOWLEDGE = make_knowledge()
DATABASE = make_database()
RULES = tuple(rule.id for rule in KNOWLEDGE.rules)


@pytest.fixture(scope="module")
def opened():
    with open_database(DATABASE) as found:
        yield found


def orders():
    people = {row["customer_id"]: row for row in DATABASE.tables["customers"].to_pylist()}
    for row in DATABASE.tables["orders"].to_pylist():
        yield {**row, "state": people.get(row["customer_id"], {}).get("state")}


def test_late_delivery_rate_by_state_under_all_rules(opened):
    late, all_ = defaultdict(int), defaultdict(int)
    for row in orders():
        if row["status"] != "delivered" or row["state"] is None:
            continue
        day, bought = row["delivered"].date(), row["purchased"].date()
        if (day - bought).days > 30:
            continue
        grace = 2 if bought.isoformat() >= "2018-04-01" else 1 if bought.isoformat() >= "2017-07-01" else 0
        all_[row["state"]] += 1
        late[row["state"]] += (day - row["promised"]).days > grace
    expected = [(state, 100 * late[state] / all_[state]) for state in sorted(all_) if all_[state] >= 5]
    found = answer(KNOWLEDGE, opened, Slice(metric="MV-DEL-002", group=("customer_state",), rules=RULES))
    assert found.columns == ("customer_state", "value")
    assert [row[0] for row in found.rows] == [state for state, _ in expected]
    assert all(math.isclose(row[1], value) for row, (_, value) in zip(found.rows, expected, strict=True))
    assert found.rows != found.base_rows


def test_active_customers_by_quarter(opened):
    placed = defaultdict(int)
    for row in orders():
        if row["customer_id"] is not None:
            quarter = f"{row['purchased'].year}-Q{(row['purchased'].month + 2) // 3}"
            placed[quarter, row["customer_id"]] += 1
    expected = defaultdict(int)
    for (quarter, _), count in placed.items():
        expected[quarter] += count >= 3
    wanted = Slice(
        metric="MV-CUS-001", grain="quarter", rules=("BR-01",), parameters=(("minimum_orders", 3.0),)
    )
    found = answer(KNOWLEDGE, opened, wanted)
    assert found.rows == tuple(
        (quarter, float(count)) for quarter, count in sorted(expected.items()) if count
    )
    assert len(found.rows) == 8


def test_answers_are_equal_in_every_run():
    wanted = Slice(metric="MV-FUL-001", group=("customer_segment",), grain="year", rules=RULES[:3])
    assert answer(KNOWLEDGE, DATABASE, wanted) == answer(KNOWLEDGE, make_database(), wanted)


WRONG = [
    (Slice(metric="MV-XXX"), "there is no metric `MV-XXX`"),
    (Slice(metric="MV-DEL-001", group=("item_category",)), "MV-DEL-001 cannot be sliced by item_category"),
    (Slice(metric="MV-DEL-001", group=("order_date",)), "cannot be sliced by order_date"),
    (Slice(metric="MV-DEL-001", group=("nothing",)), "there is no dimension `nothing`"),
    (Slice(metric="MV-DEL-001", rules=("BR-99",)), "there is no rule `BR-99`"),
    (
        Slice(metric="MV-DEL-001", parameters=(("grace_days", 1.0),)),
        "MV-DEL-001 has no parameter `grace_days`",
    ),
    (
        Slice(metric="MV-DEL-001", window=Window(first="2018-02-01", last="2018-01-01")),
        "ends before it begins",
    ),
    (Slice(metric="MV-DEL-001", window=Window(first="2018-02-30", last="2018-03-01")), "a window is of days"),
    (Slice(metric="MV-DEL-001", filters=(("customer_state", "XX"),)), "no row of the data is in this slice"),
    (Slice(metric="MV-CUS-001", window=Window(first="1999-01-01", last="1999-01-02")), "no row of the data"),
]


@pytest.mark.parametrize(("wanted", "what"), WRONG)
def test_wrong_slices(opened, wanted, what):
    with pytest.raises(BuildError, match=what):
        answer(KNOWLEDGE, opened, wanted)


def test_an_empty_slice_has_its_own_error(opened):
    with pytest.raises(EmptySlice):
        answer(KNOWLEDGE, opened, Slice(metric="MV-DEL-001", filters=(("customer_state", "XX"),)))


def test_a_disagreement_stops_the_build(monkeypatch):
    monkeypatch.setattr(run, "compute", lambda *_: Table({(): 12.0}, 1))
    with pytest.raises(GoldDisagreement, match=r"by SQL, 12\.0 in memory"):
        answer(KNOWLEDGE, DATABASE, Slice(metric="MV-DEL-001"))


def test_dimensions_that_a_metric_can_be_sliced_by():
    found = [dimension.id for dimension in sliceable(KNOWLEDGE, DATABASE.catalog, "MV-FUL-001")]
    assert found == ["customer_state", "customer_segment", "order_status"]
    found = [dimension.id for dimension in sliceable(KNOWLEDGE, DATABASE.catalog, "MV-REV-001")]
    assert found == ["customer_state", "customer_segment", "item_category", "order_status"]


EFFECTIVE = [
    (Slice(metric="MV-DEL-002", rules=RULES), ("BR-02", "BR-03", "BR-07")),
    (
        Slice(metric="MV-DEL-002", rules=RULES, window=Window(first="2017-01-01", last="2017-06-30")),
        ("BR-02",),
    ),
    (
        Slice(metric="MV-DEL-002", rules=RULES, window=Window(first="2018-04-01", last="2018-12-31")),
        ("BR-02", "BR-07"),
    ),
    (Slice(metric="MV-REV-001", rules=RULES, filters=(("customer_state", "RJ"),)), ()),
    (Slice(metric="MV-REV-001", rules=RULES, filters=(("customer_state", "SP"),)), ("BR-04",)),
]


@pytest.mark.parametrize(("wanted", "expected"), EFFECTIVE)
def test_rules_that_change_the_answer(opened, wanted, expected):
    assert effective_rules(KNOWLEDGE, opened, wanted) == expected


@pytest.mark.parametrize(
    ("value", "safe"), [(1.23456, True), (1.235, False), (-1.235, False), (2.0, True), (0.005, False)]
)
def test_values_near_the_middle_of_two_roundings(value, safe):
    assert rounds_safely(value, 2) is safe

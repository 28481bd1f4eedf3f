"""Rules change the tree of the base SQL, each kind in its place, and only where they hold."""

import itertools

import pytest
from tests.intelligence.shop import CATALOG, DOCUMENTS, FILES, make_database, make_knowledge

from warebench.errors import StraddleError
from warebench.tracks.intelligence.compute.dialects import to_dialect
from warebench.tracks.intelligence.compute.frame import compute
from warebench.tracks.intelligence.compute.rewrite import apply_rules
from warebench.tracks.intelligence.compute.rows import Store
from warebench.tracks.intelligence.compute.sql import base_sql
from warebench.tracks.intelligence.knowledge.read import parse_knowledge
from warebench.tracks.intelligence.slice import Slice, Window

KNOWLEDGE = make_knowledge()
EARLY = Window(first="2017-01-01", last="2017-06-30")
LATE = Window(first="2018-04-01", last="2018-12-31")
BETWEEN = Window(first="2017-07-01", last="2018-03-31")


def texts(wanted, knowledge=KNOWLEDGE):
    base = base_sql(knowledge, CATALOG, wanted)
    before = to_dialect(base, pretty=False)
    ruled = to_dialect(apply_rules(base, knowledge, CATALOG, wanted), pretty=False)
    assert to_dialect(base, pretty=False) == before
    return before, ruled


CHANGES = [
    (Slice(metric="MV-CUS-001", rules=("BR-01",)), "units.placed >= 1", "units.placed >= 4"),
    (
        Slice(metric="MV-DEL-001", rules=("BR-02",)),
        "WHERE o.status = 'delivered'",
        "WHERE o.status = 'delivered' AND NOT COALESCE(DATE_DIFF('DAY', CAST(o.purchased AS DATE), "
        "CAST(o.delivered AS DATE)) > 30, FALSE)",
    ),
    (
        Slice(metric="MV-DEL-002", rules=("BR-03",)),
        "> 0 THEN",
        "> CASE WHEN o.purchased >= CAST('2017-07-01' AS DATE) THEN 1 ELSE 0 END THEN",
    ),
    (Slice(metric="MV-DEL-002", rules=("BR-03",), window=LATE), "> 0 THEN", "> 1 THEN"),
    (Slice(metric="MV-DEL-002", rules=("BR-03",), window=EARLY), "> 0 THEN", "> 0 THEN"),
    (Slice(metric="MV-DEL-002", rules=("BR-03", "BR-07"), window=LATE), "> 0 THEN", "> 2 THEN"),
    (Slice(metric="MV-DEL-002", rules=("BR-03", "BR-07"), window=BETWEEN), "> 0 THEN", "> 1 THEN"),
    (
        Slice(metric="MV-REV-001", rules=("BR-04",)),
        "CAST(i.price + i.freight AS DOUBLE)",
        "CAST(CASE WHEN c.state = 'SP' THEN i.price ELSE i.price + i.freight END AS DOUBLE)",
    ),
    (
        Slice(metric="MV-DEL-001", rules=("BR-05",), group=("customer_state",)),
        "GROUP BY 1 ORDER BY 1",
        "GROUP BY 1 HAVING COUNT(*) >= 5 ORDER BY 1",
    ),
    (
        Slice(metric="MV-FUL-001", rules=("BR-06",)),
        "0.5 * (100 - late.value) + 0.5 * (100 - 2 * days.value)",
        "0.7 * (100 - late.value) + 0.3 * (100 - 2 * days.value)",
    ),
    (Slice(metric="MV-DEL-002", rules=("BR-03",), parameters=(("grace_days", 5.0),)), "> 5 THEN", "> 5 THEN"),
]  # fmt: skip


@pytest.mark.parametrize(("wanted", "old", "new"), CHANGES)
def test_each_rule_changes_its_part_and_nothing_else(wanted, old, new):
    before, ruled = texts(wanted)
    assert before.count(old) == 1
    assert ruled == before.replace(old, new)


def test_rules_of_components_reach_the_composite():
    _, ruled = texts(Slice(metric="MV-FUL-001", rules=("BR-02", "BR-05")))
    assert ruled.count("> 30, FALSE)") == 2
    assert ruled.count("HAVING COUNT(*) >= 5") == 2


def test_the_order_of_rules_does_not_matter():
    rules = ("BR-02", "BR-03", "BR-05", "BR-07")
    found = {texts(Slice(metric="MV-DEL-002", rules=order))[1] for order in itertools.permutations(rules)}
    assert len(found) == 1


def _with(operation, dates=""):
    """Return the shop with one more rule, BR-10."""
    rule = f"""
  - id: BR-10
    title: another
    kind: override
    document: rules/grace.md
{dates}
    operations:
      - {operation}
"""
    return parse_knowledge({**FILES, **DOCUMENTS, "truth.yaml": FILES["truth.yaml"] + rule})


WHOLE = [
    ("MV-DEL-002", "{type: override, metrics: [MV-DEL-002], target: formula, expression: late}"),
    ("MV-CUS-001", "{type: override, metrics: [MV-CUS-001], target: keep, expression: placed > 9}"),
    ("MV-CUS-001", "{type: threshold, metrics: [MV-CUS-001], parameter: minimum_orders, value: 9}"),
    ("MV-DEL-002", "{type: threshold, metrics: [MV-DEL-002], parameter: minimum_rows, value: 9}"),
    ("MV-FUL-001", "{type: weight, metrics: [MV-FUL-001], parameter: w_late, value: 0.9}"),
    (
        "MV-CUS-001",
        "{type: override, metrics: [MV-CUS-001], target: where, measure: active, expression: placed > 9}",
    ),
]


@pytest.mark.parametrize(("metric", "operation"), WHOLE)
def test_what_is_not_about_rows_holds_for_the_whole_slice_or_straddles(metric, operation):
    knowledge = _with(operation, "    effective_from: 2018-04-01")
    store = Store(make_database())
    inside, outside = (Slice(metric=metric, rules=("BR-10",), window=window) for window in (LATE, EARLY))
    before, ruled = texts(inside, knowledge)
    assert before != ruled
    before, ruled = texts(outside, knowledge)
    assert before == ruled
    for straddling in (
        Slice(metric=metric, rules=("BR-10",)),
        Slice(metric=metric, rules=("BR-10",), window=Window(first="2018-03-31", last="2018-04-01")),
    ):
        with pytest.raises(StraddleError, match="straddles rule BR-10"):
            texts(straddling, knowledge)
        with pytest.raises(StraddleError, match="straddles rule BR-10"):
            compute(knowledge, store, straddling)


def test_a_filter_with_scope_and_end_touches_only_such_rows():
    operation = "{type: filter, metrics: [MV-DEL-002], where: o.order_id > 7, scope: \"c.state = 'SP'\"}"
    _, ruled = texts(
        Slice(metric="MV-DEL-002", rules=("BR-10",)), _with(operation, "    effective_to: 2018-03-31")
    )
    assert (
        "AND CASE WHEN o.purchased < CAST('2018-04-01' AS DATE) AND c.state = 'SP' "
        "THEN o.order_id > 7 ELSE TRUE END" in ruled
    )

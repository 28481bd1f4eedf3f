"""Faults of knowledge bases are named, and the shop has none."""

import msgspec
import pyarrow as pa
import pytest
from tests.intelligence.shop import CATALOG, DOCUMENTS, FILES, make_database, make_knowledge

from warebench.catalog.model import ForeignKey
from warebench.engine.database import Database
from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.knowledge.check import check_knowledge, find_faults
from warebench.tracks.intelligence.knowledge.check_data import check_data
from warebench.tracks.intelligence.knowledge.check_rules import check_rule
from warebench.tracks.intelligence.knowledge.conflicts import scopes_disjoint
from warebench.tracks.intelligence.knowledge.links import governing_rules, metric_tree
from warebench.tracks.intelligence.knowledge.read import parse_knowledge

METRICS, TRUTH, HEAD = "metrics.yaml", "truth.yaml", "knowledge.yaml"
GROUPS = "metrics: [MV-DEL-001, MV-DEL-002, MV-REV-001], parameter: minimum_rows"
FAULTS = [
    (METRICS, "o.delivered) > :grace", "o.deliverd) > :grace", "`orders` has no column `deliverd`"),
    (METRICS, "alias: o, where", "alias: orders2, where", "relation of MV-DEL-001 is called `o`"),
    (METRICS, "{table: orders, alias: o}", "{table: order, alias: o}", "there is no table `order`"),
    (METRICS, "late: MV-DEL-002", "late: MV-FUL-001", "MV-FUL-001 is made of itself"),
    (METRICS, "late: MV-DEL-002", "late: MV-DEL-009", "there is no metric `MV-DEL-009`"),
    (METRICS, "late / delivered", "late / delivred", "`delivred` names nothing"),
    (METRICS, "> :grace_days", "> :grace", "MV-DEL-002 has no parameter `grace`"),
    (METRICS, "value: i.price + i.freight", "value: i.price + i.category", "is a text, not a whole"),
    (METRICS, "o.status <> 'canceled'", "o.status <> 3", "mixes text and whole"),
    (METRICS, "[o.customer_id]", "[customer_id]", "`customer_id` is no column"),
    (METRICS, "keep: placed >=", "keep: o.placed >=", "`o.placed` names nothing"),
    (METRICS, "active: {aggregate: count}", "placed: {aggregate: count}", "`placed` names two things"),
    (METRICS, "formula: days", "formula: ROUND(days, 1)", "`ROUND` is not known"),
    (METRICS, "late: {aggregate: count,", "late: {aggregate: count, value: o.line,", "`count` counts rows"),
    (METRICS, "time: o.purchased", "time: o.status", "holds no moments of calendar timestamp"),
    (
        METRICS,
        "relation: {table: orders, alias: o}",
        "relation: {table: orders, alias: o, joins: [{table: items, on: [[o.order_id, order_id]]}]}",
        "the join to `items` fans out",
    ),
    (METRICS, "on: [[o.customer_id, customer_id]]", "on: [[x.customer_id, customer_id]]", "called `x`"),
    (METRICS, "decimals: 0", "decimals: -3", "cannot have -3 decimals"),
    (METRICS, "decimals: 0", "decimals: 99", "cannot have 99 decimals"),
    (METRICS, "id: MV-CUS-001", "id: ../MV", "`../MV` cannot be the name of a page"),
    (METRICS, "id: MV-CUS-001", "id: CON", "`CON` cannot be the name of a page"),
    (METRICS, "id: MV-CUS-001", "id: mv-del-001", "MV-DEL-001 and mv-del-001 differ by case alone"),
    (METRICS, "name: Active Customers", "name: ''", "the metric has no name"),
    (METRICS, "name: Active Customers", "name: Fulfilment score", "both called `fulfilment score`"),
    (METRICS, "name: Active Customers", "name: Customer  State", "both called `customer state`"),
    (METRICS, "grace_days: 0", "grace_days: .inf", "inf is no number"),
    (METRICS, "formula: days", "formula: days * 1e400", "1e400 is too large a number"),
    (METRICS, "formula: days", "formula: days; DROP TABLE orders", "is not one SQL expression"),
    (METRICS, "formula: days", "formula: (SELECT 1)", "`SUBQUERY` is not known"),
    (METRICS, "formula: days", "formula: AVG(days)", "`AVG` is an aggregate"),
    (METRICS, "value: i.price + i.freight", "value: ROW_NUMBER() OVER ()", "`WINDOW` is not known"),
    (METRICS, "value: i.price + i.freight", "value: SUM(i.price)", "`SUM` is an aggregate"),
    (METRICS, "w_late: 0.5", "w_late: 0.6", "weights of MV-FUL-001 add up to 1.1 under its definition"),
    (TRUTH, "parameter: w_days, value: 0.3", "parameter: w_days, value: 0.4",
     "weights of MV-FUL-001 add up to 1.1 under rule BR-06: w_late 0.7 + w_days 0.4"),
    (TRUTH, "type: weight, metrics: [MV-FUL-001], parameter: w_days, value: 0.3",
     "type: threshold, metrics: [MV-FUL-001], parameter: w_days, value: 0.9",
     "weights of MV-FUL-001 add up to 1.6 under rule BR-06: w_late 0.7 + w_days 0.9"),
    (TRUTH, "- {type: weight, metrics: [MV-FUL-001], parameter: w_days, value: 0.3}", "",
     "weights of MV-FUL-001 add up to 1.2 under rule BR-06"),
    (TRUTH, "minimum_orders, value: 4", "minimum_orders, value: .nan", "nan is no number"),
    (TRUTH, f"{GROUPS}, value: 5", f"{GROUPS}, value: -1", "groups of fewer than -1 rows are none"),
    (TRUTH, "id: BR-01", "id: ../BR", "`../BR` cannot be the name of a page"),
    (TRUTH, "effective_from: 2017-07-01", "effective_from: 2017-07-01\n    effective_to: 2017-06-30",
     "the rule ends before it begins"),
    (TRUTH, "effective_from: 2017-07-01", "effective_from: 2017-07-01\n    supersedes: [BR-07]",
     "BR-03 supersedes itself: BR-03 -> BR-07 -> BR-03"),
    (HEAD, "id: customer_segment", "id: con", "`con` cannot be the name of a page"),
    (TRUTH, "parameter: w_late", "parameter: w_lat", "MV-FUL-001 has no parameter `w_lat`"),
    (TRUTH, "supersedes: [BR-03]", "supersedes: []", "BR-03 and BR-07 contradict"),
    (TRUTH, "supersedes: [BR-03]", "supersedes: [BR-99]", "`BR-99` is no other rule"),
    (TRUTH, GROUPS, GROUPS.replace("MV-REV-001", "MV-FUL-001"), "is a composite and has no rows"),
    (TRUTH, "measure: revenue", "measure: revenu", "MV-REV-001 has no measure `revenu`"),
    (TRUTH, "expression: i.price", "expression: i.category", "`sum` of a text has no meaning"),
    (TRUTH, "c.state = 'SP'", "x.state = 'SP'", "is called `x`"),
    (TRUTH, "minimum_orders, value: 4", "minimum_orders, value: 4, scope: o.order_id > 3",
     "a scope is for single rows"),
    (TRUTH, "effective_from: 2018-04-01", "effective_from: 2018-04-31", "`2018-04-31` is no day"),
    (TRUTH, "document: rules/grace.md", "document: rules/grac.md", "there is no such document"),
    (TRUTH, "quote: a customer is active", "quote: a client is active", "the document does not say"),
    (TRUTH, "answer: 4", "answer: 5", "the answer `5.0` is not in the quote"),
    ("rules/weights.md", "Fulfilment Score", "score", "the document names no metric"),
    (HEAD, "column: state", "column: stat", "`customers` has no column `stat`"),
    (HEAD, "id: customer_state", "id: customer_segment", "2 dimensions are called customer_segment"),
    (HEAD, "calendar: timestamp", "calendar: date", "holds no moments of calendar date"),
]  # fmt: skip


def test_the_shop_has_no_fault():
    check_knowledge(make_knowledge(), CATALOG)
    check_data(make_knowledge(), make_database())


@pytest.mark.parametrize(("file", "old", "new", "what"), FAULTS, ids=[fault[3] for fault in FAULTS])
def test_faults(file, old, new, what):
    files = {**FILES, **DOCUMENTS}
    assert old in files[file]
    found = list(find_faults(parse_knowledge({**files, file: files[file].replace(old, new, 1)}), CATALOG))
    assert any(what in fault.what for fault in found), found
    assert all(
        fault.where or any(word in fault.what for word in ("called", "contradict", "by case"))
        for fault in found
    )
    assert all(fault.fix for fault in found), found


def test_a_weight_of_several_terms_counts_once_for_each():
    halves = FILES[METRICS].replace(":w_days * (100", ":w_late * (100").replace(", w_days: 0.5", "")
    rules = FILES[TRUTH].replace("- {type: weight, metrics: [MV-FUL-001], parameter: w_days, value: 0.3}", "")
    found = list(find_faults(parse_knowledge({**FILES, **DOCUMENTS, METRICS: halves, TRUTH: rules}), CATALOG))
    assert [fault.what for fault in found] == [
        "the weights of MV-FUL-001 add up to 1.4 under rule BR-06: w_late 0.7 + w_late 0.7"
    ]


def test_many_rules_that_supersede_all_before_them_are_checked_at_once():
    one = make_knowledge().rules[0]
    ids = [f"BR-{number}" for number in range(60)]
    rules = tuple(
        msgspec.structs.replace(one, id=name, supersedes=tuple(ids[:number]))
        for number, name in enumerate(ids)
    )
    check_rule(msgspec.structs.replace(make_knowledge(), rules=rules), rules[-1])


def test_several_foreign_keys_make_a_join_ambiguous():
    twice = ForeignKey(
        child="orders", parent="customers", child_columns=("order_id",), parent_columns=("customer_id",)
    )
    catalog = msgspec.structs.replace(CATALOG, foreign_keys=(*CATALOG.foreign_keys, twice))
    with pytest.raises(KnowledgeError, match="the join to `c` is ambiguous: 2 foreign keys"):
        check_knowledge(make_knowledge(), catalog)


def test_several_faults_are_told_at_once():
    files = {**FILES, **DOCUMENTS}
    files[METRICS] = (
        files[METRICS].replace("formula: days", "formula: day").replace("tier: L3", "tier: L3\n    time: x.y")
    )
    with pytest.raises(KnowledgeError, match="2 faults"):
        check_knowledge(parse_knowledge(files), CATALOG)


def _replaced(table, column, values):
    database = make_database()
    rows = database.tables[table]
    place = rows.column_names.index(column)
    tables = {**database.tables, table: rows.set_column(place, column, values)}
    return Database(catalog=database.catalog, tables=tables)


def test_rows_that_would_be_counted_twice():
    ids = make_database().tables["customers"].column("customer_id").to_pylist()
    with pytest.raises(KnowledgeError, match="a join to `customers` fans out"):
        check_data(make_knowledge(), _replaced("customers", "customer_id", pa.array([7, *ids[:-1]])))


def test_cells_that_are_not_what_the_catalog_says():
    rows = make_database().tables["items"].num_rows
    with pytest.raises(KnowledgeError, match="NaN"):
        check_data(make_knowledge(), _replaced("items", "price", pa.array([float("nan")] * rows)))
    with pytest.raises(KnowledgeError, match="holds texts, and the catalog says number"):
        check_data(make_knowledge(), _replaced("items", "price", pa.array(["1"] * rows)))


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("c.state = 'SP'", "c.state = 'RJ'", True),
        ("c.state = 'SP' AND o.n > 3", "c.state IN ('RJ', 'MG')", True),
        ("o.n = 1", "1.0 = o.n", False),
        ("c.state = 'SP'", "c.segment = 'home'", False),
        ("c.state = 'SP'", "c.state <> 'SP'", False),
        ("c.state = 'SP' OR o.n = 1", "c.state = 'RJ'", False),
        ("", "c.state = 'RJ'", False),
    ],
)
def test_scopes_are_apart_only_where_literals_show_it(one, other, apart):
    assert scopes_disjoint(one, other) is apart


def test_links():
    knowledge = make_knowledge()
    assert [metric.id for metric in metric_tree(knowledge, "MV-FUL-001")] == [
        "MV-FUL-001",
        "MV-DEL-002",
        "MV-DEL-001",
    ]
    assert governing_rules(knowledge, "MV-FUL-001") == ("BR-02", "BR-03", "BR-05", "BR-06", "BR-07")

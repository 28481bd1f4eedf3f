"""dbt's semantic manifest: what is read means the same, what would not is refused by name."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from tests.intelligence.dbt_manifest import MANIFEST, SP, TOYS, time_dimension, where
from tests.intelligence.shop import CATALOG, FILES, make_database

from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.compute.run import answer, open_database
from warebench.tracks.intelligence.knowledge.check import check_knowledge
from warebench.tracks.intelligence.knowledge.check_data import check_data
from warebench.tracks.intelligence.knowledge.links import find_metric
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.knowledge.read import read_knowledge
from warebench.tracks.intelligence.readers.detect import detect_format
from warebench.tracks.intelligence.readers.filters import Reference, parse_reference
from warebench.tracks.intelligence.readers.metricflow import parse_metricflow
from warebench.tracks.intelligence.readers.model import Lost, Reading
from warebench.tracks.intelligence.slice import Slice

VALUES: dict[str, str] = {
    "order_count": "SELECT count(*) FROM orders",
    "late_orders": "SELECT count(*) FROM orders WHERE date_diff('day', promised, delivered) > 0",
    "arrived": "SELECT count(delivered) FROM orders",
    "customers_active": "SELECT count(DISTINCT customer_id) FROM orders",
    "goods_value": "SELECT sum(price) FROM items",
    "price_mean": "SELECT avg(price) FROM items",
    "price_top": "SELECT max(price) FROM items",
    "price_low": "SELECT min(price) FROM items",
    "sp_orders": "SELECT count(*) FROM orders JOIN customers USING (customer_id) WHERE state = 'SP' "
    "AND status <> 'canceled'",
    "recent_orders": "SELECT count(*) FROM orders WHERE purchased >= '2018-01-01'",
    "dated_orders": "SELECT count(*) FROM orders WHERE purchased < '2018-01-01'",
    "known_buyers": "SELECT count(customer_id) FROM orders",
    "home_goods": "SELECT sum(price) FROM items JOIN orders USING (order_id) "
    "JOIN customers USING (customer_id) WHERE segment = 'home'",
    "truly_late": "SELECT count(*) FROM orders WHERE date_diff('day', promised, delivered) > 0",
    "goods_per_order": "SELECT (SELECT sum(price) FROM items) / (SELECT count(*) FROM orders)",
    "sp_share": "SELECT count(*) FILTER (state = 'SP') / count(*) FROM orders LEFT JOIN customers "
    "USING (customer_id) WHERE status = 'delivered'",
    "score": "SELECT 100 * count(*) FILTER (date_diff('day', promised, delivered) > 0) / count(*) "
    "FROM orders",
    "price_without_measure": "SELECT avg(price) FROM items",
}
"""Metric to its value by SQL that was written by hand."""

DATABASE = make_database()


def read(change: Callable[[dict[str, Any]], object] = lambda _: None) -> Reading:
    """Return the reading of the manifest after a change."""
    manifest = deepcopy(MANIFEST)
    change(manifest)
    return parse_metricflow(json.dumps(manifest), CATALOG)


def add(**metric: Any) -> Callable[[dict[str, Any]], object]:
    """Return the change that adds a metric `new`."""
    return lambda manifest: manifest["metrics"].append({"name": "new", "type": "simple"} | metric)


def knowledge_of(reading: Reading) -> Knowledge:
    return Knowledge(name="shop", company="A shop.", metrics=reading.metrics, dimensions=reading.dimensions)


def test_everything_but_the_computed_dimension_is_read_and_passes_the_checks() -> None:
    reading = read()
    assert [(item.kind, item.name, item.construct) for item in reading.refusals] == [
        ("dimension", "order__is_late", "computed expression")
    ]
    check_knowledge(knowledge_of(reading), CATALOG)
    check_data(knowledge_of(reading), DATABASE)
    assert {item.id: item.kind for item in reading.dimensions} == {
        "order__status": "categorical",
        "order__bought": "temporal",
        "order__due": "temporal",
        "line__category": "categorical",
        "customer__state": "categorical",
        "customer__kind": "categorical",
    }


@pytest.mark.parametrize("name", VALUES)
def test_a_metric_means_what_sql_by_hand_says(name: str) -> None:
    knowledge = knowledge_of(read())
    with open_database(DATABASE) as opened:
        ((found,),) = answer(knowledge, opened, Slice(metric=name)).rows
        ((wanted,),) = opened.connection.execute(VALUES[name]).fetchall()
    assert found == pytest.approx(float(wanted))


def test_values_by_hand_are_there_for_every_metric() -> None:
    assert list(VALUES) == [metric["name"] for metric in MANIFEST["metrics"]]


def test_words_of_the_owner() -> None:
    metrics = {metric.id: metric for metric in read().metrics}
    assert (metrics["order_count"].name, metrics["order_count"].description) == ("Orders", "All orders.")
    assert (metrics["order_count"].unit, metrics["order_count"].decimals) == ("units", 0)
    goods = metrics["goods_value"]
    assert (goods.name, goods.unit, goods.decimals, goods.synonyms) == ("Goods Value", "BRL", 2, ("sales",))
    assert [metrics[name].tier for name in ("order_count", "sp_orders", "goods_per_order", "score")] == [
        "L1", "L2", "L2", "L3",
    ]  # fmt: skip


def test_times_are_as_the_database_stores_them() -> None:
    reading = read()
    calendars = {item.id: item.calendar for item in reading.dimensions if item.calendar}
    assert calendars == {"order__bought": "timestamp", "order__due": "date"}
    orders = find_metric(knowledge_of(reading), "order_count")
    assert (orders.time, orders.calendar) == ("the_orders.purchased", "timestamp")
    assert find_metric(knowledge_of(reading), "goods_value").time == ""


def test_parents_are_joined_where_the_database_has_no_foreign_keys() -> None:
    bare = CATALOG.__class__(name="shop", tables=CATALOG.tables)
    reading = parse_metricflow(json.dumps(MANIFEST), bare)
    goods = find_metric(knowledge_of(reading), "goods_value")
    assert goods.relation is not None
    assert [(join.table, join.on) for join in goods.relation.joins] == [
        ("orders", (("lines.order_id", "order_id"),)),
        ("customers", (("the_orders.customer_id", "customer_id"),)),
    ]


MEASURE = {"measure": {"name": "goods"}}
ORDERS = {"name": "order_count"}


@pytest.mark.parametrize(
    ("metric", "construct"),
    [
        ({"type": "cumulative", "type_params": MEASURE}, "cumulative"),
        (
            {"type": "cumulative", "type_params": {**MEASURE, "window": {"count": 7, "granularity": "day"}}},
            "cumulative, window",
        ),
        (
            {"type": "cumulative", "type_params": {"cumulative_type_params": {"grain_to_date": "month"}}},
            "cumulative, grain_to_date",
        ),
        ({"type": "conversion", "type_params": {"conversion_type_params": {"entity": "x"}}}, "conversion"),
        (
            {"type": "derived", "type_params": {
                "expr": "order_count - before",
                "metrics": [ORDERS, {**ORDERS, "alias": "before",
                                     "offset_window": {"count": 1, "granularity": "month"}}]}},
            "offset_window",
        ),
        (
            {"type": "derived", "type_params": {
                "expr": "order_count", "metrics": [{**ORDERS, "offset_to_grain": "month"}]}},
            "offset_to_grain",
        ),
        ({"type_params": {"measure": {"name": "middle"}}}, "median"),
        ({"type_params": {"measure": {"name": "high"}}}, "percentile"),
        ({"type_params": {"measure": {"name": "last_stock"}}}, "non_additive_dimension"),
        ({"type_params": {"measure": {"name": "goods", "fill_nulls_with": 0}}}, "fill_nulls_with"),
        ({"type_params": {"measure": {"name": "goods", "join_to_timespine": True}}}, "join_to_timespine"),
        ({"type_params": {**MEASURE, "fill_nulls_with": 0}}, "fill_nulls_with"),
        ({"type": "quantum", "type_params": MEASURE}, "type quantum"),
        ({"type_params": {"measure": {"name": "nothing"}}}, "reference"),
        ({"type_params": {}}, "type_params"),
        (
            {"type_params": MEASURE, "filter": where("{{ Metric('order_count', ['customer']) }} > 3")},
            "Metric() in a filter",
        ),
        (
            {"type_params": {"measure": {"name": "orders"}},
             "filter": where("{{ TimeDimension('order__bought', 'month') }} = '2018-01-01'")},
            "grain month in a filter",
        ),
        (
            {"type_params": {"measure": {"name": "orders"}},
             "filter": where("{{ TimeDimension('order__bought').date_part('dow') }} = 1")},
            ".date_part()",
        ),
        ({"type_params": MEASURE, "filter": where("{{ Dimension('nobody__state') }} = 'SP'")}, "reference"),
        ({"type_params": MEASURE, "filter": where("{{ Dimension('category') }} = 'toys'")}, "reference"),
        ({"type_params": MEASURE, "filter": where("{% if true %} 1 = 1 {% endif %}")}, "Jinja statement"),
        ({"type_params": MEASURE, "filter": where("{{ 7 * 7 }} = 49")}, "Jinja expression"),
        ({"type_params": MEASURE, "filter": where("{{ Dimension(open('x')) }} = 1")}, "Jinja expression"),
        (
            {"type_params": MEASURE, "filter": where("{{ Dimension('line__category') }} ILIKE '%t%'")},
            "unsupported SQL",
        ),
        ({"type_params": {"expr": "a", "metric_aggregation_params": {"semantic_model": "x", "agg": "sum"}}},
         "reference"),
        (
            {"type": "ratio", "type_params": {
                "numerator": {"name": "goods_value", "filter": where(TOYS)},
                "denominator": {"name": "order_count"}}},
            "filter on an input",
        ),
        (
            {"type": "ratio", "type_params": {
                "numerator": {"name": "customers_active",
                              "filter": where(SP)},
                "denominator": {"name": "order_count"}}},
            "filter on an input",
        ),
        (
            {"type": "derived", "type_params": {"expr": "new", "metrics": [{"name": "new"}]}},
            "cycle",
        ),
    ],
)  # fmt: skip
def test_what_would_lose_meaning_is_refused_by_name(metric: dict[str, Any], construct: str) -> None:
    reading = read(add(**metric))
    refused = [item for item in reading.refusals if item.kind == "metric"]
    assert [(item.name, item.construct) for item in refused] == [("new", construct)]
    assert len(reading.metrics) == len(VALUES)


def test_a_metric_made_of_a_refused_one_is_refused_too() -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["metrics"][:0] = [
            {"name": "b", "type": "derived", "type_params": {"expr": "a * 2", "metrics": [{"name": "a"}]}},
            {"name": "a", "type": "cumulative", "type_params": MEASURE},
        ]

    assert [(r.name, r.construct) for r in read(change).refusals if r.kind == "metric"] == [
        ("a", "cumulative"),
        ("b", "made of a"),
    ]


def test_models_that_are_not_in_the_database_lose_their_metrics_only() -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["semantic_models"][1]["node_relation"]["alias"] = "elsewhere"

    reading = read(change)
    lost = {item.name for item in reading.refusals if item.kind == "metric"}
    assert {"goods_value", "goods_per_order", "home_goods"} <= lost
    assert "a view is none" in next(item.reason for item in reading.refusals if item.name == "goods_value")
    assert {"order_count", "sp_share"} <= {metric.id for metric in reading.metrics}


def test_models_with_validity_windows_lead_nowhere() -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["semantic_models"][2]["dimensions"].append(
            time_dimension("valid_from", "segment") | {"type_params": {"validity_params": {"is_start": True}}}
        )

    constructs = {item.name: item.construct for item in read(change).refusals}
    assert constructs["sp_orders"] == "reference"
    assert constructs["customer__valid_from"] == "validity_params"


@pytest.mark.parametrize("text", ["{", "[]", '{"semantic_models": [{"name": 1}]}', '{"metrics": []}'])
def test_torn_manifests_are_user_errors(text: str) -> None:
    with pytest.raises(KnowledgeError, match=r"manifest|JSON"):
        parse_metricflow(text, CATALOG)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Dimension('order__status')", Reference("Dimension", ("order",), "status")),
        ("Dimension('status', entity_path=['order'])", Reference("Dimension", ("order",), "status")),
        ("TimeDimension('order__day', 'week')", Reference("TimeDimension", ("order",), "day", "week")),
        ("TimeDimension('order__day__week')", Reference("TimeDimension", ("order",), "day", "week")),
        (
            "TimeDimension('metric_time').grain('month')",
            Reference("TimeDimension", (), "metric_time", "month"),
        ),
        ("Entity('order__customer')", Reference("Entity", ("order",), "customer")),
    ],
)
def test_references(text: str, wanted: Reference) -> None:
    assert parse_reference(text) == wanted


@pytest.mark.parametrize(
    "text", ["", "x", "f(1)(2)", "Dimension(*a)", "Dimension('a', b=1)", "Dimension('a'"]
)
def test_what_is_no_reference(text: str) -> None:
    with pytest.raises(Lost):
        parse_reference(text)


def write_folder(folder: Path, head: str) -> Path:
    """Write a knowledge base whose metrics are a dbt manifest."""
    (folder / "knowledge.yaml").write_text(head, encoding="utf-8")
    (folder / "semantic_manifest.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
    return folder


def test_a_folder_may_hold_a_manifest(tmp_path: Path) -> None:
    head = "name: shop\ncompany: A shop.\nleave_out: [order__is_late]\ndimensions:\n"
    head += "  - {id: customer__state, table: customers, column: state, kind: spatial, label: home state}\n"
    knowledge = read_knowledge(write_folder(tmp_path, head), CATALOG)
    assert [metric.id for metric in knowledge.metrics] == list(VALUES)
    labels = {item.id: item.label for item in knowledge.dimensions}
    assert labels["customer__state"] == "home state"
    assert labels["customer__kind"] == "kind"
    with pytest.raises(KnowledgeError, match="read for a database"):
        read_knowledge(tmp_path)


def test_what_is_refused_must_be_left_out_by_name(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, "name: shop\ncompany: A shop.\n")
    with pytest.raises(KnowledgeError, match=r"order__is_late: computed expression") as caught:
        read_knowledge(folder, CATALOG)
    assert "leave_out: [order__is_late]" in caught.value.fix


@pytest.mark.parametrize(
    ("leave_out", "said"),
    [
        ("[nobody]", "is not there"),
        ("[order__is_late, order_count]", "is made of"),
        ("5", "no list of names"),
    ],
)
def test_wrong_names_to_leave_out(tmp_path: Path, leave_out: str, said: str) -> None:
    folder = write_folder(tmp_path, f"name: shop\ncompany: A shop.\nleave_out: {leave_out}\n")
    with pytest.raises(KnowledgeError, match=said):
        read_knowledge(folder, CATALOG)


def test_two_files_of_metrics_are_one_too_many(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, "name: shop\ncompany: A shop.\n")
    (folder / "metrics.yaml").write_text(FILES["metrics.yaml"], encoding="utf-8")
    with pytest.raises(KnowledgeError, match=r"metrics\.yaml and in semantic_manifest\.json"):
        read_knowledge(folder, CATALOG)


def test_formats_are_told_apart_by_content() -> None:
    assert detect_format(json.dumps(MANIFEST)) == "metricflow"
    assert detect_format(FILES["metrics.yaml"]) == "warebench"
    assert detect_format('version: "0.1.1"\nsemantic_model:\n  - name: a\n') == "ossie"
    assert detect_format('{"version": "0.2.0.dev0", "datasets": []}') == "ossie"

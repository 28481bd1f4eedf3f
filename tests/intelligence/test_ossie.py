"""Apache Ossie: both shapes of the document, metrics taken apart, and what is refused by name."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.intelligence.shop import CATALOG, make_database

from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.compute.run import answer, open_database
from warebench.tracks.intelligence.knowledge.check import check_knowledge
from warebench.tracks.intelligence.knowledge.model import Knowledge
from warebench.tracks.intelligence.knowledge.read import read_knowledge
from warebench.tracks.intelligence.readers.model import Reading
from warebench.tracks.intelligence.readers.ossie import parse_ossie, read_ossie
from warebench.tracks.intelligence.slice import Slice, Window


def expression(text: str, dialect: str = "ANSI_SQL") -> dict[str, Any]:
    return {"dialects": [{"dialect": dialect, "expression": text}]}


def item(name: str, text: str = "", **more: Any) -> dict[str, Any]:
    return {"name": name, "expression": expression(text or name), **more}


def metric(name: str, text: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "expression": expression(text), **more}


DAYS = "DATEDIFF(day, purchased, delivered)"

MODEL: dict[str, Any] = {
    "name": "shop",
    "datasets": [
        {
            "name": "sold",
            "source": "db.main.orders",
            "primary_key": ["order_id"],
            "fields": [
                item("order_id"),
                item("state_of_order", "status", dimension={}),
                item("bought", "purchased", dimension={"is_time": True}),
                {"name": "days", "expression": expression(DAYS, "SNOWFLAKE")},
                item("label", "status || '!'", dimension={}),
            ],
        },
        {
            "name": "lines",
            "source": {"kind": "table", "object": "items"},
            "fields": [item("price"), item("category", dimension={"is_time": False}), item("order_id")],
        },
        {
            "name": "buyers",
            "source": "customers",
            "fields": [item("state", dimension={}), item("customer_id")],
        },
    ],
    "relationships": [
        {
            "name": "sold_to",
            "from": "sold",
            "to": "buyers",
            "from_columns": ["customer_id"],
            "to_columns": ["customer_id"],
        },
        {
            "name": "line_of",
            "from": "lines",
            "to": "sold",
            "from_columns": ["order_id"],
            "to_columns": ["order_id"],
        },
    ],
    "metrics": [
        metric("orders", "COUNT(sold.order_id)", description="All orders."),
        metric("revenue", "SUM(lines.price)", ai_context={"synonyms": ["sales"]}),
        metric("per_order", "SUM(lines.price) / COUNT(DISTINCT lines.order_id)"),
        metric("toys", "SUM(CASE WHEN category = 'toys' THEN price ELSE 0 END)"),
        metric("toy_share", "100.0 * COUNT(*) FILTER (WHERE lines.category = 'toys') / COUNT(lines.price)"),
        metric("mean_days", "AVG(sold.days)"),
        metric("spread", "STDDEV(lines.price)"),
        metric("range", "MAX(lines.price) - MIN(lines.price)"),
        metric("sp_sales", "SUM(CASE WHEN buyers.state = 'SP' THEN lines.price END)"),
        metric("new_orders", "COUNT(CASE WHEN sold.bought >= '2018-01-01' THEN 1 END)"),
        metric("per_all_orders", "revenue / orders"),
    ],
}

VALUES = {
    "orders": "SELECT count(*) FROM orders",
    "revenue": "SELECT sum(price) FROM items",
    "per_order": "SELECT sum(price) / count(DISTINCT order_id) FROM items",
    "toys": "SELECT sum(price) FROM items WHERE category = 'toys'",
    "toy_share": "SELECT 100.0 * count(*) FILTER (category = 'toys') / count(*) FROM items",
    "mean_days": "SELECT avg(date_diff('day', purchased, delivered)) FROM orders",
    "spread": "SELECT stddev_samp(price) FROM items",
    "range": "SELECT max(price) - min(price) FROM items",
    "sp_sales": "SELECT sum(price) FROM items JOIN orders USING (order_id) "
    "JOIN customers USING (customer_id) WHERE state = 'SP'",
    "new_orders": "SELECT count(*) FROM orders WHERE purchased >= '2018-01-01'",
    "per_all_orders": "SELECT (SELECT sum(price) FROM items) / (SELECT count(*) FROM orders)",
}
"""Metric to its value by SQL that was written by hand."""

DATABASE = make_database()


def document(**change: Any) -> str:
    return json.dumps({"version": "0.1.1", "semantic_model": [MODEL | change]})


def two_models(model: dict[str, Any]) -> str:
    return json.dumps({"version": "0.1.1", "semantic_model": [model, model | {"name": "other"}]})


def read_with(*metrics: dict[str, Any]) -> Reading:
    return parse_ossie(document(metrics=[*MODEL["metrics"], *metrics]), CATALOG)


def knowledge_of(reading: Reading) -> Knowledge:
    return Knowledge(name="shop", company="A shop.", metrics=reading.metrics, dimensions=reading.dimensions)


@pytest.mark.parametrize(
    "text",
    [
        document(),
        json.dumps({"version": "0.2.0.dev0", **MODEL}),
        f"version: 0.2.0.dev0\nsemantic_model:\n- {json.dumps(MODEL)}\n",
    ],
    ids=["0.1 list", "0.2 flat", "0.2 YAML"],
)
def test_every_shape_of_the_document_gives_the_same(text: str) -> None:
    reading = parse_ossie(text, CATALOG)
    assert [made.id for made in reading.metrics] == list(VALUES)
    check_knowledge(knowledge_of(reading), CATALOG)
    assert [(r.kind, r.name, r.construct) for r in reading.refusals] == [
        ("dimension", "sold__label", "computed expression")
    ]
    assert {one.id: one.kind for one in reading.dimensions} == {
        "sold__state_of_order": "categorical",
        "sold__bought": "temporal",
        "lines__category": "categorical",
        "buyers__state": "categorical",
    }


@pytest.mark.parametrize("name", VALUES)
def test_a_metric_means_what_sql_by_hand_says(name: str) -> None:
    with open_database(DATABASE) as opened:
        ((found,),) = answer(knowledge_of(parse_ossie(document(), CATALOG)), opened, Slice(metric=name)).rows
        ((wanted,),) = opened.connection.execute(VALUES[name]).fetchall()
    assert found == pytest.approx(float(wanted))


def test_the_time_is_the_one_time_field_near_the_rows() -> None:
    metrics = {made.id: made for made in parse_ossie(document(), CATALOG).metrics}
    assert (metrics["orders"].time, metrics["orders"].calendar) == ("sold.purchased", "timestamp")
    assert metrics["revenue"].time == "sold.purchased"
    knowledge = knowledge_of(parse_ossie(document(), CATALOG))
    year = Window(first="2018-01-01", last="2018-12-31")
    found = answer(knowledge, DATABASE, Slice(metric="orders", window=year, group=("buyers__state",)))
    assert len(found.rows) == 4


def test_our_own_extension_says_what_the_format_cannot() -> None:
    data = json.dumps({"unit": "BRL", "decimals": 1, "time": "sold.bought"})
    extension = [{"vendor_name": "WAREBENCH", "data": data}]
    made = read_with(metric("new", "SUM(lines.price)", custom_extensions=extension)).metrics[-1]
    assert (made.unit, made.decimals, made.time, made.synonyms) == ("BRL", 1, "sold.purchased", ())
    assert read_with().metrics[1].synonyms == ("sales",)


@pytest.mark.parametrize(
    ("new", "construct"),
    [
        (metric("new", "SUM(SUM(lines.price)) OVER ()"), "window function"),
        (metric("new", "MEDIAN(lines.price)"), "MEDIAN(lines.price)"),
        (metric("new", "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY lines.price)"), "WITHIN GROUP"),
        (metric("new", "SUM(DISTINCT lines.price)"), "SUM(DISTINCT lines.price)"),
        (metric("new", "VAR_POP(lines.price)"), "VARIANCE_POP(lines.price)"),
        (metric("new", "COUNT(DISTINCT lines.price, lines.order_id)"), "COUNT(DISTINCT a, b)"),
        (metric("new", "SUM(lines.price) / COUNT(sold.order_id)"), "aggregates over different datasets"),
        (metric("new", "COUNT(*)"), "aggregates over different datasets"),
        (metric("new", "SUM(lines.price) - SUM(lines.price)"), "offset in time"),
        (metric("new", "(SELECT 1)"), "subquery"),
        (metric("new", "lines.price"), "expression"),
        (metric("new", "SUM(lines.price) / orders"), "expression"),
        (metric("new", "SUM(nowhere.price)"), "reference"),
        (metric("new", "SUM(nothing)"), "reference"),
        (metric("new", "SUM(lines.nothing)"), "column"),
        (metric("new", "SUM(LN(lines.price))"), "unsupported SQL"),
        (metric("new", "SUM("), "unsupported SQL"),
        (metric("new", "new + 1"), "cycle"),
        (metric("new", "SUM(lines.price)", grain="month"), "grain"),
        ({"name": "new", "expression": expression("[Measures].[X]", "MDX")}, "dialect MDX"),
        ({"name": "new", "expression": "SUM(lines.price)"}, "expression"),
        (
            metric(
                "new",
                "SUM(lines.price)",
                custom_extensions=[{"vendor_name": "DBT", "data": '{"offset_window": "1 month"}'}],
            ),
            "offset_window",
        ),
        (metric("new", "SUM(lines.price)", custom_extensions=[{"vendor_name": "X"}]), "custom_extensions"),
    ],
)
def test_what_would_lose_meaning_is_refused_by_name(new: dict[str, Any], construct: str) -> None:
    reading = read_with(new)
    refused = [(r.name, r.construct) for r in reading.refusals if r.kind == "metric"]
    assert refused == [("new", construct)]
    assert len(reading.metrics) == len(VALUES)


def test_query_sources_are_refused_and_their_metrics_with_them() -> None:
    change = [MODEL["datasets"][0], {**MODEL["datasets"][1], "source": "SELECT * FROM items"}]
    reading = parse_ossie(document(datasets=change, relationships=[]), CATALOG)
    assert reading.refusals[1].construct == "query source"
    assert {"revenue", "toys", "per_all_orders"} <= {r.name for r in reading.refusals}
    assert {"orders", "mean_days"} <= {made.id for made in reading.metrics}


def test_other_dialects_are_read_where_there_is_no_ansi() -> None:
    new = {"name": "new", "expression": expression("COUNT_IF(lines.price > 100)", "SNOWFLAKE")}
    assert [r.name for r in read_with(new).refusals if r.kind == "metric"] == ["new"]
    plain = {"name": "new", "expression": expression("SUM(IFF(lines.price > 100, 1, 0))", "SNOWFLAKE")}
    made = read_with(plain).metrics[-1]
    assert made.measures["m1"].value == "CASE WHEN (lines.price) > 100 THEN 1 ELSE 0 END"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ("- a", "no Ossie document"),
        ("version: 9.1.0\nsemantic_model: []", "not known"),
        ("version: 0.1.1\nsemantic_model: 5", "no list of models"),
        ("version: 0.1.1\nname: x\ndatasets: []\nwindows: []", "unknown key `windows`"),
        ("version: 0.1.1\nname: x\ndatasets: [5]", "no list of named entries"),
        (two_models(MODEL), "two entries are called metric `.+`: in model .+ and in model other"),
        (document(metrics=[*MODEL["metrics"], MODEL["metrics"][0]]), "two entries are called metric"),
        (document(datasets=[*MODEL["datasets"], MODEL["datasets"][0]]), "two entries are called dataset of"),
        (document(relationships=[MODEL["relationships"][0] | {"to_columns": ["nothing"]}]), "do not fit"),
    ],
)
def test_torn_documents_are_user_errors(text: str, said: str) -> None:
    with pytest.raises(KnowledgeError, match=said):
        parse_ossie(text, CATALOG)


def test_a_folder_may_hold_an_ossie_file(tmp_path: Path) -> None:
    (tmp_path / "shop.ossie.yaml").write_text(document(), encoding="utf-8")
    (tmp_path / "knowledge.yaml").write_text("name: shop\ncompany: A shop.\nleave_out: [sold__label]\n")
    knowledge = read_knowledge(tmp_path, CATALOG)
    assert [made.id for made in knowledge.metrics] == list(VALUES)
    assert read_ossie(tmp_path / "shop.ossie.yaml", CATALOG).metrics == knowledge.metrics


def test_a_missing_file_is_a_user_error(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match="cannot be read"):
        read_ossie(tmp_path / "x.yaml", CATALOG)

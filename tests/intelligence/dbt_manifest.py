"""A semantic manifest of dbt about the shop."""

from typing import Any


def time_dimension(name: str, expr: str) -> dict[str, Any]:
    return {"name": name, "type": "time", "expr": expr, "type_params": {"time_granularity": "day"}}


def measure_of(name: str, agg: str, expr: str | None, **more: Any) -> dict[str, Any]:
    return {"name": name, "agg": agg, "expr": expr, "agg_params": None, **more}


def where(*texts: str) -> dict[str, Any]:
    return {"where_filters": [{"where_sql_template": text} for text in texts]}


def simple(name: str, measure: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": "simple", "type_params": {"measure": {"name": measure}}, **more}


LATE = "date_diff('day', promised, delivered) > 0"
SP = "{{ Dimension('customer__state') }} = 'SP'"
TOYS = "{{ Dimension('line__category') }} = 'toys'"
SINCE = "{{ TimeDimension('order__bought', 'day') }} >= '2018-01-01'"
UNTIL = "{{ TimeDimension('metric_time') }} < '2018-01-01'"
HOME = "{{ Dimension('order__customer__kind') }} = 'home'"

MANIFEST: dict[str, Any] = {
    "semantic_models": [
        {
            "name": "the_orders",
            "node_relation": {"alias": "orders", "schema_name": "main", "database": None},
            "defaults": {"agg_time_dimension": "bought"},
            "entities": [
                {"name": "order", "type": "primary", "expr": "order_id"},
                {"name": "customer", "type": "foreign", "expr": "customer_id"},
            ],
            "dimensions": [
                {"name": "status", "type": "categorical", "expr": None, "label": "order status"},
                time_dimension("bought", "date_trunc('day', purchased)"),
                time_dimension("due", "promised"),
                {"name": "is_late", "type": "categorical", "expr": LATE},
            ],
            "measures": [
                measure_of("orders", "sum", "1"),
                measure_of("late", "sum_boolean", "date_diff('day', promised, delivered) > 0"),
                measure_of("delivered_orders", "count", "delivered"),
                measure_of("buyers", "count_distinct", "customer_id"),
            ],
        },
        {
            "name": "lines",
            "node_relation": {"alias": "ITEMS", "schema_name": "main", "database": None},
            "entities": [{"name": "order", "type": "foreign", "expr": "order_id"}],
            "dimensions": [{"name": "category", "type": "categorical", "expr": None}],
            "measures": [
                measure_of("goods", "sum", "price"),
                measure_of("mean_price", "average", "price"),
                measure_of("dearest", "max", "price"),
                measure_of("cheapest", "min", "price"),
                measure_of("middle", "median", "price"),
                measure_of("high", "percentile", "price", agg_params={"percentile": 0.9}),
                measure_of("last_stock", "sum", "price", non_additive_dimension={"name": "bought"}),
            ],
            "primary_entity": "line",
        },
        {
            "name": "people",
            "node_relation": {"alias": "customers", "schema_name": "main", "database": None},
            "entities": [{"name": "customer", "type": "primary", "expr": "customer_id"}],
            "dimensions": [
                {"name": "state", "type": "categorical", "expr": None},
                {"name": "kind", "type": "categorical", "expr": "segment"},
            ],
            "measures": [],
        },
    ],
    "metrics": [
        simple("order_count", "orders", label="Orders", description="All orders."),
        simple("late_orders", "late"),
        simple("arrived", "delivered_orders"),
        simple("customers_active", "buyers"),
        simple("goods_value", "goods", config={"meta": {"unit": "BRL", "synonyms": ["sales"]}}),
        simple("price_mean", "mean_price"),
        simple("price_top", "dearest"),
        simple("price_low", "cheapest"),
        simple(
            "sp_orders",
            "orders",
            filter=where(SP, "{{ Dimension('order__status') }} <> 'canceled'"),
        ),
        simple("recent_orders", "orders", filter=where(SINCE)),
        simple("dated_orders", "orders", filter=where(UNTIL)),
        simple("known_buyers", "orders", filter=where("{{ Entity('customer') }} IS NOT NULL")),
        simple("home_goods", "goods", filter=where(HOME)),
        simple("truly_late", "orders", filter="{{ Dimension('order__is_late') }}"),
        {
            "name": "goods_per_order", "type": "ratio",
            "type_params": {"numerator": {"name": "goods_value"}, "denominator": {"name": "order_count"}},
        },
        {
            "name": "sp_share", "type": "ratio",
            "type_params": {
                "numerator": {"name": "order_count", "filter": where(SP)},
                "denominator": {"name": "order_count"},
            },
            "filter": where("{{ Dimension('order__status') }} = 'delivered'"),
        },
        {
            "name": "score", "type": "derived",
            "type_params": {
                "expr": "100 * late / NULLIF(order_count, 0)",
                "metrics": [{"name": "late_orders", "alias": "late"}, {"name": "order_count"}],
            },
        },
        {
            "name": "price_without_measure", "type": "simple",
            "type_params": {
                "expr": "price",
                "metric_aggregation_params": {"semantic_model": "lines", "agg": "average"},
            },
        },
    ],
    "project_configuration": {},
    "saved_queries": [],
}  # fmt: skip

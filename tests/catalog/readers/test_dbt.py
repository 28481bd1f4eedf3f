import json
from pathlib import Path

import pytest

from warebench.catalog.model import ForeignKey, LineageEdge
from warebench.catalog.read import read_catalog
from warebench.errors import SourceError

DATA = Path("../shared/data/dbt")
VERSION = "https://schemas.getdbt.com/dbt/manifest/v12.json"


def model(name, *upstream, kind="model", **more):
    return {
        "unique_id": f"{kind}.shop.{name}",
        "resource_type": kind,
        "name": name,
        "database": "dev",
        "schema": "main",
        "alias": name,
        "depends_on": {"nodes": list(upstream)},
        "config": {"enabled": True, "materialized": "table"},
    } | more


def relationships(child, column, to, field, *, upstream=None, attached=True, kwargs=None, **config):
    parent = f"model.shop.{to}"
    child_id = f"model.shop.{child}"
    return {
        "unique_id": f"test.shop.{child}.{column}.{to}.{len(config)}",
        "resource_type": "test",
        "name": f"relationships_{child}",
        "schema": "main",
        "attached_node": child_id if attached else None,
        "depends_on": {"nodes": upstream or [parent, child_id]},
        "column_name": column,
        "config": {"enabled": True, "severity": "ERROR", **config},
        "test_metadata": {
            "name": "relationships",
            "kwargs": {
                "to": f"ref('{to}')",
                "field": field,
                "column_name": column,
                "model": f"{{{{ get_where_subquery(ref('{child}')) }}}}",
            }
            if kwargs is None
            else kwargs,
        },
    }


def write(folder, *nodes, version=VERSION, beside=None):
    target = folder / "target"
    target.mkdir()
    split = {"nodes": {}, "sources": {}}
    for node in nodes:
        split["sources" if node["resource_type"] == "source" else "nodes"][node["unique_id"]] = node
    manifest = {"metadata": {"dbt_schema_version": version, "project_name": "shop"}, **split}
    (target / "manifest.json").write_text(json.dumps(manifest))
    if beside:
        (target / "catalog.json").write_text(json.dumps({"nodes": beside, "sources": {}}))
    return folder


def keys(catalog):
    return [
        (key.child, key.child_columns, key.parent, key.parent_columns, key.evidence)
        for key in catalog.foreign_keys
    ]


def edges(catalog):
    return [(edge.downstream, edge.upstream) for edge in catalog.lineage]


ORDERS, CUSTOMERS = model("orders"), model("customers")
KEY = ("orders", ("customer_id",), "customers", ("id",))

TESTED = {
    "a plain test": (relationships("orders", "customer_id", "customers", "id"), "tested"),
    "parent and child in the other order": (
        relationships(
            "orders",
            "customer_id",
            "customers",
            "id",
            upstream=["model.shop.orders", "model.shop.customers"],
        ),
        "tested",
    ),
    "no attached node": (
        relationships("orders", "customer_id", "customers", "id", attached=False),
        "tested",
    ),
    "some rows only": (
        relationships("orders", "customer_id", "customers", "id", where="status = 'paid'"),
        "documented",
    ),
    "only a warning": (
        relationships("orders", "customer_id", "customers", "id", severity="warn"),
        "documented",
    ),
}


@pytest.mark.parametrize(("test", "evidence"), TESTED.values(), ids=TESTED)
def test_a_relationships_test_is_a_key(tmp_path, test, evidence):
    catalog = read_catalog(write(tmp_path, ORDERS, CUSTOMERS, test))
    assert keys(catalog) == [(*KEY, evidence)]
    assert catalog.left_out == ()


def test_a_key_to_itself(tmp_path):
    test = relationships("staff", "boss_id", "staff", "id", upstream=["model.shop.staff"])
    catalog = read_catalog(write(tmp_path, model("staff"), test))
    assert keys(catalog) == [("staff", ("boss_id",), "staff", ("id",), "tested")]


def test_a_disabled_test_is_no_key(tmp_path):
    test = relationships("orders", "customer_id", "customers", "id", enabled=False)
    assert keys(read_catalog(write(tmp_path, ORDERS, CUSTOMERS, test))) == []


LOST = {
    "arguments stripped": relationships(
        "orders", "customer_id", "customers", "id", kwargs={"column_name": "customer_id"}
    ),
    "parent not in the project": relationships("orders", "customer_id", "people", "id"),
    "parent is ephemeral": relationships("orders", "customer_id", "eph", "id"),
}


@pytest.mark.parametrize("test", LOST.values(), ids=LOST)
def test_what_cannot_be_a_key_is_left_out_and_touches_its_child(tmp_path, test):
    eph = model("eph", config={"enabled": True, "materialized": "ephemeral"})
    catalog = read_catalog(write(tmp_path, ORDERS, CUSTOMERS, eph, test))
    assert catalog.table_names == ("orders", "customers")
    assert keys(catalog) == []
    assert [(item.where, item.touches) for item in catalog.left_out] == [("orders", ("orders",))]


def test_an_ephemeral_model_is_bridged(tmp_path):
    eph = {"enabled": True, "materialized": "ephemeral"}
    nodes = [
        model("raw"),
        model("one", "model.shop.raw", config=eph),
        model("two", "model.shop.one", config=eph),
        model("mart", "model.shop.two"),
    ]
    catalog = read_catalog(write(tmp_path, *nodes))
    assert edges(catalog) == [("mart", "raw")]


def test_a_source_and_the_seed_that_fills_it_are_one_table(tmp_path):
    seed = model("raw_orders", kind="seed")
    source = model("orders", kind="source", identifier="RAW_ORDERS", source_name="raw")
    mart = model("mart", "source.shop.orders")
    catalog = read_catalog(write(tmp_path, seed, source, mart))
    assert catalog.table_names == ("raw_orders", "mart")
    assert edges(catalog) == [("mart", "raw_orders")]


def test_alias_and_schema_name_a_table(tmp_path):
    nodes = [
        model("dim.v2", alias="dim_v2"),
        model("dim_v2", schema="other", alias="dim_v2"),
        model("gone", config={"enabled": False}),
    ]
    assert read_catalog(write(tmp_path, *nodes)).table_names == ("main.dim_v2", "other.dim_v2")


def test_columns_come_from_both_files(tmp_path):
    said = {
        "ID": {"name": "id", "description": "Who ordered."},
        "note": {"name": "note", "data_type": "text"},
    }
    shown = {
        "model.shop.orders": {
            "columns": {
                "B": {"name": "B", "type": "int", "index": 2},
                "ID": {"name": "ID", "type": "bigint", "index": 1},
            }
        }
    }
    (table,) = read_catalog(write(tmp_path, model("orders", columns=said), beside=shown)).tables
    assert [(c.name, c.type, c.description) for c in table.columns] == [
        ("ID", "bigint", "Who ordered."),
        ("B", "int", ""),
        ("note", "text", ""),
    ]


CONSTRAINTS = {
    "to and to_columns": {"to": "ref('customers')", "to_columns": ["id"]},
    "to, compiled": {"to": '"dev"."main"."customers"', "to_columns": ["id"]},
    "an expression": {"expression": "main.customers (id)"},
    "an expression with a word": {"expression": "REFERENCES customers(id)"},
}


@pytest.mark.parametrize("constraint", CONSTRAINTS.values(), ids=CONSTRAINTS)
@pytest.mark.parametrize("enforced", [True, False])
@pytest.mark.parametrize("at_column", [True, False])
def test_a_constraint_is_a_key(tmp_path, constraint, enforced, at_column):
    said = {"type": "foreign_key", **constraint}
    if at_column:
        more = {"columns": {"customer_id": {"name": "customer_id", "constraints": [said]}}}
    else:
        more = {"constraints": [said | {"columns": ["customer_id"]}]}
    orders = model("orders", contract={"enforced": enforced}, **more)
    catalog = read_catalog(write(tmp_path, orders, CUSTOMERS))
    assert keys(catalog) == [(*KEY, "declared" if enforced else "documented")]


def test_a_primary_key_is_a_constraint_or_what_dbt_found(tmp_path):
    nodes = [
        model("a", primary_key=["id"]),
        model("b", constraints=[{"type": "primary_key", "columns": ["x", "y"]}], primary_key=["z"]),
    ]
    assert [table.primary_key for table in read_catalog(write(tmp_path, *nodes)).tables] == [
        ("id",),
        ("x", "y"),
    ]


@pytest.mark.parametrize("form", ["{0}", "dbt:{0}", "dbt:{0}/target", "{0}/target/manifest.json"])
def test_a_project_may_be_named_in_four_ways(tmp_path, form):
    write(tmp_path, ORDERS, model("mart", "model.shop.orders"))
    catalog = read_catalog(form.format(tmp_path))
    assert (catalog.name, catalog.lineage) == ("shop", (LineageEdge(downstream="mart", upstream="orders"),))


@pytest.mark.parametrize("version", ["v3", "v13", "v99"])
def test_another_version_is_refused_by_its_number(tmp_path, version):
    folder = write(tmp_path, ORDERS, version=VERSION.replace("v12", version))
    with pytest.raises(SourceError, match=f"version {version} "):
        read_catalog(folder)


DAMAGED = {
    "no nodes": {"sources": {}},
    "a list of nodes": {"nodes": [], "sources": {}},
    "a node without a schema": {"nodes": {"m": {"unique_id": "m", "name": "m"}}, "sources": {}},
    "no tables": {"nodes": {}, "sources": {}},
}


@pytest.mark.parametrize("parts", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_manifest_is_refused(tmp_path, parts):
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps({"metadata": {"dbt_schema_version": VERSION}, **parts}))
    with pytest.raises(SourceError, match="dbt manifest"):
        read_catalog(path)


def test_a_folder_without_a_manifest_says_what_to_run(tmp_path):
    with pytest.raises(SourceError, match=r"no manifest\.json"):
        read_catalog(f"dbt:{tmp_path}")


def test_the_same_key_tested_twice_is_one(tmp_path):
    tests = [
        relationships("orders", "customer_id", "customers", "id"),
        relationships("orders", "customer_id", "customers", "id", severity="warn"),
    ]
    catalog = read_catalog(write(tmp_path, ORDERS, CUSTOMERS, *tests))
    assert catalog.foreign_keys == (
        ForeignKey(
            child="orders",
            parent="customers",
            child_columns=("customer_id",),
            parent_columns=("id",),
            evidence="tested",
        ),
    )


COUNTED = {
    "fivetran_quickbooks/manifest.json": (177, 3022, 0, 246),
    "jaffle_shop/v4/jaffle_shop/manifest.json": (8, 14, 0, 5),
    "jaffle_shop/v5/jaffle_shop/manifest.json": (30, 125, 1, 22),
    "jaffle_shop/v6/jaffle_shop/manifest.json": (8, 21, 1, 8),
    "jaffle_shop/v7/jaffle_shop/manifest.json": (8, 21, 1, 8),
    "jaffle_shop/v8/jaffle_shop/manifest.json": (8, 21, 1, 8),
    "jaffle_shop/v8/jaffle_shop_at_1_4_3/manifest.json": (10, 23, 2, 8),
    "jaffle_shop/v9/jaffle_shop_at_1.5rc1/manifest.json": (37, 183, 1, 31),
    "jaffle_shop/v10/jaffle_shop/manifest.json": (9, 36, 1, 8),
    "jaffle_shop/v11/jaffle_shop/manifest.json": (38, 191, 1, 33),
    "jaffle_shop/v12/jaffle_shop/manifest_1.8.json": (39, 191, 1, 39),
    "jaffle_shop/v12/jaffle_shop/manifest_1.9.json": (39, 191, 1, 39),
    "jaffle_shop/v12/jaffle_shop/manifest_1.10.json": (19, 25, 3, 17),
    "jaffle_shop/v12/jaffle_shop/manifest_1.11.json": (20, 25, 3, 17),
    "jaffle_shop/v12/jaffle_shop/manifest_1.12.json": (19, 48, 3, 17),
}
"""Tables, columns, keys and lineage edges, as another program counted them."""


@pytest.mark.skipif(not DATA.is_dir(), reason="the manifests of real projects are not here")
@pytest.mark.parametrize(("file", "counts"), COUNTED.items(), ids=list(COUNTED))
def test_real_projects(file, counts):
    found = read_catalog(DATA / file)
    columns = sum(len(table.columns) for table in found.tables)
    assert (len(found.tables), columns, len(found.foreign_keys), len(found.lineage)) == counts

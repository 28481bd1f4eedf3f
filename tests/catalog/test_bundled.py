import json
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest

from warebench.catalog.bundled import BUNDLED, load_bundled
from warebench.catalog.model import Catalog
from warebench.catalog.validate import validate
from warebench.errors import CatalogError

ROOT = Path(__file__).resolve().parents[2]
REAL = BUNDLED[:-1]

# DW-Bench, Table 1: tables, foreign key columns, lineage edges; silos as the graph has them, where
# the paper says 2 of TPC-DI.
COUNTS = {
    "adventureworks": (102, 136, 39, 11),
    "tpc_ds": (24, 70, 0, 1),
    "tpc_di": (35, 29, 21, 5),
    "omop_cdm": (37, 74, 21, 3),
}


def silos(catalog: Catalog) -> list[set[str]]:
    graph = nx.Graph()
    graph.add_nodes_from(catalog.table_names)
    graph.add_edges_from((key.child, key.parent) for key in catalog.foreign_keys)
    graph.add_edges_from((edge.downstream, edge.upstream) for edge in catalog.lineage)
    return list(nx.connected_components(graph))


@pytest.mark.parametrize("name", REAL)
def test_counts(name):
    catalog = load_bundled(name)
    counts = len(catalog.tables), catalog.foreign_key_columns, len(catalog.lineage), len(silos(catalog))
    assert counts == COUNTS[name]
    assert catalog.name == name


@pytest.mark.parametrize("name", BUNDLED)
def test_catalog_is_valid_and_has_columns(name):
    catalog = validate(load_bundled(name))
    assert all(table.columns for table in catalog.tables)
    assert all(key.child_columns and key.parent_columns for key in catalog.foreign_keys)


@pytest.mark.parametrize("name", REAL)
def test_edges_are_those_of_the_facts(name, shared_data):
    facts = json.loads((shared_data / "dwbench_facts" / f"{name}.json").read_text())
    catalog = load_bundled(name)
    assert list(catalog.table_names) == facts["tables"]
    assert [(key.child, key.parent) for key in catalog.foreign_keys] == [
        (key["child"], key["parent"]) for key in facts["fk"]
    ]
    assert [(edge.downstream, edge.upstream) for edge in catalog.lineage] == [
        (edge["downstream"], edge["upstream"]) for edge in facts["lineage"]
    ]


@pytest.mark.parametrize(
    ("name", "official"), [("tpc_ds", "tpcds_official_ri"), ("omop_cdm", "omop_official_5.4")]
)
def test_declared_keys_are_official_constraints(name, official, shared_data):
    facts = json.loads((shared_data / "dwbench_facts" / f"{official}.json").read_text())
    known = {
        (key["constraint"], key["child"], key["parent"], *key["child_columns"], *key["parent_columns"])
        for key in facts["fk"]
    }
    for key in load_bundled(name).foreign_keys:
        found = (key.name, key.child, key.parent, *key.child_columns, *key.parent_columns) in known
        assert found == (key.evidence == "declared")


def test_only_the_key_without_a_constraint_is_documented():
    documented = [
        key for name in REAL for key in load_bundled(name).foreign_keys if key.evidence != "declared"
    ]
    assert [(key.child, key.parent, key.child_columns, key.evidence) for key in documented] == [
        ("note_nlp", "note", ("note_id",), "documented")
    ]


def test_lineage_runs_from_source_to_warehouse():
    edges = load_bundled("adventureworks").lineage
    assert {edge.upstream.partition(".")[0] for edge in edges} == {"OLTP"}
    assert {edge.downstream.partition(".")[0] for edge in edges} == {"DW"}


def test_adventureworks_layout():
    catalog = load_bundled("adventureworks")
    tables = {table.name: table for table in catalog.tables}
    assert catalog.databases == ("DW", "OLTP")
    detail = tables["OLTP.Sales.SalesOrderDetail"]
    assert detail.primary_key == ("SalesOrderID", "SalesOrderDetailID")
    spelled = {column.name: (column.type, column.nullable) for column in detail.columns}
    assert spelled["CarrierTrackingNumber"] == ("nvarchar(25)", True)
    assert spelled["OrderQty"] == ("smallint", False)
    assert spelled["LineTotal"][0] == "", "a computed column has no written type"
    assert sum(key.child == key.parent for key in catalog.foreign_keys) == 4
    assert sorted(len(key.child_columns) for key in catalog.foreign_keys)[-2:] == [2, 2]


def test_tpc_di_source_files_have_columns_and_no_key():
    files = [table for table in load_bundled("tpc_di").tables if table.name.startswith("SRC.")]
    assert len(files) == 18
    assert all(file.columns and not file.primary_key for file in files)
    by_name = {file.name: [column.name for column in file.columns] for file in files}
    assert by_name["SRC.TradeHistory"] == ["TH_T_ID", "TH_DTS", "TH_ST_ID"]


def test_rebuilding_changes_nothing(shared_data):
    script = ROOT / "scripts" / "build_bundled_catalogs.py"
    where = ["--facts", str(shared_data / "dwbench_facts"), "--ddl", str(shared_data / "ddl")]
    done = subprocess.run(
        [sys.executable, str(script), "--check", *where], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("unchanged") == len(REAL)


def test_check_tells_a_stale_file(shared_data, tmp_path):
    script = ROOT / "scripts" / "build_bundled_catalogs.py"
    where = ["--facts", str(shared_data / "dwbench_facts"), "--ddl", str(shared_data / "ddl")]
    done = subprocess.run(
        [sys.executable, str(script), "--check", "--out", str(tmp_path), *where],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "preset", "fix"),
    [
        ("adventure_works", "default", "Did you mean `adventureworks`?"),
        ("syn_logistics", "relesed", "Did you mean `released`?"),
        ("tpc_ds", "relesed", "Did you mean `released`?"),
    ],
)
def test_unknown_name_or_preset(name, preset, fix):
    with pytest.raises(CatalogError) as caught:
        load_bundled(name, preset=preset)
    assert caught.value.fix == fix

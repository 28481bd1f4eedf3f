import json
from pathlib import Path

import pytest

from warebench.catalog.read import read_catalog
from warebench.errors import SourceError

DATA = Path("../shared/data/openlineage")


def data(name, *, namespace="db", **facets):
    return {"namespace": namespace, "name": name, "facets": facets}


def event(inputs=(), outputs=(), *, kind="COMPLETE", run="r1", job="load", **more):
    made = {
        "eventType": kind,
        "eventTime": "2026-01-01T00:00:00Z",
        "run": {"runId": run},
        "job": {"namespace": "jobs", "name": job},
        "inputs": [data(item) if isinstance(item, str) else item for item in inputs],
        "outputs": [data(item) if isinstance(item, str) else item for item in outputs],
        "producer": "test",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json",
    }
    return made | more


def read(folder, *events, form="lines"):
    path = folder / "events.json"
    if form == "lines":
        path.write_text("\n".join(json.dumps(item) for item in events))
    else:
        path.write_text(json.dumps(list(events)))
    return read_catalog(f"openlineage:{path}")


def edges(catalog):
    return [(edge.downstream, edge.upstream, edge.evidence) for edge in catalog.lineage]


def columns_from(*names):
    inputs = [{"namespace": "db", "name": name, "field": "x"} for name in names]
    return {"fields": {"y": {"inputFields": inputs}}}


@pytest.mark.parametrize("form", ["lines", "list"])
def test_a_run_is_what_all_its_events_say(tmp_path, form):
    events = [
        event(["a"], [], kind="START"),
        event([], ["b"], kind="RUNNING"),
        event([], [], kind="COMPLETE"),
        event(["c"], ["d"], run="r2"),
    ]
    catalog = read(tmp_path, *events, form=form)
    assert catalog.table_names == ("a", "b", "c", "d")
    assert edges(catalog) == [("b", "a", "documented"), ("d", "c", "documented")]
    assert catalog.left_out == ()


@pytest.mark.parametrize("kind", ["START", "FAIL", "ABORT", "RUNNING", "OTHER"])
def test_a_run_that_did_not_complete_is_left_out_and_touches_its_tables(tmp_path, kind):
    catalog = read(tmp_path, event(["a"], ["b"], kind=kind), event(["c"], ["d"], run="r2"))
    assert edges(catalog) == [("d", "c", "documented")]
    assert [item.touches for item in catalog.left_out] == [("b", "a")]


def test_a_job_without_a_run_is_its_design(tmp_path):
    designed = event(["a"], ["b"])
    del designed["run"], designed["eventType"]
    assert edges(read(tmp_path, designed)) == [("b", "a", "documented")]


def test_several_outputs_are_told_apart_by_their_columns(tmp_path):
    told = data("b", columnLineage=columns_from("a"))
    catalog = read(tmp_path, event(["a", "c"], [told, "d"]))
    assert edges(catalog) == [("b", "a", "documented"), ("d", "a", "inferred"), ("d", "c", "inferred")]


def test_a_column_names_a_table_that_no_run_reads(tmp_path):
    catalog = read(tmp_path, event([], [data("b", columnLineage=columns_from("far"))]))
    assert edges(catalog) == [("b", "far", "documented")]


def test_two_names_of_one_dataset_are_one_table(tmp_path):
    link = {"identifiers": [{"namespace": "metastore", "name": "shop.orders", "type": "TABLE"}]}
    catalog = read(
        tmp_path,
        event(["raw"], [data("/lake/orders", namespace="s3://x", symlinks=link)]),
        event([data("shop.orders", namespace="metastore")], ["mart"], run="r2"),
    )
    assert set(catalog.table_names) == {"raw", "shop.orders", "mart"}
    assert edges(catalog) == [
        ("mart", "shop.orders", "documented"),
        ("shop.orders", "raw", "documented"),
    ]


def test_a_renamed_dataset_keeps_its_lineage(tmp_path):
    change = {"lifecycleStateChange": "RENAME", "previousIdentifier": {"namespace": "db", "name": "old"}}
    catalog = read(
        tmp_path, event(["a"], ["old"]), event([], [data("new", lifecycleStateChange=change)], run="r2")
    )
    assert edges(catalog) == [("new", "a", "documented")]


def test_a_dropped_dataset_is_gone(tmp_path):
    change = {"lifecycleStateChange": "DROP"}
    catalog = read(
        tmp_path, event(["a"], ["b"]), event([], [data("b", lifecycleStateChange=change)], run="r2")
    )
    assert catalog.table_names == ("a",)


def test_equal_names_in_two_places_are_two_tables(tmp_path):
    catalog = read(tmp_path, event([data("t", namespace="one")], [data("t", namespace="two")]))
    assert edges(catalog) == [("two/t", "one/t", "documented")]


def test_columns_come_from_the_schema_facet(tmp_path):
    fields = {"fields": [{"name": "id", "type": "INT", "description": "Key."}, {"name": "x"}]}
    (table,) = read(tmp_path, event([data("a", schema=fields)])).tables
    assert [(c.name, c.type, c.description) for c in table.columns] == [("id", "INT", "Key."), ("x", "", "")]


BROKEN = {
    "no run id": {**event(["a"], ["b"]), "run": {}},
    "no job": {key: value for key, value in event(["a"], ["b"]).items() if key != "job"},
    "a dataset without a name": event([{"namespace": "db"}], ["b"]),
    "a number for a name": event([{"namespace": "db", "name": 3}], ["b"]),
    "inputs are a text": {**event([], ["b"]), "inputs": "a"},
    "no object": [1],
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_an_event_that_cannot_be_read_touches_every_table(tmp_path, broken):
    catalog = read(tmp_path, event(["c"], ["d"], run="r2"), broken)
    assert ("d", "c", "documented") in edges(catalog)
    (left,) = catalog.left_out
    assert set(left.touches) == set(catalog.table_names)
    assert "event 2" in left.where


def test_a_torn_file_in_a_folder_does_not_stop_the_rest(tmp_path):
    (tmp_path / "good.json").write_text(json.dumps(event(["a"], ["b"])))
    (tmp_path / "torn.json").write_text('{"eventType": "COMP')
    catalog = read_catalog(f"openlineage:{tmp_path}")
    assert edges(catalog) == [("b", "a", "documented")]
    assert [item.where for item in catalog.left_out] == ["torn.json"]


def test_a_file_beyond_the_bound_is_left_out_and_said(tmp_path, monkeypatch):
    monkeypatch.setenv("WAREBENCH_MAX_UNPACKED", "0.000002")  # gigabytes
    (tmp_path / "good.json").write_text(json.dumps(event(["a"], ["b"])))
    (tmp_path / "large.json").write_text(json.dumps(event(["c"], ["d"])) + " " * 3000)
    catalog = read_catalog(f"openlineage:{tmp_path}")
    assert catalog.table_names == ("a", "b")
    assert [item.where for item in catalog.left_out] == ["large.json"]


@pytest.mark.parametrize("text", ["", "{}", "[]", "{", '{"eventTime": 1, "schemaURL": 2}'])
def test_without_a_dataset_nothing_is_read(tmp_path, text):
    path = tmp_path / "events.json"
    path.write_text(text)
    with pytest.raises(SourceError, match="no OpenLineage event"):
        read_catalog(f"openlineage:{path}")


@pytest.mark.skipif(not DATA.is_dir(), reason="the published events are not here")
def test_published_events():
    marquez = read_catalog(f"openlineage:{DATA / 'marquez'}")
    assert (len(marquez.tables), len(marquez.lineage), len(marquez.left_out)) == MARQUEZ
    fluentd = read_catalog(f"openlineage:{DATA / 'fluentd_events'}")
    assert (len(fluentd.tables), len(fluentd.lineage), len(fluentd.left_out)) == FLUENTD


MARQUEZ = (14, 14, 0)
FLUENTD = (4, 2, 1)
"""Tables, edges and what is left out, as another program counted them."""

import os
import socket
import sqlite3
from contextlib import closing

import duckdb
import pytest

from warebench.catalog import read_catalog, write_catalog
from warebench.catalog.read import READERS, detect_reader
from warebench.errors import SourceError

MANIFEST = """{
"metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json"},
"nodes": {"model.p.a": {"unique_id": "model.p.a", "resource_type": "model", "name": "a", "schema": "main"}},
"sources": {}
}"""


EVENT = """{"eventType": "COMPLETE", "eventTime": "2026-01-01T00:00:00Z", "run": {"runId": "r"},
"job": {"namespace": "n", "name": "j"}, "inputs": [{"namespace": "n", "name": "a"}], "outputs": [],
"producer": "p", "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json"}"""


@pytest.fixture
def sources(tmp_path, shop):
    with closing(sqlite3.connect(tmp_path / "lite.txt")) as database:
        database.execute("CREATE TABLE a (i)")
    with duckdb.connect(str(tmp_path / "duck.db")) as database:
        database.execute("CREATE TABLE a (i INTEGER)")
    (tmp_path / "script.DDL").write_text("CREATE TABLE a (i int);")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.sql").write_text("CREATE TABLE a (i int);")
    write_catalog(shop, tmp_path / "catalog.sql")
    (tmp_path / "events.json").write_text(EVENT)
    (tmp_path / "project" / "target").mkdir(parents=True)
    (tmp_path / "project" / "target" / "manifest.json").write_text(MANIFEST)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "reader"),
    [
        ("lite.txt", "sqlite"),
        ("duck.db", "duckdb"),
        ("script.DDL", "ddl"),
        ("folder", "ddl"),
        ("catalog.sql", "json"),
        ("project", "dbt"),
        ("events.json", "openlineage"),
    ],
)
def test_content_decides(sources, file, reader):
    assert detect_reader(sources / file) == reader
    catalog = read_catalog(str(sources / file), name="named")
    assert catalog.name == "named"
    assert catalog == read_catalog(sources / file, reader=reader, name="named")


def test_another_manifest_beside_scripts_makes_no_dbt_project(sources):
    (sources / "folder" / "manifest.json").write_text('{"name": "a web page"}')
    assert read_catalog(sources / "folder").table_names == ("a",)


def test_every_reader_is_tried_here():
    assert sorted(READERS) == ["dbt", "ddl", "duckdb", "json", "openlineage", "sqlite"]


def test_dialect_reaches_the_ddl_reader(tmp_path):
    source = tmp_path / "a.sql"
    source.write_text("CREATE TABLE a (i int); # CREATE TABLE b (i int);")
    assert read_catalog(source, dialect="mysql").table_names == ("a",)
    assert read_catalog(source, dialect="postgres").table_names == ("a", "b")


@pytest.mark.parametrize(
    ("file", "options", "message"),
    [
        ("lite.tx", {}, "no such file or folder[\\s\\S]*Did you mean `lite.txt`"),
        ("nowhere/at/all", {}, "check the path"),
        ("postgres://nobody@127.0.0.1:1/db", {}, "the database refuses"),
        ("postgres://nobody@127.0.0.1:1/db", {"reader": "ddl"}, "takes no reader"),
        ("a" * 300, {}, "no such file"),
        ("x" * 5000, {}, "no such file"),
        ("lite.txt", {"reader": "sqlit"}, "unknown reader 'sqlit'[\\s\\S]*Did you mean `sqlite`"),
        ("folder", {"reader": "sqlite"}, "the sqlite reader takes a file"),
        ("lite.txt", {"dialect": "tsql"}, "a dialect is for SQL scripts"),
        ("lite.txt", {"reader": "duckdb"}, "DuckDB cannot open this file"),
        ("duck.db", {"reader": "sqlite"}, "not a SQLite file"),
        ("duck.db", {"reader": "ddl"}, "this script is not UTF-8|binary"),
        ("script.DDL", {"reader": "json"}, "not whole JSON"),
        ("script.DDL", {"dialect": "tsq"}, "Did you mean `tsql`"),
    ],
)
def test_refuses(sources, file, options, message):
    source = file if "://" in file else str(sources / file)
    with pytest.raises(SourceError, match=message):
        read_catalog(source, **options)


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "empty"), (b"a,b\n1,2\n", "no reader knows"), (bytes(64), "no reader knows")],
)
def test_refuses_unknown_content(tmp_path, content, message):
    (tmp_path / "data.csv").write_bytes(content)
    with pytest.raises(SourceError, match=message):
        read_catalog(tmp_path / "data.csv")


@pytest.fixture
def oddities(tmp_path):
    """Write what is no file and no folder; each of them was once opened, and some were read for ever."""
    os.mkfifo(tmp_path / "pipe.sql")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "gone").symlink_to("nowhere")
    (tmp_path / "zero.db").symlink_to("/dev/zero")
    (tmp_path / "empty.db").touch()
    (tmp_path / "empty.sql").touch()
    with socket.socket(socket.AF_UNIX) as listener:
        home = os.getcwd()
        os.chdir(tmp_path)  # the path of a socket may be 108 bytes long
        listener.bind("sock")
        os.chdir(home)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pipe.sql", "this is a pipe, a socket or a device"),
        ("zero.db", "this is a pipe, a socket or a device"),
        ("sock", "this is a pipe, a socket or a device"),
        ("loop", "this link leads nowhere"),
        ("gone", "this link leads nowhere"),
        ("empty.db", "this file is empty"),
        ("empty.sql", "this script is empty"),
    ],
)
@pytest.mark.parametrize("reader", [None, "ddl"])
def test_what_is_no_file_is_not_opened(oddities, name, message, reader):
    if reader and name == "empty.db":
        message = "this script is empty"
    with pytest.raises(SourceError, match=message) as caught:
        read_catalog(oddities / name, reader=reader)
    assert caught.value.fix


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_what_may_not_be_read(tmp_path, monkeypatch, kind):
    source = tmp_path / "a.sql"
    source.mkdir() if kind == "folder" else source.write_text("CREATE TABLE a (i int);")
    # Root may read everything, so the answer of the system is played.
    monkeypatch.setattr("warebench.catalog.read.os.access", lambda path, rights: False)
    with pytest.raises(SourceError, match=f"cannot read the {kind}: Permission denied"):
        read_catalog(source)

"""Collections: what is read, what is said to be wrong, and that no file changes."""

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import duckdb
import pyarrow as pa
import pytest
from tests.engine.conftest import FILLED, OWNERS, hash_files, make_sqlite

from warebench.catalog.model import Catalog, Column, Table
from warebench.engine.collection import (
    Collection,
    SqliteFile,
    collect,
    is_collection,
    merge,
    read_collection,
)
from warebench.engine.database import Database
from warebench.engine.run import Failure, QueryLimits, Rows, run_sqlite
from warebench.errors import SourceError


def names(collection: Collection) -> list[str]:
    return [database.catalog.name for database in collection.databases]


def troubles(collection: Collection) -> set[tuple[str, str]]:
    return {(trouble.where, trouble.kind) for trouble in collection.troubles}


SPIDER_TROUBLES = {
    ("hollow", "no rows"),
    ("bare", "no tables"),
    ("typo", "broken key"),
    ("orphan", "broken key"),
    ("open", "unfinished"),
    ("nil", "empty"),
    ("torn", "corrupt"),
    ("garbled", "corrupt"),
    ("dir", "unreadable"),
    ("folder_only", "missing file"),
    ("absent", "missing file"),
    ("wrong", "missing file"),
    ("wrong", "invalid"),
    ("tables.json [4]", "malformed"),
}
DEV_TROUBLES = {
    ("dev-2", "no rows"),
    ("dev-3", "no rows"),
    ("dev-4", "unknown database"),
    ("dev-5", "no sql"),
    ("dev-6", "no sql"),
    ("dev-7", "no question"),
    ("dev-8", "malformed"),
    ("dev-9", "malformed"),
}


def test_spider_with_every_trouble(spider: Path) -> None:
    before = hash_files(spider)
    found = read_collection(f"spider:{spider}")
    assert hash_files(spider) == before
    assert (found.name, found.dialect) == ("spider", "sqlite")
    assert names(found) == ["hollow", "orphan", "pets", "typo"]
    assert [schema.name for schema in found.schemas] == ["absent", "torn"]
    assert [catalog.name for catalog in found.catalogs] == [
        "absent",
        "hollow",
        "orphan",
        "pets",
        "torn",
        "typo",
    ]
    assert [example.id for example in found.examples] == ["dev-0", "dev-1", "dev-10"]
    assert troubles(found) == SPIDER_TROUBLES | DEV_TROUBLES
    assert all(trouble.reason for trouble in found.troubles)


def test_what_an_example_says_of_its_comparison(spider: Path) -> None:
    asked = {"db_id": "pets", "question": "How many?", "query": "SELECT count(*) FROM owner"}
    said = [{"nulls": "blank", "any": [1]}, {}, None, "strict", [1]]
    entries = [asked, *({**asked, "comparison": comparison} for comparison in said)]
    (spider / "dev.json").write_text(json.dumps(entries))
    found = read_collection(f"spider:{spider}")
    # What the parts mean, the track says.
    assert [example.comparison for example in found.examples] == [{}, {"nulls": "blank", "any": [1]}, {}, {}]
    assert troubles(found) == SPIDER_TROUBLES | {("dev-4", "malformed"), ("dev-5", "malformed")}


def test_the_train_split_of_spider(spider: Path) -> None:
    found = read_collection(f"spider:{spider}?split=train")
    assert [example.id for example in found.examples] == [
        "train_others-0",
        "train_spider-0",
        "train_spider-1",
    ]
    assert troubles(found) == SPIDER_TROUBLES
    for path in spider.glob("train*"):
        path.unlink()
    with pytest.raises(SourceError, match=r"lacks questions \(train"):
        read_collection(f"spider:{spider}?split=train")


def test_spider_as_kaggledbqa_calls_it(spider: Path) -> None:
    whole = read_collection(f"spider:{spider}")
    (spider / "tables.json").rename(spider / "KaggleDBQA_tables.json")
    (spider / "database").rename(spider / "databases")
    (spider / "examples").mkdir()
    (spider / "dev.json").rename(spider / "examples" / "pets_test.json")
    (spider / "examples" / "pets.json").write_text("not looked at")
    renamed = read_collection(f"spider:{spider}")
    assert [item.sql for item in renamed.examples] == [item.sql for item in whole.examples]
    assert [item.catalog for item in renamed.databases] == [item.catalog for item in whole.databases]


def test_bird_as_mini_dev_calls_it(bird: Callable[[bool], Path]) -> None:
    folder = bird(True)
    whole = read_collection(f"bird:{folder}")
    (folder / "dev.json").rename(folder / "mini_dev_sqlite.json")
    renamed = read_collection(f"bird:{folder}")
    assert [item.sql for item in renamed.examples] == [item.sql for item in whole.examples]
    assert whole.examples


def test_keys_of_spider_come_from_the_file_and_from_its_list(spider: Path) -> None:
    catalogs = {catalog.name: catalog for catalog in read_collection(f"spider:{spider}").catalogs}
    (key,) = catalogs["pets"].foreign_keys
    # The file's own spelling; it declares no key.
    assert (key.child, key.child_columns, key.parent, key.parent_columns) == (
        "pet",
        ("owner",),
        "owner",
        ("id",),
    )
    assert key.evidence == "documented"
    assert catalogs["absent"].foreign_keys[0].child == "Pet"
    assert [table.primary_key for table in catalogs["absent"].tables] == [("id",), ("owner", "number")]
    assert [column.type for column in catalogs["absent"].tables[0].columns] == ["number", "text"]
    (key,) = catalogs["typo"].foreign_keys
    assert (key.child_columns, key.evidence) == (("a",), "declared")
    assert len(catalogs["orphan"].foreign_keys) == 1


def test_a_declared_key_is_not_said_twice(spider: Path) -> None:
    path = spider / "database" / "pets" / "pets.sqlite"
    path.unlink()
    make_sqlite(path, OWNERS[0], OWNERS[1].replace("owner INTEGER", "owner INTEGER REFERENCES owner"))
    found = read_collection(f"spider:{spider}")
    pets = next(catalog for catalog in found.catalogs if catalog.name == "pets")
    assert [key.evidence for key in pets.foreign_keys] == ["declared"]


def test_bird_pools_both_splits_and_describes_columns(bird: Callable[[bool], Path]) -> None:
    folder = bird(True)
    found = read_collection(f"bird:{folder}")
    assert names(found) == ["pets", "zoo"]
    assert [(example.id, example.evidence) for example in found.examples] == [
        ("dev-40", "Ann is an owner"),
        ("dev-41", "Ann is an owner"),
    ]
    assert troubles(found) == {("dev-40", "duplicate")}
    owner, pet = found.databases[0].catalog.tables
    assert [column.description for column in owner.columns] == ["number of the owner; from 1 on", ""]
    assert [column.description for column in pet.columns] == ["", "\u201cwhich\u201d pet"]
    train = read_collection(f"bird:{folder}?split=train")
    assert names(train) == ["pets", "zoo"]
    assert {example.database for example in train.examples} == {"zoo"}


def test_descriptions_that_cannot_be_read_cost_nothing_else(bird: Callable[[bool], Path]) -> None:
    folder = bird(True)
    home = folder / "dev_databases" / "pets" / "database_description"
    (home / "long.csv").write_text("original_column_name\n" + "x" * 200_000)
    (home / "dir.csv").mkdir()
    (home / "empty.csv").write_bytes(b"")
    (home / "odd.csv").write_bytes(b"\x00\xff\n,,,,,\n")
    found = read_collection(f"bird:{folder}")
    assert {("pets/long.csv", "malformed"), ("pets/dir.csv", "malformed")} <= troubles(found)
    assert names(found) == ["pets", "zoo"]
    assert found.databases[0].catalog.tables[0].columns[0].description


def test_bird_without_databases_is_a_schema(bird: Callable[[bool], Path]) -> None:
    found = read_collection(f"bird:{bird(False)}")
    assert not found.databases
    assert not found.examples
    assert [catalog.name for catalog in found.schemas] == ["pets", "zoo"]
    assert found.schemas[0].tables[0].columns[0].description
    assert Counter(trouble.kind for trouble in found.troubles) == {"missing file": 2, "no rows": 3}


def test_rows_of_a_file_are_read_when_asked_for(spider: Path) -> None:
    found = {item.catalog.name: item for item in read_collection(f"spider:{spider}").databases}
    pets, typo = found["pets"], found["typo"]
    assert isinstance(pets, SqliteFile)
    assert isinstance(typo, SqliteFile)
    database = pets.read()
    assert database.tables["owner"].to_pylist() == [{"id": 1, "name": "Ann"}]
    assert database.catalog.foreign_keys == pets.catalog.foreign_keys
    assert typo.read().rows == 1
    assert len(pets.fingerprint) == 64
    assert pets.fingerprint != typo.fingerprint


def test_a_pipe_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "database" / "pipe").mkdir(parents=True)
    os.mkfifo(tmp_path / "database" / "pipe" / "pipe.sqlite")
    make_sqlite(tmp_path / "database" / "one" / "one.sqlite", *FILLED)
    for name in ("tables.json", "dev.json"):
        (tmp_path / name).write_text("[]")
    found = read_collection(f"spider:{tmp_path}")
    assert names(found) == ["one"]
    assert troubles(found) == {("pipe", "missing file")}


def test_a_folder_of_sqlite_files(tmp_path: Path) -> None:
    make_sqlite(tmp_path / "one.sqlite", *FILLED)
    make_sqlite(tmp_path / "two" / "two.db", *FILLED)
    make_sqlite(tmp_path / "the" / "ONE.sqlite3", *FILLED)
    make_sqlite(tmp_path / ".hidden.sqlite", *FILLED)
    (tmp_path / "text.db").write_text("hello")
    (tmp_path / "notes.txt").write_text("hello")
    found = read_collection(str(tmp_path))
    assert found.name == tmp_path.name
    assert found.dialect == "sqlite"
    assert names(found) == ["one", "two"]
    assert troubles(found) == {("the/ONE.sqlite3", "same name"), ("text", "corrupt")}


def test_one_duckdb_file_makes_all_of_them_rows(tmp_path: Path) -> None:
    make_sqlite(tmp_path / "lite.db", *FILLED)
    with duckdb.connect(str(tmp_path / "duck.db")) as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS a")
    found = read_collection(str(tmp_path))
    assert found.dialect == "duckdb"
    assert names(found) == ["duck", "lite"]
    assert all(isinstance(database, Database) for database in found.databases)


def test_one_file_a_folder_of_csv_and_an_address(tmp_path: Path) -> None:
    path = make_sqlite(tmp_path / "one.sqlite", *FILLED)
    assert isinstance(read_collection(str(path)).databases[0], SqliteFile)
    assert isinstance(read_collection(f"sqlite:///{path}").databases[0], SqliteFile)
    (tmp_path / "csv").mkdir()
    (tmp_path / "csv" / "t.csv").write_text("a\n1\n")
    assert read_collection(str(tmp_path / "csv")).dialect == "duckdb"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("spider:nowhere", "no such folder"),
        ("bird:", "no such folder"),
        ("spider:{}", "it lacks tables .* and questions"),
        ("bird:{}", "it lacks tables .* and questions"),
        ("spider:{}?split=test", "unknown part"),
        ("spider:{}?part=dev", "unknown part"),
        ("{}/empty.sqlite", "no database can be read: empty"),
        ("{}/nowhere", "no such file or folder"),
        ("{}/" + "a" * 300, "no such file or folder"),
        ("{}", "this folder holds no database"),
    ],
)
def test_sources_that_are_none(tmp_path: Path, source: str, said: str) -> None:
    if "empty" in source:
        (tmp_path / "empty.sqlite").write_bytes(b"")
    with pytest.raises(SourceError, match=said):
        read_collection(source.replace("{}", str(tmp_path)))


@pytest.mark.parametrize("content", ["", "{", "{}", "7", "[" * 100_000])
@pytest.mark.parametrize("name", ["tables.json", "dev.json"])
def test_a_list_that_is_none(spider: Path, name: str, content: str) -> None:
    (spider / name).write_text(content)
    with pytest.raises(SourceError, match=r"not whole JSON|not a list"):
        read_collection(f"spider:{spider}")


def test_what_is_a_collection(spider: Path, tmp_path: Path, bird: Callable[[bool], Path]) -> None:
    (tmp_path / "csv").mkdir()
    assert is_collection("spider:anything")
    assert is_collection("bird:anything")
    assert not is_collection(str(tmp_path / "csv"))
    assert not is_collection("adventureworks")
    assert not is_collection("postgresql://host/database")
    path = make_sqlite(tmp_path / "files" / "a.sqlite", *FILLED)
    assert is_collection(str(path.parent))
    assert not is_collection(str(path))


def small(name: str) -> Database:
    catalog = Catalog(name=name, tables=(Table(name="t", columns=(Column(name="a"),)),))
    return Database(catalog=catalog, tables={"t": pa.table({"a": [1]})})


def test_collect_and_merge(spider: Path, bird: Callable[[bool], Path], tmp_path: Path) -> None:
    made = collect("mine", [small("b"), small("a")])
    assert (made.name, made.dialect, names(made)) == ("mine", "duckdb", ["a", "b"])
    with pytest.raises(SourceError, match="two databases are called `a`"):
        collect("mine", [small("a"), small("a")])
    whole = read_collection(f"spider:{spider}")
    with pytest.raises(SourceError, match="two databases are called `pets`"):
        merge("pool", [whole, read_collection(f"bird:{bird(True)}")])
    with pytest.raises(SourceError, match="examples of `spider` are sqlite SQL"):
        merge("pool", [whole, made])
    other = read_collection(str(make_sqlite(tmp_path / "other.sqlite", *FILLED)))
    both = merge("pool", [other, whole])
    assert both.dialect == "sqlite"
    assert set(names(both)) == {"other", *names(whole)}
    assert both.schemas == whole.schemas
    assert [example.id for example in both.examples] == ["spider-dev-0", "spider-dev-1", "spider-dev-10"]
    assert both.troubles == whole.troubles
    assert merge("pool", [other, made]).dialect == "duckdb"


@pytest.mark.parametrize("name", ["temp", "Main", "system", "memory"])
def test_a_name_that_no_query_can_say(name: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=f"cannot name a database `{name}`"):
        collect("mine", [small(name)])
    path = make_sqlite(tmp_path / f"{name}.sqlite", *FILLED)
    if name == "temp":
        with pytest.raises(SourceError, match="cannot name a database"):
            read_collection(str(path))
    else:
        sql = f"SELECT count(*) FROM {name}.owner"  # noqa: S608 - of this test
        assert isinstance(run_sqlite({name: path}, sql), Rows)
        assert names(read_collection(str(path))) == [name]


def test_a_key_check_of_a_large_file_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_sqlite(
        tmp_path / "large.sqlite",
        "CREATE TABLE a (id INTEGER PRIMARY KEY)",
        "CREATE TABLE b (a INTEGER REFERENCES a (id))",
        "INSERT INTO a VALUES (1)",
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT 1 FROM r LIMIT 999) INSERT INTO b SELECT n FROM r",
        "INSERT INTO b VALUES (2)",
    )
    assert [trouble.kind for trouble in read_collection(str(path)).troubles] == ["broken key"]
    monkeypatch.setattr("warebench.engine.collections.file.CHECK_STEPS", 500)
    assert read_collection(str(path)).troubles == ()


def test_real_spider(shared_data: Path) -> None:
    folder = shared_data / "spider"
    before = hash_files(folder / "database")
    start = monotonic()
    found = read_collection(f"spider:{folder}")
    assert monotonic() - start < 10
    assert (len(found.databases), len(found.schemas), len(found.examples)) == (163, 3, 972)
    of_databases = [trouble for trouble in found.troubles if not trouble.where.startswith("dev-")]
    kinds = Counter(trouble.kind for trouble in of_databases)
    assert kinds == {"no rows": 7, "broken key": 13, "missing file": 3}
    of_examples = {trouble.where: trouble.kind for trouble in found.troubles if trouble not in of_databases}
    assert len(of_examples) == 62
    assert set(of_examples.values()) == {"no rows"}
    asked = {example.database for example in found.examples}
    files = {
        item.catalog.name: item.path
        for item in found.databases
        if isinstance(item, SqliteFile) and item.catalog.name in asked
    }
    limits = QueryLimits(rows=10_000, result_bytes=2**26)
    failed = [
        (example.id, outcome)
        for example in found.examples
        if isinstance(
            outcome := run_sqlite({example.database: files[example.database]}, example.sql, limits), Failure
        )
    ]
    assert failed == []
    assert hash_files(folder / "database") == before


def test_real_bird(shared_data: Path) -> None:
    found = read_collection(f"bird:{shared_data / 'bird'}")
    assert (len(found.schemas), sum(len(catalog.tables) for catalog in found.schemas)) == (11, 75)
    kinds = Counter(trouble.kind for trouble in found.troubles)
    assert kinds == {"missing file": 11, "no rows": 1534}
    assert len(json.loads((shared_data / "bird" / "dev.json").read_text())) == kinds["no rows"]


def test_a_file_of_another_process_stays_free(tmp_path: Path) -> None:
    path = make_sqlite(tmp_path / "one.sqlite", *FILLED)
    connection = sqlite3.connect(path)
    connection.execute("BEGIN EXCLUSIVE")
    assert read_collection(str(path)).troubles == ()
    connection.close()

"""Collections as tests see them: small ones in the layouts of Spider and BIRD, and the real ones."""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.engine.servers import mariadb, postgres, warehouse  # noqa: F401 - fixtures

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"

Hashes = Mapping[Path, str]


def make_sqlite(path: Path, *statements: str) -> Path:
    """Write a SQLite file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()
    return path


def hash_files(folder: Path) -> dict[Path, str]:
    """Return the hash of every file of a folder, so that a change or a file beside them shows."""
    return {
        path: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data, which is no part of the project."""
    if not DATA.is_dir():
        pytest.skip("the real data at ../shared/data is absent")
    return DATA


def schema(name: str, **changes: Any) -> dict[str, Any]:
    """Return an entry of `tables.json`: owners, pets with a key to them, and a composite primary key."""
    return {
        "db_id": name,
        "table_names_original": ["Owner", "Pet"],
        "column_names_original": [[-1, "*"], [0, "id"], [0, "name"], [1, "owner"], [1, "number"]],
        "column_types": ["text", "number", "text", "number", "number"],
        "primary_keys": [1, [3, 4]],
        "foreign_keys": [[3, 1]],
        **changes,
    }


OWNERS = (
    "CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT)",
    "CREATE TABLE pet (owner INTEGER, number INTEGER, PRIMARY KEY (owner, number))",
)
FILLED = (*OWNERS, "INSERT INTO owner VALUES (1, 'Ann')", "INSERT INTO pet VALUES (1, 1)")


@pytest.fixture
def spider(tmp_path: Path) -> Path:
    """Write a collection in the layout of Spider, with a trouble of every kind."""
    folder = tmp_path / "spider"
    home = folder / "database"
    make_sqlite(home / "pets" / "pets.sqlite", *FILLED)
    make_sqlite(home / "hollow" / "hollow.sqlite", *OWNERS)
    make_sqlite(home / "bare" / "bare.sqlite", "CREATE VIEW v AS SELECT 1")
    make_sqlite(
        home / "typo" / "typo.sqlite",
        "CREATE TABLE a (id INTEGER PRIMARY KEY)",
        "CREATE TABLE b (a INT REFERENCES a (id), c INT REFERENCES a (nix), d INT REFERENCES gone (x))",
        "INSERT INTO a VALUES (1)",
    )
    make_sqlite(
        home / "orphan" / "orphan.sqlite",
        "CREATE TABLE a (id INTEGER PRIMARY KEY)",
        "CREATE TABLE b (a INTEGER REFERENCES a (id))",
        "INSERT INTO b VALUES (7)",
    )
    make_sqlite(home / "open" / "open.sqlite", *FILLED)
    (home / "open" / "open.sqlite-wal").write_bytes(b"changes")
    (home / "nil").mkdir()
    (home / "nil" / "nil.sqlite").write_bytes(b"")
    whole = (home / "pets" / "pets.sqlite").read_bytes()
    (home / "torn").mkdir()
    (home / "torn" / "torn.sqlite").write_bytes(whole[:5000])
    (home / "dir" / "dir.sqlite").mkdir(parents=True)
    (home / "garbled").mkdir()
    (home / "garbled" / "garbled.sqlite").write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    (home / "folder_only").mkdir()
    (home / ".hidden").mkdir()
    _write_lists(folder)
    return folder


def _write_lists(folder: Path) -> None:
    tables = [schema("pets"), schema("hollow"), schema("torn"), schema("absent"), {"db_id": 3}]
    tables.append(schema("wrong", foreign_keys=[[3, 99]], primary_keys=[99]))
    (folder / "tables.json").write_text(json.dumps(tables))
    asked = {"question": "How many?", "query": "SELECT count(*) FROM owner"}
    dev = [
        {**asked, "db_id": "pets"},
        {**asked, "db_id": "hollow"},
        {**asked, "db_id": "absent"},
        {**asked, "db_id": "torn"},
        {**asked, "db_id": "nowhere"},
        {**asked, "db_id": "pets", "query": " "},
        {"db_id": "pets", "question": "No SQL at all?"},
        {**asked, "db_id": "pets", "question": None},
        "not an object",
        {**asked, "db_id": 7},
        {**asked, "db_id": "pets", "query": "SELEC nonsense"},
    ]
    (folder / "dev.json").write_text(json.dumps(dev))
    (folder / "train_spider.json").write_text(json.dumps(dev[:2]))
    (folder / "train_others.MIN.json").write_text(json.dumps(dev[:1]))


@pytest.fixture
def bird(tmp_path: Path) -> Callable[[bool], Path]:
    """Write a collection in the layout of BIRD, with its databases or without."""

    def write(with_databases: bool) -> Path:
        folder = tmp_path / "bird"
        for split, name in (("dev", "pets"), ("train", "zoo")):
            folder.mkdir(exist_ok=True)
            (folder / f"{split}_tables.json").write_text(json.dumps([schema(name)]))
            asked = {"db_id": name, "question": "Who?", "evidence": "Ann is an owner", "SQL": "SELECT 1"}
            entries = [
                {**asked, "question_id": 40},
                {**asked, "question_id": 41},
                {**asked, "question_id": 40},
            ]
            (folder / f"{split}.json").write_text(json.dumps(entries))
            home = folder / f"{split}_databases" / name
            if with_databases:
                make_sqlite(home / f"{name}.sqlite", *FILLED)
            if with_databases or split == "dev":
                (home / "database_description").mkdir(parents=True)
        words = folder / "dev_databases" / "pets" / "database_description" / "Owner.csv"
        words.write_bytes(
            "\ufefforiginal_column_name,column_name,column_description,data_format,value_description\n"
            'ID ,,number of  the owner,integer,"from 1\non"\nname,,,text,\n'.encode()
        )
        words.with_name("pet.csv").write_bytes(
            b"original_column_name,column_description\nnumber,\x93which\x94 pet\n"
        )
        return folder

    return write

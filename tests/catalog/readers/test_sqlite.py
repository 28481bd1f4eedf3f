import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from warebench.catalog import read_catalog
from warebench.catalog.readers import sqlite
from warebench.catalog.render import to_ddl, to_text
from warebench.errors import SourceError, UserError


def made(path: Path, script: str) -> Path:
    with closing(sqlite3.connect(path)) as database:
        database.executescript(script)
    return path


def test_reads_types_nulls_and_keys(tmp_path):
    source = made(
        tmp_path / "shop.sqlite",
        """
        CREATE TABLE team (id INTEGER PRIMARY KEY AUTOINCREMENT, "home town" TEXT NOT NULL, plain);
        CREATE TABLE game (day DATE, no INT, host INT REFERENCES TEAM, guest INT REFERENCES team (ID),
            before_day DATE, before_no INT, twice INT GENERATED ALWAYS AS (no * 2),
            PRIMARY KEY (no, day), FOREIGN KEY (before_no, before_day) REFERENCES game);
        CREATE VIEW seen AS SELECT 1;
        CREATE VIRTUAL TABLE words USING fts5 (title, body);
        """,
    )
    catalog = sqlite.read(source)
    assert (catalog.name, catalog.source) == ("shop", "SQLite file shop.sqlite")
    assert to_text(catalog) == (
        "# Tables\n"
        'team(id INTEGER NOT NULL, "home town" TEXT NOT NULL, plain) primary key (id)\n'
        "game(day DATE NOT NULL, no INT NOT NULL, host INT, guest INT, before_day DATE, before_no INT,"
        " twice INT) primary key (no, day)\n"
        "words(title, body)\n"
        "# Foreign keys\n"
        "game(host) references team(id)\n"
        "game(guest) references team(id)\n"
        "game(before_no, before_day) references game(no, day)\n"
        "# Lineage\n"
        "(none)\n"
    )


def test_a_key_declared_twice_is_one_key(tmp_path):
    source = made(
        tmp_path / "a.sqlite",
        "CREATE TABLE a (i INT PRIMARY KEY, j INT REFERENCES a (i), FOREIGN KEY (j) REFERENCES a (i));",
    )
    assert len(sqlite.read(source).foreign_keys) == 1


def test_refuses_missing_empty_torn_and_foreign_files(tmp_path):
    whole = made(tmp_path / "whole.sqlite", "CREATE TABLE a (i); INSERT INTO a VALUES (zeroblob(9999));")
    contents = {
        "zero": b"",
        "short": whole.read_bytes()[:50],
        "torn": whole.read_bytes()[:-4096],
        "text": b"CREATE TABLE a (i);",
        "encrypted": bytes(range(256)) * 16,
        "corrupt": whole.read_bytes()[:100] + b"\xff" * (len(whole.read_bytes()) - 100),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    made(tmp_path / "none", "PRAGMA user_version = 1;")
    for name in (*contents, "none", "missing", "."):
        with pytest.raises(SourceError) as caught:
            sqlite.read(tmp_path / name)
        assert caught.value.where == str(tmp_path / name), name


def test_leaves_the_file_and_its_folder_alone(tmp_path):
    source = made(tmp_path / "odd name?#%.sqlite", "PRAGMA journal_mode = WAL; CREATE TABLE a (i);")
    before = source.read_bytes()
    assert sqlite.read(source).table_names == ("a",)
    assert source.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [source.name]


def test_reads_what_still_stands_in_the_write_ahead_log(tmp_path):
    source = tmp_path / "live.sqlite"
    with closing(sqlite3.connect(source)) as writer:
        writer.executescript("PRAGMA journal_mode = WAL; CREATE TABLE a (i); CREATE TABLE b (i);")
        assert sqlite.read(source).table_names == ("a", "b")


def test_ddl_of_a_catalog_makes_the_same_catalog(tmp_path, shared_data):
    catalog = read_catalog(shared_data / "sqlite" / "sakila.sqlite")
    again = sqlite.read(made(tmp_path / "sakila.sqlite", to_ddl(catalog)))
    assert again.tables == catalog.tables
    assert again.foreign_keys == catalog.foreign_keys


@pytest.mark.parametrize(
    ("file", "tables", "keys"), [("chinook", 11, 11), ("olist_3000_orders", 9, 6), ("sakila", 16, 22)]
)
def test_real_databases(shared_data, file, tables, keys):
    catalog = read_catalog(shared_data / "sqlite" / f"{file}.sqlite")
    assert (len(catalog.tables), len(catalog.foreign_keys)) == (tables, keys)


def test_every_spider_database_is_read_and_says_which_keys_name_nothing(shared_data):
    sources = sorted((shared_data / "spider" / "database").glob("*/*.sqlite"))
    assert len(sources) == 163
    broken = {
        source.stem: catalog.left_out for source in sources if (catalog := read_catalog(source)).left_out
    }
    assert {name: [item.where for item in items] for name, items in broken.items()} == {
        "imdb": ["tags"],
        "restaurants": ["LOCATION"],
    }


def structure(catalog):
    """Return tables and keys in lower case: Spider's scripts and databases differ in case."""
    return (
        sorted(
            (table.name.lower(), tuple(column.name.lower() for column in table.columns))
            for table in catalog.tables
        ),
        sorted(
            tuple(
                str(part).lower() for part in (key.child, key.parent, key.child_columns, key.parent_columns)
            )
            for key in catalog.foreign_keys
        ),
    )


def test_spider_scripts_say_what_the_databases_say(shared_data):
    """Two readers that share no parser must find one structure."""
    compared = 0
    for script in sorted((shared_data / "spider" / "database").glob("*/*.sql")):
        if script.stat().st_size > 200_000:  # mostly data
            continue
        databases = sorted(script.parent.glob("*.sqlite"))
        try:
            written = read_catalog(script)
        except UserError:
            assert script.parent.name == "wta_1"
            continue
        for database in databases:
            assert structure(written) == structure(read_catalog(database)), script
            compared += 1
    assert compared == 150

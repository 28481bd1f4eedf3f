"""`warebench build` from collections: what each track takes of one, and what is refused."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import click
import duckdb
import msgspec
import pytest

from warebench.catalog.model import Catalog
from warebench.cli.command import SETTINGS
from warebench.cli.sources import find_source
from warebench.config import Settings, read_settings
from warebench.engine.collection import Collection, SqliteFile
from warebench.engine.database import Database
from warebench.errors import SourceError
from warebench.questions.store import read_questions
from warebench.questions.track import Track
from warebench.tracks import find_track

SCHEMA = {
    "table_names_original": ["customers", "orders"],
    "column_names_original": [
        [-1, "*"],
        [0, "id"],
        [0, "city"],
        [1, "id"],
        [1, "customer_id"],
        [1, "amount"],
    ],
    "foreign_keys": [[4, 1]],
}


def write_shop(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        database.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, sum REAL)")
        towns = ("Oslo", "Rome", "Bonn", "Cork", "Lyon")
        database.executemany("INSERT INTO customers VALUES (?, ?)", [(n, towns[n % 5]) for n in range(200)])
        orders = [(n, n * 7 % 200, round(n * 37 % 991 * 1.13, 2)) for n in range(2000)]
        database.executemany("INSERT INTO orders VALUES (?, ?, ?)", orders)
        database.commit()
    return path


@pytest.fixture
def bird(tmp_path: Path) -> Path:
    """Write a BIRD of one shop."""
    folder = tmp_path / "bird"
    write_shop(folder / "dev_databases" / "shop" / "shop.sqlite")
    (folder / "dev_tables.json").write_text(json.dumps([{"db_id": "shop", **SCHEMA}]))
    asked = {"question_id": 0, "db_id": "shop", "question": "How many?", "SQL": "SELECT count(*) FROM orders"}
    (folder / "dev.json").write_text(json.dumps([asked, {**asked, "question_id": 1, "SQL": ""}]))
    return folder


@pytest.fixture
def spider(tmp_path: Path) -> Path:
    """Write a Spider of two shops, of one of which there is no file."""
    folder = tmp_path / "spider"
    write_shop(folder / "database" / "shop" / "shop.sqlite")
    (folder / "tables.json").write_text(json.dumps([{"db_id": name, **SCHEMA} for name in ("shop", "lost")]))
    (folder / "dev.json").write_text("[]")
    return folder


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Write a folder of a SQLite file and a DuckDB file."""
    folder = tmp_path / "files"
    write_shop(folder / "shop" / "shop.sqlite")
    with duckdb.connect(str(folder / "depot.duckdb")) as connection:
        connection.execute("CREATE TABLE shelves (id INTEGER PRIMARY KEY)")
        connection.execute("CREATE TABLE parts (id INTEGER, shelf INTEGER REFERENCES shelves (id))")
    return folder


def test_topology_asks_about_every_catalog(run, spider: Path, bird: Path) -> None:
    done = run("build", "topology", "--source", f"spider:{spider}", "--size", 1, "--out", "s")
    assert done.exit_code == 0, done.stderr
    assert "1 databases, 0 examples; 1 x missing file" in done.stderr
    made = read_questions(Path("s"))
    assert set(made.catalogs) == {"shop", "lost"}
    assert made.catalogs["shop"].foreign_keys[0].evidence == "documented"
    assert run("check", "s").exit_code == 0


def test_multitable_asks_about_the_rows(run, bird: Path) -> None:
    small = ("--param", "windows=8K", "--param", "instances=1")
    done = run("build", "multitable", "--source", f"bird:{bird}", *small, "--out", "s")
    assert done.exit_code == 0, done.stderr
    assert "1 databases, 1 examples; 1 x no sql" in done.stderr
    made = read_questions(Path("s"))
    assert set(made.catalogs) == {"shop"}
    assert len(made.questions) > 2


def test_schemas_without_rows_are_not_replaced_by_what_is_bundled(run, bird: Path) -> None:
    (bird / "dev_databases" / "shop" / "shop.sqlite").unlink()
    done = run("build", "multitable", "--source", f"bird:{bird}", "--dry-run")
    assert done.exit_code == 2
    assert "no database with rows was given" in done.stderr


def test_a_collection_of_the_settings_file(run, tmp_path: Path, spider: Path) -> None:
    (tmp_path / "warebench.toml").write_text('[sources.mine]\npath = "spider:spider"\n')
    done = run("build", "topology", "--source", "mine", "--size", 1, "--out", "s")
    assert done.exit_code == 0, done.stderr
    assert set(read_questions(Path("s")).catalogs) == {"shop", "lost"}


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("spider:nowhere", "no such folder"),
        ("bird:.", "it lacks tables"),
        ("spider:.?split=x", "unknown part"),
        ("x" * 300, "no such"),
        ("shop.sql/below", "no such"),
        ("loop", "leads nowhere"),
        ("nul\0byte", "no such"),
    ],
)
@pytest.mark.parametrize("track", ["topology", "multitable"])
def test_refusals(run, shop: Path, track: str, source: str, said: str) -> None:
    Path("loop").symlink_to("loop")
    done = run("build", track, "--source", source)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "bug of warebench" not in done.stderr


class NoOptions(msgspec.Struct, frozen=True):
    """Of a track that has none."""


POOLED = Track(
    name="pooled",
    title="",
    subtypes=(),
    methods={},
    task="",
    options=NoOptions,
    build=lambda sources, options, progress: sources,  # type: ignore[arg-type,return-value]
    prove=lambda made: {},
    collections=True,
)


@pytest.fixture
def settings() -> Iterator[Callable[[Path], None]]:
    """Run inside a command whose settings file lies in a folder."""
    with click.Context(click.Command("x")) as context:
        context.meta[SETTINGS] = Settings()

        def read(folder: Path) -> None:
            context.meta[SETTINGS] = read_settings(start=folder)

        yield read


def test_a_track_about_collections_gets_files_unread(settings, bird: Path, spider: Path) -> None:
    found = find_source(f"bird:{bird}", POOLED, "default")
    assert isinstance(found, Collection)
    assert isinstance(found.databases[0], SqliteFile)
    assert [example.id for example in found.examples] == ["dev-0"]
    with pytest.raises(SourceError, match="no such source"):
        find_source("nowhere", POOLED, "default")


def test_what_a_folder_is(settings, files: Path, tmp_path: Path) -> None:
    topology, multitable = find_track("topology"), find_track("multitable")
    for track in (topology, multitable, POOLED):
        found = find_source(str(files), track, "default")
        assert isinstance(found, Collection)
        assert [catalog.name for catalog in found.catalogs] == ["depot", "shop"]
    # With scripts beside the files it is a schema for those who ask about schemas, as it always was.
    (files / "schema.sql").write_text("CREATE TABLE t (id INT)")
    assert isinstance(find_source(str(files), topology, "default"), Catalog)
    assert isinstance(find_source(str(files), multitable, "default"), Collection)
    (tmp_path / "csv").mkdir()
    (tmp_path / "csv" / "t.csv").write_text("a\n1\n")
    assert isinstance(find_source(str(tmp_path / "csv"), multitable, "default"), Database)


def test_a_bundled_name_stays_what_it_is(
    settings, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files.rename(tmp_path / "tpc_di")
    found = find_source("tpc_di", find_track("topology"), "default")
    assert isinstance(found, Catalog)
    assert isinstance(find_source("./tpc_di", find_track("topology"), "default"), Collection)

"""Spider's databases and gold, where ../shared/data is beside the checkout."""

import json
import sqlite3
from functools import cache
from pathlib import Path

import pytest
from tests.sql.labels_schema import run

from warebench.catalog.model import Catalog, Column, Table
from warebench.sql.labels import Example

FOLDER = Path(__file__).parents[3] / "shared/data/spider"


def need_data() -> None:
    """Skip the test where the data is absent."""
    if not (FOLDER / "dev.json").is_file():
        pytest.skip("the real data at ../shared/data is absent")


def database_file(database: str) -> Path:
    return FOLDER / "database" / database / f"{database}.sqlite"


def connect(database: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{database_file(database).as_uri()}?mode=ro&immutable=1", uri=True)
    # Two databases hold bytes that are not UTF-8.
    connection.text_factory = lambda raw: raw.decode(errors="replace")
    return connection


@cache
def catalog(database: str) -> Catalog:
    """Return tables and columns only: thirteen databases break their own foreign keys."""
    connection = connect(database)
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    tables = []
    for (name,) in names:
        info = connection.execute(f'PRAGMA table_info("{name}")').fetchall()
        key = tuple(row[1] for row in sorted(info, key=lambda row: row[5]) if row[5])
        columns = tuple(Column(name=row[1], type=row[2]) for row in info)
        tables.append(Table(name=name, database=database, columns=columns, primary_key=key))
    connection.close()
    return Catalog(name=database, tables=tuple(tables))


@cache
def executable() -> tuple[Example, ...]:
    """Return the gold of dev that runs, with its place in the file as name; sorted by database."""
    questions = json.loads((FOLDER / "dev.json").read_text())
    found = []
    for database in sorted({question["db_id"] for question in questions}):
        if not database_file(database).is_file():
            continue
        connection = connect(database)
        found += [
            Example(str(place), database, question["query"])
            for place, question in enumerate(questions)
            if question["db_id"] == database and not isinstance(run(connection, question["query"]), str)
        ]
        connection.close()
    return tuple(found)

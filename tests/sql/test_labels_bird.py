"""Labels of BIRD's dev gold: all of it, and as SQLite reads it from empty databases of its schemas."""

import json
import sqlite3
from pathlib import Path

import pytest

from warebench.catalog.model import Catalog, Column, Table
from warebench.sql.labels import Example, coverage, disagreement, label, observe
from warebench.sql.namespace import build_pool, read_prediction, to_home, to_pool

FOLDER = Path(__file__).parents[3] / "shared/data/bird"


@pytest.fixture(scope="module")
def catalogs() -> dict[str, Catalog]:
    if not (FOLDER / "dev.json").is_file():
        pytest.skip("the real data at ../shared/data is absent")
    schemas = json.loads((FOLDER / "dev_tables.json").read_text())
    return {schema["db_id"]: catalog_of(schema) for schema in schemas}


@pytest.fixture(scope="module")
def examples(catalogs) -> list[Example]:
    questions = json.loads((FOLDER / "dev.json").read_text())
    return [Example(str(item["question_id"]), item["db_id"], item["SQL"]) for item in questions]


def catalog_of(schema: dict) -> Catalog:
    columns = schema["column_names_original"]
    keys = [place for key in schema["primary_keys"] for place in (key if isinstance(key, list) else [key])]
    return Catalog(
        name=schema["db_id"],
        tables=tuple(
            Table(
                name=name,
                columns=tuple(
                    Column(name=column, type=kind)
                    for (owner, column), kind in zip(columns, schema["column_types"], strict=True)
                    if owner == number
                ),
                primary_key=tuple(columns[place][1] for place in keys if columns[place][0] == number),
            )
            for number, name in enumerate(schema["table_names_original"])
        ),
    )


def write_empty(catalog: Catalog, path: Path) -> Path:
    connection = sqlite3.connect(path)
    for table in catalog.tables:
        parts = [f'"{column.name}" {column.type}' for column in table.columns]
        if table.primary_key:
            key = ", ".join(f'"{name}"' for name in table.primary_key)
            parts.append(f"PRIMARY KEY ({key})")
        connection.execute(f'CREATE TABLE "{table.name}" ({", ".join(parts)})')
    connection.close()
    return path


def test_all_gold_is_labelled(catalogs, examples):
    report = coverage(examples, catalogs)
    assert (report.examples, report.gaps) == (1534, ())


def test_labels_are_what_sqlite_reads(catalogs, examples, tmp_path):
    paths = {name: write_empty(catalog, tmp_path / f"{name}.db") for name, catalog in catalogs.items()}
    pool = build_pool(catalogs.values())
    for example in examples:
        catalog = catalogs[example.database]
        labels = label(example.sql, catalog, "sqlite")
        assert disagreement(labels, observe(paths[example.database], example.sql), example.sql) == ""
        pooled = to_pool(example.sql, catalog, "sqlite")
        read = read_prediction(pooled, pool, "sqlite")
        assert tuple(table.table for table in read.tables) == labels.tables
        assert read.databases == (example.database,)
        assert label(to_home(pooled, example.database, "sqlite"), catalog, "sqlite") == labels

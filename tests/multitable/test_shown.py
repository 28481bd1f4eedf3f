"""Columns that no prompt shows."""

import sqlite3

import pyarrow as pa
import pytest

from warebench.catalog.model import Catalog, Column, ForeignKey, Table
from warebench.engine.database import Database
from warebench.engine.load import read_database
from warebench.tracks.multitable.build import Options, build
from warebench.tracks.multitable.shown import LONGEST, keep_shown


def database_of(cells, *, key=False):
    """Return products with a column of some cells, and sales of them."""
    ids = cells if key else list(range(len(cells)))
    name = "id" if key else "photo"
    columns = {"id": ids, name: cells, "town": ["Oslo"] * len(cells)}
    product = Table(
        name="product", columns=tuple(Column(name=column) for column in columns), primary_key=("id",)
    )
    sale = Table(name="sale", columns=(Column(name="product_id"),))
    link = ForeignKey(child="sale", child_columns=("product_id",), parent="product", parent_columns=("id",))
    return Database(
        catalog=Catalog(name="shop", tables=(product, sale), foreign_keys=(link,)),
        tables={"product": pa.table(columns), "sale": pa.table({"product_id": ids})},
    )


@pytest.mark.parametrize(
    ("cells", "key", "why"),
    [
        ([b"\x00", None], False, "blobs are not shown in prompts"),
        ([b"\x00", b"\x01"], True, ""),
        (["x" * LONGEST, None], False, ""),
        (["x" * (LONGEST + 1), "x"], False, "1 of its 2 cells is longer than 2,000 characters"),
        ([list(range(900))] * 2, False, "2 of its 2 cells are longer than 2,000 characters"),
        ([None, None], False, ""),
        ([], False, ""),
    ],
)
def test_what_is_not_shown_is_named(cells, key, why):
    database = database_of(cells, key=key)
    shown = keep_shown(database)
    if not why:
        assert shown is database
        return
    (lost,) = shown.catalog.left_out
    assert (lost.kind, lost.what, lost.where, lost.touches) == (
        "column",
        "column `photo`",
        "product",
        ("product",),
    )
    assert lost.why == why
    assert shown.tables["product"].column_names == ["id", "town"]
    assert [column.name for column in shown.catalog.tables[0].columns] == ["id", "town"]


def test_a_table_of_blobs_alone_goes():
    table = Table(name="file", columns=(Column(name="bytes"),))
    other = Table(name="town", columns=(Column(name="name"),))
    database = Database(
        catalog=Catalog(name="store", tables=(table, other)),
        tables={"file": pa.table({"bytes": [b"\x00"]}), "town": pa.table({"name": ["Oslo"]})},
    )
    shown = keep_shown(database)
    assert list(shown.tables) == ["town"]
    assert [str(item) for item in shown.catalog.left_out] == [
        "file: column `bytes` left out, blobs are not shown in prompts",
        "file: table left out, none of its columns is shown",
    ]


def test_no_window_fails_for_a_blob(tmp_path):
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("create table shop(id integer primary key, town text, photo blob)")
        connection.execute(
            "create table sale(id integer primary key, shop_id integer references shop(id), qty integer)"
        )
        rows = [(at, f"Town{chr(65 + at % 7)}", bytes(100_000)) for at in range(20)]
        connection.executemany("insert into shop values(?,?,?)", rows)
        sales = [(at, at * 7 % 20, at * at % 23) for at in range(900)]
        connection.executemany("insert into sale values(?,?,?)", sales)
    made = build([read_database(path)], Options(windows=("8K",), instances=1))
    assert made.questions
    (missing,) = made.manifest.left_out
    assert missing.left_out == ("shop: column `photo` left out, blobs are not shown in prompts",)
    assert all("photo" not in rows.tables["shop"].column_names for rows in made.databases.values())

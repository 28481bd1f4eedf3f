"""A folder of `.asc` files, as the bank of PKDD'99 was published."""

import os

import pytest

from warebench.engine.load import read_database
from warebench.errors import CatalogError, SourceError


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "order.asc").write_bytes(b'"id";"k"\r\n1;"a"\r\n2;"?"\r\n3;" "\r\n')
    (tmp_path / "loan.asc").write_bytes(b'"id";"status"\r\n1;"A"\r\n2;"B')
    return tmp_path


def test_cells_are_texts_and_a_torn_line_is_said(folder):
    database = read_database(folder)
    assert database.catalog.table_names == ("loan", "order")
    assert database.tables["order"].to_pylist() == [
        {"id": "1", "k": "a"},
        {"id": "2", "k": None},
        {"id": "3", "k": None},
    ]
    assert database.tables["loan"].to_pylist() == [{"id": "1", "status": "A"}]
    assert database.catalog.remarks == ("`loan`: the last line is torn and was left out",)


def test_some_tables_and_rows(folder):
    database = read_database(folder, tables=["order"], max_rows=2)
    assert database.tables["order"]["id"].to_pylist() == ["1", "2"]
    assert "order: rows left out, more exist than were to be read" in map(str, database.catalog.left_out)


def test_a_mark_before_the_names_and_a_pipe_do_no_harm(folder):
    (folder / "loan.asc").write_bytes(b'\xef\xbb\xbf"id";"status"\n01;"A"\n')
    os.mkfifo(folder / "pipe.asc")
    database = read_database(folder)
    assert database.catalog.table_names == ("loan", "order")
    assert database.tables["loan"].to_pylist() == [{"id": "01", "status": "A"}]
    assert "`pipe`: left out, it is a folder, a pipe or a device" in "; ".join(database.catalog.remarks)


def test_csv_files_come_first(folder):
    (folder / "t.csv").write_text("a\n1\n")
    assert read_database(folder).catalog.table_names == ("t",)


@pytest.mark.parametrize("raw", [b"", b'"id";"id"\n1;2\n', b'"id"\n1;2\n', b'"id"\n\xff\n'])
def test_bad_files_are_user_errors(folder, raw):
    (folder / "loan.asc").write_bytes(raw)
    with pytest.raises((SourceError, CatalogError)):
        read_database(folder)

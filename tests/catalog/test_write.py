import pytest

from warebench.catalog import Catalog, Table, read_catalog, write_catalog
from warebench.errors import UserError


def test_round_trip_is_exact(tmp_path, shop):
    path = write_catalog(shop, tmp_path / "shop.json")
    assert read_catalog(path) == shop


def test_equal_catalogs_give_equal_readable_bytes(tmp_path, shop):
    first = write_catalog(shop, tmp_path / "a.json").read_text()
    assert write_catalog(shop, str(tmp_path / "b.json")).read_text() == first
    assert first.startswith('{\n  "name": "shop",\n')
    assert first.endswith("}\n")


def test_replaces_an_older_file_and_leaves_nothing_beside_it(tmp_path, shop):
    write_catalog(Catalog(name="old", tables=(Table(name="a"),)), tmp_path / "c.json")
    write_catalog(shop, tmp_path / "c.json")
    assert read_catalog(tmp_path / "c.json").name == "shop"
    assert [path.name for path in tmp_path.iterdir()] == ["c.json"]


def test_refuses_a_missing_folder(tmp_path, shop):
    with pytest.raises(UserError, match="cannot write the catalog: No such file"):
        write_catalog(shop, tmp_path / "none" / "c.json")


def test_refuses_a_folder_as_file(tmp_path, shop):
    (tmp_path / "c.json").mkdir()
    with pytest.raises(UserError, match="cannot write the catalog"):
        write_catalog(shop, tmp_path / "c.json")
    assert [path.name for path in tmp_path.iterdir()] == ["c.json"]

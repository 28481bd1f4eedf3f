import pytest

from warebench.catalog import write_catalog
from warebench.catalog.readers import json
from warebench.errors import CatalogError, SourceError

TABLE = '{"name": "a", "columns": [{"name": "id"}]}'


def written(tmp_path, text):
    path = tmp_path / "c.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_reads_and_renames(tmp_path):
    path = written(tmp_path, f'{{"name": "shop", "tables": [{TABLE}]}}')
    assert json.read(path).name == "shop"
    assert json.read(path, name="other").name == "other"


@pytest.mark.parametrize(
    ("text", "what", "where", "fix"),
    [
        ("[]", "Expected `object`, got `array`", "c.json, $", "warebench catalog"),
        ("{}", "missing required field `name`", "c.json, $", "warebench catalog"),
        ('{"name": "a"}', "missing required field `tables`", "c.json, $", "warebench catalog"),
        ('{"name": 3, "tables": []}', "Expected `str`, got `int`", "$.name", "warebench catalog"),
        ('{"name": "a", "tables": {}}', "Expected `array`, got `object`", "$.tables", "warebench catalog"),
        ('{"name": "a", "tables": [7]}', "Expected `object`, got `int`", "$.tables[", "warebench catalog"),
        (
            '{"name": "a", "tables": [], "foreign_keys": [{"child": "a", "parent": "b", "evidence": "no"}]}',
            "Invalid enum value 'no'",
            "$.foreign_keys[",
            "warebench catalog",
        ),
        (
            '{"name": "a", "tables": [], "foreign_key": []}',
            "unknown field 'foreign_key'",
            "c.json, $.foreign_key",
            "Did you mean `foreign_keys`?",
        ),
        (
            '{"name": "a", "tables": [{"name": "a", "columns": [{"name": "b"}, {"name": "c", "tpye": ""}]}]}',
            "unknown field 'tpye'",
            "c.json, $.tables[0].columns[1].tpye",
            "Did you mean `type`?",
        ),
        (
            f'{{"name": "a", "tables": [{TABLE}, {TABLE}]}}',
            "duplicate table 'a'",
            "c.json, table a",
            "rename one",
        ),
    ],
)
def test_refuses_what_is_no_catalog(tmp_path, text, what, where, fix):
    with pytest.raises(CatalogError) as caught:
        json.read(written(tmp_path, text))
    assert what in caught.value.what
    assert where in caught.value.where
    assert fix in caught.value.fix


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"name": "a", "tables": [',
        '{"name": "\ud800"}'.encode("utf-8", "surrogatepass"),
        "[" * 10000,
    ],
    ids=["empty", "open", "torn", "surrogate", "deep"],
)
def test_refuses_what_is_not_json(tmp_path, text):
    with pytest.raises(SourceError, match="not whole JSON"):
        json.read(written(tmp_path, text))


def test_every_torn_prefix_is_refused(tmp_path, shop):
    whole = write_catalog(shop, tmp_path / "whole.json").read_bytes().rstrip()
    for length in range(0, len(whole), 37):
        with pytest.raises(SourceError):
            json.read(written(tmp_path, whole[:length]))


def test_refuses_a_missing_file(tmp_path):
    with pytest.raises(SourceError, match="cannot read the file"):
        json.read(tmp_path / "none.json")

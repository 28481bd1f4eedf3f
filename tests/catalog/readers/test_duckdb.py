from pathlib import Path

import duckdb as engine
import pytest

from warebench.catalog.readers import duckdb
from warebench.catalog.render import to_text
from warebench.errors import SourceError


def made(path: Path, *statements: str) -> Path:
    with engine.connect(str(path)) as database:
        for statement in statements:
            database.execute(statement)
    return path


def test_reads_types_nulls_and_keys(tmp_path):
    source = made(
        tmp_path / "shop.duckdb",
        'CREATE TABLE "order" (id BIGINT, no INTEGER, total DECIMAL(8, 2) NOT NULL, PRIMARY KEY (id, no))',
        'CREATE TABLE "order line" (id INTEGER PRIMARY KEY, "order.id" BIGINT, no INTEGER, up INTEGER,'
        ' tags VARCHAR[], FOREIGN KEY ("order.id", no) REFERENCES "order" (id, no),'
        ' FOREIGN KEY (up) REFERENCES "order line" (id))',
        "CREATE VIEW seen AS SELECT 1 AS x",
        'CREATE INDEX i ON "order" (total)',
    )
    catalog = duckdb.read(source)
    assert catalog.name == "shop"
    assert catalog.source == "DuckDB file shop.duckdb"
    assert to_text(catalog) == (
        "# Tables\n"
        "order(id BIGINT NOT NULL, no INTEGER NOT NULL, total DECIMAL(8,2) NOT NULL) primary key (id, no)\n"
        '"order line"(id INTEGER NOT NULL, "order.id" BIGINT, no INTEGER, up INTEGER, tags VARCHAR[])'
        " primary key (id)\n"
        "# Foreign keys\n"
        '"order line"("order.id", no) references order(id, no)\n'
        '"order line"(up) references "order line"(id)\n'
        "# Lineage\n"
        "(none)\n"
    )


def test_qualifies_names_only_where_schemas_differ(tmp_path):
    one = made(tmp_path / "one.duckdb", "CREATE SCHEMA s", "CREATE TABLE s.a (i INTEGER)")
    two = made(
        tmp_path / "two.duckdb",
        "CREATE SCHEMA s",
        "CREATE TABLE a (i INTEGER PRIMARY KEY)",
        "CREATE TABLE s.a (i INTEGER PRIMARY KEY)",
        "CREATE TABLE s.b (i INTEGER REFERENCES s.a (i))",
    )
    assert duckdb.read(one).table_names == ("a",)
    catalog = duckdb.read(two, name="both")
    assert catalog.table_names == ("main.a", "s.a", "s.b")
    assert [(key.child, key.parent) for key in catalog.foreign_keys] == [("s.b", "s.a")]


def test_leaves_the_file_alone(tmp_path):
    source = made(tmp_path / "a.duckdb", "CREATE TABLE a (i INTEGER)")
    before = source.read_bytes()
    duckdb.read(source)
    assert source.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["a.duckdb"]


def test_refuses_missing_empty_torn_and_encrypted_files(tmp_path):
    whole = made(tmp_path / "whole.duckdb", "CREATE TABLE a (i INTEGER)").read_bytes()
    secret = tmp_path / "secret.duckdb"
    with engine.connect() as database:
        database.execute("SET force_mbedtls_unsafe = true")
        database.execute(f"ATTACH '{secret}' AS s (ENCRYPTION_KEY 'word')")
        database.execute("CREATE TABLE s.a (i INTEGER)")
    torn = tmp_path / "torn.duckdb"
    torn.write_bytes(whole[:5000])
    zero = tmp_path / "zero.duckdb"
    zero.touch()
    nothing = made(tmp_path / "nothing.duckdb")
    for source in (tmp_path / "missing.duckdb", tmp_path, secret, torn, zero, nothing):
        with pytest.raises(SourceError) as caught:
            duckdb.read(source)
        assert caught.value.where == str(source)
        assert caught.value.fix


def test_says_which_duckdb_to_install_for_a_file_of_a_newer_one(tmp_path):
    header = bytearray(4096 - 8)
    for place, words in ((0, b"DUCK" + (9999).to_bytes(8, "little")), (44, b"v9.0.0"), (76, b"8d78114e90")):
        header[place : place + len(words)] = words
    # DuckDB's checksum of a block, without which the file counts as torn.
    checksum = 5381
    for place in range(0, len(header), 8):
        checksum ^= int.from_bytes(header[place : place + 8], "little") * 0xBF58476D1CE4E5B9 % 2**64
    source = tmp_path / "newer.duckdb"
    source.write_bytes(checksum.to_bytes(8, "little") + header + bytes(2 * 4096))
    with pytest.raises(SourceError, match="pip install --upgrade duckdb"):
        duckdb.read(source)


def test_refuses_every_tear_of_the_header(tmp_path):
    whole = made(tmp_path / "whole.duckdb", "CREATE TABLE a (i INTEGER)").read_bytes()
    torn = tmp_path / "torn.duckdb"
    for length in (1, 8, 12, 100, 4095, 4096, 8192, 12288):
        torn.write_bytes(whole[:length])
        with pytest.raises(SourceError):
            duckdb.read(torn)

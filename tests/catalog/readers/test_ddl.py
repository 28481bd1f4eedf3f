import re
import shutil
from pathlib import Path

import pytest
import sqlglot
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from warebench.catalog import read_catalog
from warebench.catalog.readers import ddl
from warebench.catalog.render import to_ddl, to_text
from warebench.errors import SourceError, UserError

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "catalog"


def cases(name: str) -> list:
    text = (FIXTURES / name).read_text(encoding="utf-8")
    blocks = re.findall(r"^=== (.+?) \[(\w+)\]\n(.*?)^--- expected\n(.*?)(?=^=== |\Z)", text, re.M | re.S)
    assert len(blocks) == text.count("=== ")
    return [pytest.param(dialect, sql, expected, id=title) for title, dialect, sql, expected in blocks]


@pytest.mark.parametrize(("dialect", "sql", "expected"), cases("ddl.txt"))
def test_reads(tmp_path, dialect, sql, expected):
    source = tmp_path / "in.sql"
    source.write_text(sql, encoding="utf-8")
    assert to_text(ddl.read(source, dialect=dialect)) == expected


@pytest.mark.parametrize(("dialect", "sql", "expected"), cases("ddl_refused.txt"))
def test_refuses(tmp_path, dialect, sql, expected):
    source = tmp_path / "in.sql"
    source.write_text(sql, encoding="utf-8")
    with pytest.raises(UserError) as caught:
        ddl.read(source, dialect=dialect)
    for line in expected.splitlines():
        assert line in str(caught.value)
    assert caught.value.where
    assert caught.value.fix


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [case for case in cases("ddl.txt") if case.values[0] in {"tsql", "mysql", "sqlite", "postgres"}],
)
def test_detects_the_dialect(tmp_path, dialect, sql, expected):
    source = tmp_path / "in.sql"
    source.write_text(sql, encoding="utf-8")
    assert to_text(ddl.read(source)) == expected


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_reads_encodings_and_line_ends(tmp_path, encoding, ending):
    source = tmp_path / "größe.sql"
    source.write_bytes(f"CREATE TABLE größe (ä int){ending}GO{ending}".encode(encoding))
    catalog = ddl.read(source)
    assert (catalog.name, catalog.table_names) == ("größe", ("größe",))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b" \n ", "empty"),
        (b"CREATE TABLE a\x81 (id int)", "not UTF-8"),
        (b"CREATE TABLE a\x00 (id int)", "binary"),
    ],
)
def test_refuses_what_is_not_text(tmp_path, content, message):
    source = tmp_path / "in.sql"
    source.write_bytes(content)
    with pytest.raises(SourceError, match=message):
        ddl.read(source)


def test_folder_is_read_together(tmp_path):
    (tmp_path / "1_keys.sql").write_text("ALTER TABLE a ADD FOREIGN KEY (b_id) REFERENCES b (id);")
    (tmp_path / "2_tables.ddl").write_text("CREATE TABLE a (b_id int); CREATE TABLE b (id int primary key);")
    (tmp_path / "notes.txt").write_text("CREATE TABLE c (id int);")
    catalog = ddl.read(tmp_path, name="both")
    assert (catalog.name, catalog.table_names, len(catalog.foreign_keys)) == ("both", ("a", "b"), 1)


def test_refuses_a_folder_without_scripts(tmp_path):
    with pytest.raises(SourceError, match="holds no SQL script"):
        ddl.read(tmp_path)


def test_refuses_an_unknown_dialect(tmp_path):
    with pytest.raises(SourceError, match="Did you mean `postgres`"):
        ddl.read(tmp_path, dialect="postgress")


FRAGMENTS = ["(", ")", ",", ";", "'", '"', "`", "[", "/*", "--", "\nGO\n", "$$", "."]
FRAGMENTS += [
    " CREATE TABLE ",
    " ALTER TABLE ",
    " REFERENCES ",
    " FOREIGN KEY ",
    " CONSTRAINT ",
    " ADD ",
    " LIKE ",
]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(cases("ddl.txt")), st.data())
def test_torn_text_is_read_or_refused_in_words(tmp_path, case, data):
    dialect, sql, _ = case.values
    start = data.draw(st.integers(0, len(sql)))
    end = data.draw(st.integers(start, min(len(sql), start + 40)))
    source = tmp_path / "in.sql"
    source.write_text(
        sql[:start] + data.draw(st.sampled_from(["", *FRAGMENTS])) + sql[end:], encoding="utf-8"
    )
    try:
        outcome = ddl.read(source, dialect=dialect).tables
    except UserError as error:
        outcome = error.where
    assert outcome


def test_reads_back_what_render_writes(tmp_path, shop):
    source = tmp_path / "shop.sql"
    source.write_text(to_ddl(shop))
    back = ddl.read(source)
    assert [(t.name, t.columns, t.primary_key) for t in back.tables] == [
        (t.name, t.columns, t.primary_key) for t in shop.tables
    ]
    assert back.foreign_keys == shop.foreign_keys[:2]


# Scripts, tables, foreign keys, foreign keys counted per column, tables with a primary key.
REAL = [
    (["instawdb.sql"], 71, 90, 91, 71),
    (["instawdbdw.sql"], 31, 44, 45, 28),
    (["tpcds.sql", "tpcds_ri.sql"], 25, 102, 102, 24),
    (["tpcds_source.sql"], 21, 0, 0, 0),
    (["tpcdi_dw_init.sql"], 30, 34, 34, 19),
    (
        [f"OMOPCDM_postgresql_5.4_{part}.sql" for part in ("ddl", "primary_keys", "constraints", "indices")],
        39,
        176,
        176,
        28,
    ),
]


@pytest.mark.parametrize(
    ("files", "tables", "keys", "pairs", "primary"), REAL, ids=[case[0][0] for case in REAL]
)
def test_real_scripts(shared_data, tmp_path, files, tables, keys, pairs, primary):
    for file in files:
        shutil.copy(shared_data / "ddl" / file, tmp_path)
    catalog = read_catalog(tmp_path)
    assert len(catalog.tables) == tables
    assert len(catalog.foreign_keys) == keys
    assert catalog.foreign_key_columns == pairs
    assert sum(bool(table.primary_key) for table in catalog.tables) == primary


def test_real_scripts_clash_when_read_as_one(shared_data):
    with pytest.raises(UserError, match="created twice"):
        read_catalog(shared_data / "ddl")


def test_a_second_parser_finds_the_same(shared_data):
    """Where sqlglot can read a script, it must find the same tables and columns."""
    source = shared_data / "ddl" / "tpcds.sql"
    found = {}
    for statement in sqlglot.parse(source.read_text(), read="postgres"):
        schema = statement.this if isinstance(statement, sqlglot.exp.Create) else None
        if schema is not None:
            columns = [part.name for part in schema.expressions if isinstance(part, sqlglot.exp.ColumnDef)]
            found[schema.this.name] = columns
    assert found == {
        table.name: [column.name for column in table.columns] for table in read_catalog(source).tables
    }


def test_latin_1_is_read_and_said(tmp_path):
    source = tmp_path / "in.sql"
    source.write_bytes("CREATE TABLE a (id int PRIMARY KEY, café int);".encode("cp1252"))
    catalog = ddl.read(source)
    assert [column.name for column in catalog.tables[0].columns] == ["id", "café"]
    assert catalog.source == "SQL script in.sql; read as Windows-1252, as it is not UTF-8: in.sql"


@pytest.mark.parametrize(
    ("statement", "touches"),
    [
        ("CREAT TABLE c (id int, a_id int REFERENCES a (id));", ("a",)),
        ("CRAETE TABLE c (id int, a_id int REFERENCES public.a, b_id int REFERENCES b);", ("a", "b")),
        ("CREATE TABEL IF NOT EXISTS c (a_id int REFERENCES a (id));", ("a",)),
        ("CREATE TABLES c (id int);", ()),
        ("CREATE TEMPORARY TABEL c (id int);", ()),
        ("ALTR TABLE b ADD FOREIGN KEY (id) REFERENCES a (id);", ("a", "b")),
        ("DORP TABLE b;", ("b",)),
    ],
)
def test_a_misspelt_statement_is_said(tmp_path, statement, touches):
    source = tmp_path / "in.sql"
    source.write_text(
        f"CREATE TABLE a (id int PRIMARY KEY);\n{statement}\nCREATE TABLE b (id int PRIMARY KEY);"
    )
    catalog = ddl.read(source)
    assert catalog.table_names == ("a", "b")
    (left,) = catalog.left_out
    assert (
        str(left)
        == f"in.sql, line 2: statement left out, `{' '.join(statement.split()[:2])}` is no statement"
    )
    assert left.touches == touches


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLESPACE t LOCATION '/x';",
        "CREATE VIEW v AS TABLE a;",
        "CREATE INDEX i ON a (id);",
        "COMMENT ON TABLE a IS 'x';",
        "LOCK TABLE a;",
        "ANALYZE TABLE a;",
        "INSERT INTO TABLE a VALUES (1);",
        "TRUNCATE TABLE a;",
        "DESCRIBE TABLE a;",
    ],
)
def test_another_statement_is_no_misspelt_one(tmp_path, statement):
    source = tmp_path / "in.sql"
    source.write_text(f"CREATE TABLE a (id int);\n{statement}")
    assert ddl.read(source).left_out == ()


def test_a_key_of_one_partition_only_is_said(tmp_path):
    source = tmp_path / "in.sql"
    source.write_text(
        "CREATE TABLE a (id int PRIMARY KEY);\n"
        "CREATE TABLE p (id int, a_id int REFERENCES a) PARTITION BY LIST (id);\n"
        "CREATE TABLE p_1 (id int, a_id int REFERENCES a);\n"
        "ALTER TABLE p ATTACH PARTITION p_1 DEFAULT;\n"
        "ALTER TABLE p_1 ADD FOREIGN KEY (id) REFERENCES a (id);\n"
    )
    catalog = ddl.read(source)
    assert catalog.table_names == ("a", "p")
    assert len(catalog.foreign_keys) == 1
    (left,) = catalog.left_out
    assert (left.what, left.touches) == ("foreign key (id)", ("a", "p"))
    assert str(left).endswith("it holds for the partition `p_1` of `p` only")

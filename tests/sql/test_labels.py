"""Labels: tables, columns and roles of single queries, and what has no labels."""

import sqlite3

import duckdb
import pytest
from tests.sql.labels_schema import CATALOG, write_database

from warebench.sql.labels import (
    ColumnLabel,
    Example,
    Labels,
    Observed,
    Unlabelled,
    coverage,
    disagreement,
    label,
    observe,
)

SHORT = {"p": "projection", "f": "filter", "j": "join", "g": "group", "o": "order"}
TABLES = {"s": "Singer", "c": "concert", "h": "Stadium Hall", "a": "award"}

BOTH = [
    # Roles by clause.
    ("SELECT name FROM Singer", "s.name:p"),
    ("SELECT max(age) FROM Singer WHERE country = 'Chile'", "s.age:p s.country:f"),
    (
        "SELECT country FROM Singer GROUP BY country HAVING count(id) > 1 ORDER BY min(age)",
        "s.age:o s.country:pg s.id:f",
    ),
    ("SELECT count(*) FROM Singer", ""),
    ('SELECT * FROM "Stadium Hall"', "h.Hall ID:p h.capacity:p h.name:p"),
    ("SELECT a.* FROM award a, Singer", "a.prize:p a.singer_id:p a.year:p"),
    # Joins, and conditions that only filter.
    (
        "SELECT title FROM concert c JOIN Singer s ON s.id = c.singer_id AND s.age > 3 AND c.year > s.age",
        "c.singer_id:j c.title:p c.year:j s.age:fj s.id:j",
    ),
    (
        "SELECT title FROM concert c, Singer s "
        "WHERE (s.id = c.singer_id AND (c.year = 3)) AND c.price < s.age",
        "c.price:f c.singer_id:j c.title:p c.year:f s.age:f s.id:j",
    ),
    ("SELECT singer_id FROM concert JOIN award USING (singer_id)", "a.singer_id:j c.singer_id:pj"),
    ("SELECT prize FROM award JOIN concert USING (singer_id)", "a.prize:p a.singer_id:j c.singer_id:j"),
    (
        "SELECT prize FROM award NATURAL JOIN concert",
        "a.prize:p a.singer_id:j a.year:j c.singer_id:j c.year:j",
    ),
    (
        "SELECT name FROM Singer s WHERE EXISTS (SELECT 1 FROM concert WHERE singer_id = s.id AND year > 3)",
        "c.singer_id:j c.year:f s.id:j s.name:p",
    ),
    (
        "SELECT name FROM Singer WHERE id IN (SELECT singer_id FROM concert ORDER BY year LIMIT 1)",
        "c.singer_id:p c.year:o s.id:f s.name:p",
    ),
    # Names: aliases, positions, case, quotes.
    ("SELECT NAME AS n FROM singer GROUP BY 1 HAVING n > 'B' ORDER BY n", "s.name:pfgo"),
    ("SELECT age AS id, name AS x FROM Singer ORDER BY id", "s.age:po s.name:p"),
    ('SELECT "group", "Hall ID" FROM Singer, "stadium hall"', "h.Hall ID:p s.group:p"),
    ("SELECT main.Singer.name FROM main.Singer", "s.name:p"),
    # Roles reach through derived tables; a table expression may be called like a table.
    ("SELECT n FROM (SELECT name AS n, age AS a FROM Singer) t WHERE a > 3", "s.age:pf s.name:p"),
    ("WITH w(n) AS (SELECT title FROM concert) SELECT n FROM w ORDER BY n", "c.title:po"),
    ("WITH award AS (SELECT title AS prize FROM concert) SELECT prize FROM award", "c.title:p"),
    (
        "WITH RECURSIVE n(i) AS (SELECT min(id) FROM Singer UNION ALL SELECT i + 1 FROM n WHERE i < 9) "
        "SELECT title FROM concert JOIN n ON n.i = concert.year",
        "c.title:p c.year:j s.id:pfj",
    ),
    ("SELECT name FROM Singer UNION SELECT title FROM concert ORDER BY name", "c.title:po s.name:po"),
    (
        "SELECT name, rank() OVER (PARTITION BY country ORDER BY age) FROM Singer",
        "s.age:o s.country:g s.name:p",
    ),
    ("SELECT v.x FROM (SELECT 1 AS x) v, Singer", ""),
]

SQLITE = [
    ('SELECT name FROM Singer WHERE country = "Chile"', "s.country:f s.name:p"),
    ("SELECT rowid, oid FROM Singer", "s.id:p"),
    ("SELECT _rowid_ FROM award", ""),
    ("SELECT name AS 'n' FROM 'Singer' ORDER BY [name], `age`", "s.age:o s.name:po"),
    ("WITH a AS (SELECT * FROM b), b AS (SELECT name FROM Singer) SELECT * FROM a", "s.name:p"),
    ("WITH a AS (SELECT * FROM concert) SELECT name FROM Singer", "s.name:p"),
    ("SELECT j.value FROM award, json_each(prize) j WHERE j.key > 1", "a.prize:f"),
    ("SELECT * FROM (Singer s JOIN concert c ON s.id = c.singer_id) WHERE 1", None),
]

DUCKDB = [
    ("(SELECT name FROM Singer) EXCEPT (SELECT title FROM concert) ORDER BY 1", "c.title:po s.name:po"),
    ("FROM award", "a.prize:p a.singer_id:p a.year:p"),
    ("SELECT * EXCLUDE (year, PRIZE) FROM award", "a.singer_id:p"),
    ("SELECT country, age, count(*) FROM Singer GROUP BY ALL ORDER BY ALL", "s.age:pgo s.country:pgo"),
    ("SELECT age + 1 AS next, next * 2 AS twice FROM Singer ORDER BY twice", "s.age:po"),
    ("SELECT name FROM Singer QUALIFY row_number() OVER (ORDER BY age) = 1", "s.age:o s.name:p"),
    ("WITH award AS (SELECT * FROM award) SELECT prize FROM award", "a.prize:p a.singer_id:p a.year:p"),
    ("SELECT t.x FROM Singer, unnest([Singer.age]) t(x)", "s.age:f"),
    ("SELECT name FROM music.Singer", "s.name:p"),
]


def columns_of(short: str) -> tuple[ColumnLabel, ...]:
    """Return labels from `table.column:roles`, tables and roles by their first letter."""
    labels = []
    for word in short.replace("Hall ID", "Hall_ID").split():
        name, roles = word.split(":")
        table, column = name.replace("Hall_ID", "Hall ID").split(".")
        labels.append(
            ColumnLabel(table=TABLES[table], column=column, roles=tuple(SHORT[role] for role in roles))
        )
    return tuple(sorted(labels))


def cases(dialect: str, table):
    return [(dialect, sql, short) for sql, short in table if short is not None]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return write_database(tmp_path_factory.mktemp("labels"))


@pytest.mark.parametrize(
    ("dialect", "sql", "short"),
    cases("sqlite", BOTH) + cases("duckdb", BOTH) + cases("sqlite", SQLITE) + cases("duckdb", DUCKDB),
)
def test_roles(dialect, sql, short):
    found = label(sql, CATALOG, dialect)
    assert isinstance(found, Labels), found
    assert found.columns == columns_of(short)


@pytest.mark.parametrize("sql", [sql for sql, _ in BOTH + SQLITE])
def test_sqlite_reads_what_the_labels_say(path, sql):
    found = label(sql, CATALOG, "sqlite")
    assert disagreement(found, observe(path, sql), sql) == ""


@pytest.fixture(scope="module")
def duck():
    connection = duckdb.connect()
    connection.execute("ATTACH ':memory:' AS music")
    connection.execute("USE music")
    for table in CATALOG.tables:
        columns = ", ".join(f'"{column.name}" {column.type}' for column in table.columns)
        connection.execute(f'CREATE TABLE "{table.name}" ({columns})')
    yield connection
    connection.close()


def breaks(connection, change: str, sql: str) -> bool:
    """Return whether a query no longer runs after a change, which is then taken back."""
    connection.execute("BEGIN")
    connection.execute(change)
    try:
        connection.execute(f"EXPLAIN {sql}")
    except duckdb.Error:
        return True
    finally:
        connection.execute("ROLLBACK")
    return False


@pytest.mark.parametrize("sql", [sql for sql, _ in BOTH + DUCKDB])
def test_duckdb_misses_what_the_labels_say(duck, sql):
    found = label(sql, CATALOG, "duckdb")
    tables = [t for t in CATALOG.tables if breaks(duck, f'ALTER TABLE "{t.name}" RENAME TO gone', sql)]
    assert [table.name for table in tables] == [t.name for t in CATALOG.tables if t.name in found.tables]
    if "*" in sql or "NATURAL" in sql or sql.startswith("FROM"):
        return
    missed = {
        (table.name, column.name)
        for table in tables
        for column in table.columns
        if breaks(duck, f'ALTER TABLE "{table.name}" RENAME COLUMN "{column.name}" TO gone', sql)
    }
    assert missed == found.column_names


UNLABELLED = [
    ("", "empty"),
    ("  ; -- nothing", "empty"),
    ("SELECT 1; SELECT 2", "several_statements"),
    ("DROP TABLE Singer", "write"),
    ("WITH x AS (SELECT 1) INSERT INTO Singer SELECT * FROM x", "write"),
    ("EXPLAIN SELECT 1", "not_a_query"),
    ("PRAGMA table_info(Singer)", "not_a_query"),
    ("The singers are Ana and Bo.", "not_a_query"),
    ("SELECT FROM WHERE", "unparsable"),
    ("SELECT 'open", "unparsable"),
    ("SELECT " + "(" * 3000 + "1" + ")" * 3000, "unparsable"),
    ("SELECT 1" + " " * 100_000, "too_long"),
    # Each of these doubles the parser's time: sixty would outlast the sun.
    ("SELECT " + "DATE(" * 60 + "1" + ")" * 60, "unsupported"),
    ("SELECT " + "CHAR(1, " * 60 + "1" + ")" * 60, "unsupported"),
    ("SELECT x FROM nowhere", "unknown_table"),
    ("SELECT x FROM other.Singer", "unknown_table"),
    ("SELECT nothing FROM Singer", "unknown_column"),
    ("SELECT s.title FROM Singer s", "unknown_column"),
    ("SELECT Singer.name FROM Singer s", "unknown_column"),
    ("SELECT x.* FROM Singer", "unknown_table"),
    ('SELECT name FROM Singer, "Stadium Hall"', "ambiguous_column"),
    ("SELECT name FROM Singer JOIN concert USING (name)", "unknown_column"),
    ("SELECT name FROM Singer UNION SELECT year, title FROM concert", "unsupported"),
    ("SELECT name FROM Singer WHERE id IN award", "unsupported"),
    ("WITH w AS (SELECT * FROM w) SELECT * FROM w", "unsupported"),
]


@pytest.mark.parametrize(("sql", "reason"), UNLABELLED)
def test_no_labels(sql, reason):
    found = label(sql, CATALOG, "sqlite")
    assert isinstance(found, Unlabelled), found
    assert found.reason == reason


def test_double_quotes_are_text_in_sqlite_only():
    sql = 'SELECT name FROM Singer WHERE country = "Chile"'
    assert label(sql, CATALOG, "duckdb") == Unlabelled(reason="unknown_column", detail='"Chile"')


def test_coverage_names_each_gap():
    examples = [
        Example("1", "music", "SELECT name FROM Singer"),
        Example("2", "music", "SELECT nothing FROM Singer"),
        Example("3", "films", "SELECT 1"),
    ]
    report = coverage(examples, {"music": CATALOG})
    assert report.examples == 3
    assert [(gap.example, gap.why.reason) for gap in report.gaps] == [
        ("2", "unknown_column"),
        ("3", "unknown_table"),
    ]
    assert report.share == pytest.approx(1 / 3)
    assert coverage([], {}).share != coverage([], {}).share


@pytest.mark.parametrize(
    ("tables", "columns", "sql", "says"),
    [
        ({"Singer", "award"}, {("Singer", "name")}, "", "tables"),
        ({"Singer"}, {("Singer", "name"), ("Singer", "age")}, "", "missing"),
        ({"Singer"}, set(), "", "not read"),
        ({"Singer"}, set(), "SELECT name FROM Singer NATURAL JOIN Singer", "not read"),
    ],
)
def test_disagreement(tables, columns, sql, says):
    found = label("SELECT name FROM Singer", CATALOG, "sqlite")
    assert says in disagreement(found, Observed(frozenset(tables), frozenset(columns)), sql)


def test_observing_runs_nothing_and_needs_a_query_that_runs(path):
    before = path.read_bytes()
    with pytest.raises(sqlite3.Error):
        observe(path, "SELECT nothing_at_all FROM Singer")
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n, award"
    assert observe(path, endless).tables == {"award"}
    assert path.read_bytes() == before

"""The second verdict on gold: each fault is found where it is, and not where it is not."""

import sqlite3

import duckdb
import pytest
from tests.sql.labels_schema import run

from warebench.catalog.model import Catalog, Column, Table
from warebench.sql.lint import FAULTS, lint

DDL = """
CREATE TABLE pupil (id INTEGER PRIMARY KEY, name TEXT, class TEXT, points INT, mean REAL);
INSERT INTO pupil VALUES (1,'Ana','a',9,0.5),(2,'Bo','a',7,0.25),(3,'Cy','b',7,0.3),(4,'Di','b',NULL,NULL);
CREATE TABLE book (id INTEGER PRIMARY KEY, pupil INT, title TEXT, pages TEXT, weight TEXT, code TEXT);
INSERT INTO book VALUES (1,1,'Up','9','7','1'),(2,1,'Up','100','null','2'),(3,2,'In','20','10','2');
CREATE INDEX by_code ON book (code, title);
"""

CATALOG = Catalog(
    name="school",
    tables=(
        Table(
            name="pupil",
            primary_key=("id",),
            columns=(
                Column(name="id", type="INTEGER"),
                Column(name="name", type="TEXT"),
                Column(name="class", type="TEXT"),
                Column(name="points", type="INT"),
                Column(name="mean", type="REAL"),
            ),
        ),
        Table(
            name="book",
            primary_key=("id",),
            columns=(
                Column(name="id", type="INTEGER"),
                Column(name="pupil", type="INT"),
                Column(name="title", type="TEXT"),
                Column(name="pages", type="TEXT"),
                Column(name="weight", type="TEXT"),
                Column(name="code", type="TEXT"),
            ),
        ),
    ),
)

BOTH = [
    # Clean.
    ("SELECT name FROM pupil", []),
    ("SELECT name FROM pupil ORDER BY points DESC NULLS LAST LIMIT 1", []),
    ("SELECT class, count(*) FROM pupil GROUP BY class", []),
    ("SELECT max(points) FROM pupil", []),
    # What does not run, finds nothing, or moves.
    ("SELECT nothing FROM pupil", ["not_executable"]),
    ("SELECT name FROM pupil WHERE points > 99", ["empty_result"]),
    ("SELECT sum(points) FROM pupil WHERE points > 99", ["empty_result"]),
    ("SELECT name FROM pupil WHERE current_date > '1999-01-01'", ["wall_clock"]),
    ("SELECT random()", ["wall_clock"]),
    ("SELECT name FROM pupil WHERE name <> 'now'", []),
    # LIMIT without order: only where it cuts off something else.
    ("SELECT name FROM pupil LIMIT 2", ["limit_without_order"]),
    ("SELECT name FROM pupil LIMIT 2 OFFSET 1", ["limit_without_order"]),
    ("SELECT name FROM pupil LIMIT 4", []),
    ("SELECT title FROM book WHERE title = 'Up' LIMIT 1", []),
    ("SELECT name FROM pupil WHERE EXISTS (SELECT 1 FROM book LIMIT 1)", []),
    ("SELECT name FROM pupil WHERE id = (SELECT pupil FROM book LIMIT 1)", ["limit_without_order"]),
    # Ties: across the cut, at either end of it, under a group, in a subquery, in a set operation.
    ("SELECT name FROM pupil WHERE points > 0 ORDER BY points LIMIT 1", ["tie_at_limit"]),
    ("SELECT name FROM pupil WHERE points > 0 ORDER BY points LIMIT 2", ["tie_in_order"]),
    ("SELECT name FROM pupil WHERE points > 0 ORDER BY points DESC LIMIT 1", []),
    ("SELECT name FROM pupil WHERE points > 0 ORDER BY points LIMIT 5 OFFSET 1", ["tie_at_limit"]),
    ("SELECT points FROM pupil WHERE points > 0 ORDER BY points LIMIT 1", []),
    ("SELECT class FROM pupil GROUP BY class ORDER BY count(*) DESC LIMIT 1", ["tie_at_limit"]),
    ("SELECT class, count(*) AS n FROM pupil GROUP BY class ORDER BY n, class LIMIT 1", []),
    (
        "SELECT title FROM book "
        "WHERE pupil = (SELECT id FROM pupil WHERE points < 9 ORDER BY points LIMIT 1)",
        ["tie_at_limit"],
    ),
    (
        "WITH p AS (SELECT * FROM pupil WHERE points < 9), q AS (SELECT name FROM p ORDER BY points LIMIT 1) "
        "SELECT count(*) FROM q",
        ["tie_at_limit"],
    ),
    ("SELECT class FROM pupil UNION SELECT title FROM book ORDER BY 1 LIMIT 1", []),
    ("SELECT name, points FROM pupil WHERE points > 0 ORDER BY 2 LIMIT 1", ["tie_at_limit"]),
    (
        "SELECT DISTINCT class, points > 8 AS good FROM pupil WHERE points > 0 ORDER BY good LIMIT 1",
        ["tie_at_limit"],
    ),
    ("SELECT * FROM pupil WHERE points > 0 ORDER BY points LIMIT 1", ["tie_at_limit"]),
    ("SELECT name FROM pupil WHERE points > 0 ORDER BY points", ["tie_in_order"]),
    # Where NULLs stand decides.
    ("SELECT name FROM pupil WHERE id <> 3 ORDER BY points LIMIT 1", ["null_order"]),
    ("SELECT name FROM pupil WHERE id <> 3 ORDER BY points LIMIT 9", []),
    # Numbers as text.
    ("SELECT id FROM book ORDER BY pages DESC LIMIT 1", ["text_numbers"]),
    ("SELECT id FROM book ORDER BY pages", ["text_numbers"]),
    ("SELECT max(pages) FROM book", ["text_numbers"]),
    ("SELECT title FROM book WHERE pages < '5'", ["text_numbers"]),
    ("SELECT max(weight) FROM book", ["text_numbers"]),
    ("SELECT id FROM book ORDER BY code, id", []),
    # The index gives tied rows in an order of its own: no matter of text.
    ("SELECT id FROM book ORDER BY code", ["tie_in_order"]),
    ("SELECT id FROM book ORDER BY title, id", []),
    # An output name hides the column: this is ordered by id.
    ("SELECT title AS t, id AS title FROM book ORDER BY title", []),
    ("SELECT count(pages) FROM book WHERE pages = '20'", []),
    # A join repeats rows.
    ("SELECT p.name FROM pupil p JOIN book b ON b.pupil = p.id", ["join_duplicates"]),
    ("SELECT DISTINCT p.name FROM pupil p JOIN book b ON b.pupil = p.id", []),
    ("SELECT p.name, b.id FROM pupil p JOIN book b ON b.pupil = p.id", []),
    ("SELECT p.name FROM book b LEFT JOIN pupil p ON p.id = b.pupil AND p.id > 1", []),
    ("SELECT b.title FROM pupil p JOIN book b ON b.pupil = p.id", []),
]

SQLITE = [
    ("SELECT date('now')", ["wall_clock"]),
    ("SELECT strftime('%Y')", ["wall_clock"]),
    ("SELECT date('2020-01-01')", []),
    ("SELECT name FROM pupil WHERE mean = 0.1 + 0.2", ["empty_result", "float_equality"]),
    ("SELECT name FROM pupil WHERE mean = 0.5", []),
    # Columns the engine picks.
    ("SELECT class, name FROM pupil GROUP BY class", ["bare_column"]),
    ("SELECT class, name FROM pupil GROUP BY class HAVING min(id) > 9", ["empty_result"]),
    ("SELECT name FROM pupil GROUP BY id", []),
    ("SELECT count(*), name FROM pupil", ["bare_column"]),
    ("SELECT count(*), name FROM pupil WHERE id = 1", []),
    ("SELECT name, max(points) FROM pupil", []),
    ("SELECT name, min(points) FROM pupil", ["bare_column"]),
    ("SELECT class, name, max(points) FROM pupil WHERE points > 0 GROUP BY class", []),
    ("SELECT upper(class) AS c, count(*) FROM pupil GROUP BY c", []),
    ("SELECT class, count(*) FROM pupil GROUP BY 1", []),
    ("SELECT b.title, p.name FROM book b JOIN pupil p ON p.id = b.pupil GROUP BY p.id", []),
    ("SELECT name FROM pupil WHERE id IN (SELECT id FROM pupil GROUP BY class)", ["bare_column"]),
    ("SELECT name FROM pupil WHERE id IN book", ["not_executable"]),
]


@pytest.fixture(scope="module")
def school():
    connection = sqlite3.connect(":memory:")
    connection.executescript(DDL)
    yield lambda sql: run(connection, sql)
    connection.close()


@pytest.fixture(scope="module")
def duck_school():
    connection = duckdb.connect()
    connection.execute(DDL)

    def execute(sql: str):
        try:
            return connection.execute(sql).fetchall()
        except duckdb.Error as error:
            return str(error)

    yield execute
    connection.close()


def codes(faults) -> list[str]:
    assert all(FAULTS[fault.code] in fault.message for fault in faults)
    return sorted({fault.code for fault in faults})


@pytest.mark.parametrize(("sql", "expected"), BOTH + SQLITE)
def test_faults_in_sqlite(school, sql, expected):
    assert codes(lint(sql, CATALOG, school, "sqlite")) == expected


@pytest.mark.parametrize(("sql", "expected"), BOTH)
def test_faults_in_duckdb(duck_school, sql, expected):
    assert codes(lint(sql, CATALOG, duck_school, "duckdb")) == expected


def test_places_that_differ_by_rounding_only(school):
    sql = "SELECT name FROM pupil WHERE id < 3 ORDER BY CASE id WHEN 1 THEN 0.1 + 0.2 ELSE 0.3 END LIMIT 1"
    (fault,) = lint(sql, CATALOG, school, "sqlite")
    assert fault.code == "tie_at_limit"
    assert "rounding" in fault.message


def test_a_query_that_cannot_be_varied_is_said_to_be_unchecked():
    def execute(sql: str):
        return [(1,)] if sql == "SELECT  1" else [(2,)]

    assert codes(lint("SELECT  1", CATALOG, execute, "sqlite")) == ["unchecked"]
    assert codes(lint("SELECT  1", CATALOG, lambda _: "no", "sqlite")) == ["not_executable"]
    assert codes(lint("EXPLAIN SELECT 1", CATALOG, lambda _: [(1,)], "sqlite")) == ["unchecked"]
    assert codes(lint("SELECT x FROM nowhere", CATALOG, lambda _: [(1,)], "sqlite")) == ["unchecked"]

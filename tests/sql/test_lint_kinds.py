"""Kinds of fault that an earlier lint missed, each in both directions: found where it is, and there only."""

import sqlite3
from contextlib import closing
from functools import partial

import pytest
from tests.sql.labels_schema import run

from warebench.catalog.model import Catalog, Column, Table
from warebench.sql.lint import lint
from warebench.sql.lint.numbers import read_number

SHOP = """
CREATE TABLE emp (id INTEGER PRIMARY KEY, name TEXT, dept INTEGER, pay INTEGER, boss INTEGER, grade TEXT);
INSERT INTO emp VALUES (1,'ann',1,100,NULL,'9'),(2,'bob',1,200,1,'10'),(3,'cy',2,200,1,'8'),
  (4,'di',2,150,2,'11'),(5,'ed',2,90,2,'7');
CREATE TABLE dept (id INTEGER PRIMARY KEY, title TEXT);
INSERT INTO dept VALUES (1,'A'),(2,'B'),(3,'C');
CREATE TABLE bonus (id INTEGER PRIMARY KEY, emp INTEGER REFERENCES emp (id), amt INTEGER);
INSERT INTO bonus VALUES (1,1,5),(2,1,7),(3,2,5),(4,3,9),(5,3,2);
CREATE TABLE lap (id INTEGER PRIMARY KEY, time TEXT, price TEXT, share TEXT, code TEXT, note TEXT, fine TEXT);
INSERT INTO lap VALUES (1,'17:12.3','$9.50','9%','007','wet','1'),(2,'9:59.1','$10.00','10%','012','dry','2'),
  (3,'1:02:03','$1,200','55%','100','3 stops','3');
"""

KINDS = [
    # L2: a row taken several times. What each row of the join is, nobody repeats.
    ("SELECT count(*) FROM emp JOIN bonus ON emp.id = bonus.emp", ["join_duplicates"]),
    ("SELECT sum(emp.pay) FROM emp JOIN bonus ON emp.id = bonus.emp", ["join_duplicates"]),
    ("SELECT avg(e.pay) FROM emp e JOIN bonus b ON e.id = b.emp WHERE b.amt > 1", ["join_duplicates"]),
    ("SELECT count(e.id) FROM bonus b JOIN emp e ON e.id = b.emp", ["join_duplicates"]),
    ("SELECT d.title, sum(e.pay) FROM dept d JOIN emp e ON e.dept = d.id JOIN bonus b ON b.emp = e.id "
     "GROUP BY d.title", ["join_duplicates"]),
    ("SELECT e.id FROM emp e JOIN bonus b ON e.id = b.emp GROUP BY e.id HAVING count(e.id) > 1", []),
    ("SELECT count(DISTINCT emp.id) FROM emp JOIN bonus ON emp.id = bonus.emp", []),
    ("SELECT max(emp.pay) FROM emp JOIN bonus ON emp.id = bonus.emp", []),
    ("SELECT sum(bonus.amt) FROM emp JOIN bonus ON emp.id = bonus.emp", []),
    ("SELECT sum(e.pay * b.amt) FROM emp e JOIN bonus b ON e.id = b.emp", []),
    ("SELECT count(*) FROM emp e JOIN bonus b ON e.id = b.emp WHERE e.dept = 1", []),
    ("SELECT e.name, count(*) FROM emp e JOIN bonus b ON e.id = b.emp GROUP BY e.name", []),
    ("SELECT sum(e.pay) FROM emp e JOIN dept d ON d.id = e.dept", []),
    ("SELECT sum(e.pay) FROM emp e JOIN bonus b ON e.id = b.emp WHERE b.amt = 9", []),
    # L3: which of tied rows has the number 1.
    ("SELECT name FROM (SELECT name, ROW_NUMBER() OVER (ORDER BY pay DESC) AS r FROM emp) WHERE r = 1",
     ["tie_in_window"]),
    ("SELECT name FROM (SELECT name, ROW_NUMBER() OVER (PARTITION BY dept ORDER BY pay DESC) AS r FROM emp) "
     "WHERE r = 1", []),
    ("SELECT name FROM (SELECT name, ROW_NUMBER() OVER (ORDER BY pay, id) AS r FROM emp) WHERE r = 1", []),
    ("SELECT name FROM (SELECT name, RANK() OVER (ORDER BY pay DESC) AS r FROM emp) WHERE r = 1", []),
    ("SELECT pay FROM (SELECT pay, ROW_NUMBER() OVER (ORDER BY pay DESC) AS r FROM emp) WHERE r = 1", []),
    ("SELECT DISTINCT first_value(name) OVER (ORDER BY pay DESC) FROM emp", ["tie_in_window"]),
    # L4: ORDER BY the number of a column.
    ("SELECT grade, name FROM emp ORDER BY 1 DESC LIMIT 1", ["text_numbers"]),
    ("SELECT name, pay FROM emp ORDER BY 1", []),
    # L5: a column in ORDER BY or HAVING that varies in its group.
    ("SELECT dept FROM emp GROUP BY dept ORDER BY pay LIMIT 1", ["bare_column"]),
    ("SELECT dept FROM emp GROUP BY dept HAVING pay > 95", ["bare_column"]),
    ("SELECT dept FROM emp GROUP BY dept ORDER BY min(pay) LIMIT 1", []),
    ("SELECT dept FROM emp GROUP BY dept ORDER BY dept", []),
    ("SELECT e.dept FROM emp e JOIN dept d ON d.id = e.dept GROUP BY e.dept ORDER BY d.title", []),
    ("SELECT dept, sum(pay) AS pay FROM emp GROUP BY dept ORDER BY pay", []),
    # L6: sums and orders of texts that are numbers to a reader only.
    ("SELECT avg(time) FROM lap", ["text_numbers"]),
    ("SELECT max(time) FROM lap", ["text_numbers"]),
    ("SELECT sum(price) FROM lap", ["text_numbers"]),
    ("SELECT id FROM lap ORDER BY price DESC LIMIT 1", ["text_numbers"]),
    ("SELECT max(share) FROM lap", ["text_numbers"]),
    ("SELECT sum(note) FROM lap", ["text_arithmetic"]),
    ("SELECT max(code) FROM lap", []),
    ("SELECT max(note) FROM lap", []),
    ("SELECT sum(fine) FROM lap", []),
    # L7: a count of nothing.
    ("SELECT count(*) FROM emp WHERE name = 'zoe'", ["empty_result"]),
    ("SELECT count(*), sum(pay) FROM emp WHERE name = 'zoe'", ["empty_result"]),
    ("SELECT dept, count(*) FROM emp GROUP BY dept", []),
    ("SELECT count(*) - count(DISTINCT dept) FROM bonus JOIN emp ON emp.id = bonus.id AND emp.id < 0", []),
]  # fmt: skip

PLANT = {
    "text": ("TEXT", []),
    "without a type": ("", []),
    "blank": ("TEXT", ["", ""]),
    "blank without a type": ("", [""]),
    "one N/A": ("TEXT", ["N/A"]),
    "one N/A among integers": ("INTEGER", ["N/A"]),
    "thousands": ("TEXT", ["1,650"]),
}
"""By name: the declared type of a column of numbers, and texts in it besides."""


def open_shop():
    connection = sqlite3.connect(":memory:")
    connection.executescript(SHOP)
    return connection, read(connection)


def read(connection) -> Catalog:
    names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return Catalog(name="shop", tables=tuple(
        Table(name=name, columns=tuple(
            Column(name=row[1], type=row[2]) for row in connection.execute(f"PRAGMA table_info({name})")))
        for name in names))  # fmt: skip


def codes(connection, catalog, sql):
    return sorted({fault.code for fault in lint(sql, catalog, partial(run, connection), "sqlite")})


@pytest.mark.parametrize(("sql", "expected"), KINDS)
def test_kinds(sql, expected):
    connection, catalog = open_shop()
    with closing(connection):
        assert codes(connection, catalog, sql) == expected


@pytest.mark.parametrize(("declared", "besides"), PLANT.values(), ids=PLANT)
def test_numbers_as_text(declared, besides):
    numbers = ["998", "1660", "75", "1200", "330", *besides]
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"CREATE TABLE plant (id INTEGER PRIMARY KEY, cap {declared})")
        connection.executemany("INSERT INTO plant (cap) VALUES (?)", [(text,) for text in numbers])
        catalog = read(connection)
        largest = "SELECT id FROM plant ORDER BY cap DESC LIMIT 1"
        found = codes(connection, catalog, largest), codes(connection, catalog, "SELECT max(cap) FROM plant")
        over = codes(connection, catalog, "SELECT count(*) FROM plant WHERE cap > '500'")
        assert found == (["text_numbers"], ["text_numbers"])
        assert over == ["text_numbers"]
        assert codes(connection, catalog, "SELECT id FROM plant WHERE cap = '330'") == []
        assert codes(connection, catalog, "SELECT count(cap) FROM plant") == []


def test_an_untyped_column_of_numbers_is_no_text():
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(
            "CREATE TABLE plant (id INTEGER, cap); INSERT INTO plant VALUES (1, 9), (2, 100)"
        )
        assert codes(connection, read(connection), "SELECT max(cap) FROM plant") == []


@pytest.mark.parametrize(
    ("text", "number"),
    [("1,650", 1650), ("$5.00", 5), ("12 %", 12), ("007", 7), ("17:12.3", 1032.3), ("1:02:03", 3723),
     ("-3", -3), ("1,65", None), ("12 pcs", None), ("", None), ("2009/2010", None), ("1e3", 1000),
     ("€ 1,000.50", 1000.5)],
)  # fmt: skip
def test_what_a_text_means(text, number):
    assert read_number(text) == number

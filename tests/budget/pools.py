"""Small pools to build from: SQLite files in Spider's layout with good and bad gold, and one for DuckDB."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pyarrow as pa
from tests.multitable.shop import SHOP

from warebench.catalog.model import Catalog, Column, Table
from warebench.engine.collection import Collection, Example
from warebench.engine.database import Database

SCHOOL = """
CREATE TABLE student (id INTEGER PRIMARY KEY, name TEXT, country TEXT, age INTEGER);
CREATE TABLE course (id INTEGER PRIMARY KEY, title TEXT, points REAL);
CREATE TABLE takes (student_id INTEGER REFERENCES student, course_id INTEGER REFERENCES course, mark INTEGER);
CREATE TABLE honours (student_id INTEGER);
INSERT INTO student VALUES (1, 'Ann', 'France', 20), (2, 'Bo', 'Chad', 25), (3, 'Cy', 'France', NULL);
INSERT INTO course VALUES (1, 'Maths', 5), (2, 'Law', 7.5);
INSERT INTO takes VALUES (1, 1, 3), (1, 2, 4), (2, 2, 5), (3, 1, 3);
"""
CLINIC = """
CREATE TABLE course (id INTEGER PRIMARY KEY, dose TEXT);
CREATE TABLE staff (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO course VALUES (1, 'low'), (2, 'high'), (3, 'high');
INSERT INTO staff VALUES (1, 'Eve'), (2, 'Fay');
"""
SCRIPTS = {"school": SCHOOL, "clinic": CLINIC, "hollow": "CREATE TABLE void (id INTEGER);"}

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n, student"

GOOD = [
    ("school", "How many students are there?", "SELECT count(*) FROM student"),
    ("school", "What is the number of students?", "SELECT count(*)  FROM student;"),
    ("school", "List the names of students by age.", "SELECT name FROM student ORDER BY age"),
    (
        "school",
        "Which students from France have which marks?",
        "SELECT T1.name, T2.mark FROM student AS T1 JOIN takes AS T2 ON T1.id = T2.student_id "
        "WHERE T1.country = 'France'",
    ),
    (
        "school",
        "Who takes which course?",
        "SELECT name, title FROM student JOIN takes ON student.id = student_id "
        "JOIN course ON course.id = course_id",
    ),
    ("school", "Who is oldest?", "SELECT name FROM student WHERE age = (SELECT max(age) FROM student)"),
    ("clinic", "How many courses are high?", "SELECT count(*) FROM course WHERE dose = 'high'"),
    ("clinic", "Which staff is called Zoe?", "SELECT id FROM staff WHERE name = 'Zoe'"),
    ("hollow", "How much is nothing?", "SELECT count(*) FROM void"),
]
BAD = [
    ("school", "What is asked?", "", "no sql"),
    ("school", "", "SELECT 1 FROM student", "no question"),
    ("school", "What does not parse?", "SELECT FROM WHERE student", "does not parse"),
    ("school", "What is written?", "DELETE FROM student", "not allowed"),
    ("school", "What is unknown?", "SELECT shoe FROM student", "fails"),
    ("school", "What never ends?", ENDLESS, "timeout"),
    ("school", "What is too much?", "SELECT zeroblob(2000000) FROM student", "too large"),
    ("school", "What reads nothing?", "SELECT 1 + 1", "no table"),
    ("school", "What mixes?", "SELECT CASE id WHEN 1 THEN 1 ELSE 'x' END FROM student", "no plain value"),
    ("school", "What day is it?", "SELECT count(*) FROM student WHERE date('now') > '2000'", "wall clock"),
    ("school", "What is hidden?", "SELECT name FROM student WHERE id IN honours", "unlabelled"),
    ("clinic", "How many courses are high?", "SELECT 2 FROM course LIMIT 1", "asked twice"),
    ("broken", "What is corrupt?", "SELECT 1", "no rows"),
    ("absent", "What is absent?", "SELECT 1", "unknown database"),
]
"""Each with the reason for which it is left out."""


def write_spider(folder: Path, *, bad: bool = True) -> Path:
    """Write a folder in Spider's layout and return it."""
    for name, script in SCRIPTS.items():
        home = folder / "database" / name
        home.mkdir(parents=True)
        with closing(sqlite3.connect(home / f"{name}.sqlite")) as connection:
            connection.executescript(script)
    if bad:
        for name, content in (("broken", b"no database" * 50), ("empty", b"")):
            home = folder / "database" / name
            home.mkdir()
            (home / f"{name}.sqlite").write_bytes(content)
    asked = [*GOOD, *((row[0], row[1], row[2]) for row in BAD if bad)]
    entries = [{"db_id": name, "question": text, "query": sql} for name, text, sql in asked]
    (folder / "dev.json").write_text(json.dumps(entries))
    (folder / "tables.json").write_text("[]")
    return folder


def duckdb_pool() -> Collection:
    """Return a shop and an archive in memory, with two examples."""
    archive = Catalog(
        name="archive",
        tables=(
            Table(
                name="customers", columns=(Column(name="box", type="INT"), Column(name="kept", type="DATE"))
            ),
        ),
    )
    rows = {
        "customers": pa.table({"box": pa.array([1, 2], pa.int64()), "kept": pa.array([0, 1], pa.date32())})
    }
    return Collection(
        name="two",
        dialect="duckdb",
        databases=(Database(catalog=archive, tables=rows), SHOP),
        examples=(
            Example(
                id="a",
                database="shop",
                question="Who orders most?",
                sql='SELECT name, sum(amount) AS total FROM customers JOIN "order lines" AS l '
                "ON customers.id = l.customer_id GROUP BY name ORDER BY total DESC",
            ),
            Example(id="b", database="archive", question="What is kept?", sql="SELECT * FROM customers"),
        ),
    )

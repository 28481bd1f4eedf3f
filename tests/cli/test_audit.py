"""`warebench audit` and `build --examples`: every form of a list, what is found, and how a list fails."""

import json
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

ROWS = """
CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
INSERT INTO customer VALUES (1,'Ada','Rome'),(2,'Bo','Oslo'),(3,'Cy','Rome'),(4,'Di','Bern');
CREATE TABLE invoice (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customer (id), amount INTEGER);
INSERT INTO invoice VALUES (1,1,40),(2,1,60),(3,2,25),(4,3,80);
"""
CLEAN = "question,sql\nWhich invoices are above 26?,SELECT id FROM invoice WHERE amount > 26\n"
FORMS = {
    "a.csv": CLEAN,
    "a.json": json.dumps([{"question": "Above?", "query": "SELECT id FROM invoice WHERE amount > 26"}]),
    "a.yaml": "- question: Above 26?\n  sql: SELECT id FROM invoice WHERE amount > 26\n  database: shop\n",
}
BAD = {
    "a.txt": ("x", "no list of examples"),
    "a.yaml": ("[: ", "cannot be read"),
    "b.yaml": ("question: x", "not a list"),
    "a.json": ("[", "not whole JSON"),
    "a.csv": ("question,sql,comparison\nx,SELECT 1,{", "cannot be read"),
}


@pytest.fixture
def shop(tmp_path, run):
    with closing(sqlite3.connect("shop.sqlite")) as connection:
        connection.executescript(ROWS)
    return tmp_path


@pytest.mark.parametrize(("name", "content"), FORMS.items(), ids=FORMS)
def test_what_the_data_cannot_tell_apart(shop, run, name, content):
    (shop / name).write_text(content)
    result = run("audit", "shop.sqlite", "--examples", name, "--format", "json")
    assert result.exit_code == 0, result.output
    (found,) = json.loads(result.stdout)
    assert (found["unusable"], found["faults"], found["mutants"]) == ("", [], 3)
    (survivor,) = found["survivors"]
    assert survivor["change"] == "bound"
    assert survivor["row"] == "a row where the two sides of `amount > 26` are equal"


def test_faults_end_with_one(shop, run):
    (shop / "a.csv").write_text(
        "question,sql\n"
        "Who has one?,SELECT c.name FROM customer c JOIN invoice i ON i.customer = c.id\n"
        "Broken?,SELECT absent FROM invoice\n"
    )
    result = run("audit", "shop.sqlite", "--examples", "a.csv")
    assert result.exit_code == 1
    assert "a join repeats rows" in result.stdout
    assert "fails: no such column: absent" in result.stdout
    assert run("audit", "shop.sqlite", "--examples", "a.csv", "--exit-zero").exit_code == 0


def test_a_set_asks_the_list_of_one_database(shop, run):
    (shop / "a.csv").write_text(CLEAN)
    words = ("--source", "shop.sqlite", "--examples", "a.csv", "--dry-run", "--format", "json")
    result = run("build", "budget", *words)
    assert json.loads(result.stdout)["counts"] == {"shop": {"lookup": 1}}
    assert "budget" in run("build", "multitable", *words).output


@pytest.mark.parametrize(("name", "case"), BAD.items(), ids=BAD)
def test_what_is_no_list(shop, run, name, case):
    (shop / name).write_text(case[0])
    result = run("audit", "shop.sqlite", "--examples", name)
    assert result.exit_code == 2
    assert case[1] in result.output


def test_the_commands_of_the_page_run(shop, run):
    (shop / "golden.csv").write_text(CLEAN)
    page = (Path(__file__).parents[2] / "docs/audit.md").read_text(encoding="utf-8")
    lines = page.split("```bash\n")[1].split("```")[0].splitlines()
    assert len(lines) == 3
    for line in lines:
        result = run(*shlex.split(line)[1:])
        assert result.exit_code == 0, result.output

"""`warebench build multitable`: twins, own databases, options by --param, and what is refused."""

import json
import sqlite3
from pathlib import Path

import pytest

from warebench.questions.store import read_questions

SMALL = ("--param", "windows=8K", "--param", "instances=1")


@pytest.fixture
def shop_file(tmp_path: Path) -> Path:
    """Write a SQLite shop with enough rows for a window."""
    path = tmp_path / "shop.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT)")
    connection.execute(
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), "
        "amount REAL, pieces INTEGER)"
    )
    customers = [(n, f"Customer {n}", ("Oslo", "Rome", "Bonn", "Cork", "Lyon")[n % 5]) for n in range(200)]
    orders = [(n, n * 7 % 200, round(n * 37 % 991 * 1.13, 2), n * 5 % 17) for n in range(2000)]
    connection.executemany("INSERT INTO customers VALUES (?, ?, ?)", customers)
    connection.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", orders)
    connection.commit()
    connection.close()
    return path


def test_none_given_the_twins_are_asked_about(run) -> None:
    options = (*SMALL, "--param", "databases=movie, airline", "--out", "s", "--format", "json")
    said = json.loads(run("build", "multitable", *options).stdout)
    assert list(said["counts"]) == ["movie", "airline"]
    assert said["questions"] == 28
    made = read_questions(Path("s"))
    assert made.manifest.parameters["windows"] == "8K"
    assert set(made.databases) == {"movie-8k-0", "airline-8k-0"}
    assert run("check", "s").exit_code == 0


def test_a_source_is_read_with_its_rows(run, shop_file: Path) -> None:
    done = run("build", "multitable", "--source", shop_file, *SMALL, "--out", "s")
    assert done.exit_code == 0, done.stderr
    made = read_questions(Path("s"))
    assert set(made.catalogs) == {"shop"}
    assert len({question.subtype for question in made.questions}) > 2
    assert run("check", "s").exit_code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--obfuscate", "tables"), "no obfuscated twin"),
        (("--param", "wndows=8K"), "Did you mean `windows`?"),
        (("--param", "windows=9K"), "unknown window `9K`"),
        (("--param", "workers=many"), "`workers=many` does not fit the multitable track"),
        (("--param", "size=3"), "Give --size."),
        (("--param", "windows"), "not of the form NAME=VALUE"),
        (("--subtype", "COR"), "asks all of its subtypes"),
        (("--preset", "released"), "Leave out --preset."),
        (("--source", "nowhere.sqlite"), "no such source"),
        (("--profile", "papr"), "Did you mean `paper`?"),
    ],
)
def test_refusals(run, words: tuple[str, ...], said: str) -> None:
    done = run("build", "multitable", *SMALL, *words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not Path("sets").exists()


def test_a_script_has_no_rows(run, shop: Path) -> None:
    done = run("build", "multitable", "--source", shop, *SMALL)
    assert done.exit_code == 2
    assert "holds no rows" in done.stderr

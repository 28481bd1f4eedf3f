"""The command line as a test sees it: exit code, stdout, stderr."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from warebench.cli.program import main
from warebench.harness.scores import to_table, write_scores

Run = Callable[..., Result]

DDL = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id));
CREATE TABLE order_lines (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (id));
CREATE TABLE invoices (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (id));
CREATE TABLE warehouses (id INTEGER PRIMARY KEY);
CREATE TABLE shelves (id INTEGER PRIMARY KEY, warehouse_id INTEGER REFERENCES warehouses (id));
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run warebench in an empty folder; arguments are its words."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))

    def invoke(*words: object, **environment: str) -> Result:
        return CliRunner().invoke(main, [str(word) for word in words], env=environment, prog_name="warebench")

    return invoke


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Write a small shop's script."""
    path = tmp_path / "shop.sql"
    path.write_text(DDL, encoding="utf-8")
    return path


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    """Write the scores of two models: `good` is always right, `bad` on every other question."""
    rows = [
        {
            "track": "topology",
            "set_hash": "s",
            "obfuscation": "none",
            "model": model,
            "method": "flat_text",
            "catalog": "shop",
            "subtype": ("forward", "count")[number % 2],
            "difficulty": "easy",
            "path_difficulty": "easy",
            "question_id": f"q{number}",
            "pair_id": f"q{number}",
            "fact": f"f{number}",
            "epoch": 1,
            "outcome": "verdict",
            "em": float(model == "test/good" or number % 2),
            "f1": 1.0,
        }
        for model in ("test/good", "test/bad")
        for number in range(40)
    ]
    write_scores(to_table(rows), tmp_path / "scores.parquet")
    return tmp_path / "scores.parquet"

"""Bad input from end to end: what the command says about a spoilt copy of the example, and what to do."""

import shutil
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.intelligence.chinook import EXAMPLE, SCHEMA, write_chinook

from warebench.cli.program import main

METRICS, TRUTH, MEMO = "metrics.yaml", "truth.yaml", "rules/cr-01-active-customers.md"
PLAYLIST = (
    "{table: Invoice, alias: i}\n        - {table: Customer, alias: c, on: [[i.BillingCountry, Country]]}"
)
SAME_PARAMETER = """- id: CR-04
    title: Active customers once more
    kind: definitional
    document: rules/cr-01-active-customers.md
    operations:
      - {type: threshold, metrics: [CH-CUS-001], parameter: required_invoices, value: 5}
  - id: CR-02"""

SPOILT = {
    "a metric with unknown columns": (
        METRICS, "l.UnitPrice", "l.UnitPrise",
        ("table `InvoiceLine` has no column `UnitPrise`", "metric CH-REV-001",
         "fix: Did you mean `UnitPrice`?"),
    ),
    "a rule that contradicts another": (
        TRUTH, "- id: CR-02", SAME_PARAMETER,
        ("CR-01 and CR-04 contradict",
         "required_invoices of CH-CUS-001 is 3 and 5", "fix: let one supersede"),
    ),
    "a document that names no metric": (
        MEMO, "Active Customer", "such people",
        ("the document names no metric that its rule is on: CH-CUS-001", MEMO,
         "fix: write the metric's name"),
    ),
    "an empty slice": (
        METRICS, "relation: {table: Invoice, alias: i}",
        "relation: {table: Invoice, alias: i, where: [\"i.BillingCountry = 'Atlantis'\"]}",
        ("warning: chinook: metric CH-CUS-001, relation: WB012",
         "no row passes the filter `i.BillingCountry = 'Atlantis'`; compare with values"),
    ),
    "a fan-out join": (
        METRICS, "{table: Invoice, alias: i}", PLAYLIST,
        ("a join to `Customer` fans out: several rows have one Country, and count again",
         "fix: join on columns"),
    ),
    "a cyclic composite": (
        METRICS, "revenue: CH-REV-001", "revenue: CH-REV-002",
        ("CH-REV-002 is made of itself: CH-REV-002 -> CH-REV-002", "fix: take one component out"),
    ),
}  # fmt: skip


def _build(folder: Path) -> Result:
    words = ["build", "intelligence", "--source", str(folder / "chinook.sqlite"), "--size", "1"]
    words += ["--param", f"knowledge={folder / 'kb'}", "--param", "target=8", "--out", str(folder / "set")]
    return CliRunner().invoke(main, words, prog_name="warebench")


@pytest.mark.parametrize("name", SPOILT)
def test_bad_input_is_named_with_its_fix(name: str, tmp_path: Path) -> None:
    file, old, new, said = SPOILT[name]
    shutil.copytree(EXAMPLE, tmp_path / "kb")
    text = (tmp_path / "kb" / file).read_text(encoding="utf-8")
    assert old in text
    times = -1 if file == MEMO else 1
    (tmp_path / "kb" / file).write_text(text.replace(old, new, times), encoding="utf-8")
    write_chinook(tmp_path / "chinook.sqlite")
    done = _build(tmp_path)
    warned = said[0].startswith("warning")
    assert done.exit_code == (0 if warned else 2), done.output
    assert all(words in done.stderr for words in said), done.stderr
    assert "Traceback" not in done.output
    assert (tmp_path / "set").exists() is warned


def test_an_empty_database_is_refused(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "kb")
    with sqlite3.connect(tmp_path / "chinook.sqlite") as connection:
        connection.executescript(SCHEMA)
    connection.close()
    done = _build(tmp_path)
    assert done.exit_code == 2
    assert "no metric of chinook has a value: nothing can be asked about rows" in done.stderr
    assert "metric CH-REV-001, relation: table `InvoiceLine` has no rows" in done.stderr
    assert "fix: Give the database that holds the rows" in done.stderr
    assert not (tmp_path / "set").exists()

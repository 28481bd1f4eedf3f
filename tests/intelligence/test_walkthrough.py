"""The walk-through in the documents: every command runs, and prints what stands below it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.intelligence.chinook import EXAMPLE, REAL, write_chinook

from warebench.engine.load import read_database
from warebench.tracks.intelligence.compute.run import answer
from warebench.tracks.intelligence.knowledge.check import check_knowledge
from warebench.tracks.intelligence.knowledge.check_data import check_data
from warebench.tracks.intelligence.knowledge.read import read_knowledge
from warebench.tracks.intelligence.slice import Slice

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "intelligence-walkthrough.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"```bash\n(?P<commands>.*?)```(?:\n\n```text\n(?P<output>.*?)```)?", re.DOTALL)
YAML = re.compile(r"```yaml\n(.*?)```", re.DOTALL)


class Step(NamedTuple):
    """Commands of the page, and what stands below them."""

    commands: str
    output: str


STEPS = [Step(found["commands"], found["output"] or "") for found in BLOCK.finditer(PAGE)]


def prepare(folder: Path) -> Path:
    """Put what the page takes for granted into a folder."""
    shutil.copytree(EXAMPLE, folder / "docs" / "examples" / "chinook")
    shutil.copytree(ROOT / "scripts", folder / "scripts")
    return folder


def run(commands: str, folder: Path) -> str:
    """Return what commands print; fail where one fails."""
    found = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-ec", commands],
        cwd=folder,
        env={**os.environ, "PATH": found, "COLUMNS": "200"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{commands}\n{done.stdout}"
    return done.stdout


def lines(text: str) -> list[str]:
    """Return lines in the order of letters: results and talk come from two streams."""
    return sorted(line.rstrip() for line in text.splitlines() if line.strip())


def test_the_page_has_every_step() -> None:
    text = " ".join(step.commands for step in STEPS)
    for words in ("catalog", "build intelligence", "check", "run intelligence", "score", "report", "diff"):
        assert f"warebench {words}" in text
    assert sum(bool(step.output) for step in STEPS) >= 8


def test_the_example_has_five_metrics_and_three_rules_as_the_page_shows_them() -> None:
    knowledge = read_knowledge(EXAMPLE)
    assert (len(knowledge.metrics), len(knowledge.rules)) == (5, 3)
    files = "".join((EXAMPLE / name).read_text(encoding="utf-8") for name in ("metrics.yaml", "truth.yaml"))
    for shown in YAML.findall(PAGE):
        assert shown in files


def test_the_walk_through_on_a_small_chinook(tmp_path: Path) -> None:
    folder = prepare(tmp_path)
    write_chinook(folder / "chinook.sqlite")
    # The ablation loads a model of embeddings, and has tests of its own.
    steps = [step.commands for step in STEPS if "ablation.py" not in step.commands]
    said = {commands: run(commands, folder) for commands in steps}
    text = "\n".join(said.values())
    for words in (
        "0 findings",
        "confirmed    CR-02 -> CH-REV-001",
        "refuted      CR-02 -> CH-SAL-002",
        "no gold is made of them",
        "changed file: knowledge/chinook.json",
        "the document does not say: a discount of **15 percent**",
    ):
        assert words in text
    rows = [re.split(r"  +", row) for row in text.splitlines() if row.startswith("intelligence  policy/")]
    scores = {model: float(micro) for _, model, _, _, _, micro, *_ in rows}
    assert scores["policy/applies_rules"] == 100
    assert scores["policy/ignores_rules"] < 80
    (table,) = (words for commands, words in said.items() if "warebench diff" in commands)
    (row,) = (row for row in table.splitlines() if row.startswith("all "))
    kept, changed, _, _ = map(int, row.split()[1:])
    assert kept > changed > 0


@pytest.mark.skipif(not REAL.exists(), reason="needs ../shared/data/sqlite/chinook.sqlite")
def test_the_walk_through_on_the_real_chinook_prints_what_the_page_says(tmp_path: Path) -> None:
    folder = prepare(tmp_path)
    shutil.copy(REAL, folder / "chinook.sqlite")
    for step in STEPS:
        said = run(step.commands, folder)
        if step.output:
            assert lines(said) == lines(step.output), step.commands


VALUES = {
    "CH-REV-001": "SELECT sum(UnitPrice * Quantity) FROM InvoiceLine",
    "CH-SAL-001": "SELECT sum(Quantity) FROM InvoiceLine",
    "CH-SAL-002": "SELECT 100.0 * count(*) FILTER (m.Name LIKE '%video%') / count(*) FROM InvoiceLine "
    "JOIN Track t USING (TrackId) JOIN MediaType m USING (MediaTypeId)",
    "CH-CUS-001": "SELECT count(DISTINCT CustomerId) FROM Invoice",
    "CH-REV-002": "SELECT (SELECT sum(UnitPrice * Quantity) FROM InvoiceLine) / "
    "(SELECT count(DISTINCT CustomerId) FROM Invoice)",
}
"""Metric to its standard definition by hand."""


def test_metrics_of_the_example_mean_what_sql_by_hand_says(tmp_path: Path) -> None:
    database = read_database(write_chinook(tmp_path / "chinook.sqlite"))
    knowledge = read_knowledge(EXAMPLE)
    check_knowledge(knowledge, database.catalog)
    check_data(knowledge, database)
    connection = database.connect()
    for metric, sql in VALUES.items():
        ((found,),) = answer(knowledge, database, Slice(metric=metric)).rows
        ((wanted,),) = connection.execute(sql).fetchall()
        assert found == pytest.approx(float(wanted)), metric
    connection.close()

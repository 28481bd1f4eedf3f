"""The numbers in docs/fidelity.md are the ones its script prints."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_numbers_are_current():
    run = subprocess.run(
        [sys.executable, "scripts/fidelity.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    document = (ROOT / "docs" / "fidelity.md").read_text(encoding="utf-8")
    assert run.stdout in document
    assert len(run.stdout.splitlines()) > 40

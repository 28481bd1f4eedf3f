"""The numbers in docs/fidelity.md are the ones its script prints."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_numbers_are_current():
    run = subprocess.run(
        [sys.executable, "scripts/fidelity.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    document = (ROOT / "docs" / "fidelity.md").read_text(encoding="utf-8")
    blocks = re.findall(r"<!-- ([^\n]*): begin -->\n(.*?)<!-- \1: end -->", run.stdout, re.DOTALL)
    assert {name for name, _ in blocks} >= {"numbers", "multitable numbers"}
    for name, numbers in blocks:
        assert f"<!-- {name}: begin -->\n{numbers}<!-- {name}: end -->" in document
        assert len(numbers.splitlines()) > 10

"""In CI a test that must run and does not fails the session."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

RULES = Path(__file__).parent / "conftest.py"
SKIP = "import pytest\n\n@pytest.mark.skip(reason={reason!r})\ndef test_it(): ...\n\ndef test_other(): ...\n"


@pytest.mark.parametrize(
    ("reason", "ci", "code"),
    [
        ("bwrap is missing", "true", 1),
        ("bwrap is missing", "", 0),
        ("shared/data is not beside this checkout", "true", 0),
    ],
)
def test_skips(tmp_path: Path, reason: str, ci: str, code: int) -> None:
    (tmp_path / "conftest.py").write_text(RULES.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "test_a.py").write_text(SKIP.format(reason=reason), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "CI": ci}, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stdout
    assert ("CI must run this test" in done.stdout) == bool(code)
    assert "1 passed, 1 skipped" in done.stdout

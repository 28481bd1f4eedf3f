"""Run programs inside the sandbox, for its tests."""

import asyncio
import json

from warebench.harness.bwrap import Limits
from warebench.harness.process import CodeResult
from warebench.harness.sandbox import run_python

MIB = 1024 * 1024


def run(code: str, files: dict[str, bytes] | None = None, **limits: float) -> CodeResult:
    return asyncio.run(run_python(code, files or {}, Limits(**limits)))


def seen(code: str) -> object:
    """Return the JSON a program prints; it must not fail."""
    result = run(f"import json, os\n{code}")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)

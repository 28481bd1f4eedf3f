"""The whole way on this machine, without any key: build, check, run, score, report.

Every step is a command you could type. `DEMO=short` asks a few questions only, for CI.
"""

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from warebench.harness.sandbox import sandbox_available
from warebench.tracks.topology.track import METHODS

ROOT = Path(__file__).resolve().parent.parent
SHORT = os.environ.get("DEMO") == "short"
BIG, TWIN, SMALL, LOGS = "demo/sets/topology", "demo/sets/topology-tables", "demo/sets/small", "demo/logs"
SCORES = "demo/scores.parquet"

POLICIES = ("policy/oracle", "policy/random", "policy/planner")
LOCAL = "local/gemma-3-270m"
LOCAL_METHODS = ("flat_text", "vector_rag", "oracle")
LOCAL_SUBTYPES = ("forward", "direct_fk", "count", "reverse", "hop_count", "isolation", "connected")
"""Those with a short answer: every token costs this machine time."""

NOTE = f"Demo: policy models on a sample of the bundled catalogs, {LOCAL} on short answers of TPC-DI."
END = """
Open report/index.html.

The same with your own model (any provider of Inspect; put the key where Inspect expects it):
  .venv/bin/warebench run topology --questions {big} --model openai/gpt-5-mini --method all
  .venv/bin/warebench run topology --questions {big} --model ollama/llama3.1 --method all
  .venv/bin/warebench score logs && .venv/bin/warebench report scores.parquet --out report-mine

Questions about your own database (DuckDB or SQLite file, CREATE TABLE script, catalog JSON):
  .venv/bin/warebench build topology --source your.duckdb --out sets/yours
"""


def main() -> int:
    """Run every step; return the exit code of the first that fails, else 0."""
    begun = time.perf_counter()
    # Logs of an older run would be scored together with this one's.
    shutil.rmtree(ROOT / "demo", ignore_errors=True)
    for words in steps(methods()):
        print(f"\n$ warebench {shlex.join(words)}", flush=True)
        code = subprocess.run([sys.executable, "-m", "warebench", *words], cwd=ROOT, check=False).returncode  # noqa: S603
        if code:
            print(f"This step failed with exit code {code}.")
            return code
    print(END.format(big=BIG))
    print(f"Done in {time.perf_counter() - begun:.0f} seconds.")
    return 0


def methods() -> list[str]:
    """Return the methods that can run here: react_code needs a sandbox, question an agent of one's own."""
    reason = sandbox_available()
    if reason:
        print(f"Leaving out react_code: {reason}")
    left = {"question", *(["react_code"] if reason else [])}
    return [name for name in METHODS if name not in left]


def steps(names: list[str]) -> Iterator[list[str]]:
    """Yield the words of every command.

    Args:
        names: Methods for the policy models.
    """
    few = ("tpc_di", "omop_cdm") if SHORT else ()
    yield ["build", "topology", *repeated("--source", few), "--obfuscate", "tables", "--out", BIG]
    yield ["check", BIG, TWIN]
    yield [
        *("run", "topology", "--questions", BIG, "--questions", TWIN),
        *repeated("--model", POLICIES),
        *repeated("--method", names),
        *("--limit-per-subtype", "1" if SHORT else "2", "--log-dir", LOGS),
    ]
    yield ["build", "topology", "--source", "tpc_di", "--size", "1", "--out", SMALL]
    yield [
        *("run", "topology", "--questions", SMALL, "--model", LOCAL),
        *repeated("--method", LOCAL_METHODS),
        *("-T", f"subtypes={','.join(LOCAL_SUBTYPES[:3] if SHORT else LOCAL_SUBTYPES)}"),
        *("--log-dir", LOGS),
    ]
    yield ["score", LOGS, "--out", SCORES]
    yield ["report", SCORES, "--out", "report", "--note", NOTE]


def repeated(flag: str, values: list[str] | tuple[str, ...]) -> list[str]:
    """Return the flag once for every value."""
    return [word for value in values for word in (flag, value)]


if __name__ == "__main__":
    sys.exit(main())

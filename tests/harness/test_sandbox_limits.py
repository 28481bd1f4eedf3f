"""Programs that take all they can get: each must be stopped, and nothing of it may stay."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.harness.inside import MIB, run

from warebench.harness.bwrap import Limits
from warebench.harness.process import CodeResult
from warebench.harness.sandbox import run_python

pytestmark = pytest.mark.usefixtures("sandbox")


def test_fork_bomb_stays_small() -> None:
    code = """
import os, time
made = 0
while made < 500:
    try:
        if os.fork() == 0:
            time.sleep(60)
        made += 1
    except OSError:
        break
print(made)
os._exit(0)
"""
    started = time.monotonic()
    result = run(code, processes=8)
    assert 0 < int(result.stdout.split()[0]) < 8
    assert time.monotonic() - started < 10


def test_threads_count_as_processes() -> None:
    code = """
import threading, time
made = 0
try:
    while made < 500:
        threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
        made += 1
except RuntimeError:
    pass
print(made)
"""
    assert int(run(code, processes=8).stdout.split()[0]) < 8


def test_memory_bomb_fails_inside() -> None:
    result = run("x = bytearray(2 * 1024 ** 3)\nprint('got it')", memory_bytes=512 * MIB)
    assert "MemoryError" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm"])  # noqa: S108
def test_files_are_bounded_in_size_and_sum(folder: str) -> None:
    code = f"""
written = 0
for number in range(40):
    try:
        with open(f"{folder}/{{number}}", "wb") as handle:
            for _ in range(8):
                written += handle.write(bytes(1024 * 1024))
                handle.flush()
    except OSError:
        pass
print(written)
"""
    limits = {"file_bytes": 4 * MIB, "tmp_bytes": 16 * MIB}
    assert 4 * MIB <= int(run(code, **limits).stdout) <= 17 * MIB


@pytest.mark.parametrize(
    "code", ["while True: pass", "import time\ntime.sleep(60)", "input('?')\nwhile True: pass"]
)
def test_endless_programs_are_killed(code: str) -> None:
    started = time.monotonic()
    result = run(code, wall_seconds=1.0)
    assert result.timed_out or "EOFError" in result.stderr
    assert time.monotonic() - started < 5


def test_cpu_time_is_limited() -> None:
    result = run("while True: pass", cpu_seconds=1, wall_seconds=20)
    assert not result.timed_out
    assert result.exit_code > 128


def test_a_gigabyte_of_output_is_cut_and_not_kept() -> None:
    code = """
import sys
line = "x" * (1024 * 1024 - 1) + "\\n"
for _ in range(1024):
    sys.stdout.write(line)
sys.stderr.write("end")
"""
    result = run(code, output_bytes=1000, wall_seconds=60, cpu_seconds=60)
    assert (len(result.stdout), result.truncated, result.stderr, result.exit_code) == (1000, True, "end", 0)


def test_output_before_a_kill_is_kept() -> None:
    result = run("print('found 3 tables')\nwhile True: pass", wall_seconds=1.0)
    assert (result.stdout, result.timed_out) == ("found 3 tables\n", True)


def test_cannot_kill_its_keepers() -> None:
    code = """
import os, signal
for pid in (1, os.getppid(), -1):
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass
"""
    result = run(code)
    assert not result.timed_out
    assert run("print('next run works')").stdout == "next run works\n"


def test_a_daemon_dies_with_its_run() -> None:
    marker = f"daemon-{os.getpid()}-{time.monotonic_ns()}"
    code = f"""
import os, sys, time
if os.fork() == 0:
    os.setsid()
    os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(4242)", {marker!r}])
time.sleep(1.5)
print("parent done")
"""

    async def watch() -> tuple[bool, CodeResult]:
        task = asyncio.create_task(run_python(code, {}, Limits()))
        await asyncio.sleep(1)
        return _is_running(marker), await task

    was_running, result = asyncio.run(watch())
    assert was_running, "the check must be able to see the daemon"
    assert result.stdout == "parent done\n"
    assert not _is_running(marker)


def _is_running(marker: str) -> bool:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if marker.encode() in path.read_bytes():
                return True
        except OSError:
            continue
    return False


def test_cancelling_kills_the_run() -> None:
    async def cancel() -> float:
        task = asyncio.create_task(run_python("while True: pass", {}, Limits(wall_seconds=60)))
        await asyncio.sleep(0.5)
        started = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return time.monotonic() - started

    assert asyncio.run(cancel()) < 3


def test_all_processes_together_have_a_limit() -> None:
    code = """
import os, time
print("begun", flush=True)
for _ in range(4):
    if os.fork() == 0:
        held = bytearray(os.urandom(1)) * (60 * 1024 * 1024)
        time.sleep(30)
        os._exit(0)
time.sleep(30)
"""
    started = time.monotonic()
    result = run(code, total_bytes=150 * MIB, memory_bytes=1024 * MIB, wall_seconds=20)
    assert time.monotonic() - started < 15
    assert (result.timed_out, result.exit_code, result.stdout) == (False, 137, "begun\n")
    assert "more than 150 MiB of memory in all processes together" in result.stderr


@pytest.mark.parametrize("unsafe", [False, True])
def test_a_run_dies_with_the_process_that_started_it(unsafe: bool) -> None:
    marker = f"orphan-{os.getpid()}-{time.monotonic_ns()}"
    sleeper = ["-c", "import time; time.sleep(99)", marker]
    inner = f"import sys, os\nos.execv(sys.executable, [sys.executable, *{sleeper!r}])"
    script = f"""
import asyncio
from warebench.harness.bwrap import Limits
from warebench.harness.sandbox import run_python
asyncio.run(run_python({inner!r}, {{}}, Limits(wall_seconds=90), packages=(), unsafe_local={unsafe}))
"""
    with subprocess.Popen([sys.executable, "-c", script]) as parent:
        _wait_until(lambda: _is_running(marker), 20)
        parent.kill()
    _wait_until(lambda: not _is_running(marker), 3)


def _wait_until(holds: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)

"""Attacks on the sandbox: each must fail closed."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from warebench.errors import RunError
from warebench.harness import sandbox as sandbox_module
from warebench.harness.bwrap import Limits
from warebench.harness.process import CodeResult
from warebench.harness.sandbox import run_python, sandbox_available

pytestmark = pytest.mark.usefixtures("sandbox")

MIB = 1024 * 1024


def run(code: str, files: dict[str, bytes] | None = None, **limits: float) -> CodeResult:
    return asyncio.run(run_python(code, files or {}, Limits(**limits)))


def seen(code: str) -> object:
    """Return the JSON a program prints; it must not fail."""
    result = run(f"import json, os\n{code}")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_runs_code_with_files_and_packages() -> None:
    code = "import networkx, numpy\nprint(open('g.json').read(), networkx.path_graph(3).size(), numpy.ones(2).sum())"
    result = run(code, {"g.json": b"[1]"})
    assert (result.stdout, result.stderr, result.exit_code) == ("[1] 2 2.0\n", "", 0)
    assert not result.timed_out
    assert not result.truncated


def test_failure_of_the_code_is_reported() -> None:
    result = run("import sys\nprint('before')\nraise ValueError('no such table')")
    assert result.exit_code == 1
    assert result.stdout == "before\n"
    assert "ValueError: no such table" in result.stderr


def test_reads_no_host_file(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    marker.write_text("secret of the host")
    paths = [str(marker), "/etc/passwd", "/etc/shadow", "/root/.bashrc", str(Path(__file__).resolve())]
    found = seen(f"print(json.dumps([p for p in {paths!r} if os.path.lexists(p)]))")
    assert found == []


def test_sees_only_the_folders_made_for_it() -> None:
    roots = set(seen("print(json.dumps(os.listdir('/')))"))
    library = Path(sys.base_prefix).resolve().parts[1]
    allowed = {"files", "packages", "launch.py", "tmp", "dev", "proc", "usr", "lib", "lib64", library}
    assert roots <= allowed
    packages = set(seen("print(json.dumps(os.listdir('/packages')))"))
    assert {"networkx", "numpy", "scipy"} <= packages <= {"networkx", "numpy", "scipy", "numpy.libs", "scipy.libs"}


@pytest.mark.parametrize("module", ["warebench", "inspect_ai", "pandas"])
def test_does_not_import_what_could_know_the_answers(module: str) -> None:
    assert "ModuleNotFoundError" in run(f"import {module}").stderr


def test_symlinks_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "marker").write_text("secret of the host")
    code = f"""
os.symlink({str(tmp_path / "marker")!r}, "/tmp/link")
os.symlink("/proc/1/root", "/tmp/root")
answers = []
for path in ("/tmp/link", "/tmp/root/etc/passwd", "/tmp/root{tmp_path}/marker", "/proc/self/root/etc/passwd"):
    try:
        answers.append(open(path).read())
    except OSError as error:
        answers.append("")
print(json.dumps(answers))
"""
    assert seen(code) == [""] * 4


def test_writes_nowhere_but_to_its_own_tmp(tmp_path: Path) -> None:
    places = ["/x", "/files/x", "/files/main.py", "/usr/x", "/dev/x", "/launch.py", "/packages/x", str(tmp_path / "x")]
    code = f"""
written = []
for path in {places!r} + ["/tmp/x"]:
    try:
        open(path, "w").write("x")
        written.append(path)
    except OSError:
        pass
print(json.dumps(written))
"""
    assert seen(code) == ["/tmp/x"]
    assert list(tmp_path.iterdir()) == []
    assert not Path("/x").exists()


def test_has_no_network() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        reached = threading.Event()

        def accept() -> None:
            server.settimeout(3)
            try:
                server.accept()[0].close()
                reached.set()
            except TimeoutError:
                pass

        listener = threading.Thread(target=accept)
        listener.start()
        code = f"""
import socket
outcome = []
for address in (("127.0.0.1", {port}), ("1.1.1.1", 53), ("localhost", {port})):
    try:
        socket.create_connection(address, timeout=1)
        outcome.append("connected")
    except OSError:
        outcome.append("refused")
print(json.dumps(outcome))
"""
        assert seen(code) == ["refused"] * 3
        # the server itself works: else the check above would prove nothing
        assert not reached.is_set()
        socket.create_connection(("127.0.0.1", port)).close()
        listener.join()
        assert reached.is_set()


def test_gets_no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "sk-secret")
    code = """
found = [json.dumps(dict(os.environ))]
for process in os.listdir("/proc"):
    for name in ("environ", "cmdline"):
        try:
            found.append(open(f"/proc/{process}/{name}").read())
        except OSError:
            pass
print(json.dumps(found))
"""
    said = " ".join(seen(code))  # type: ignore[arg-type]
    assert "PYTHONHASHSEED" in said
    assert "secret" not in said
    assert "API_KEY" not in said


def test_sees_no_other_process() -> None:
    processes = seen("print(json.dumps(sorted(int(p) for p in os.listdir('/proc') if p.isdigit())))")
    assert processes == [1, 2]


def test_holds_no_descriptor_of_the_host() -> None:
    assert seen("print(json.dumps(sorted(int(fd) for fd in os.listdir('/proc/self/fd'))))") == [0, 1, 2, 3]


def test_is_not_root_and_cannot_become_it() -> None:
    code = """
status = dict(line.split(":", 1) for line in open("/proc/self/status").read().splitlines())
refused = []
for act in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.chown("/tmp", 0, 0)):
    try:
        act()
    except OSError:
        refused.append(True)
print(json.dumps([os.getuid(), os.geteuid(), len(refused), int(status["CapEff"], 16), int(status["NoNewPrivs"])]))
"""
    uid, euid, refused, capabilities, no_new_privileges = seen(code)  # type: ignore[misc]
    assert uid == euid != 0
    assert (refused, capabilities, no_new_privileges) == (3, 0, 1)


def test_system_calls_that_lead_out_are_refused() -> None:
    code = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
calls = {
    "unshare user": lambda: libc.unshare(0x10000000),
    "unshare mount": lambda: libc.unshare(0x00020000),
    "mount": lambda: libc.mount(b"none", b"/tmp", b"tmpfs", 0, None),
    "ptrace": lambda: libc.ptrace(16, 1, 0, 0),
    "memfd_create": lambda: libc.memfd_create(b"x", 0),
    "shmget": lambda: libc.shmget(0, 1 << 20, 0o1666),
}
print(json.dumps({name: [call(), ctypes.get_errno()] for name, call in calls.items()}))
"""
    assert set(map(tuple, seen(code).values())) == {(-1, 1)}  # type: ignore[attr-defined]


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


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm"])
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


@pytest.mark.parametrize("code", ["while True: pass", "import time\ntime.sleep(60)", "input('?')\nwhile True: pass"])
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
    code = "import sys\nline = 'x' * 1023 + '\\n'\nfor _ in range(1024 * 1024): sys.stdout.write(line)\nsys.stderr.write('end')"
    result = run(code, output_bytes=1000, wall_seconds=60, cpu_seconds=60)
    assert (len(result.stdout), result.truncated, result.stderr, result.exit_code) == (1000, True, "end", 0)


def test_output_before_a_kill_is_kept() -> None:
    result = run("print('found 3 tables')\nwhile True: pass", wall_seconds=1.0)
    assert (result.stdout, result.timed_out) == ("found 3 tables\n", True)


def test_cannot_kill_its_keepers() -> None:
    code = "import os, signal\nfor pid in (1, os.getppid(), -1):\n    try: os.kill(pid, signal.SIGKILL)\n    except OSError: pass\nprint('still here')"
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


@pytest.mark.parametrize("name", ["../x", "/x", "a/b", "..", ""])
def test_file_names_cannot_leave_the_folder(name: str) -> None:
    with pytest.raises(RunError, match="not a plain file name"):
        run("pass", {name: b""})


def test_runs_at_once_do_not_disturb_each_other() -> None:
    async def both() -> list[CodeResult]:
        code = "import os, time\npid = os.fork()\ntime.sleep(0.5)\nprint(pid)"
        return await asyncio.gather(*(run_python(code, {}, Limits(processes=3)) for _ in range(4)))

    assert all(result.exit_code == 0 for result in asyncio.run(both()))


def test_works_for_an_interpreter_under_tmp(tmp_path: Path) -> None:
    """The sandbox's own empty /tmp must not hide a virtual environment below the host's."""
    assert str(tmp_path).startswith("/tmp")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    code = (
        "import asyncio\nfrom warebench.harness.sandbox import *\nfrom warebench.harness.bwrap import Limits\n"
        "print(asyncio.run(run_python('print(6 * 7)', {}, Limits(), packages=())).stdout)"
    )
    source = Path(sandbox_module.__file__).parents[2]
    result = subprocess.run(
        [tmp_path / "venv/bin/python", "-c", code],
        env={"PYTHONPATH": str(source), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stdout.strip() == "42", result.stderr


def test_missing_bubblewrap_is_refused_with_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    sandbox_module._probe.cache_clear()
    try:
        assert sandbox_available() == "bubblewrap (`bwrap`) is not installed"
        with pytest.raises(RunError) as caught:
            run("print(1)")
    finally:
        monkeypatch.undo()
        sandbox_module._probe.cache_clear()
    assert "apt-get install bubblewrap" in caught.value.fix
    assert "--unsafe-local" in caught.value.fix


def test_a_sandbox_that_breaks_is_no_result_of_the_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert sandbox_available() is None
    monkeypatch.setattr(sandbox_module, "find_bwrap", lambda: _fake(tmp_path, "echo 'bwrap: no namespaces' >&2; exit 1"))
    with pytest.raises(RunError, match="no namespaces"):
        run("print(1)")


def _fake(folder: Path, script: str) -> str:
    program = folder / "bwrap"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return str(program)


def test_unsafe_local_still_limits_time_memory_and_output(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "sk-secret")

    def unsafe(code: str, **limits: float) -> CodeResult:
        return asyncio.run(run_python(code, {"g": b"hi"}, Limits(**limits), unsafe_local=True))

    assert unsafe("print(open('g').read())").stdout == "hi\n"
    assert unsafe("import os\nprint(os.environ.get('API_KEY'))").stdout == "None\n"
    assert unsafe("while True: pass", wall_seconds=0.5).timed_out
    assert "MemoryError" in unsafe("bytearray(2 * 1024 ** 3)", memory_bytes=512 * MIB).stderr
    assert unsafe("print('x' * 1000)", output_bytes=10).truncated

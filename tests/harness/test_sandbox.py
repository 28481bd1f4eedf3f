"""Attacks on the sandbox: each must fail closed."""

import asyncio
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.harness.inside import MIB, run, seen

from warebench.errors import RunError
from warebench.harness import sandbox as sandbox_module
from warebench.harness.bwrap import Limits
from warebench.harness.process import CodeResult
from warebench.harness.sandbox import run_python, sandbox_available

pytestmark = pytest.mark.usefixtures("sandbox")


def test_runs_code_with_files_and_packages() -> None:
    code = "import networkx, numpy\n"
    code += "print(open('g.json').read(), networkx.path_graph(3).size(), numpy.ones(2).sum())"
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
    paths = [str(marker), "/etc/passwd", "/etc/shadow", "/etc/hostname", str(Path(__file__).resolve())]
    found = seen(f"print(json.dumps([p for p in {paths!r} if os.path.lexists(p)]))")
    assert found == []


def test_sees_only_the_folders_made_for_it() -> None:
    roots = set(seen("print(json.dumps(os.listdir('/')))"))
    library = Path(sys.base_prefix).resolve().parts[1]
    allowed = {"files", "packages", "launch.py", "tmp", "dev", "proc", "usr", "lib", "lib64", library}
    assert roots <= allowed
    packages = set(seen("print(json.dumps(os.listdir('/packages')))"))
    assert (
        {"networkx", "numpy", "scipy"}
        <= packages
        <= {"networkx", "numpy", "scipy", "numpy.libs", "scipy.libs"}
    )


@pytest.mark.parametrize("module", ["warebench", "inspect_ai", "pandas"])
def test_does_not_import_what_could_know_the_answers(module: str) -> None:
    assert "ModuleNotFoundError" in run(f"import {module}").stderr


def test_symlinks_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "marker").write_text("secret of the host")
    code = f"""
os.symlink({str(tmp_path / "marker")!r}, "/tmp/link")
os.symlink("/proc/1/root", "/tmp/host")
answers = []
own = "/proc/self/" + "root"
for path in ("/tmp/link", "/tmp/host/etc/passwd", "/tmp/host{tmp_path}/marker", own + "/etc/passwd"):
    try:
        answers.append(open(path).read())
    except OSError as error:
        answers.append("")
print(json.dumps(answers))
"""
    assert seen(code) == [""] * 4


def test_writes_nowhere_but_to_its_own_tmp(tmp_path: Path) -> None:
    places = [
        "/x",
        "/files/x",
        "/files/main.py",
        "/usr/x",
        "/dev/x",
        "/launch.py",
        "/packages/x",
        str(tmp_path / "x"),
    ]
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
    assert seen(code) == ["/tmp/x"]  # noqa: S108
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
print(json.dumps([os.getuid(), len(refused), int(status["CapEff"], 16), int(status["NoNewPrivs"])]))
"""
    uid, refused, capabilities, no_new_privileges = seen(code)  # type: ignore[misc]
    assert uid != 0
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
    assert str(tmp_path).startswith("/tmp")  # noqa: S108
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    code = (
        "import asyncio\nfrom warebench.harness.sandbox import run_python\n"
        "from warebench.harness.bwrap import Limits\n"
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


def test_a_sandbox_that_breaks_is_no_result_of_the_code(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert sandbox_available() is None
    monkeypatch.setattr(
        sandbox_module, "find_bwrap", lambda: _fake(tmp_path, "echo 'bwrap: no namespaces' >&2; exit 1")
    )
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

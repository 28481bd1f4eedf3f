"""The bubblewrap command line: what model-written code can see, and as whom it runs.

Visible inside: `/usr/lib*`, the standard library and executable of this Python, the packages asked for under
`/packages`, the caller's files under `/files` (working directory), an empty `/tmp`, a private `/proc` and a
minimal `/dev`. Everything but `/tmp` and `/dev/shm` is read-only. Not visible: `/etc`, home folders, the
network, other processes, the environment, and `warebench` itself (it would know the answers).
"""

import importlib.util
import json
import os
import secrets
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from warebench.errors import MissingExtra, RunError

NO_BWRAP = "bubblewrap (`bwrap`) is not installed"
FIX = (
    "apt-get install bubblewrap (0.7 or newer; or your system's package), "
    "or accept the risk with --unsafe-local"
)
DEFAULT_PACKAGES = ("networkx", "numpy", "scipy")
FILES, PACKAGES, LAUNCH = "/files", "/packages", "/launch.py"
LAUNCH_FILE = Path(__file__).with_name("launch.py")
"""Not imported here: it needs a Unix."""
_MIB = 1024 * 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What one run of model-written code may use."""

    wall_seconds: float = 10.0
    """Real time until the whole process tree is killed."""
    cpu_seconds: int = 10
    """CPU time of each process."""
    memory_bytes: int = 1024 * _MIB
    """Address space of each process."""
    total_bytes: int = 1024 * _MIB
    """Memory of all processes together; looked at ten times a second, so that a burst may pass it."""
    processes: int = 8
    """Processes and threads together; not enforced with `unsafe_local`."""
    file_bytes: int = 16 * _MIB
    """Size of each file written."""
    tmp_bytes: int = 64 * _MIB
    """Size of `/tmp` and of `/dev/shm`."""
    output_bytes: int = 16 * 1024
    """Bytes kept of standard output, and of standard error; the rest is read and dropped."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Python:
    """Where the interpreter lives on the host."""

    executable: str
    library: str
    standard_library: str


def find_python() -> Python:
    """Return the base interpreter behind this process: never a virtual environment's link."""
    standard_library = sysconfig.get_path("stdlib")
    return Python(
        executable=os.path.realpath(sys.executable),
        library=os.path.realpath(Path(sys.base_prefix) / "lib"),
        standard_library=os.path.realpath(standard_library),
    )


def find_bwrap() -> str:
    """Return the path of bubblewrap.

    Raises:
        RunError: when it is not installed.
    """
    path = shutil.which("bwrap")
    if path is None:
        raise RunError(NO_BWRAP, where="sandbox for model-written code", fix=FIX)
    return path


def bwrap_arguments(
    work: Path, limits: Limits, packages: Sequence[str], *, seccomp_fd: int, ready_fd: int
) -> tuple[list[str], list[str]]:
    """Return the options of bubblewrap and the command it shall run.

    Args:
        work: Host folder with `main.py` and the caller's files; bound read-only at `/files`.
        limits: See `Limits`.
        packages: Top-level import names to make visible.
        seccomp_fd: Descriptor from which bubblewrap reads the system call filter.
        ready_fd: Descriptor on which `launch.py` reports that the sandbox stands.
    """
    python = find_python()
    options = [
        *_namespaces(),
        *("--die-with-parent", "--new-session", "--clearenv", "--seccomp", str(seccomp_fd)),
        *("--proc", "/proc", "--dev", "/dev"),
        *("--size", str(limits.tmp_bytes), "--perms", "1777", "--tmpfs", "/dev/shm"),  # noqa: S108
        # before the read-only binds: an interpreter under /tmp would vanish below a later tmpfs
        *("--size", str(limits.tmp_bytes), "--perms", "1777", "--tmpfs", "/tmp"),  # noqa: S108
        *_system_libraries(),
        *_interpreter(python),
        *_package_binds(packages),
        *("--ro-bind", str(LAUNCH_FILE), LAUNCH),
        *("--ro-bind", str(work), FILES, "--chdir", FILES),
        *("--remount-ro", "/dev", "--remount-ro", "/"),
        *_environment(),
    ]
    counted = {"processes": limits.processes}  # the kernel counts them per user and namespace
    settings = {"uid": _foreign_uid(), "ready_fd": ready_fd, "limits": process_limits(limits) | counted}
    return options, launch_command(python.executable, LAUNCH, settings)


def process_limits(limits: Limits) -> dict[str, int]:
    """Return the limits of each process, by the names `launch.py` knows."""
    wanted = ("cpu_seconds", "memory_bytes", "file_bytes")
    return {name: asdict(limits)[name] for name in wanted} | {"open_files": 64, "core_bytes": 0}


def launch_command(executable: str, launch: str, settings: Mapping[str, object]) -> list[str]:
    """Return the command that sets the limits and then runs `main.py` of the working directory.

    Args:
        executable: Python to run.
        launch: Path of `launch.py` as the command will see it.
        settings: `limits` (see `process_limits`), `uid` to become (0: stay), `ready_fd` to report on.
    """
    start = [executable, "-I", "-S", "-B", launch, json.dumps(settings)]
    return [*start, executable, "-s", "-B", "-u", "main.py"]


def _namespaces() -> list[str]:
    if not _is_real_root():
        nobody = ("--uid", "65534", "--gid", "65534", "--cap-drop", "ALL")
        # since 0.8; the seccomp filter forbids new user namespaces in any case
        sealed = ["--disable-userns"] if _knows("--disable-userns") else []
        return ["--unshare-all", "--unshare-user", *sealed, *nobody]
    # A user namespace made by root maps "nobody" back to root, for whom the kernel enforces no process
    # limit. So root makes the other namespaces, and launch.py drops to a real foreign uid.
    unshare = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
    return [*unshare, "--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]


def _foreign_uid() -> int:
    """Return a uid nobody else uses, so that each run has its own process count; 0 when not root."""
    return _highest_uid() - 1 - secrets.randbelow(10_000) if _is_real_root() else 0


def _is_real_root() -> bool:
    """Tell root from a user who is root in a namespace of few uids: only the former can become another."""
    return os.geteuid() == 0 and _highest_uid() > 20_000


def _highest_uid() -> int:
    last = Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines()[-1].split()
    return int(last[0]) + int(last[2]) - 1


@cache
def _knows(option: str) -> bool:
    told = subprocess.run([find_bwrap(), "--help"], capture_output=True, text=True, check=False)  # noqa: S603
    return option in told.stdout + told.stderr


def _open_folders(paths: Iterable[str]) -> Iterator[str]:
    # left to itself bubblewrap makes missing parents 0700, which shuts out the foreign user
    for path in sorted(paths):
        yield from ("--perms", "0755", "--dir", path)


def _system_libraries() -> Iterator[str]:
    yield from _open_folders(["/usr"])
    for folder in ("lib", "lib64"):
        if (Path("/usr") / folder).is_dir():
            yield from ("--ro-bind", f"/usr/{folder}", f"/usr/{folder}")
        link = Path("/") / folder
        if link.is_symlink():
            yield from ("--symlink", os.readlink(link), str(link))
        elif link.is_dir():
            yield from ("--ro-bind", str(link), str(link))


def _interpreter(python: Python) -> Iterator[str]:
    shown = {python.library, python.standard_library, python.executable}
    parents = {str(parent) for path in shown for parent in Path(path).parents}
    yield from _open_folders(parents - {"/", "/tmp"})  # noqa: S108
    for path in sorted(shown):
        yield from ("--ro-bind", path, path)
    # installed packages are shown one by one under /packages, never as a whole
    parents = {python.library, python.standard_library, str(Path(python.library) / "python3")}
    for parent in sorted(parents):
        for name in ("site-packages", "dist-packages"):
            if (Path(parent) / name).is_dir():
                yield from ("--tmpfs", str(Path(parent) / name))


def _package_binds(packages: Sequence[str]) -> Iterator[str]:
    yield from _open_folders([PACKAGES])
    for name in packages:
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            raise MissingExtra(name, "all")
        if not spec.submodule_search_locations:  # a module in one file
            yield from ("--ro-bind", spec.origin, f"{PACKAGES}/{Path(spec.origin).name}")
            continue
        folder = Path(next(iter(spec.submodule_search_locations)))
        yield from ("--ro-bind", str(folder), f"{PACKAGES}/{name}")
        libraries = folder.with_name(f"{name}.libs")  # shared objects a wheel brings along
        if libraries.is_dir():
            yield from ("--ro-bind", str(libraries), f"{PACKAGES}/{name}.libs")


def environment(home: str) -> dict[str, str]:
    """Return the whole environment of model-written code; nothing of the host's is passed on."""
    return {
        "HOME": home,
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        # one thread: thread pools count against the process limit and reserve address space
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }


def _environment() -> Iterator[str]:
    for name, value in (environment("/tmp") | {"PYTHONPATH": PACKAGES}).items():  # noqa: S108
        yield from ("--setenv", name, value)

"""First program inside the sandbox: take on the limits and the foreign uid, then become the real program.

Runs with the standard library only (`python -I -S launch.py`), as nothing else is visible yet.
Arguments: a JSON object (see `bwrap.py`), then the command to become.
"""

import contextlib
import ctypes
import json
import os
import resource
import signal
import sys

_LIMITS = {
    "cpu_seconds": resource.RLIMIT_CPU,
    "memory_bytes": resource.RLIMIT_AS,
    "processes": resource.RLIMIT_NPROC,
    "file_bytes": resource.RLIMIT_FSIZE,
    "open_files": resource.RLIMIT_NOFILE,
    "core_bytes": resource.RLIMIT_CORE,
}
_PR_SET_PDEATHSIG = 1


def _set_limits(limits: dict[str, int]) -> None:
    for name, value in limits.items():
        # a hard limit above the one we inherited may not be set: keep the lower
        _, hard = resource.getrlimit(_LIMITS[name])
        lowest = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(_LIMITS[name], (lowest, lowest))


def _prefer_to_be_killed() -> None:
    """Tell the kernel to kill this process before any other when memory runs out."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as handle:
        handle.write("1000")


def _die_with_parent() -> None:
    """Ask the kernel to kill this process when the one that started it is gone."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _become(uid: int) -> None:
    """Leave root for good: the process limit is not enforced for it."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def main(arguments: list[str]) -> None:
    """Set limits and uid, then replace this process by the command."""
    settings, command = json.loads(arguments[0]), arguments[1:]
    _prefer_to_be_killed()
    _set_limits(settings["limits"])
    if settings["uid"]:
        _become(settings["uid"])
    _die_with_parent()  # a new uid takes it back
    # from here on a failure is the program's; before, it is the sandbox's
    os.write(settings["ready_fd"], b"ready")
    os.close(settings["ready_fd"])
    os.execv(command[0], command)  # noqa: S606 - no shell on purpose


if __name__ == "__main__":
    main(sys.argv[1:])

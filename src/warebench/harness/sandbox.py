"""Run model-written Python, in a bubblewrap sandbox or not at all.

The sandbox has no network, no host files beyond a read-only interpreter, no host environment, its own
processes and hard limits; `bwrap.py` says what is visible, `seccomp.py` which system calls are refused.
"""

import contextlib
import functools
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from warebench.errors import RunError, UserError
from warebench.harness import seccomp
from warebench.harness.bwrap import (
    DEFAULT_PACKAGES,
    FIX,
    LAUNCH_FILE,
    Limits,
    bwrap_arguments,
    environment,
    find_bwrap,
    launch_command,
    process_limits,
)
from warebench.harness.process import CodeResult, Invocation, execute

WHERE = "sandbox for model-written code"
UNSAFE = (
    "UNSAFE: model-written code runs as this user, with its files and its network. "
    "Limits on time and memory hold, nothing else does. Leave out --unsafe-local to use the sandbox."
)
"""What a caller must show whenever `unsafe_local` is on."""


def sandbox_available() -> str | None:
    """Return why the sandbox cannot be used here, or None when a program really ran in it."""
    try:
        return _probe()
    except UserError as error:
        return error.what


async def run_python(
    code: str,
    files: Mapping[str, bytes],
    limits: Limits,
    *,
    packages: Sequence[str] = DEFAULT_PACKAGES,
    unsafe_local: bool = False,
) -> CodeResult:
    """Run one Python program and return what it printed.

    Args:
        code: The program, saved as `main.py`.
        files: Name to content; they lie, read-only, in the working directory.
        limits: What it may use.
        packages: Top-level import names visible to it besides the standard library.
        unsafe_local: Run in a plain subprocess as this user. The caller must say so (see `UNSAFE`).

    Raises:
        RunError: when there is no working sandbox and `unsafe_local` is off; when the sandbox breaks before
            the program starts; when a file name is not a plain one.
    """
    if not unsafe_local and (reason := sandbox_available()):
        raise RunError(reason, where=WHERE, fix=FIX)
    with _work_folder(code, files) as work, _pipe() as ready:
        if unsafe_local:
            invocation = _unsafe_invocation(work, limits, ready.writing)
            outcome = await execute(invocation, limits)
        else:
            with _sandbox_invocation(work, limits, packages, ready.writing) as invocation:
                outcome = await execute(invocation, limits)
        if not ready.was_written():
            said = outcome.stderr.strip() or "killed before the program started"
            raise RunError(f"the sandbox broke: {said}", where=WHERE, fix="run it again; memory may be short")
    return outcome


@functools.cache
def _probe() -> str | None:
    find_bwrap()
    if not seccomp.supported():
        return "no system call filter for this processor"
    with (
        _work_folder("print('ok')", {}) as work,
        _pipe() as ready,
        _sandbox_invocation(work, Limits(), (), ready.writing) as invocation,
    ):
        result = subprocess.run(  # noqa: S603 - fixed program
            invocation.argv,
            env=invocation.environment,
            cwd=invocation.cwd,
            pass_fds=invocation.descriptors,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
        )
    if result.stdout.strip() == b"ok":
        return None
    said = result.stderr.decode(errors="replace").strip().splitlines()
    return f"bubblewrap cannot make a sandbox here: {said[-1] if said else f'exit code {result.returncode}'}"


@contextlib.contextmanager
def _work_folder(code: str, files: Mapping[str, bytes]) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="sandbox-") as private:
        work = Path(private) / "files"  # the outer folder stays closed to other users of this machine
        work.mkdir()
        for name, content in {**files, "main.py": code.encode(errors="replace")}.items():
            if PurePosixPath(name).name != name or name in ("", "..", "."):
                raise RunError(f"`{name}` is not a plain file name", where=WHERE, fix="leave folders out")
            (work / name).write_bytes(content)
            (work / name).chmod(0o644)
        work.chmod(0o755)  # the foreign user inside must be able to read
        yield work


@contextlib.contextmanager
def _sandbox_invocation(
    work: Path, limits: Limits, packages: Sequence[str], ready_fd: int
) -> Iterator[Invocation]:
    with _holding(seccomp.build_filter()) as filter_fd:
        options, command = bwrap_arguments(work, limits, packages, seccomp_fd=filter_fd, ready_fd=ready_fd)
        # by descriptor: process 1 inside is bubblewrap, and its command line can be read there
        with _holding(b"".join(option.encode() + b"\0" for option in options)) as options_fd:
            yield Invocation(
                argv=[find_bwrap(), "--args", str(options_fd), "--", *command],
                environment={},  # for the same reason: /proc/1/environ must hold nothing
                cwd=work,
                descriptors=(filter_fd, options_fd, ready_fd),
            )


def _unsafe_invocation(work: Path, limits: Limits, ready_fd: int) -> Invocation:
    settings = {"uid": 0, "ready_fd": ready_fd, "limits": process_limits(limits)}
    return Invocation(
        argv=launch_command(sys.executable, str(LAUNCH_FILE), settings),
        environment=environment(str(work)),
        cwd=work,
        descriptors=(ready_fd,),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Pipe:
    reading: int
    writing: int

    def was_written(self) -> bool:
        """Return whether anything lies in the pipe."""
        return bool(select.select([self.reading], [], [], 0)[0])


@contextlib.contextmanager
def _pipe() -> Iterator[_Pipe]:
    reading, writing = os.pipe()
    try:
        yield _Pipe(reading=reading, writing=writing)
    finally:
        os.close(reading)
        os.close(writing)


@contextlib.contextmanager
def _holding(content: bytes) -> Iterator[int]:
    """Yield a descriptor that reads `content` (which must fit a pipe, 64 KiB)."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(content)
    try:
        yield reading
    finally:
        os.close(reading)

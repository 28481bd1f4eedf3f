"""Run one program to its end, bounded in time and in kept output, and leave nothing of it behind."""

import asyncio
import contextlib
import os
import resource
import signal
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from warebench.harness.bwrap import Limits

_CHUNK = 64 * 1024
_GRACE_SECONDS = 5.0
_WATCH_SECONDS = 0.1
_PAGE = resource.getpagesize()


@dataclass(frozen=True, kw_only=True, slots=True)
class Invocation:
    """What to start."""

    argv: list[str]
    environment: dict[str, str]
    """All of it; nothing is inherited."""
    cwd: Path
    descriptors: tuple[int, ...] = ()
    """Open descriptors to pass on."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CodeResult:
    """What came out of one run."""

    stdout: str
    """At most `Limits.output_bytes`, decoded as UTF-8 with replacement."""
    stderr: str
    exit_code: int
    """0 when all went well; 128 + n when killed by signal n."""
    timed_out: bool
    """Killed because `Limits.wall_seconds` had passed."""
    truncated: bool
    """More was written than is kept."""


@dataclass(kw_only=True, slots=True)
class _Kept:
    """The first bytes of a stream; filled while the program runs, so that a kill loses nothing."""

    room: int
    content: bytearray = field(default_factory=bytearray)
    truncated: bool = False

    def add(self, chunk: bytes) -> None:
        free = self.room - len(self.content)
        self.content += chunk[:free]
        self.truncated = self.truncated or len(chunk) > free


async def execute(invocation: Invocation, limits: Limits) -> CodeResult:
    """Start a program, read its output to the end, kill its process group when time is up.

    Args:
        invocation: See `Invocation`.
        limits: `wall_seconds`, `total_bytes` and `output_bytes` are used here; the rest is the program's own
            start's.
    """
    process = await asyncio.create_subprocess_exec(
        *invocation.argv,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=invocation.environment,
        cwd=invocation.cwd,
        pass_fds=invocation.descriptors,
        start_new_session=True,
    )
    out, err = _Kept(room=limits.output_bytes), _Kept(room=limits.output_bytes)
    finished = asyncio.gather(_drain(process.stdout, out), _drain(process.stderr, err), process.wait())
    watch = asyncio.create_task(_kill_large(process.pid, limits.total_bytes))
    timed_out = await _wait_or_kill(finished, process.pid, limits.wall_seconds)
    if too_large := watch.done():
        told = f"Killed: more than {limits.total_bytes >> 20} MiB of memory in all processes together."
        err = _Kept(room=limits.output_bytes, content=bytearray(told.encode()))
    watch.cancel()
    code = process.returncode if process.returncode is not None else -signal.SIGKILL
    return CodeResult(
        stdout=out.content.decode(errors="replace"),
        stderr=err.content.decode(errors="replace"),
        exit_code=128 - code if code < 0 else code,
        timed_out=timed_out and not too_large,
        truncated=out.truncated or err.truncated,
    )


async def _wait_or_kill(finished: "asyncio.Future[tuple[None, None, int]]", pid: int, seconds: float) -> bool:
    """Return whether time ran out. Whatever happens, cancellation included, the group is dead afterwards."""
    try:
        async with asyncio.timeout(seconds):
            await asyncio.shield(finished)
    except TimeoutError:
        return True
    else:
        return False
    finally:
        _kill_group(pid)
        # a daemon that left the group (only without a sandbox) may hold the pipes open: do not wait for it
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(finished, _GRACE_SECONDS)


async def _kill_large(pid: int, total_bytes: int) -> None:
    """Kill a process group as soon as its processes use too much memory together, and return.

    A control group would count exactly, but few containers may make one.
    """
    while _resident(pid) <= total_bytes:
        await asyncio.sleep(_WATCH_SECONDS)
    _kill_group(pid)


def _resident(pid: int) -> int:
    """Return the bytes of memory a process and all its descendants use; shared pages count for each."""
    children, pages = defaultdict(list), {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            # The name may hold blanks and brackets; the parent is the 4th field, the pages the 24th.
            fields = path.read_text(errors="replace").rpartition(")")[2].split()
            children[int(fields[1])].append(int(path.parent.name))
            pages[int(path.parent.name)] = int(fields[21])
    family = [pid]
    for one in family:
        family += children[one]
    return sum(pages.get(one, 0) for one in family) * _PAGE


def _kill_group(pid: int) -> None:
    # bubblewrap is in this group; the sandbox's process 1 dies with it, and all others with process 1
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


async def _drain(stream: asyncio.StreamReader | None, kept: _Kept) -> None:
    while stream is not None and (chunk := await stream.read(_CHUNK)):
        kept.add(chunk)

"""Run one program to its end, bounded in time and in kept output, and leave nothing of it behind."""

import asyncio
import contextlib
import os
import signal
from dataclasses import dataclass, field
from pathlib import Path

from warebench.harness.bwrap import Limits

_CHUNK = 64 * 1024
_GRACE_SECONDS = 5.0


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
        limits: `wall_seconds` and `output_bytes` are used here; the rest is the program's own start's.
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
    timed_out = await _wait_or_kill(finished, process.pid, limits.wall_seconds)
    code = process.returncode if process.returncode is not None else -signal.SIGKILL
    return CodeResult(
        stdout=out.content.decode(errors="replace"),
        stderr=err.content.decode(errors="replace"),
        exit_code=128 - code if code < 0 else code,
        timed_out=timed_out,
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


def _kill_group(pid: int) -> None:
    # bubblewrap is in this group; the sandbox's process 1 dies with it, and all others with process 1
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


async def _drain(stream: asyncio.StreamReader | None, kept: _Kept) -> None:
    while stream is not None and (chunk := await stream.read(_CHUNK)):
        kept.add(chunk)

"""Processes that execute queries for others, used again and again, and killed when one takes too long."""

import atexit
import json
import os
import selectors
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import IO, Any, Literal, cast

import duckdb

from warebench.errors import InternalError

Dialect = Literal["duckdb", "sqlite"]

PROGRAM = Path(__file__).with_name("query_process.py")

MIB = 1024 * 1024
HEADROOM: dict[Dialect, int] = {"duckdb": 1024 * MIB, "sqlite": 256 * MIB}
"""Address space of the interpreter and of DuckDB's threads, on top of what a query may use."""

START_SECONDS = 60.0
"""Until a process that does not start counts as dead; a busy machine needs a while."""


class WorkerDied(Exception):
    """The process ended without an answer.

    Args:
        code: Its exit code, negative for a signal.
    """

    def __init__(self, code: int) -> None:
        super().__init__(f"the query's process ended with {code}")
        self.code = code


class WorkerGarbled(WorkerDied):
    """The process said what is no answer to the question: it cannot be trusted with another."""

    def __init__(self) -> None:
        super().__init__(0)
        self.args = ("the query's process gave no readable answer",)


@dataclass(slots=True)
class Worker:
    """One process."""

    process: "subprocess.Popen[bytes]"
    requests: IO[bytes]
    answers: IO[bytes]
    unread: bytearray = field(default_factory=bytearray)
    asked: int = -1

    def ask(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Return the answer to a request.

        Raises:
            TimeoutError: It takes longer than these seconds.
            WorkerDied: The process ended, or what it says is no answer to this request.
        """
        self.asked += 1
        try:
            self.requests.write(json.dumps({**request, "number": self.asked}).encode() + b"\n")
            self.requests.flush()
        except BrokenPipeError as error:
            raise WorkerDied(self.process.wait()) from error
        return self.listen(seconds)

    def listen(self, seconds: float) -> dict[str, Any]:
        """Return the next line the process says; raises as `ask` does."""
        deadline = monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self.answers, selectors.EVENT_READ)
            while b"\n" not in self.unread:
                left = deadline - monotonic()
                if left <= 0 or not selector.select(left):
                    raise TimeoutError
                said = os.read(self.answers.fileno(), 65536)
                if not said:
                    raise WorkerDied(self.process.wait())
                self.unread += said
        line, _, rest = self.unread.partition(b"\n")
        self.unread.clear()
        try:
            answer = json.loads(line)
        except ValueError:
            raise WorkerGarbled from None
        if rest or not isinstance(answer, dict) or answer.pop("number", None) != self.asked:
            raise WorkerGarbled
        return answer

    def kill(self) -> None:
        """End the process, whatever it does."""
        self.process.kill()
        for pipe in (self.requests, self.answers):
            with suppress(BrokenPipeError):  # a request that was not taken
                pipe.close()
        self.process.wait()


_IDLE: dict[tuple[Dialect, int], list[Worker]] = defaultdict(list)
"""Workers by dialect and memory: neither can be changed once a process has started."""

_LOCK = Lock()


def ask_worker(
    dialect: Dialect, memory_bytes: int, request: Mapping[str, Any], seconds: float
) -> dict[str, Any]:
    """Return what a process of its own answers to a request; it is killed when that takes too long.

    Args:
        dialect: Engine of the process.
        memory_bytes: Memory that a query may use.
        request: What `query_process.py` takes.
        seconds: Real time, without the start of the process.

    Raises:
        TimeoutError: It took longer.
        WorkerDied: The process ended without an answer.
        InternalError: No process can be started.
    """
    worker = _take(dialect, memory_bytes)
    keep = False
    try:
        answer = worker.ask(request, seconds)
        keep = not answer.pop("last")
        return answer
    finally:
        if keep:
            with _LOCK:
                _IDLE[dialect, memory_bytes].append(worker)
        else:
            worker.kill()


def end_workers() -> None:
    """End every process that waits for a query."""
    with _LOCK:
        waiting = [worker for workers in _IDLE.values() for worker in workers]
        _IDLE.clear()
    for worker in waiting:
        worker.kill()


def _take(dialect: Dialect, memory_bytes: int) -> Worker:
    while True:
        with _LOCK:
            idle = _IDLE[dialect, memory_bytes]
            worker = idle.pop() if idle else None
        if worker is None:
            return _start(dialect, memory_bytes)
        if worker.process.poll() is None:
            return worker
        worker.kill()


def _start(dialect: Dialect, memory_bytes: int) -> Worker:
    process = subprocess.Popen(  # noqa: S603 - fixed program
        [sys.executable, "-I", "-S", "-B", str(PROGRAM)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"LANG": "C.UTF-8"},
        cwd="/",
        start_new_session=True,
    )
    worker = Worker(process, cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout))
    settings = {
        "packages": str(Path(duckdb.__file__).parents[1]),
        "dialect": dialect,
        "parent": os.getpid(),
        "address_space_bytes": memory_bytes + HEADROOM[dialect],
    }
    try:
        worker.ask(settings, START_SECONDS)
    except (TimeoutError, WorkerDied) as error:
        worker.kill()
        # Nothing is known about the query: this must not count as its failure.
        raise InternalError(
            f"no process for {dialect} queries starts: {error or 'it takes too long'}"
        ) from error
    except BaseException:
        worker.kill()
        raise
    return worker


def _forget() -> None:
    """After a fork: the parent's processes answer the parent."""
    global _LOCK  # the parent may have held the old one
    _LOCK = Lock()
    _IDLE.clear()


atexit.register(end_workers)
os.register_at_fork(after_in_child=_forget)

"""A llama.cpp server inside this process, on loopback.

One for each pair of weights and context size, shared and counted, stopped with its last user.
"""

import atexit
import os
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

from warebench.errors import MissingExtra, RunError

START_SECONDS = 60.0
_POLL_SECONDS = 0.05


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerKey:
    """What makes two servers the same."""

    weights: Path
    context: int
    """Tokens of prompt and answer together."""


@dataclass(kw_only=True, slots=True)
class _Running:
    server: object
    """Alive as long as this reference is."""
    address: str
    users: int = 0


_RUNNING: dict[ServerKey, _Running] = {}
_LOCK = threading.Lock()


def acquire(key: ServerKey, *, timeout: float = START_SECONDS) -> str:
    """Return the address (`http://127.0.0.1:port`) of a server that answers, starting it when needed.

    Args:
        key: Weights and context size.
        timeout: Seconds the start may take.

    Raises:
        MissingExtra: when `xllamacpp` is not installed.
        RunError: when the server does not start in time.
    """
    with _LOCK:
        if key not in _RUNNING:
            _RUNNING[key] = _start(key, timeout)
        _RUNNING[key].users += 1
        return _RUNNING[key].address


def release(key: ServerKey) -> None:
    """Give one `acquire` back; the last one stops the server."""
    with _LOCK:
        running = _RUNNING.get(key)
        if running is None:
            return
        running.users -= 1
        if running.users <= 0:
            del _RUNNING[key]


@atexit.register
def stop_all() -> None:
    """Stop every server; also runs when the process ends."""
    with _LOCK:
        _RUNNING.clear()


def _start(key: ServerKey, timeout: float) -> _Running:
    library = import_llama()
    made: list[_Running | BaseException] = []

    def make() -> None:
        try:
            server = library.Server(_parameters(library, key))
            made.append(_Running(server=server, address=str(server.listening_address)))
        except Exception as error:  # the library documents none; passed on below
            made.append(error)

    # the library blocks until the weights are loaded, and cannot be told to give up
    thread = threading.Thread(target=make, daemon=True, name="llama-start")
    started = time.monotonic()
    thread.start()
    thread.join(timeout)
    where = f"model server for {key.weights.name} (context {key.context})"
    if not made:
        raise RunError(f"the model server did not start in {timeout:.0f} s", where=where, fix=_FIX)
    if isinstance(made[0], BaseException):
        raise RunError(f"the model server does not start: {made[0]}", where=where, fix=_FIX) from made[0]
    _await_health(made[0].address, started + timeout, where)
    return made[0]


_FIX = "free memory, or give a smaller context with -M context=8192"


def _await_health(address: str, deadline: float, where: str) -> None:
    while True:
        try:
            with urllib.request.urlopen(f"{address}/health", timeout=5):  # noqa: S310 - our own loopback server
                return
        except (urllib.error.URLError, OSError) as error:
            if time.monotonic() > deadline:
                raise RunError(f"the model server does not answer: {error}", where=where, fix=_FIX) from error
        time.sleep(_POLL_SECONDS)


def _parameters(library: ModuleType, key: ServerKey) -> object:
    parameters = library.CommonParams()
    parameters.model.path = str(key.weights)
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0  # any free one
    parameters.n_ctx = key.context
    parameters.n_parallel = 1
    parameters.ctx_shift = False  # never drop the head of a prompt in silence
    parameters.cache_ram_mib = 0  # prompts are not reused; the default keeps up to 8 GB of them
    parameters.warmup = False
    # each token waits for the slowest thread: one core left to the rest of the run keeps writing fast
    cores = os.cpu_count() or 1
    parameters.cpuparams.n_threads = max(1, cores - 1)
    parameters.cpuparams_batch.n_threads = cores
    parameters.verbosity = -1
    parameters.ui = False
    return parameters


def import_llama() -> ModuleType:
    """Return the `xllamacpp` module.

    Raises:
        MissingExtra: when it is not installed.
    """
    try:
        return import_module("xllamacpp")
    except ImportError as error:
        raise MissingExtra("xllamacpp", "local") from error

"""How far a run is, told in a line a minute where Inspect shows nothing."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from inspect_ai import Task
from inspect_ai.solver import TaskState

# inspect_ai exports no count of the requests it sent again
from inspect_ai._util.retry import http_retries_count  # isort: skip

EVERY = 60.0
"""Seconds between two lines."""

Tell = Callable[[str], None]


@contextmanager
def told(
    tasks: Sequence[Task], models: Sequence[str], options: Mapping[str, Any], tell: Tell
) -> Iterator[None]:
    """Tell what a run asks, and while the block runs how much of it is done.

    Args:
        tasks: Its tasks; each gets a `cleanup`, which Inspect calls at the end of every sample.
        models: Inspect model names.
        options: `limit` and `epochs` of the run, where they are given.
        tell: Called with one line at a time, from another thread.
    """
    done: set[tuple[object, ...]] = set()
    for task in tasks:
        task.cleanup = _counter(task.name, done)
    sizes = [min(len(task.dataset), options.get("limit") or len(task.dataset)) for task in tasks]
    total = sum(sizes) * (options.get("epochs") or 1) * len(models)
    tell(f"Asking {total} questions in all; conditions: {len(tasks) * len(models)}.")
    ended = threading.Event()
    before = http_retries_count()

    def watch() -> None:
        while not ended.wait(EVERY):
            tell(f"{len(done)} of {total} done{_again(http_retries_count() - before)}")

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        ended.set()


def _counter(task: str, done: set[tuple[object, ...]]) -> Callable[[TaskState], Any]:
    async def count(state: TaskState) -> None:
        done.add((task, str(state.model), state.sample_id, state.epoch))

    return count


def _again(requests: int) -> str:
    if not requests:
        return ""
    return f"; {requests} requests failed and were sent again: is the model's server up, and its key right?"

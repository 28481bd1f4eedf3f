"""Processes that execute queries: reused, replaced when they die, gone at the end."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest

from warebench.engine import worker
from warebench.engine.query_process import QUERIES
from warebench.engine.worker import WorkerDied, ask_worker, end_workers
from warebench.errors import InternalError

MEMORY = 33 * worker.MIB
REQUEST = {
    "files": {},
    "sql": "SELECT 1",
    "seconds": 5,
    "memory_bytes": MEMORY,
    "threads": 1,
    "rows": 9,
    "result_bytes": 999,
}


def idle() -> list[int]:
    return [item.process.pid for item in worker._IDLE["sqlite", MEMORY]]


@pytest.fixture(autouse=True)
def alone():
    end_workers()
    yield
    end_workers()


def test_a_process_is_used_again() -> None:
    seen = set()
    for _ in range(3):
        assert ask_worker("sqlite", MEMORY, REQUEST, 5)["rows"] == [[1]]
        seen.update(idle())
    assert len(seen) == 1


def test_one_that_died_while_it_waited_is_replaced() -> None:
    ask_worker("sqlite", MEMORY, REQUEST, 5)
    (pid,) = idle()
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert ask_worker("sqlite", MEMORY, REQUEST, 5)["rows"] == [[1]]
    assert pid not in idle()


def test_one_that_takes_too_long_is_dead_and_gone() -> None:
    endless = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x FROM r) SELECT count(*) FROM r"
    ask_worker("sqlite", MEMORY, REQUEST, 5)
    (pid,) = idle()
    with pytest.raises(TimeoutError):
        ask_worker("sqlite", MEMORY, {**REQUEST, "sql": endless}, 0.2)
    assert idle() == []
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_one_that_dies_of_a_request_says_how() -> None:
    with pytest.raises(WorkerDied) as caught:
        ask_worker("sqlite", MEMORY, {"sql": "SELECT 1"}, 5)
    assert caught.value.code == 1
    assert idle() == []


@pytest.mark.parametrize(
    "said",
    [
        "noise\\n",
        '{"number": 1',
        "[1]\\n",
        '{"number": 0, "last": false}\\n',
        "{}\\n",
        '{"number": 1}\\n{}\\n',
    ],
)
def test_one_that_broke_the_protocol_answers_nobody_else(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = tmp_path / "odd.py"
    odd.write_text(
        "import sys; sys.stdin.readline(); print('{\"number\": 0}', flush=True)\n"
        f"sys.stdin.readline(); sys.stdout.write('{said}'); sys.stdout.flush()\n"
    )
    with monkeypatch.context() as patch:
        patch.setattr(worker, "PROGRAM", odd)
        with pytest.raises(WorkerDied):
            ask_worker("sqlite", MEMORY, REQUEST, 5)
    assert idle() == []
    assert ask_worker("sqlite", MEMORY, REQUEST, 5)["rows"] == [[1]]


def test_one_that_does_not_start_is_no_failure_of_the_query(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "PROGRAM", Path("/nowhere/query_process.py"))
    with pytest.raises(InternalError, match="no process for sqlite queries starts"):
        ask_worker("sqlite", MEMORY, REQUEST, 5)


def test_a_process_makes_room_for_a_new_one() -> None:
    pids = set()
    for _ in range(QUERIES + 1):
        ask_worker("sqlite", MEMORY, REQUEST, 5)
        pids.update(idle())
    assert len(pids) == 2


def test_one_ends_with_its_parent() -> None:
    """Only the parent is killed, during an endless query: its worker ends at once."""
    script = (
        "import os, signal, threading; from pathlib import Path\n"
        "from warebench.engine.run import *\n"
        "from warebench.engine import worker\n"
        "run_sqlite({}, 'SELECT 1')\n"
        "(((item,),),) = [worker._IDLE.values()]\n"
        "print(item.process.pid, flush=True)\n"
        "threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGKILL)).start()\n"
        "sql = 'WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x FROM r) SELECT count(*) FROM r'\n"
        "run_sqlite({}, sql, QueryLimits(seconds=60, threads=1))\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert run.returncode == -signal.SIGKILL, run.stderr
    pid = int(run.stdout)
    for _ in range(50):
        if not _runs(pid):
            break
        sleep(0.1)
    else:
        os.kill(pid, signal.SIGKILL)
        pytest.fail("the worker still runs")


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_a_program_that_ends_leaves_none_and_says_nothing() -> None:
    script = (
        "from warebench.engine.run import *; from warebench.engine import worker\n"
        "run_sqlite({}, 'SELECT 1')\n"
        "(((item,),),) = [worker._IDLE.values()]\n"
        "print(item.process.pid)"
    )
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=True
    )
    assert run.stderr == ""
    assert not _runs(int(run.stdout))

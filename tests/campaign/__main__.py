"""`python -m tests.campaign [PAIR ...]`: every planted fault of every pair; ends with 1 where one escapes."""

import multiprocessing
import queue
import sys
import time
from pathlib import Path

from tests.campaign.proofs import PROOFS
from tests.campaign.run import ESCAPED, PROCESSES, SURVIVED, report, work

SURVIVORS = Path("campaign.txt")
"""Faults that change no gold of these cases, by pair."""


def main(names: list[str]) -> int:
    """Return 1 where a fault changes a gold in silence."""
    escaped, listed = 0, []
    for name in names or PROOFS:
        start, out = time.monotonic(), multiprocessing.Queue()
        workers = [multiprocessing.Process(target=work, args=(name, n, out)) for n in range(PROCESSES)]
        for worker in workers:
            worker.start()
        outcomes, running = [], PROCESSES
        while running:
            try:
                found = out.get(timeout=5)
            except queue.Empty:
                if not any(worker.is_alive() for worker in workers):
                    return 1
                continue
            if found is None:
                running -= 1
                continue
            outcomes.append(found)
            if found[2] == ESCAPED:
                print(f"ESCAPED {found[1]}", flush=True)
        for worker in workers:
            worker.join()
        print("\n".join(report(name, outcomes)), f"({time.monotonic() - start:.0f} s)", flush=True)
        escaped += sum(kind == ESCAPED for *_, kind in outcomes)
        listed += sorted(f"{name} {mutant}" for _, mutant, kind in outcomes if kind == SURVIVED)
    SURVIVORS.write_text("\n".join(listed) + "\n")
    print(f"{len(listed)} faults change no gold: {SURVIVORS}")
    return 1 if escaped else 0


if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    sys.exit(main(sys.argv[1:]))

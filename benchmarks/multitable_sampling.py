"""Time and memory of the multitable track's sampling beside the published procedure, and their growth.

    python benchmarks/multitable_sampling.py                     an airline of 200,000 flights
    python benchmarks/multitable_sampling.py DATABASE.sqlite     a database of yours
    python benchmarks/multitable_sampling.py --growth 10000 100000 1000000

Side by side: 40 samples out of a SQLite file, ten for each of the windows 8K, 16K, 32K and 64K. Ours reads
the file as `warebench build` does and counts tokens exactly, checked afterwards; the published procedure
(`published_procedure.py`) reduces the file first, or draws one sample of 8K from it directly.

Growth: ours alone, on synthetic airlines. `read` makes the rows, `sample` is all the rest: loading the
tokenizer, resolving keys, drawing, counting, and taking the rows of the 40 databases. `data` is the size of
the rows in memory.

Times are seconds, on the clock and of the processor; a ratio is of the processor's, for each sample. A peak
is the largest resident memory of the process. Every run is a process of its own, without its imports.
"""

import argparse
import importlib.util
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from published_procedure import COMPONENTS, directly, two_stages
from sqlite_file import write_sqlite

from warebench.engine.database import Database
from warebench.engine.load import read_database
from warebench.tracks.multitable.sampling import WINDOWS, count_tokens, sample_many
from warebench.tracks.multitable.serialise import serialise
from warebench.worlds import find_world, make_world

T = TypeVar("T")

SEED, INSTANCES, FLIGHTS = 1, 10, 200_000
HEADS = ("rows", "data MB", "read s", "read cpu", "sample s", "sample cpu", "peak MB", "samples")
TITLES = {"PANDAS": "as its code names them", "PLAIN": "the fastest at hand"}


def main() -> None:
    arguments = parse()
    if arguments.measure:
        kind, *rest = arguments.measure
        print(json.dumps(MEASURES[kind](*rest)))
    elif arguments.growth:
        show_growth(arguments.growth)
    elif arguments.source:
        show_side_by_side(arguments.source)
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "airline.sqlite"
            write_sqlite(make_airline(FLIGHTS), path)
            show_side_by_side(str(path))


def parse() -> argparse.Namespace:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("source", nargs="?", help="a SQLite file; the synthetic airline when left out")
    parser.add_argument("--growth", nargs="+", type=int, default=[], help="numbers of synthetic flights")
    parser.add_argument("--measure", nargs="+", help=argparse.SUPPRESS)
    return parser.parse_args()


def show_side_by_side(source: str) -> None:
    print("| procedure | components | samples | seconds | processor | peak MB | times ours |")
    print("|---|---|---|---|---|---|---|")
    ours = run("ours", source)
    seconds, processor = (ours[f"read {unit}"] + ours[f"sample {unit}"] for unit in ("s", "cpu"))
    print(f"| ours | | {ours['samples']:.0f} | {seconds:.2f} | {processor:.2f} | {ours['peak MB']:.0f} | 1 |")
    for kind, title in (("two", "published, two stages"), ("direct", "published, directly")):
        for name in COMPONENTS:
            if name == "PANDAS" and not all(map(importlib.util.find_spec, ("tabulate", "tiktoken"))):
                print(f"| {title} | {TITLES[name]} | not run: pip install tabulate tiktoken |")
                continue
            made = run(kind, source, name)
            times = made["processor"] / made["samples"] / (processor / ours["samples"])
            cells = f"{made['samples']:.0f} | {made['seconds']:.2f} | {made['processor']:.2f}"
            print(f"| {title} | {TITLES[name]} | {cells} | {made['peak MB']:.0f} | {times:.0f} |", flush=True)


def show_growth(sizes: list[int]) -> None:
    print(f"| flights | {' | '.join(HEADS)} |")
    print(f"|---|{'---|' * len(HEADS)}")
    for size in sizes:
        made = run("growth", str(size))
        cells = (f"{made[head]:,.{2 * head.endswith((' s', 'cpu'))}f}" for head in HEADS)
        print(f"| {size:,} | {' | '.join(cells)} |", flush=True)


def run(*measure: str) -> dict[str, float]:
    command = [sys.executable, __file__, "--measure", *measure]
    made = subprocess.run(command, check=True, capture_output=True, text=True)
    return dict(json.loads(made.stdout))


def measure_ours(load: Callable[[], Database]) -> dict[str, float]:
    database, read, read_cpu = timed(load)
    windows = list(WINDOWS.values())
    samples, sampling, sample_cpu = timed(lambda: sample_many(database, windows, INSTANCES, seed=SEED))
    highest = peak()
    for each in samples:
        if count_tokens(serialise(each.database, "markdown")) != each.tokens:
            raise SystemExit(f"a token count is wrong: {each.window.name}, instance {each.instance}")
    size = sum(table.nbytes for table in database.tables.values()) / 2**20
    found = (database.rows, size, read, read_cpu, sampling, sample_cpu, highest, len(samples))
    return dict(zip(HEADS, found, strict=True))


def measure_published(work: Callable[[], list[int]]) -> dict[str, float]:
    lengths, seconds, processor = timed(work)
    return {"samples": len(lengths), "seconds": seconds, "processor": processor, "peak MB": peak()}


def draw_two(source: str, name: str) -> list[int]:
    return list(two_stages(source, INSTANCES, COMPONENTS[name], chance()))


def draw_directly(source: str, name: str) -> list[int]:
    return [directly(source, "8K", COMPONENTS[name], chance())]


def chance() -> random.Random:
    return random.Random(SEED)


MEASURES: dict[str, Callable[..., dict[str, float]]] = {
    "ours": lambda source: measure_ours(lambda: read_database(source)),
    "growth": lambda size: measure_ours(lambda: make_airline(int(size))),
    "two": lambda source, name: measure_published(lambda: draw_two(source, name)),
    "direct": lambda source, name: measure_published(lambda: draw_directly(source, name)),
}


def timed(work: Callable[[], T]) -> tuple[T, float, float]:
    clock, processor = time.perf_counter(), time.process_time()
    return work(), time.perf_counter() - clock, time.process_time() - processor


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def make_airline(flights: int) -> Database:
    return make_world("airline", scale=flights / find_world("airline").rows["Airlines"], seed=SEED)


if __name__ == "__main__":
    main()

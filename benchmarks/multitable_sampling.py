"""Time and memory of the multitable track's sampling, and how both grow with the data.

    python benchmarks/multitable_sampling.py                     the synthetic airline, 200,000 flights
    python benchmarks/multitable_sampling.py DATABASE.sqlite     a database of yours
    python benchmarks/multitable_sampling.py --growth 10000 100000 1000000

What is measured: 40 samples, ten for each of the windows 8K, 16K, 32K and 64K, with exact token counts,
checked afterwards. `read` is reading the SQLite file, or generating the rows; `sample` is all the rest:
loading the tokenizer, resolving keys, drawing, counting, and taking the rows of the 40 databases. Times are
seconds, on the clock and of the processor. `data` is the size of the rows in memory, and the peaks are the
largest resident memory of the process after reading and at the end. Every run is a process of its own,
without its imports; a line is the run with the least processor time.
"""

import argparse
import json
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pyarrow as pa

from warebench.catalog import Table, read_catalog
from warebench.engine.database import Database, quote
from warebench.tracks.multitable.sampling import WINDOWS, count_tokens, sample_many
from warebench.tracks.multitable.serialise import serialise
from warebench.tracks.multitable.twins import TWINS, make_twin

T = TypeVar("T")

SEED, INSTANCES, BATCH = 1, 10, 20_000
INTEGER, REAL, TEXT = pa.int64(), pa.float64(), pa.string()
KINDS = {"INT": INTEGER, "CHAR": TEXT, "TEXT": TEXT, "REAL": REAL, "FLOA": REAL, "DOUB": REAL}
"""Arrow types by what SQLite looks for in a declared type."""


HEADS = ("rows", "read s", "read cpu", "sample s", "sample cpu", "data MB", "peak read", "peak MB", "samples")


def main() -> None:
    arguments = parse()
    if arguments.measure:
        print(json.dumps(measure(arguments.measure)))
        return
    print(f"{'source':20}" + "".join(f"{head:>11}" for head in HEADS))
    sources = [arguments.source] if arguments.source else []
    sources += [str(flights) for flights in arguments.growth]
    for source in sources or ["200000"]:
        print_line(source, arguments.repeat)


def parse() -> argparse.Namespace:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("source", nargs="?", help="a SQLite file; the synthetic airline when left out")
    parser.add_argument("--growth", nargs="*", type=int, default=[], help="numbers of synthetic flights")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each line, of which the best counts")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    return parser.parse_args()


def print_line(source: str, repeat: int) -> None:
    command = [sys.executable, __file__, "--measure", source]
    runs = [
        json.loads(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(repeat)
    ]
    best = min(runs, key=lambda run: run["read cpu"] + run["sample cpu"])
    name = f"airline {int(source):,}" if source.isdigit() else Path(source).name
    cells = (f"{best[head]:>11,.{2 * (' s' in head or 'cpu' in head)}f}" for head in HEADS)
    print(f"{name:20}" + "".join(cells), flush=True)


def measure(source: str) -> dict[str, float]:
    database, read, read_cpu = timed(lambda: load(source))
    peak_read = peak()
    windows = list(WINDOWS.values())
    samples, sampling, sample_cpu = timed(lambda: sample_many(database, windows, INSTANCES, seed=SEED))
    peak_end = peak()
    for each in samples:
        if count_tokens(serialise(each.database, "markdown")) != each.tokens:
            raise SystemExit(f"a token count is wrong: {each.window.name}, instance {each.instance}")
    size = sum(table.nbytes for table in database.tables.values()) / 2**20
    found = (database.rows, read, read_cpu, sampling, sample_cpu, size, peak_read, peak_end, len(samples))
    return dict(zip(HEADS, found, strict=True))


def timed(work: Callable[[], T]) -> tuple[T, float, float]:
    clock, processor = time.perf_counter(), time.process_time()
    return work(), time.perf_counter() - clock, time.process_time() - processor


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def load(source: str) -> Database:
    if source.isdigit():
        return make_twin("airline", scale=int(source) / TWINS["airline"].paper_rows["Airlines"], seed=SEED)
    catalog = read_catalog(source)
    connection = sqlite3.connect(source)
    tables = {table.name: read_table(connection, table) for table in catalog.tables}
    return Database(catalog=catalog, tables=tables)


def read_table(connection: sqlite3.Connection, table: Table) -> pa.Table:
    schema = pa.schema([(column.name, kind(column.type)) for column in table.columns])
    names = ", ".join(quote(name) for name in schema.names)
    cursor = connection.execute(f"SELECT {names} FROM {quote(table.name)}")
    batches = []
    while rows := cursor.fetchmany(BATCH):
        columns = zip(zip(*rows, strict=True), schema.types, strict=True)
        batches.append(pa.record_batch([pa.array(cells, kind) for cells, kind in columns], schema=schema))
    return pa.Table.from_batches(batches, schema)


def kind(declared: str) -> pa.DataType:
    return next((arrow for part, arrow in KINDS.items() if part in declared.upper()), pa.string())


if __name__ == "__main__":
    main()

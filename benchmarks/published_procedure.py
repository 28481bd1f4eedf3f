"""The sampling of TQA-Bench as published, written anew from its description, to be timed beside ours.

Of the paper: Algorithms 1 and 2. Of its public code, of which nothing is taken, these facts: a database is
first reduced once to CSV text of 128K to 192K tokens (two stages), from which every sample is then drawn;
the number of rows of the root tables is doubled until the text reaches the window, then searched by
bisection, and every probe is a new random sample that is written to a SQLite file, read back, rendered and
tokenised; whether a database fits at all is found by rendering the whole of it; a window is a multiple of
1,024 tokens; up to eight tries.

Two sets of components: `PANDAS`, which the code names (DataFrames, `to_csv`, `to_markdown`, tiktoken; needs
the packages tabulate and tiktoken), and `PLAIN`, the fastest at hand (the standard library, probes in memory,
bpe-openai).
"""

import csv
import io
import random
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import pandas as pd

from warebench.catalog import read_catalog
from warebench.catalog.model import Catalog
from warebench.engine.database import quote
from warebench.tracks.multitable.sampling import count_tokens
from warebench.tracks.multitable.sampling.order import order_tables

KIB, TRIES = 1024, 8
WINDOWS = {"8K": (4, 6), "16K": (8, 12), "32K": (16, 24), "64K": (32, 48)}
REDUCED = (128, 192)

Render = Callable[[sqlite3.Connection, str], str]
"""The text of a table."""


@dataclass(frozen=True, slots=True)
class Components:
    """What probes are kept in and rendered by."""

    csv: Render
    markdown: Render
    count: Callable[[str], int]
    place: str
    """Of SQLite: empty for a temporary file, or memory."""


@dataclass(frozen=True, slots=True)
class Goal:
    """Lengths wanted, in tokens of a rendering, and the rows the search begins with."""

    minimum: int
    maximum: int
    render: Render
    by: Components
    first: int


def two_stages(path: str, instances: int, by: Components, rng: random.Random) -> Iterator[int]:
    """Yield the tokens of each sample drawn from one reduction of a database."""
    catalog, source = read_catalog(path), sqlite3.connect(path)
    low, high = REDUCED
    reduced, _ = fit(source, catalog, Goal(low * KIB, high * KIB, by.csv, by, 32), rng)
    for low, high in WINDOWS.values():
        for _ in range(instances):
            yield fit(reduced, catalog, Goal(low * KIB, high * KIB, by.markdown, by, 1), rng)[1]


def directly(path: str, window: str, by: Components, rng: random.Random) -> int:
    """Return the tokens of one sample drawn from a database itself."""
    low, high = WINDOWS[window]
    wanted = Goal(low * KIB, high * KIB, by.markdown, by, 1)
    return fit(sqlite3.connect(path), read_catalog(path), wanted, rng)[1]


def fit(
    source: sqlite3.Connection, catalog: Catalog, wanted: Goal, rng: random.Random
) -> tuple[sqlite3.Connection, int]:
    """Return a sample within the window and its tokens."""
    whole = tokens(source, catalog, wanted)
    if wanted.minimum <= whole <= wanted.maximum:
        return source, whole
    for _ in range(TRIES):
        if whole > wanted.maximum and (found := search(source, catalog, wanted, rng)):
            return found
    raise SystemExit("the published procedure finds no sample")


def search(
    source: sqlite3.Connection, catalog: Catalog, wanted: Goal, rng: random.Random
) -> tuple[sqlite3.Connection, int] | None:
    """Return the first probe within the window: rows doubled, then halved in between."""
    low, high, rows, before = 0, 0, wanted.first, -1
    while not high or high - low > 1:
        made = probe(source, catalog, rows, wanted.by.place, rng)
        length = tokens(made, catalog, wanted)
        if wanted.minimum <= length <= wanted.maximum:
            return made, length
        if not high and length <= before:
            return None
        low, high = (low, rows) if length > wanted.maximum else (rows, high)
        before, rows = length, (low + high) // 2 if high else 2 * rows
    return None


def probe(
    source: sqlite3.Connection, catalog: Catalog, size: int, place: str, rng: random.Random
) -> sqlite3.Connection:
    """Return a random sample of so many rows of each root table, and of all rows they lead to."""
    made = sqlite3.connect(place)
    for (name,) in order_tables(catalog):
        definition = source.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0]
        made.execute(definition)
        incoming = [key for key in catalog.foreign_keys if key.parent == name]
        if not incoming:
            copy(source, made, name, "rowid", chosen(source, name, size, rng))
        for key in incoming:
            column = quote(key.child_columns[0])
            keys = made.execute(f"SELECT DISTINCT {column} FROM {quote(key.child)}").fetchall()
            copy(source, made, name, quote(key.parent_columns[0]), [each[0] for each in keys])
    made.commit()
    return made


def chosen(source: sqlite3.Connection, name: str, size: int, rng: random.Random) -> list[int]:
    """Return the numbers of random rows of a table."""
    rows = source.execute(f"SELECT max(rowid) FROM {quote(name)}").fetchone()[0]
    return rng.sample(range(1, rows + 1), min(size, rows))


def copy(
    source: sqlite3.Connection, made: sqlite3.Connection, name: str, column: str, keys: Sequence[Any]
) -> None:
    """Copy the rows of a table that have one of the keys, unless they are there."""
    source.execute("CREATE TEMP TABLE IF NOT EXISTS wanted_keys (key)")
    source.execute("DELETE FROM wanted_keys")
    source.executemany("INSERT INTO wanted_keys VALUES (?)", [(key,) for key in keys])
    query = f"SELECT * FROM {quote(name)} WHERE {column} IN (SELECT key FROM wanted_keys)"
    rows = source.execute(query).fetchall()
    if rows:
        marks = ", ".join("?" * len(rows[0]))
        made.executemany(f"INSERT OR IGNORE INTO {quote(name)} VALUES ({marks})", rows)


def tokens(database: sqlite3.Connection, catalog: Catalog, wanted: Goal) -> int:
    """Return the tokens of a database's text."""
    names = [name for (name,) in reversed(order_tables(catalog))]
    parts = [f"## {name}\n\n{wanted.render(database, name)}" for name in names]
    return wanted.by.count("\n\n".join(parts))


def read_cells(database: sqlite3.Connection, name: str) -> tuple[list[str], list[Sequence[Any]]]:
    """Return the heads and the rows of a table."""
    cursor = database.execute(f"SELECT * FROM {quote(name)}")
    return [each[0] for each in cursor.description], cursor.fetchall()


def plain_csv(database: sqlite3.Connection, name: str) -> str:
    """Return a table as comma-separated values."""
    heads, rows = read_cells(database, name)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(rows)
    return text.getvalue()


def plain_markdown(database: sqlite3.Connection, name: str) -> str:
    """Return a table as Markdown whose columns are padded to one width."""
    heads, rows = read_cells(database, name)
    texts = [heads, *(["" if cell is None else str(cell) for cell in row] for row in rows)]
    widths = [max(map(len, cells)) for cells in zip(*texts, strict=True)]
    lines = ["| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in texts]
    lines.insert(1, "|" + "|".join(":" + "-" * (width + 1) for width in widths) + "|")
    return "\n".join(lines)


def read_frame(database: sqlite3.Connection, name: str) -> pd.DataFrame:
    """Return a table as pandas reads it."""
    return pd.read_sql_query(f"SELECT * FROM {quote(name)}", database)


def pandas_csv(database: sqlite3.Connection, name: str) -> str:
    """Return a table as pandas writes comma-separated values."""
    return read_frame(database, name).to_csv(index=False)


def pandas_markdown(database: sqlite3.Connection, name: str) -> str:
    """Return a table as pandas writes Markdown, through tabulate."""
    return str(read_frame(database, name).to_markdown(index=False))


@cache
def load_tiktoken() -> Any:
    """Return tiktoken's encoder, its vocabulary read from bpe-openai instead of the network."""
    import tiktoken  # noqa: PLC0415  optional
    from bpe_openai.registry import cl100k_base  # type: ignore[import-untyped]  # noqa: PLC0415  reads every vocabulary

    return tiktoken.Encoding(**cl100k_base())


def count_by_tiktoken(text: str) -> int:
    """Return the number of tokens as tiktoken counts them."""
    return len(load_tiktoken().encode(text, disallowed_special=()))


COMPONENTS = {
    "PANDAS": Components(csv=pandas_csv, markdown=pandas_markdown, count=count_by_tiktoken, place=""),
    "PLAIN": Components(csv=plain_csv, markdown=plain_markdown, count=count_tokens, place=":memory:"),
}

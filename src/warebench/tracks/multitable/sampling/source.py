"""A database made ready for drawing: references resolved once, tokens of rows counted when first needed."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from warebench.catalog.tokens import Count, find_tokenizer
from warebench.engine.database import Database
from warebench.tracks.multitable.sampling.keys import Ints
from warebench.tracks.multitable.sampling.order import find_roots
from warebench.tracks.multitable.sampling.references import (
    Dangling,
    Reference,
    find_dangling,
    find_whole,
    read_references,
)
from warebench.tracks.multitable.sampling.tokens import gap_tokens
from warebench.tracks.multitable.serialise.markdown import MARKDOWN
from warebench.tracks.multitable.serialise.write import row_texts, table_head


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """A database to draw samples from.

    Rows of all tables are numbered together, from 0: the first table's rows, then the second's, and so on.
    """

    database: Database
    count: Count
    starts: tuple[int, ...]
    """Number of each table's first row, in catalog order; one more entry ends the last table."""
    references: tuple[tuple[tuple[int, Reference], ...], ...]
    """By table: the first row of each parent, and the reference to it."""
    roots: Mapping[str, Ints]
    """Numbers of the rows that may be drawn, by root table."""
    dangling: tuple[Dangling, ...]
    empty_tokens: int
    """Tokens of the database without any row."""
    counted: tuple[NDArray[np.int32], ...]
    """By table: tokens of each row, 0 where they are not counted yet. Filled by `count_rows`."""

    def table_of(self, row: int) -> int:
        """Return the position of a row's table."""
        return bisect_right(self.starts, row) - 1

    def parents(self, row: int) -> list[int]:
        """Return the rows that a row refers to."""
        table = self.table_of(row)
        position = row - self.starts[table]
        return [
            first + parent
            for first, reference in self.references[table]
            for parent in reference.match.parents(position)
        ]

    def split(self, rows: Iterable[int]) -> list[Ints]:
        """Return rows by table, as ascending positions in the table."""
        ordered = np.sort(np.fromiter(rows, dtype=np.int64))
        cuts = np.searchsorted(ordered, self.starts)
        bounds = zip(cuts, cuts[1:], self.starts, strict=False)
        return [ordered[low:high] - first for low, high, first in bounds]

    def count_rows(self, rows: Iterable[int]) -> None:
        """Count the tokens of rows not counted before."""
        for table, known, positions in zip(self._tables(), self.counted, self.split(rows), strict=True):
            unknown = positions[known[positions] == 0]
            if len(unknown):
                texts = row_texts(take_rows(table, unknown), MARKDOWN)
                known[unknown] = [self.count(text) for text in texts]

    def tokens(self, rows: Sequence[int]) -> int:
        """Return the tokens of counted rows together."""
        return sum(int(self.counted[table][row - self.starts[table]]) for table, row in self._located(rows))

    def _located(self, rows: Sequence[int]) -> Iterable[tuple[int, int]]:
        return ((self.table_of(row), row) for row in rows)

    def _tables(self) -> list[pa.Table]:
        return [self.database.tables[name] for name in self.database.catalog.table_names]


def take_rows(table: pa.Table, positions: Ints) -> pa.Table:
    """Return rows of a table.

    Arrow's own `take` copies whole columns of text where they come in chunks.

    Args:
        table: The table.
        positions: Which rows, ascending.
    """
    batches = table.to_batches()
    starts = list(accumulate((batch.num_rows for batch in batches), initial=0))
    cuts = np.searchsorted(positions, starts)
    pieces = zip(batches, cuts, cuts[1:], starts, strict=False)
    taken = [
        batch.take(pa.array(positions[low:high] - start)) for batch, low, high, start in pieces if low < high
    ]
    return pa.Table.from_batches(taken, table.schema).combine_chunks()


def prepare(database: Database, tokenizer: str) -> Source:
    """Return a database ready for drawing; takes time linear in its keys, not in its text.

    Raises:
        BuildError: There is no such tokenizer, a foreign key names no columns, or a table has none.
    """
    count = find_tokenizer(tokenizer)
    names = database.catalog.table_names
    sizes = [database.tables[name].num_rows for name in names]
    starts = tuple(accumulate(sizes, initial=0))
    first = dict(zip(names, starts, strict=False))
    references = read_references(database)
    dangling = find_dangling(references)
    return Source(
        database=database,
        count=count,
        starts=starts,
        references=tuple(
            tuple((first[each.key.parent], each) for each in references if each.key.child == name)
            for name in names
        ),
        roots=_drawable(database, references, first),
        dangling=dangling,
        empty_tokens=_empty_tokens(database, count),
        counted=tuple(np.zeros(size, dtype=np.int32) for size in sizes),
    )


def _drawable(
    database: Database, references: Sequence[Reference], first: Mapping[str, int]
) -> Mapping[str, Ints]:
    whole = find_whole(database, references)
    return {name: np.flatnonzero(whole[name]) + first[name] for name in find_roots(database.catalog)}


def _empty_tokens(database: Database, count: Count) -> int:
    names = database.catalog.table_names
    heads = [table_head(name, database.tables[name], MARKDOWN) for name in names]
    return sum(map(count, heads)) + gap_tokens(count) * max(0, len(names) - 1)

"""What a format of a table is: a head, one text a row, and a tail."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pyarrow as pa


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """How tables are written; a table is its head, its rows with `between` between them, and its tail."""

    name: str
    head: Callable[[Sequence[str]], str]
    """Text before the rows, from the column names."""
    rows: Callable[[pa.RecordBatch], pa.Array]
    """One text a row."""
    between: str = ""
    tail: str = ""

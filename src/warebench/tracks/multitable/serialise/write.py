"""From a database to one text."""

from collections.abc import Iterator

import pyarrow as pa

from warebench.engine.database import Database
from warebench.errors import BuildError
from warebench.tracks.multitable.serialise.formats import find_format
from warebench.tracks.multitable.serialise.layout import Layout

BATCH = 16_384
"""Rows written at a time; bounds memory."""

GAP = "\n"
"""What stands between two tables."""


def serialise(database: Database, form: str) -> str:
    """Return a database as text: its tables in the order of the catalog, each under its name.

    Rows keep their order and are not numbered, cells are not padded, and no digit is dropped: reading the
    text back gives the same cells (see the modules of the formats for what each one escapes).

    Args:
        database: The database.
        form: A key of `FORMATS`.

    Raises:
        BuildError: There is no such format, or a table has no columns.

    Reference: TQA-Bench, section II-B and TABLE VII.
    """
    layout = find_format(form)
    return GAP.join(_table(name, database.tables[name], layout) for name in database.catalog.table_names)


def table_head(name: str, table: pa.Table, layout: Layout) -> str:
    """Return everything that stands before a table's rows.

    Raises:
        BuildError: The table has no columns.
    """
    if not table.column_names:
        raise BuildError(
            f"table {name!r} has no columns", where=f"table {name}", fix="leave it out of the catalog"
        )
    return f"## {_one_line(name)}\n\n{layout.head(table.column_names)}"


def row_texts(table: pa.Table, layout: Layout) -> Iterator[str]:
    """Yield the text of each row, without what stands between two rows."""
    for batch in table.to_batches(max_chunksize=BATCH):
        yield from layout.rows(batch).to_pylist()


def _table(name: str, table: pa.Table, layout: Layout) -> str:
    return table_head(name, table, layout) + layout.between.join(row_texts(table, layout)) + layout.tail


def _one_line(name: str) -> str:
    return name.replace("\\", r"\\").replace("\n", r"\n").replace("\r", r"\r")

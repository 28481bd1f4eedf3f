"""What of a database prompts can show: no blobs, and no column with a cell of a page's length."""

import pyarrow as pa
import pyarrow.compute as pc
from msgspec.structs import replace

from warebench.catalog.model import Catalog
from warebench.catalog.select import drop_columns, drop_tables
from warebench.engine.database import Database
from warebench.tracks.multitable.serialise.cells import cell_texts, is_binary, is_text

LONGEST = 2_000
"""Characters of the longest cell shown: about 500 tokens, an eighth of the smallest window."""


def keep_shown(database: Database) -> Database:
    """Return a database without the columns that prompts do not show; its catalog's `left_out` names each.

    Blobs that tables are joined by stay, unless they are long: keys may be binary.

    Args:
        database: The user's own.
    """
    keys = _key_columns(database.catalog)
    reasons = {}
    for table in database.catalog.tables:
        for column in table.columns:
            cells = database.tables[table.name].column(column.name)
            why = _why_not(cells, key=(table.name, column.name) in keys)
            if why:
                reasons[table.name, column.name] = why
    if not reasons:
        return database
    catalog = drop_columns(database.catalog, reasons)
    known = len(database.catalog.left_out)
    told = (replace(item, touches=item.touches or (item.where,)) for item in catalog.left_out[known:])
    catalog = replace(catalog, left_out=(*catalog.left_out[:known], *told))
    empty = {table.name: "none of its columns is shown" for table in catalog.tables if not table.columns}
    catalog = drop_tables(catalog, empty)
    tables = {
        table.name: database.tables[table.name].select([column.name for column in table.columns])
        for table in catalog.tables
    }
    return Database(catalog=catalog, tables=tables)


def _key_columns(catalog: Catalog) -> set[tuple[str, str]]:
    found = {(table.name, name) for table in catalog.tables for name in table.primary_key}
    for key in catalog.foreign_keys:
        found.update((key.child, name) for name in key.child_columns)
        found.update((key.parent, name) for name in key.parent_columns)
    return found


def _why_not(cells: pa.ChunkedArray, *, key: bool) -> str:
    """Return why a column is not shown, as a clause; empty where it is."""
    if is_binary(cells.type) and not key:
        return "blobs are not shown in prompts"
    if not is_text(cells.type):
        return ""
    long = sum(_count_long(chunk) for chunk in cells.chunks)
    if not long:
        return ""
    verb = "is" if long == 1 else "are"
    return f"{long:,} of its {len(cells):,} cells {verb} longer than {LONGEST:,} characters"


def _count_long(cells: pa.Array) -> int:
    return int(pc.sum(pc.greater(pc.utf8_length(cell_texts(cells)), LONGEST)).as_py() or 0)

"""Read the real marketplace: the nine published CSV files, or a database that holds them."""

from pathlib import Path

from warebench.engine.database import Database
from warebench.engine.load import read_database
from warebench.tracks.intelligence.twins.conform import conform
from warebench.tracks.intelligence.twins.ecommerce.schema import ECOMMERCE

PREFIX, SUFFIX = "olist_", "_dataset"
"""What the published files have around the names of the tables."""


def read_ecommerce(path: str | Path) -> Database:
    """Return the real Olist data under the catalog of the twin.

    Foreign keys and the primary key of reviews are those of the twin; the published files declare none. An
    order may have two reviews there.

    Args:
        path: The folder of the CSV files, or a SQLite or DuckDB file with the tables.

    Raises:
        SourceError: A file, table or column is missing or unreadable.
    """
    found = read_database(path)
    tables = {name.removeprefix(PREFIX).removesuffix(SUFFIX): rows for name, rows in found.tables.items()}
    return conform(tables, ECOMMERCE, found.catalog.source, ())

"""A database as a SQLite file, as users bring them."""

import sqlite3
from pathlib import Path

from warebench.engine.database import Database, quote

PLAIN = (int, float, str, bytes, type(None))
"""Cells that SQLite keeps as they are."""


def write_sqlite(database: Database, path: Path) -> None:
    """Write the rows and keys of a database to a SQLite file; what it has no type for becomes text."""
    connection = sqlite3.connect(path)
    for table in database.catalog.tables:
        keys = [each for each in database.catalog.foreign_keys if each.child == table.name]
        parts = [f"{quote(column.name)} {column.type}" for column in table.columns]
        parts.append(f"PRIMARY KEY ({', '.join(map(quote, table.primary_key))})")
        parts += [
            f"FOREIGN KEY ({', '.join(map(quote, key.child_columns))}) REFERENCES {quote(key.parent)}"
            f"({', '.join(map(quote, key.parent_columns))})"
            for key in keys
        ]
        connection.execute(f"CREATE TABLE {quote(table.name)} ({', '.join(parts)})")
        rows = zip(*(column.to_pylist() for column in database.tables[table.name].columns), strict=True)
        marks = ", ".join("?" * len(table.columns))
        plain = ([cell if isinstance(cell, PLAIN) else str(cell) for cell in row] for row in rows)
        connection.executemany(f"INSERT INTO {quote(table.name)} VALUES ({marks})", plain)
    connection.commit()
    connection.close()

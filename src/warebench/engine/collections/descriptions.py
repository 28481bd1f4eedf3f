"""What BIRD says about columns: a CSV file for each table in `database_description`."""

import csv
from collections.abc import Mapping
from dataclasses import replace
from io import StringIO
from pathlib import Path

import msgspec

from warebench.bounds import read_whole
from warebench.catalog.model import Catalog, Column, Table
from warebench.engine.collections.model import Found, SqliteFile, Trouble
from warebench.errors import UserError

FOLDER = "database_description"
FIELDS = ("column_description", "value_description")


def describe(found: Found, home: Path) -> Found:
    """Return a database of BIRD with the descriptions of its columns.

    Args:
        found: The database.
        home: Its folder; the database is named like it.
    """
    words, troubles = _read(home / FOLDER, home.name)
    database, schema = found.database, found.schema
    if isinstance(database, SqliteFile):
        database = replace(database, catalog=_add(database.catalog, words))
    return Found(
        database=database,
        schema=schema and _add(schema, words),
        troubles=(*found.troubles, *troubles),
    )


def _add(catalog: Catalog, words: Mapping[tuple[str, str], str]) -> Catalog:
    def add(table: Table, column: Column) -> Column:
        description = words.get((table.name.casefold(), column.name.casefold()), "")
        return msgspec.structs.replace(column, description=description)

    tables = tuple(
        msgspec.structs.replace(table, columns=tuple(add(table, column) for column in table.columns))
        for table in catalog.tables
    )
    return msgspec.structs.replace(catalog, tables=tables)


def _read(folder: Path, database: str) -> tuple[dict[tuple[str, str], str], list[Trouble]]:
    """Return descriptions by table and column, both casefolded, and the files that hold none."""
    words: dict[tuple[str, str], str] = {}
    troubles: list[Trouble] = []
    for path in sorted(folder.glob("*.csv")):
        try:
            for row in csv.DictReader(StringIO(_text(path), newline="")):
                column = (row.get("original_column_name") or "").strip().casefold()
                # A description spans lines and repeats blanks in the source.
                parts = [" ".join((row.get(field) or "").split()) for field in FIELDS]
                words[path.stem.casefold(), column] = "; ".join(part for part in parts if part)
        except (OSError, UserError, csv.Error) as error:
            troubles.append(Trouble(where=f"{database}/{path.name}", kind="malformed", reason=str(error)))
    return words, troubles


def _text(path: Path) -> str:
    raw = read_whole(path)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")

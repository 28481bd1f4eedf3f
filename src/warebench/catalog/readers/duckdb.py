"""Read the tables and keys of a DuckDB database file."""

from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import duckdb

from warebench.catalog.assemble import KeyDraft, TableDraft, TableName, assemble
from warebench.catalog.model import Catalog, Column
from warebench.errors import SourceError

Owner = tuple[str, str]
"""Schema and table."""

TABLES = """
select schema_name, table_name from duckdb_tables()
where not internal and not temporary and database_name = current_database()
order by table_oid, schema_name, table_name
"""
FIX = "close other programs that hold it, decrypt it, or restore it from a copy"
NEWER_FILE, NEWER = "version number", "pip install --upgrade duckdb: a newer DuckDB wrote this file"
LOCKED: dict[str, str | bool | int | float | list[str]] = {"enable_external_access": "false"}
COLUMNS = """
select schema_name, table_name, column_name, data_type, is_nullable from duckdb_columns()
where not internal and database_name = current_database()
order by schema_name, table_name, column_index
"""
CONSTRAINTS = """
select schema_name, table_name, constraint_type, constraint_column_names,
       referenced_table, referenced_column_names
from duckdb_constraints()
where database_name = current_database() and constraint_type in ('PRIMARY KEY', 'FOREIGN KEY')
order by schema_name, table_name, constraint_index
"""


class _Constraint(NamedTuple):
    type: str
    columns: tuple[str, ...]
    parent: str
    parent_columns: tuple[str, ...]


def read(source: Path, *, name: str = "") -> Catalog:
    """Return the tables of every schema, with their keys; views are not tables.

    Args:
        source: The database file; it is opened read-only.
        name: Name of the catalog; the file's name without suffix when empty.

    Raises:
        SourceError: The file is missing, torn, encrypted, locked, or holds no table.
        CatalogError: The catalog contradicts itself.
    """
    try:
        with duckdb.connect(str(source), read_only=True, config=LOCKED) as database:
            drafts = _drafts(database, source.name)
    except (duckdb.Error, OSError, RuntimeError, UnicodeDecodeError) as error:
        told = str(error).splitlines()[0]
        raise SourceError(
            f"DuckDB cannot open this file: {told}",
            where=str(source),
            fix=NEWER if NEWER_FILE in told else FIX,
        ) from error
    if not drafts:
        raise SourceError("this database holds no table", where=str(source), fix="give another file")
    return assemble(drafts, name=name or source.stem, source=f"DuckDB file {source.name}")


def _drafts(database: duckdb.DuckDBPyConnection, where: str) -> list[TableDraft]:
    columns: dict[Owner, list[Column]] = defaultdict(list)
    for schema, table, column, kind, nullable in database.execute(COLUMNS).fetchall():
        columns[schema, table].append(Column(name=column, type=kind, nullable=nullable))
    constraints: dict[Owner, list[_Constraint]] = defaultdict(list)
    for schema, table, kind, names, parent, parent_names in database.execute(CONSTRAINTS).fetchall():
        constraints[schema, table].append(
            _Constraint(kind, tuple(names), parent or "", tuple(parent_names or ()))
        )
    return [
        TableDraft(
            name=TableName("", schema, table),
            columns=tuple(columns[schema, table]),
            primary_key=_primary_key(constraints[schema, table]),
            keys=_foreign_keys(constraints[schema, table], schema),
            where=where,
        )
        for schema, table in database.execute(TABLES).fetchall()
    ]


def _primary_key(constraints: list[_Constraint]) -> tuple[str, ...]:
    return next((item.columns for item in constraints if item.type == "PRIMARY KEY"), ())


def _foreign_keys(constraints: list[_Constraint], schema: str) -> tuple[KeyDraft, ...]:
    # DuckDB refuses keys across schemas, so the parent lives in the child's; the constraint names it
    # reports are generated from the columns, so they carry nothing and are left out.
    return tuple(
        KeyDraft(
            columns=item.columns,
            parent=TableName("", schema, item.parent),
            parent_columns=item.parent_columns,
        )
        for item in constraints
        if item.type == "FOREIGN KEY"
    )

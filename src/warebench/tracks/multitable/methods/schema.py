"""The schema of an instance as SQL, with the types a query meets."""

import msgspec

from warebench.catalog.model import Catalog
from warebench.catalog.render import to_ddl
from warebench.engine.database import Database


def schema_text(database: Database) -> str:
    """Return CREATE TABLE statements with DuckDB's types, whatever the source calls them. It shows no row."""
    return to_ddl(typed_catalog(database))


def typed_catalog(database: Database) -> Catalog:
    """Return the catalog with the types the columns have in DuckDB."""
    connection = database.connect()
    try:
        found = connection.execute(
            "SELECT table_name, column_name, data_type FROM duckdb_columns()"
        ).fetchall()
    finally:
        connection.close()
    types = {(table, column): kind for table, column, kind in found}
    tables = tuple(
        msgspec.structs.replace(
            table,
            columns=tuple(
                msgspec.structs.replace(column, type=types[table.name, column.name])
                for column in table.columns
            ),
        )
        for table in database.catalog.tables
    )
    return msgspec.structs.replace(database.catalog, tables=tables)

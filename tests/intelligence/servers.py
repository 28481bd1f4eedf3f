"""Real database servers: each schema has a name of its own, and is dropped afterwards."""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa
import pyarrow.compute as pc
import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection, make_url

from warebench.catalog.model import Column
from warebench.engine.database import Database
from warebench.tracks.intelligence.compute.dialects import Dialect
from warebench.tracks.intelligence.compute.run import read_rows

SERVERS = {
    "postgres": os.environ.get("WAREBENCH_TEST_POSTGRES", "postgresql+psycopg://root@127.0.0.1:5432/test"),
    "mysql": os.environ.get("WAREBENCH_TEST_MARIADB", "mysql+pymysql://root@127.0.0.1:3306/test"),
}
OPENING = {"postgres": "CREATE SCHEMA {0}", "mysql": "CREATE DATABASE {0} CHARACTER SET utf8mb4 COLLATE {1}"}
USING = {"postgres": "SET search_path = {0}", "mysql": "USE {0}"}
CLOSING = {"postgres": "DROP SCHEMA {0} CASCADE", "mysql": "DROP DATABASE {0}"}
LONG = 200
"""Characters of a text that is no key; longer ones are TEXT."""


@contextmanager
def open_schema(dialect: Dialect, collation: str = "utf8mb4_bin") -> Iterator[tuple[Connection, str]]:
    """Yield a connection that uses a new schema, and the address to read it at.

    Args:
        dialect: Which server.
        collation: MariaDB's, of the schema.
    """
    name = f"warebench_{uuid.uuid4().hex}"
    engine = sa.create_engine(
        SERVERS[dialect], isolation_level="AUTOCOMMIT", connect_args={"connect_timeout": 5}
    )
    try:
        connection = engine.connect()
    except sa.exc.OperationalError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"no server answers: {str(error).splitlines()[0]}")
    with connection:
        try:
            connection.exec_driver_sql(OPENING[dialect].format(name, collation))
            connection.exec_driver_sql(USING[dialect].format(name))
            yield connection, _address(dialect, name)
        finally:
            connection.exec_driver_sql(CLOSING[dialect].format(name))
    engine.dispose()


def _address(dialect: Dialect, name: str) -> str:
    url = make_url(SERVERS[dialect])
    if dialect == "mysql":
        return url.set(database=name).render_as_string(hide_password=False)
    return url.update_query_dict({"options": f"-csearch_path={name}"}).render_as_string(hide_password=False)


def ask(connection: Connection, query: str) -> dict[tuple[object, ...], float]:
    """Return the values that SQL gives on a server, by group."""
    rows = connection.exec_driver_sql(query.replace("%", "%%")).fetchall()
    return read_rows([tuple(row) for row in rows])


def load(connection: Connection, database: Database) -> None:
    """Create and fill the tables of a database, with types that an owner would choose, keys and indices."""
    quote = connection.dialect.identifier_preparer.quote_identifier

    def listed(names: tuple[str, ...]) -> str:
        return ", ".join(quote(name) for name in names)

    for table in database.catalog.tables:
        rows = database.tables[table.name]
        lines = [
            f"{quote(column.name)} {_type(column, rows[column.name], connection.dialect.name)}"
            f"{'' if column.nullable else ' NOT NULL'}"
            for column in table.columns
        ]
        if table.primary_key:
            lines.append(f"PRIMARY KEY ({listed(table.primary_key)})")
        connection.exec_driver_sql(f"CREATE TABLE {quote(table.name)} ({', '.join(lines)})")
        marks = ", ".join(["%s"] * len(table.columns))
        cells = list(zip(*(column.to_pylist() for column in rows.columns), strict=True))
        connection.exec_driver_sql(f"INSERT INTO {quote(table.name)} VALUES ({marks})", cells)  # noqa: S608
    for number, key in enumerate(database.catalog.foreign_keys):
        child, parent = quote(key.child), quote(key.parent)
        connection.exec_driver_sql(f"CREATE INDEX of_{number} ON {child} ({listed(key.child_columns)})")
        connection.exec_driver_sql(
            f"ALTER TABLE {child} ADD FOREIGN KEY ({listed(key.child_columns)})"
            f" REFERENCES {parent} ({listed(key.parent_columns)})"
        )
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("ANALYZE")


def _type(column: Column, cells: pa.ChunkedArray, dialect: str) -> str:
    """Return CHAR or VARCHAR by the lengths of texts, DECIMAL for money, the server's name for a moment."""
    match column.type:
        case "VARCHAR":
            lengths = pc.min_max(pc.utf8_length(cells)).as_py()
            least, most = lengths["min"] or 0, lengths["max"] or 1
            if most > LONG:
                return "TEXT"
            return f"CHAR({most})" if least == most else f"VARCHAR({most})"
        case "DOUBLE":
            cents = all(value is None or round(value, 2) == value for value in cells.to_pylist())
            return "DECIMAL(14, 2)" if cents else "DOUBLE PRECISION"
        case "TIMESTAMP":
            return "TIMESTAMP" if dialect == "postgresql" else "DATETIME(6)"
        case kind:
            return kind

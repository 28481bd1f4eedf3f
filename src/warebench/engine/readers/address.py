"""Read catalog and rows of a database server at a SQLAlchemy address."""

import warnings
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy import exc
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.sql.elements import quoted_name

from warebench.catalog.assemble import KeyDraft, TableDraft, TableName, assemble
from warebench.catalog.model import Catalog, Column, Table
from warebench.engine.readers.cells import fit
from warebench.engine.readers.model import Cells, Reading, Remark, Wanted, select_tables
from warebench.errors import MissingExtra, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator

DRIVERS = {
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "mysql": "mysql+pymysql",
    "mariadb": "mariadb+pymysql",
}
"""Drivers of the extra `sql`, for addresses that name none."""

EXTRA = ("psycopg", "pymysql")
WAIT = 10
"""Seconds until a server counts as unreachable."""

READ_ONLY = {"postgresql": "SET TRANSACTION READ ONLY", "mysql": "SET SESSION TRANSACTION READ ONLY"}
"""By dialect; the others are only ever asked to SELECT."""


def read(source: str, wanted: Wanted) -> Reading:
    """Return the tables of the default schema of a database server, rows in the order of their primary key.

    Tables without a primary key come in the order of all their columns, so that the same data give the same
    database. Views are not tables. Cells are fitted like any others (`cells.fit`): arrays, JSON, UUID and
    intervals become text, and a remark says so.

    Args:
        source: A SQLAlchemy address such as `postgresql://user@host/database`. Another schema than the
            default is named as the driver wants it, for PostgreSQL `?options=-csearch_path%3Dsales`.
        wanted: Name, tables, rows.

    Raises:
        SourceError: The address is wrong, the server does not answer or refuses, or there is no table.
        MissingExtra: The driver is not installed.
        CatalogError: The catalog contradicts itself.
    """
    url = _url(source)
    place = _place(url)
    engine = _engine(url, place)
    try:
        with _refusals(place), engine.connect() as connection:
            if statement := READ_ONLY.get(engine.dialect.name.replace("mariadb", "mysql")):
                connection.execute(sa.text(statement))
            return _read(connection, url, wanted, place)
    finally:
        engine.dispose()


def _read(connection: Connection, url: URL, wanted: Wanted, place: str) -> Reading:
    catalog, remarks = _reflect(connection, wanted.name or url.database or "database", place)
    catalog = select_tables(catalog, wanted, place)
    columns: dict[str, Sequence[Cells]] = {}
    cut: set[str] = set()
    for table in catalog.tables:
        with _refusals(f"{place}, table {table.name}"):
            rows = _rows(connection, table, wanted.max_rows)
        if wanted.max_rows is not None and len(rows) > wanted.max_rows:
            cut.add(table.name)
            rows = rows[:-1]
        values = zip(*rows, strict=True) if rows else [()] * len(table.columns)
        columns[table.name] = [
            fit(cells, column.type) for column, cells in zip(table.columns, values, strict=True)
        ]
    # A whole schema's remarks also name the tables that had to be left out.
    kept = tuple(item for item in remarks if wanted.tables is None or item.table in catalog.table_names)
    return Reading(catalog=catalog, columns=columns, cut=frozenset(cut), remarks=kept)


def _url(source: str) -> URL:
    try:
        url = make_url(source)
    except (exc.ArgumentError, ValueError) as error:
        # The address may hold a password: it is not repeated.
        raise SourceError(
            "this is not a database address",
            fix="write it as DIALECT://USER:PASSWORD@HOST:PORT/DATABASE, special characters as %XX",
        ) from error
    return url.set(drivername=DRIVERS.get(url.drivername, url.drivername))


def _place(url: URL) -> str:
    host = f" at {url.host}" if url.host else ""
    return f"{url.get_backend_name()} database {url.database or '(default)'}{host}"


def _engine(url: URL, place: str) -> Engine:
    driver = url.drivername.rpartition("+")[2]
    timed = driver in EXTRA and "connect_timeout" not in url.query
    try:
        return sa.create_engine(url, connect_args={"connect_timeout": WAIT} if timed else {})
    except exc.NoSuchModuleError as error:
        raise SourceError(
            f"no SQLAlchemy dialect `{url.drivername}`",
            where=place,
            fix="correct the address, or install the package that brings the dialect",
        ) from error
    except ImportError as error:
        if driver in EXTRA:
            raise MissingExtra(driver, "sql") from error
        raise SourceError(
            f"the driver `{error.name or driver}` is not installed",
            where=place,
            fix=f"pip install {error.name or driver}",
        ) from error
    except (exc.ArgumentError, TypeError, ValueError) as error:
        raise SourceError("this database address cannot be used", where=place, fix="correct it") from error


@contextmanager
def _refusals(place: str) -> "Iterator[None]":
    """Turn what a driver raises into what a user can act on."""
    try:
        yield
    except exc.SQLAlchemyError as error:
        cause = getattr(error, "orig", None) or error
        lines = str(cause).strip().splitlines() or [type(cause).__name__]
        raise SourceError(
            f"the database refuses: {lines[0]}",
            where=place,
            fix="check host, port, database, user, password and rights; or leave this table out",
        ) from error


def _reflect(connection: Connection, name: str, place: str) -> tuple[Catalog, list[Remark]]:
    """Return the catalog of the default schema, and what it leaves out."""
    inspector = sa.inspect(connection)
    with warnings.catch_warnings():
        # Types that SQLAlchemy does not know are found from the cells.
        warnings.simplefilter("ignore", exc.SAWarning)
        columns = inspector.get_multi_columns()
        primary = inspector.get_multi_pk_constraint()
        foreign = inspector.get_multi_foreign_keys()
    default = inspector.default_schema_name
    remarks: list[Remark] = []
    drafts = []
    for owner in sorted(columns, key=lambda owner: owner[1]):
        table = owner[1]
        if not columns[owner]:
            remarks.append(Remark(table=table, what="left out, it has no columns"))
            continue
        keys, dropped = _keys(foreign.get(owner, []), default)
        remarks += [Remark(table=table, what=what) for what in dropped]
        drafts.append(
            TableDraft(
                name=TableName("", "", table),
                columns=tuple(_column(item, connection) for item in columns[owner]),
                primary_key=_primary_key(primary.get(owner)),
                keys=keys,
                where=place,
            )
        )
    if not drafts:
        raise SourceError(
            f"the schema `{default}` holds no table",
            where=place,
            fix="name another database, or another schema: for PostgreSQL ?options=-csearch_path%3DSCHEMA",
        )
    return assemble(drafts, name=name, source=place), remarks


def _primary_key(found: Mapping[str, Any] | None) -> tuple[str, ...]:
    return tuple(found.get("constrained_columns") or ()) if found else ()


def _keys(found: Sequence[Mapping[str, Any]], default: str | None) -> tuple[tuple[KeyDraft, ...], list[str]]:
    keys, dropped = [], []
    for key in sorted(found, key=lambda key: (key["constrained_columns"], key["referred_table"])):
        schema, parent = key.get("referred_schema"), key["referred_table"]
        if schema not in (None, default):
            dropped.append(f"its foreign key to `{schema}`.`{parent}` is left out, that schema is not read")
            continue
        keys.append(
            KeyDraft(
                columns=tuple(key["constrained_columns"]),
                parent=TableName("", "", parent),
                parent_columns=tuple(key["referred_columns"]),
            )
        )
    return tuple(keys), dropped


def _column(item: Mapping[str, Any], connection: Connection) -> Column:
    kind = item["type"]
    try:
        spelled = str(kind.compile(dialect=connection.dialect))
    except exc.CompileError:
        spelled = "" if isinstance(kind, sa.types.NullType) else str(kind)
    for word in (" CHARACTER SET", " COLLATE"):
        spelled = spelled.partition(word)[0]
    return Column(name=item["name"], type=spelled, nullable=bool(item.get("nullable", True)))


def _rows(connection: Connection, table: Table, most: int | None) -> Sequence[Sequence[Any]]:
    columns: dict[str, sa.ColumnClause[Any]] = {
        column.name: sa.column(quoted_name(column.name, quote=True)) for column in table.columns
    }
    statement = sa.select(*columns.values()).select_from(sa.table(quoted_name(table.name, quote=True)))
    order = table.primary_key or tuple(column.name for column in table.columns if _sortable(column))
    statement = statement.order_by(*(columns[name] for name in order))
    if most is not None:
        statement = statement.limit(most + 1)
    return connection.execute(statement).fetchall()


def _sortable(column: Column) -> bool:
    """Return whether any server can order by a column of this type."""
    known = ("INT", "NUM", "DEC", "REAL", "FLOAT", "DOUBLE", "CHAR", "TEXT", "DATE", "TIME", "BOOL")
    return any(word in column.type.upper() for word in known)

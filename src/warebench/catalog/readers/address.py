"""Read the tables and keys of a database server at a SQLAlchemy address."""

import warnings
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy import exc
from sqlalchemy.engine import URL, Connection, Engine, make_url

from warebench.catalog.assemble import KeyDraft, TableDraft, TableName, assemble
from warebench.catalog.model import Catalog, Column
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

FIRST = {
    "postgresql": ("SET TRANSACTION READ ONLY",),
    "mysql": ("SET SESSION TRANSACTION READ ONLY", "SET SESSION time_zone = '+00:00'"),
}
"""What is said first, by dialect: the others are only ever asked to SELECT."""


class Place(NamedTuple):
    """An open address."""

    connection: Connection
    database: str
    """Name of the database; empty for the server's default."""
    words: str
    """The address in words, without a password."""


class LeftOut(NamedTuple):
    """Something of a table that the catalog does not hold."""

    table: str
    what: str


def read(source: str, *, name: str = "") -> Catalog:
    """Return the tables of the default schema of a database server, with their keys and comments.

    Views are not tables. Tables without columns, and foreign keys into other schemas, are left out: the
    catalog's `source` says so.

    Args:
        source: A SQLAlchemy address such as `postgresql://user@host/database`. Another schema than the
            default is named as the driver wants it, for PostgreSQL `?options=-csearch_path%3Dsales`.
        name: Name of the catalog; the database's when empty.

    Raises:
        SourceError: The address is wrong, the server does not answer or refuses, or there is no table.
        MissingExtra: The driver is not installed.
        CatalogError: The catalog contradicts itself.
    """
    with open_address(source) as place:
        catalog, left = reflect(place, name)
    said = "; ".join([catalog.source, *(f"`{item.table}`: {item.what}" for item in left)])
    return msgspec.structs.replace(catalog, source=said)


@contextmanager
def open_address(source: str) -> "Iterator[Place]":
    """Yield a read-only connection to a database server.

    Args:
        source: A SQLAlchemy address.

    Raises:
        SourceError: The address is wrong, or the server does not answer or refuses.
        MissingExtra: The driver is not installed.
    """
    url = _url(source)
    words = _words(url)
    engine = _engine(url, words)
    try:
        with refusals(words), engine.connect() as connection:
            for statement in FIRST.get(engine.dialect.name.replace("mariadb", "mysql"), ()):
                connection.exec_driver_sql(statement)
            yield Place(connection, url.database or "", words)
    finally:
        engine.dispose()


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


def _words(url: URL) -> str:
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
def refusals(place: str) -> "Iterator[None]":
    """Turn what a driver raises into what a user can act on.

    Args:
        place: Where it happens, in words without a password.

    Raises:
        SourceError: In place of any error of SQLAlchemy or of a driver.
    """
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


def reflect(place: Place, name: str) -> tuple[Catalog, list[LeftOut]]:
    """Return the catalog of the default schema, and what it leaves out.

    Args:
        place: An open address.
        name: Name of the catalog; the database's when empty.

    Raises:
        SourceError: The schema holds no table.
        CatalogError: The catalog contradicts itself.
    """
    connection = place.connection
    inspector = sa.inspect(connection)
    with warnings.catch_warnings():
        # Types that SQLAlchemy does not know are found from the cells.
        warnings.simplefilter("ignore", exc.SAWarning)
        columns = inspector.get_multi_columns()
        primary = inspector.get_multi_pk_constraint()
        foreign = inspector.get_multi_foreign_keys()
    default = inspector.default_schema_name
    left: list[LeftOut] = []
    drafts = []
    for owner in sorted(columns, key=lambda owner: owner[1]):
        table = owner[1]
        if not columns[owner]:
            left.append(LeftOut(table, "left out, it has no columns"))
            continue
        keys, dropped = _keys(foreign.get(owner, []), default)
        left += [LeftOut(table, what) for what in dropped]
        drafts.append(
            TableDraft(
                name=TableName("", "", table),
                columns=tuple(_column(item, connection) for item in columns[owner]),
                primary_key=_primary_key(primary.get(owner)),
                keys=keys,
                where=place.words,
            )
        )
    if not drafts:
        raise SourceError(
            f"the schema `{default}` holds no table",
            where=place.words,
            fix="name another database, or another schema: for PostgreSQL ?options=-csearch_path%3DSCHEMA",
        )
    chosen = name or place.database or "database"
    return assemble(drafts, name=chosen, source=place.words), left


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
    return Column(
        name=item["name"],
        type=spelled,
        nullable=bool(item.get("nullable", True)),
        description=item.get("comment") or "",
    )

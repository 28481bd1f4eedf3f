"""Read the tables and keys of a database server at a SQLAlchemy address."""

import warnings
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import exc
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.engine.reflection import ObjectKind

from warebench.catalog.assemble import KeyDraft, TableDraft, TableName, assemble, label_tables
from warebench.catalog.model import Catalog, Column, LeftOut
from warebench.catalog.readers.server import (
    Owner,
    Server,
    ServerKey,
    ask_server,
    list_schemas,
    path_schemas,
    reflect_keys,
)
from warebench.errors import MissingExtra, SourceError, did_you_mean

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


def read(source: str, *, name: str = "", schemas: Sequence[str] = ()) -> Catalog:
    """Return the tables and views of a database server, with their keys and comments.

    Every schema that this role may see is read, but the system's. Partitions, and tables that inherit, are
    one table with their parent. What cannot be read is in the catalog's `left_out`.

    Args:
        source: A SQLAlchemy address such as `postgresql://user@host/database`.
        name: Name of the catalog; the database's when empty.
        schemas: To read; when empty those of a search path that the address sets, else all. On MariaDB, where
            a schema is a database, all means the one that the address names, with those that keys tie to it.

    Raises:
        SourceError: The address is wrong, the server does not answer or refuses, or there is no table.
        MissingExtra: The driver is not installed.
    """
    with open_address(source) as place:
        return reflect(place, name, schemas).catalog


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
        raise SourceError(
            f"the database refuses: {first_line(error)}",
            where=place,
            fix="check host, port, database, user, password and rights; or leave this table out",
        ) from error


def first_line(error: exc.SQLAlchemyError) -> str:
    """Return the first line of what a driver says."""
    cause = getattr(error, "orig", None) or error
    return (str(cause).strip().splitlines() or [type(cause).__name__])[0]


def guard(connection: Connection) -> "AbstractContextManager[object]":
    """Return what keeps a refused statement from ending the transaction, where it would."""
    return connection.begin_nested() if connection.dialect.name == "postgresql" else nullcontext()


class Reflection(NamedTuple):
    """A catalog, and where its tables lie on the server."""

    catalog: Catalog
    places: dict[str, Owner]


def reflect(place: Place, name: str, schemas: Sequence[str] = ()) -> Reflection:
    """Return the catalog of a server.

    Args:
        place: An open address.
        name: Name of the catalog; the database's when empty.
        schemas: To read; all when empty.

    Raises:
        SourceError: There is no table, or no such schema.
    """
    server = ask_server(place.connection)
    asked = schemas or path_schemas(place.connection)
    known = list_schemas(place.connection, server, "" if asked else place.database)
    chosen = sorted(_choose(asked, known, place.words))
    found = [draft for schema in chosen for draft in _read_schema(place, schema, server)]
    if not any(not draft.fault for draft in found):
        raise SourceError(
            f"there is no table to read in {_in_words(chosen, place.database)}",
            where=place.words,
            fix=f"name another database, or a schema with --schema. Known: {', '.join(known) or 'none'}",
        )
    keys = reflect_keys(place.connection, chosen) if server.keys is None else server.keys
    drafts, left = add_keys(found, keys, server.part_of)
    left += [
        LeftOut(
            kind="column",
            what=f"columns {', '.join(f'`{column}`' for column in columns)}",
            where=".".join(owner),
            why=f"its rows are read as those of `{server.part_of[owner][1]}`",
        )
        for owner, columns in server.own_columns.items()
        if owner[0] in chosen
    ]
    labels = label_tables(draft.name for draft in drafts)
    left += [
        LeftOut(
            kind="edge",
            what="what it derives from",
            where=labels[draft.name],
            why="the server does not say",
            touches=tuple(sorted(labels[other.name] for other in drafts if not other.fault)),
        )
        for draft in drafts
        if draft.kind == "view" and not draft.fault
        if server.views.get((draft.name.schema, draft.name.table)) is None
    ]
    catalog = assemble(drafts, name=name or place.database or "database", source=place.words, left_out=left)
    return Reflection(catalog, {label: (owner.schema, owner.table) for owner, label in labels.items()})


def _in_words(schemas: Sequence[str], database: str) -> str:
    return f"schema {', '.join(schemas)}" if schemas else f"database `{database}`"


def _choose(asked: Sequence[str], known: Sequence[str], where: str) -> Sequence[str]:
    for name in asked:
        if name not in known:
            raise SourceError(f"no schema `{name}`", where=where, fix=did_you_mean(name, known))
    return list(dict.fromkeys(asked)) or known


def _read_schema(place: Place, schema: str, server: Server) -> list[TableDraft]:
    """Return the tables and views of a schema, those that cannot be read with the reason."""
    inspector = sa.inspect(place.connection)
    views = set(inspector.get_view_names(schema))
    if place.connection.dialect.name == "postgresql":
        views.update(inspector.get_materialized_view_names(schema))
    names = views.union(inspector.get_table_names(schema))
    owners = [(schema, table) for table in sorted(names) if (schema, table) not in server.part_of]
    described = _describe(
        place.connection, schema, [table for table in names if (schema, table) not in server.closed]
    )
    return [
        replace(
            described.get(owner[1])
            or TableDraft(name=TableName("", *owner), fault="this role may not read it"),
            where=place.words,
            kind="view" if owner[1] in views else "",
            upstream=tuple(TableName("", *read) for read in server.views.get(owner) or ()),
        )
        for owner in owners
    ]


def _describe(connection: Connection, schema: str, names: Sequence[str]) -> dict[str, TableDraft]:
    """Return tables with columns and primary key, or with the reason why there are none.

    All are asked for at once; where the server refuses any, one by one.
    """
    inspector = sa.inspect(connection)
    try:
        with warnings.catch_warnings(), guard(connection):
            # Types that SQLAlchemy does not know are found from the cells.
            warnings.simplefilter("ignore", exc.SAWarning)
            asked: dict[str, Any] = {"schema": schema, "filter_names": names, "kind": ObjectKind.ANY}
            found: dict[Any, Any] = defaultdict(list, inspector.get_multi_columns(**asked))
            primary: dict[Any, Any] = dict(inspector.get_multi_pk_constraint(**asked))
    except exc.SQLAlchemyError as error:
        if len(names) > 1:
            return {
                name: draft for one in names for name, draft in _describe(connection, schema, [one]).items()
            }
        fault = f"the server refuses: {first_line(error)}"
        return {name: TableDraft(name=TableName("", schema, name), fault=fault) for name in names}
    return {
        name: TableDraft(
            name=TableName("", schema, name),
            columns=tuple(_column(item, connection) for item in found[schema, name]),
            primary_key=tuple((primary.get((schema, name)) or {}).get("constrained_columns") or ()),
            fault="" if found[schema, name] else "it has no columns",
        )
        for name in names
    }


def add_keys(
    drafts: Sequence[TableDraft], keys: Sequence[ServerKey], part_of: Mapping[Owner, Owner]
) -> tuple[list[TableDraft], list[LeftOut]]:
    """Return tables with the keys they declare, and the keys that only a part of one has, or one not read.

    Args:
        drafts: Tables without keys.
        keys: Of the whole server.
        part_of: Partition, or table that inherits -> the table that shows its rows.
    """
    labels = label_tables(draft.name for draft in drafts)
    own: dict[Owner, list[KeyDraft]] = defaultdict(list)
    left = []
    for key in sorted(keys, key=lambda key: (key.child, key.columns, key.parent)):
        ends = [part_of.get(owner, owner) for owner in (key.child, key.parent)]
        touches = [labels[name] for owner in ends if (name := TableName("", *owner)) in labels]
        if len(touches) == 2 and ends == [key.child, key.parent]:
            parent = TableName("", *key.parent)
            own[key.child].append(
                KeyDraft(columns=key.columns, parent=parent, parent_columns=key.parent_columns)
            )
        elif touches:
            whole = ends == [key.child, key.parent]
            why = "that table is not read" if whole else "only a part of the table has it"
            what = f"foreign key ({', '.join(key.columns)}) -> {'.'.join(key.parent)}"
            left.append(
                LeftOut(
                    kind="key",
                    what=what,
                    where=".".join(key.child),
                    why=why,
                    touches=tuple(sorted({*touches})),
                )
            )
    placed = [replace(draft, keys=tuple(own[draft.name.schema, draft.name.table])) for draft in drafts]
    return placed, left


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

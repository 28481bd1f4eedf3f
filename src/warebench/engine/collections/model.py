"""What a collection is: databases, what is asked about them in gold SQL, and what could not be read."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from warebench.catalog.model import Catalog
from warebench.engine.database import Database
from warebench.engine.load import assemble_database
from warebench.engine.readers import sqlite
from warebench.engine.readers.model import Wanted
from warebench.engine.worker import Dialect
from warebench.errors import SourceError

TroubleKind = Literal[
    # of a database, which is left out, or of which only the schema is kept
    "missing file",
    "unreadable",
    "empty",
    "corrupt",
    "unfinished",
    "no tables",
    "invalid",
    "same name",
    # of a database, which is kept as it is
    "no rows",
    "broken key",
    # of an example, or of what a file says besides, which is left out
    "malformed",
    "no question",
    "no sql",
    "duplicate",
    "unknown database",
]
"""What is wrong with a database or an example."""


RESERVED: dict[Dialect, tuple[str, ...]] = {
    "sqlite": ("temp",),
    "duckdb": ("main", "memory", "system", "temp"),
}
"""Names that no attached database can have."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SqliteFile:
    """A SQLite file and its catalog; the rows stay in the file until they are asked for."""

    catalog: Catalog
    path: Path

    @property
    def fingerprint(self) -> str:
        """SHA-256 (hex) of the file's bytes."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def read(self) -> Database:
        """Return the database with its rows.

        Raises:
            SourceError: The file can no longer be read, or columns of a table differ in case only.
        """
        return assemble_database(sqlite.read_rows(self.path, self.catalog, Wanted()))


class Example(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question about one database, with the SQL that answers it."""

    id: str
    database: str
    """Name of its database's catalog."""
    question: str
    sql: str
    """In the collection's dialect."""
    evidence: str = ""
    """What a model is told besides (BIRD)."""
    comparison: dict[str, object] = {}
    """What equal means for its result, as far as the source says: fields of `answers.result.Comparison`."""


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """Why a database or an example is left out, or what is odd about it."""

    where: str
    """Name of the database, or id of the example."""
    kind: TroubleKind
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Collection:
    """Databases of one dialect, and examples about them."""

    name: str
    dialect: Dialect
    """SQLite where every database is a SQLite file, else DuckDB."""
    databases: tuple[SqliteFile | Database, ...]
    """With distinct names, sorted by name."""
    schemas: tuple[Catalog, ...] = ()
    """Databases without a file that can be read: tables to choose among, but no rows."""
    examples: tuple[Example, ...] = ()
    """In the order of the source; each about one of `databases`."""
    troubles: tuple[Trouble, ...] = ()

    @property
    def catalogs(self) -> tuple[Catalog, ...]:
        """Catalogs of all databases, of those without rows too, sorted by name."""
        found = [*(database.catalog for database in self.databases), *self.schemas]
        return tuple(sorted(found, key=lambda catalog: catalog.name))


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """What one database of a collection turned out to be."""

    database: SqliteFile | Database | None = None
    schema: Catalog | None = None
    troubles: tuple[Trouble, ...] = ()


def unite(
    name: str,
    found: Iterable[Found],
    examples: Iterable[Example] = (),
    troubles: Iterable[Trouble] = (),
) -> Collection:
    """Return a collection of what was found.

    Args:
        name: Its name.
        found: Databases with distinct names. Where some are not SQLite files, those that are get read.
        examples: About the databases.
        troubles: Of the examples, or of the whole.

    Raises:
        SourceError: A SQLite file can no longer be read, or a database has a name that SQL keeps for itself.
    """
    parts = list(found)
    databases = [part.database for part in parts if part.database]
    files = [database for database in databases if isinstance(database, SqliteFile)]
    dialect: Dialect = "sqlite" if len(files) == len(databases) else "duckdb"
    refuse_reserved((database.catalog.name for database in databases), dialect)
    if dialect == "duckdb":
        databases = [item.read() if isinstance(item, SqliteFile) else item for item in databases]
    return Collection(
        name=name,
        dialect=dialect,
        databases=tuple(sorted(databases, key=lambda database: database.catalog.name)),
        schemas=tuple(sorted((part.schema for part in parts if part.schema), key=lambda item: item.name)),
        examples=tuple(examples),
        troubles=(*(trouble for part in parts for trouble in part.troubles), *troubles),
    )


def refuse_reserved(names: Iterable[str], dialect: Dialect) -> None:
    """Refuse names of databases that SQL keeps for itself.

    Raises:
        SourceError: One of them is such a name.
    """
    for name in names:
        if name.casefold() in RESERVED[dialect]:
            raise SourceError(
                f"a query cannot name a database `{name}`",
                where=f"{dialect} keeps that name for itself",
                fix="rename the file",
            )

"""The databases of a collection as gold is run on them: each alone, and in the pooled namespace."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

from warebench.catalog.model import Catalog
from warebench.engine.collection import Collection, SqliteFile
from warebench.engine.database import Database
from warebench.engine.run import Failure, QueryLimits, Rows, run_pool, write_file
from warebench.engine.worker import MIB, Dialect
from warebench.errors import BuildError, SetError, did_you_mean
from warebench.questions.model import QuestionSet
from warebench.sql.namespace import Pool, build_pool

MOST_ROWS = 10_000
MOST_BYTES = MIB
"""Of a gold result; a larger one is no answer to a question."""

DECOYS = 4
"""Databases attached before the one that is meant."""


@dataclass(frozen=True, kw_only=True)
class OpenPool:
    """A pool whose databases can be queried; looking up a table is O(1) whatever its size."""

    dialect: Dialect
    catalogs: Mapping[str, Catalog]
    index: Pool
    files: Mapping[str, Path]
    """By database; those without rows are missing."""
    limits: QueryLimits
    _decoys: dict[str, list[str]] = field(default_factory=dict)

    def run_home(self, database: str, sql: str, limits: QueryLimits | None = None) -> Rows | Failure:
        """Return what a query gives on a database's own file.

        Args:
            database: Its name.
            sql: The query.
            limits: Instead of the pool's.
        """
        name = "main" if self.dialect == "sqlite" else database
        return run_pool({name: self.files[database]}, sql, self.dialect, limits or self.limits)

    def run_pooled(self, database: str, sql: str) -> Rows | Failure:
        """Return what a query gives in the pooled namespace.

        Databases with tables of the same names stand before the one that is meant: a name that does not say
        its database finds the wrong table.
        """
        names = [*self.decoys(database), database]
        return run_pool({name: self.files[name] for name in names}, sql, self.dialect, self.limits)

    def decoys(self, database: str) -> list[str]:
        """Return a few databases with rows that have tables of the same names, those with most first."""
        if database not in self._decoys:
            tables = self.catalogs[database].table_names
            found = (other for table in tables for other in self.index.homonyms[table.lower()])
            shared = Counter(other.database for other in found if other.database in self.files)
            del shared[database]
            self._decoys[database] = sorted(shared, key=lambda name: (-shared[name], name))[:DECOYS]
        return self._decoys[database]


@contextmanager
def open_pool(collection: Collection, seconds: float) -> Iterator[OpenPool]:
    """Yield the pool of a collection; DuckDB files written for it go away with the block.

    Args:
        collection: Databases, with rows and without.
        seconds: That one query may take.

    Raises:
        BuildError: A SQLite file changed while the block ran.
    """
    catalogs = {catalog.name: catalog for catalog in collection.catalogs}
    files = [item for item in collection.databases if isinstance(item, SqliteFile)]
    before = {item.catalog.name: item.fingerprint for item in files}
    with TemporaryDirectory(prefix="pool-") as folder:
        yield OpenPool(
            dialect=collection.dialect,
            catalogs=catalogs,
            index=build_pool(catalogs.values()),
            files={
                item.catalog.name: _file(item, Path(folder) / f"{number}.duckdb")
                for number, item in enumerate(collection.databases)
            },
            # One thread: rows come in the same order each time, and floats are added up in it.
            limits=QueryLimits(seconds=seconds, rows=MOST_ROWS, result_bytes=MOST_BYTES, threads=1),
        )
    for item in files:
        if item.fingerprint != before[item.catalog.name]:
            raise BuildError(
                "a database changed while the set was built",
                where=str(item.path),
                fix="Build again when nobody writes to it.",
            )


def _file(item: SqliteFile | Database, path: Path) -> Path:
    if isinstance(item, SqliteFile):
        return item.path
    write_file(item, path)
    return path


def find_dialect(question_set: QuestionSet) -> Dialect:
    """Return the dialect of a set's databases.

    Raises:
        SetError: The set says none that is known.
    """
    stated = question_set.manifest.parameters.get("dialect", "")
    known: tuple[Dialect, ...] = get_args(Dialect)
    for dialect in known:
        if stated == dialect:
            return dialect
    raise SetError(
        f"the set says no dialect that is known: `{stated}`",
        where="manifest.json, parameters",
        fix=f"Build the set again. {did_you_mean(str(stated), known)}".strip(),
    )

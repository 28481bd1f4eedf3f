"""The pooled namespace: every table of every database under `database.table`, and without the database."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from warebench.catalog.model import Catalog


class PooledTable(NamedTuple):
    """One table of the pool, in the catalog's spelling."""

    database: str
    table: str


@dataclass(frozen=True, kw_only=True)
class Pool:
    """Look-up of tables by name regardless of case; O(1) each, whatever the size of the pool."""

    by_name: Mapping[tuple[str, str], PooledTable]
    """By (database, table) in small letters."""
    homonyms: Mapping[str, tuple[PooledTable, ...]]
    """All tables of a name, by table in small letters, sorted."""

    def find(self, database: str, table: str) -> PooledTable | None:
        """Return the table of a qualified name, or None."""
        return self.by_name.get((database.lower(), table.lower()))


def build_pool(catalogs: Iterable[Catalog]) -> Pool:
    """Return the index of many databases, each a catalog with the database's name; O(tables)."""
    by_name: dict[tuple[str, str], PooledTable] = {}
    homonyms: defaultdict[str, list[PooledTable]] = defaultdict(list)
    for pooled in _tables(catalogs):
        key = (pooled.database.lower(), pooled.table.lower())
        if key not in by_name:
            by_name[key] = pooled
            homonyms[key[1]].append(pooled)
    return Pool(by_name=by_name, homonyms={name: tuple(tables) for name, tables in homonyms.items()})


@dataclass(frozen=True, kw_only=True)
class BareNames:
    """Names of the unprefixed mode and back; O(1) each."""

    by_table: Mapping[PooledTable, str]
    """Bare name of each table, in the order of the names."""
    by_name: Mapping[str, PooledTable]
    """By bare name in small letters."""


def bare_names(catalogs: Iterable[Catalog]) -> BareNames:
    """Return the name of each table in the unprefixed mode, unique regardless of case.

    A table whose name is unique in the pool keeps it. Of tables that share a name each gets a number, the
    first too, in the order of their databases' names; a number whose result is the name of another table is
    left out. The number says nothing of the source.

    Source: BudgetSchemaBench (arXiv 2610.00092), appendix A.
    """
    homonyms = build_pool(catalogs).homonyms
    by_name: dict[str, PooledTable] = {}
    by_table: dict[PooledTable, str] = {}
    for name in sorted(homonyms):
        number = 0
        for pooled in homonyms[name]:
            bare = pooled.table
            while len(homonyms[name]) > 1 and (bare == pooled.table or bare.lower() in homonyms):
                number += 1
                bare = f"{pooled.table}_{number}"
            by_table[pooled] = bare
            by_name[bare.lower()] = pooled
    return BareNames(by_table=by_table, by_name=by_name)


def _tables(catalogs: Iterable[Catalog]) -> Iterator[PooledTable]:
    return iter(
        sorted(PooledTable(catalog.name, table.name) for catalog in catalogs for table in catalog.tables)
    )

"""What a reader is asked for and what it returns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from warebench.catalog.model import Catalog
from warebench.catalog.select import EVERYTHING, Selection, drop_tables, select
from warebench.errors import SourceError, did_you_mean


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """What to read of a source."""

    name: str = ""
    """Name of the catalog; the source's own when empty."""
    tables: tuple[str, ...] | None = None
    """Tables to read; all when None."""
    selection: Selection = EVERYTHING
    """What a user includes and excludes."""
    max_rows: int | None = None
    """Rows to read of each table; all when None."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Remark:
    """Something that was read otherwise than it stands in the source."""

    table: str
    column: str = ""
    what: str

    def __str__(self) -> str:
        place = f"`{self.table}`.`{self.column}`" if self.column else f"`{self.table}`"
        return f"{place}: {self.what}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Cells:
    """The cells of one column."""

    values: pa.Array | pa.ChunkedArray
    type: str = ""
    """SQL type it was read as, where that is not the declared one."""
    remark: str = ""
    """What was done to them, where they were not taken as they stand."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """A catalog and the cells of its columns."""

    catalog: Catalog
    columns: Mapping[str, Sequence[Cells]]
    """Columns in catalog order, by table."""
    cut: frozenset[str] = frozenset()
    """Tables of which more rows exist than were wanted."""
    remarks: tuple[Remark, ...] = field(default=())


def select_tables(catalog: Catalog, wanted: Wanted, where: str) -> Catalog:
    """Return the catalog with the wanted tables; the others are marked as left out.

    Args:
        catalog: The whole catalog.
        wanted: Its `tables` are matched exactly first and then without regard to case.
        where: The source, named in the error.

    Raises:
        SourceError: No such table, or none at all wanted.
    """
    chosen = select(catalog, wanted.selection, where)
    if wanted.tables is None:
        return chosen
    if not wanted.tables:
        raise SourceError("no table is wanted", where=where, fix="name at least one table, or leave them out")
    names = {_find(name, chosen, where) for name in wanted.tables}
    return drop_tables(chosen, {name: "not asked for" for name in chosen.table_names if name not in names})


def keep_readable(catalog: Catalog, reasons: Mapping[str, str], where: str) -> Catalog:
    """Return the catalog without the tables whose rows cannot be read, marked as left out.

    Args:
        catalog: What was to be read.
        reasons: Name of each such table, and why, as a clause.
        where: The source, named in the error.

    Raises:
        SourceError: None can be read.
    """
    chosen = drop_tables(catalog, reasons)
    if not chosen.tables:
        name, why = next(iter(reasons.items()))
        raise SourceError(
            f"no table can be read; of `{name}`: {why}", where=where, fix="restore the source from a copy"
        )
    return chosen


def _find(name: str, catalog: Catalog, where: str) -> str:
    if name in catalog.table_names:
        return name
    for known in catalog.table_names:
        if known.casefold() == name.casefold():
            return known
    raise SourceError(f"no table `{name}`", where=where, fix=did_you_mean(name, catalog.table_names))

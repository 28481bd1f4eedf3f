"""The foreign keys of a database, row by row, and the rows whose keys lead nowhere."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warebench.catalog.model import ForeignKey
from warebench.engine.database import Database
from warebench.errors import BuildError
from warebench.tracks.multitable.sampling.keys import DANGLING, Match, match_keys

Flags = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, slots=True)
class Reference:
    """One foreign key and which rows it joins."""

    key: ForeignKey
    match: Match


@dataclass(frozen=True, kw_only=True, slots=True)
class Dangling:
    """Rows of a table whose foreign key names a parent that does not exist."""

    table: str
    columns: tuple[str, ...]
    parent: str
    rows: int

    def __str__(self) -> str:
        return f"{self.rows:,} rows of {self.table} ({', '.join(self.columns)} names no row of {self.parent})"


def read_references(database: Database) -> tuple[Reference, ...]:
    """Return the foreign keys of a database, in the order of its catalog.

    Raises:
        BuildError: A key does not say which columns it pairs.
    """
    return tuple(_read(key, database) for key in database.catalog.foreign_keys)


def _read(key: ForeignKey, database: Database) -> Reference:
    if not key.child_columns or not key.parent_columns:
        raise BuildError(
            f"the foreign key from {key.child} to {key.parent} names no columns",
            where=f"catalog {database.catalog.name}, table {key.child}",
            fix="name the columns on both sides, or leave the key out",
        )
    child, parent = database.tables[key.child], database.tables[key.parent]
    match = match_keys(
        [child.column(name) for name in key.child_columns],
        [parent.column(name) for name in key.parent_columns],
    )
    return Reference(key=key, match=match)


def find_dangling(references: Iterable[Reference]) -> tuple[Dangling, ...]:
    """Return each foreign key that some rows do not keep, and how many."""
    counted = [(each.key, int((each.match.codes == DANGLING).sum())) for each in references]
    return tuple(
        Dangling(table=key.child, columns=key.child_columns, parent=key.parent, rows=rows)
        for key, rows in counted
        if rows
    )


def find_whole(database: Database, references: Sequence[Reference]) -> Mapping[str, Flags]:
    """Return for each row whether its keys, its parents' keys and so on upward all lead to a row."""
    whole = {name: np.ones(table.num_rows, dtype=bool) for name, table in database.tables.items()}
    for each in references:
        whole[each.key.child] &= each.match.codes != DANGLING
    # A row that refers to a broken row is broken itself; chains of them need several rounds.
    while any(_break_children(each, whole) for each in references):
        pass
    return whole


def _break_children(reference: Reference, whole: Mapping[str, Flags]) -> bool:
    """Mark the rows that refer to a broken row; return whether any was not marked yet."""
    match, parents = reference.match, whole[reference.key.parent]
    if not len(match.rows) or parents.all():
        return False
    intact = np.logical_and.reduceat(parents[match.rows], match.starts[:-1])
    children = whole[reference.key.child]
    marked = children & (match.codes >= 0) & ~intact[match.codes]
    children &= ~marked
    return bool(marked.any())

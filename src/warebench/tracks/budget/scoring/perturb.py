"""What a perturbed database is made of: which rows stay, and where each cell comes from.

Rows are dropped, with all that refer to them, and the cells of each column that is no key are drawn anew out
of the column's own, each column by itself; where all cells of a column differ, they change places, and
texts that repeat are exchanged for each other, so that another is the most frequent. So declared keys hold,
every value stays in its column, a column that names rows still does, and filters, joins, groups and constants
that are right by accident of the rows give something else.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warebench.catalog.model import Catalog, ForeignKey, Table
from warebench.tracks.budget.pack import Numbers

DROPPED = 0.2
"""Share of the rows of each table that go by themselves, one at least; those that refer to them follow."""

Cells = Mapping[str, Mapping[str, Sequence[Any]]]
"""By table and column: the cells of all rows."""
Plan = Mapping[str, Mapping[str, Numbers]]
"""By table and column: the row that each new row's cell is taken from."""


def plan(catalog: Catalog, cells: Cells, seed: str) -> Plan:
    """Return where the cells of a variant come from; equal arguments give equal plans.

    Args:
        catalog: The database.
        cells: Its rows.
        seed: Tells variants of one database apart.

    Complexity:
        O(cells), times the length of the longest chain of foreign keys.
    """
    stays = {table.name: _draw_stays(table, cells[table.name], seed) for table in catalog.tables}
    while any(_follow(key, cells, stays) for key in catalog.foreign_keys if key.child_columns):
        pass
    return {
        table.name: _plan_table(
            table, _keys(table, catalog), cells[table.name], np.flatnonzero(stays[table.name]), seed
        )
        for table in catalog.tables
    }


def _draw_stays(table: Table, cells: Mapping[str, Sequence[Any]], seed: str) -> NDArray[np.bool_]:
    size = len(next(iter(cells.values()), ()))
    chances = _generator(seed, table.name).random(size)
    stays: NDArray[np.bool_] = chances >= DROPPED
    if size:
        # One row at least goes, and one stays: an empty table tells nothing.
        stays[chances.argmin()], stays[chances.argmax()] = False, True
    return stays


def _follow(key: ForeignKey, cells: Cells, stays: dict[str, NDArray[np.bool_]]) -> bool:
    """Drop the rows whose parent went, and tell whether there were any; dangling rows stay."""
    parents = list(zip(*(cells[key.parent][column] for column in key.parent_columns), strict=True))
    gone = {parents[at] for at in np.flatnonzero(~stays[key.parent]) if None not in parents[at]}
    gone -= {parents[at] for at in np.flatnonzero(stays[key.parent])}
    children = zip(*(cells[key.child][column] for column in key.child_columns), strict=True)
    orphan = np.array([child in gone for child in children], dtype=bool) & stays[key.child]
    stays[key.child] &= ~orphan
    return bool(orphan.any())


def _plan_table(
    table: Table, keys: frozenset[str], cells: Mapping[str, Sequence[Any]], kept: Numbers, seed: str
) -> dict[str, Numbers]:
    return {
        column.name: kept
        if column.name in keys
        else _draw(_generator(seed, table.name, column.name), cells[column.name], kept)
        for column in table.columns
    }


def _draw(generator: np.random.Generator, cells: Sequence[Any], kept: Numbers) -> Numbers:
    if not len(kept):
        return kept
    if len({repr(cell) for cell in cells}) == len(cells):
        return generator.permutation(kept)
    return _exchange(generator, cells, generator.choice(kept, len(kept)))


def _exchange(generator: np.random.Generator, cells: Sequence[Any], drawn: Numbers) -> Numbers:
    """Return the rows of other texts in the place of each text's."""
    rows = {cells[row]: row for row in drawn if isinstance(cells[row], str)}
    texts = sorted(rows)
    others = dict(zip(texts, generator.permutation([rows[text] for text in texts]), strict=True))
    return np.array([others.get(cells[row], row) if texts else row for row in drawn], dtype=drawn.dtype)


def _keys(table: Table, catalog: Catalog) -> frozenset[str]:
    """Return the columns that rows are found by: they keep their places, as one."""
    found = set(table.primary_key)
    for key in catalog.foreign_keys:
        if key.child == table.name:
            found |= set(key.child_columns)
        if key.parent == table.name:
            found |= set(key.parent_columns)
    return frozenset(found)


def _generator(*words: str) -> np.random.Generator:
    mark = hashlib.sha256("\0".join(words).encode()).digest()
    return np.random.default_rng(int.from_bytes(mark[:8]))

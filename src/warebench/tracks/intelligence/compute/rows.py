"""Rows of a relation in memory: each joined table as positions of its rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from warebench.engine.database import Database
from warebench.errors import KnowledgeError
from warebench.tracks.intelligence.compute.joins import Joined
from warebench.tracks.intelligence.compute.values import Truths, Values, read_values

Positions = NDArray[np.int64]
Keys: TypeAlias = "pd.Series[Any]"


@dataclass(frozen=True, slots=True)
class Store:
    """A database, with the columns and joins that were asked for before."""

    database: Database
    columns: dict[tuple[str, str], Values] = field(default_factory=dict)
    joins: dict[tuple[Joined, ...], dict[str, Positions]] = field(default_factory=dict)

    def column(self, table: str, name: str) -> Values:
        """Return a column of a table."""
        if (table, name) not in self.columns:
            found = self.database.tables[table].column(name)
            self.columns[table, name] = read_values(found, f"table {table}, column {name}")
        return self.columns[table, name]

    def join(self, places: tuple[Joined, ...]) -> Mapping[str, Positions]:
        """Return the positions of each table's rows by alias; -1 where there is none."""
        if places not in self.joins:
            first = places[0]
            found: dict[str, Positions] = {
                first.alias: np.arange(self.database.tables[first.table].num_rows, dtype=np.int64)
            }
            for place in places[1:]:
                found[place.alias] = self._follow(place, places, found)
            self.joins[places] = found
        return self.joins[places]

    def _follow(self, place: Joined, places: Sequence[Joined], found: Mapping[str, Positions]) -> Positions:
        tables = {item.alias: item.table for item in places}
        theirs = [column for _, _, column in place.pairs]
        parent = pd.DataFrame(
            {str(n): _keys(self.database.tables[place.table], name) for n, name in enumerate(theirs)}
        ).dropna()
        names = list(parent.columns)
        if parent.duplicated().any():
            raise KnowledgeError(
                f"the join to `{place.alias}` fans out: several rows of `{place.table}` have one "
                f"{', '.join(theirs)}",
                fix="join on columns that are unique there",
            )
        parent["position"] = parent.index.to_numpy()
        child = pd.DataFrame(
            {
                str(n): _at(_keys(self.database.tables[tables[alias]], own), found[alias])
                for n, (alias, own, _) in enumerate(place.pairs)
            }
        )
        met = child.merge(parent, on=names, how="left")["position"]
        return met.fillna(-1).to_numpy().astype(np.int64)


def _keys(table: pa.Table, name: str) -> Keys:
    """Return a key column; None where it is missing, whole numbers as whole numbers."""
    column = table.column(name)
    kind = column.type
    if pa.types.is_integer(kind):
        whole: Keys = column.to_pandas(types_mapper={kind: pd.Int64Dtype()}.get)
        return whole
    found: Keys = column.to_pandas()
    return found


def _at(keys: Keys, positions: Positions) -> Keys:
    found = keys.take(np.where(positions < 0, 0, positions)) if len(keys) else keys.reindex(positions)
    return found.mask(positions < 0).reset_index(drop=True)


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows of a relation, and the parameters as each row sees them."""

    store: Store
    places: tuple[Joined, ...]
    positions: Mapping[str, Positions]
    parameters: Mapping[str, Values] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self.positions[self.places[0].alias])

    def __call__(self, alias: str, name: str) -> Values:
        """Return a column, or a parameter."""
        if not alias:
            return self.parameters[name]
        table = next(place.table for place in self.places if place.alias == alias)
        return self.store.column(table, name).take(self.positions[alias])

    def keep(self, mask: Truths) -> "Rows":
        """Return the rows for which a mask is true."""
        kept = np.flatnonzero(np.broadcast_to(mask, self.count))
        positions = {alias: found[kept] for alias, found in self.positions.items()}
        parameters = {
            name: value
            if value.data.ndim == 0 and value.there.ndim == 0
            else value.spread(self.count).take(kept)
            for name, value in self.parameters.items()
        }
        return Rows(self.store, self.places, positions, parameters)


def open_rows(store: Store, places: tuple[Joined, ...]) -> Rows:
    """Return all rows of a relation."""
    return Rows(store, places, store.join(places))

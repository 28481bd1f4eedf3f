"""Small databases to draw from, and what every sample of one has to keep."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from warebench.catalog.model import Catalog, Column, ForeignKey, Table
from warebench.engine.database import Database, quote
from warebench.tracks.multitable.sampling import Sample, Window, count_tokens
from warebench.tracks.multitable.serialise import serialise

SMALL = Window(name="small", minimum=400, maximum=600)


def database_of(tables: Mapping[str, Mapping[str, object]], *keys: ForeignKey) -> Database:
    rows = {name: pa.table(dict(columns)) for name, columns in tables.items()}
    specs = tuple(
        Table(name=name, columns=tuple(Column(name=column) for column in table.column_names))
        for name, table in rows.items()
    )
    return Database(catalog=Catalog(name="shop", tables=specs, foreign_keys=keys), tables=rows)


def nullable(values: np.ndarray, null: np.ndarray) -> pa.Array:
    """Return values, some of them null."""
    return pa.array(values, mask=null)


def key(spelled: str) -> ForeignKey:
    """Read `child(a, b) -> parent(c, d)`."""
    (child, columns), (parent, referred) = (
        part.strip().removesuffix(")").split("(") for part in spelled.split("->")
    )
    return ForeignKey(
        child=child,
        parent=parent,
        child_columns=tuple(columns.split(", ")),
        parent_columns=tuple(referred.split(", ")),
    )


def broken_references(database: Database) -> int:
    """Return, by SQL, how many keys that are not null lead to no row."""
    connection, broken = database.connect(), 0
    for each in database.catalog.foreign_keys:
        pairs = list(zip(each.child_columns, each.parent_columns, strict=True))
        same = " AND ".join(f"c.{quote(left)} = p.{quote(right)}" for left, right in pairs)
        given = " AND ".join(f"c.{quote(left)} IS NOT NULL" for left, _ in pairs)
        query = (
            f"SELECT count(*) FROM {quote(each.child)} c WHERE {given} "  # noqa: S608  names are quoted
            f"AND NOT EXISTS (FROM {quote(each.parent)} p WHERE {same})"
        )
        broken += connection.sql(query).fetchall()[0][0]
    return broken


def assert_good(samples: Sequence[Sample]) -> None:
    for each in samples:
        assert each.window.minimum <= each.tokens <= each.window.maximum
        assert count_tokens(serialise(each.database, "markdown"), each.tokenizer) == each.tokens
        assert broken_references(each.database) == 0

"""Questions that take a query within a query, each answered by SQL and by plain Python."""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from warebench.engine.database import Database
from warebench.queries.bind import show
from warebench.tracks.budget.bundled.gold_sql import Asked, literal
from warebench.worlds.organisations.domain import Domain, Kind, NestedFamily
from warebench.worlds.organisations.layout import Layout

MOST_ROWS = 20
"""Of an answer that is a list."""

FEWEST_KEPT = 2
"""Least rows that a count finds."""

Record = Mapping[str, Any]
"""One row by canonical column."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Stored:
    """What a shape of nested question is made over: records to solve by, names to write SQL with."""

    domain: Domain
    layout: Layout
    records: Mapping[str, Sequence[Record]]

    def table(self, name: str) -> str:
        """Return the stored name of a table."""
        return self.layout.names[name]

    def column(self, table: str, column: str) -> str:
        """Return the stored name of a column."""
        return self.layout.places[table][column].column

    def link(self, parent: str, child: str) -> str:
        """Return the canonical name of the foreign key from a child to its parent."""
        columns = self.domain.tables[child].references
        return next(column.name for column in columns if column.parent == parent)

    def key(self, table: str) -> str:
        """Return the canonical name of a primary key."""
        return self.domain.tables[table].key


def store(domain: Domain, layout: Layout, rows: Database) -> Stored:
    """Return what nested questions of a database are made over."""
    read: dict[str, set[str]] = {}
    for part in (part for family in domain.nested for part in family.parts):
        table, _, column = part.partition(".")
        read.setdefault(table, set()).add(column)
    records = {}
    for table, columns in read.items():
        spec = domain.tables[table]
        wanted = [c.name for c in spec.columns if c.name in columns or c.parent or c.name == spec.key]
        records[table] = rows.tables[table].select(wanted).to_pylist()
    return Stored(domain=domain, layout=layout, records=records)


def is_stored(family: NestedFamily, layout: Layout) -> bool:
    """Return whether the tables and columns of a family are stored as they stand in the domain."""
    return all(_is_whole(part, layout) for part in family.parts)


def ask_nested(family: NestedFamily, stored: Stored, rng: random.Random) -> Iterator[Asked]:
    """Yield questions of a stored family that have a clear answer, in random order.

    Their texts are `family.text` with its placeholders filled.
    """
    yield from SHAPES[family.kind](family, stored, rng)


def _is_whole(part: str, layout: Layout) -> bool:
    """Return whether a table, or a column of it, is stored as it stands in the domain."""
    table, _, column = part.partition(".")
    if table not in layout.names:
        return False
    return not column or (column in layout.places[table] and layout.places[table][column].table == table)


def _above(family: NestedFamily, at: Stored, rng: random.Random) -> Iterator[Asked]:
    """Rows whose measure is above the average over all rows."""
    table, _, measure = family.parts[0].partition(".")
    values = [row[measure] for row in at.records[table] if row[measure] is not None]
    mean = math.fsum(map(float, values)) / len(values)
    kept = sum(float(value) > mean for value in values)
    if any(math.isclose(float(value), mean, rel_tol=1e-9) for value in values) or kept < FEWEST_KEPT:
        return
    name, column = at.table(table), at.column(table, measure)
    inner = f"SELECT AVG({column}) FROM {name}"  # noqa: S608 - own names
    sql = f"SELECT COUNT(*) FROM {name} WHERE {column} > ({inner})"  # noqa: S608 - own names
    yield Asked(text=family.text, sql=sql, rows=((kept,),))


def _never(family: NestedFamily, at: Stored, rng: random.Random) -> Iterator[Asked]:
    """Parents that no child references, by name."""
    parent, _, label = family.parts[0].partition(".")
    child = family.parts[1]
    link, key = at.link(parent, child), at.key(parent)
    seen = {row[link] for row in at.records[child]}
    found = [row[label] for row in at.records[parent] if row[key] not in seen]
    if not 0 < len(found) <= MOST_ROWS or None in found:
        return
    inner = (
        f"SELECT 1 FROM {at.table(child)} AS c WHERE c.{at.column(child, link)} = p.{at.column(parent, key)}"  # noqa: S608 - own names
    )
    sql = f"SELECT p.{at.column(parent, label)} FROM {at.table(parent)} AS p WHERE NOT EXISTS ({inner})"  # noqa: S608 - own names
    yield Asked(text=family.text, sql=sql, rows=tuple((name,) for name in found))


def _both(family: NestedFamily, at: Stored, rng: random.Random) -> Iterator[Asked]:
    """Parents with a child of one value and a child of another, by name."""
    parent, _, label = family.parts[0].partition(".")
    child, _, column = family.parts[1].partition(".")
    link, key = at.link(parent, child), at.key(parent)
    owners: dict[Any, set[Any]] = defaultdict(set)
    for row in at.records[child]:
        owners[row[column]].add(row[link])
    pairs = list(combinations(sorted(value for value in owners if value is not None), 2))
    for one, other in rng.sample(pairs, len(pairs)):
        mine = owners[one] & owners[other]
        found = [row[label] for row in at.records[parent] if row[key] in mine]
        if not 0 < len(found) <= MOST_ROWS or None in found or len(set(found)) < len(found):
            continue
        sql = " INTERSECT ".join(
            f"SELECT p.{at.column(parent, label)} FROM {at.table(parent)} AS p "  # noqa: S608 - own names
            f"JOIN {at.table(child)} AS c ON c.{at.column(child, link)} = p.{at.column(parent, key)} "
            f"WHERE c.{at.column(child, column)} = {literal(value)}"
            for value in (one, other)
        )
        text = family.text.format(a=show(one), b=show(other))
        yield Asked(text=text, sql=sql, rows=tuple((name,) for name in found))


def _atleast(family: NestedFamily, at: Stored, rng: random.Random) -> Iterator[Asked]:
    """How many parents have more than so many children."""
    parent, child = family.parts
    link = at.link(parent, child)
    counts = Counter(row[link] for row in at.records[child] if row[link] is not None)
    bounds = sorted(set(counts.values()))[:-1]
    for bound in rng.sample(bounds, len(bounds)):
        kept = sum(count > bound for count in counts.values())
        if bound < 2 or kept < FEWEST_KEPT:
            continue
        yield Asked(
            text=family.text.format(n=bound),
            sql=f"WITH {_per(at, child, link)} SELECT COUNT(*) FROM per WHERE n > {bound}",  # noqa: S608
            rows=((kept,),),
        )


def _perparent(family: NestedFamily, at: Stored, rng: random.Random) -> Iterator[Asked]:
    """Average number of children of the parents that have any."""
    parent, child = family.parts
    link = at.link(parent, child)
    counts = Counter(row[link] for row in at.records[child] if row[link] is not None)
    sql = f"WITH {_per(at, child, link)} SELECT AVG(n) FROM per"  # noqa: S608 - own names
    yield Asked(text=family.text, sql=sql, rows=((counts.total() / len(counts),),))


def _per(at: Stored, child: str, link: str) -> str:
    column = at.column(child, link)
    return (
        f"per AS (SELECT {column}, COUNT(*) AS n FROM {at.table(child)} "  # noqa: S608 - own names
        f"WHERE {column} IS NOT NULL GROUP BY {column})"
    )


SHAPES: Mapping[Kind, Callable[[NestedFamily, Stored, random.Random], Iterator[Asked]]] = {
    "above": _above,
    "never": _never,
    "both": _both,
    "atleast": _atleast,
    "perparent": _perparent,
}
"""`above table.measure`, `never parent.label child`, `both parent.label child.column` with `{a}` and `{b}` in
the text, `atleast parent child` with `{n}`, `perparent parent child`."""

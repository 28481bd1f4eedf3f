"""Statistics of columns, and what they say a column can be used for."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from warebench.catalog.model import Catalog, Table
from warebench.engine.database import Database
from warebench.queries.compose.clues import Surroundings, clues_of
from warebench.queries.compose.measures import UNCLEAR, Judgement, Role, judge
from warebench.queries.compose.naming import (
    adds_up,
    is_bookkeeping,
    is_calendar,
    is_identifier,
    is_placeholder,
)
from warebench.queries.template import spelling

Kind = Literal["number", "moment", "text", "other"]

LETTER = re.compile(r"[^\W\d_]")
ISO = re.compile(r"\d{4}-\d\d-\d\d")
"""Dates kept as text are no names, nor are digits."""

LABEL_LENGTH = 60
"""Characters of the longest label."""

LABEL_WORDS = 6.0
"""Words of the average label; longer text is prose."""

REPEATED = 3
"""Tables that have a point in time of one name, from which it is when the row was written."""

OPTIONS = 4
"""A question with options asks for one of at least so many."""

SPREAD = 8
"""Distinct values of a measure."""

BOUNDS = 5
"""Distinct values of a column that is compared with a bound."""

DOMINANT = 0.9
"""Share of rows from which one value makes a column nearly constant."""

DIRTY = 0.2
"""Share of a text column's values that may be unfit; two may in any case, which is one pair of twins."""

UNIQUE = 0.8
"""Distinct values per row from which a text column names rows."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """One column of a table."""

    name: str
    kind: Kind
    key: bool
    """Part of a primary or foreign key, referenced by one, or an identifier by its name or values."""
    rows: int
    present: int
    """Rows that have a value."""
    distinct: int
    dominant: float
    """Share of the most frequent value among those present."""
    clean: bool = True
    """Text only: nearly all values are fit, in letters, and of few words."""
    primary: bool = False
    """The whole primary key, and no foreign key."""
    placeholders: tuple[str, ...] = ()
    """Text only: values that stand for no value, such as "-"."""
    unfit: tuple[str, ...] = ()
    """Text only: values that are empty, long, break a line or a quotation, or differ in case only."""
    judgement: Judgement = UNCLEAR
    """Numbers only: whether it adds up, or has an average, and why."""

    @property
    def varies(self) -> bool:
        """Whether it is neither constant nor nearly so."""
        return self.distinct >= 2 and self.dominant <= DOMINANT

    @property
    def measure(self) -> bool:
        """Whether its average means something."""
        return self.judgement.role in ("additive", "level") and self.quantity

    @property
    def additive(self) -> bool:
        """Whether its sum means something."""
        return self.judgement.role == "additive" and self.quantity

    @property
    def quantity(self) -> bool:
        """Whether it is a number that varies and is no key; a share is one too."""
        number = self.kind == "number" and not self.key and self.judgement.role not in ("none", "unknown")
        return number and self.varies and self.distinct >= SPREAD

    @property
    def bounded(self) -> bool:
        """Whether rows can be told apart by a bound on it."""
        return self.kind in ("number", "moment") and not self.key and self.varies and self.distinct >= BOUNDS

    @property
    def barred(self) -> tuple[str, ...]:
        """Values that no question asks for or filters by."""
        return tuple(sorted({*self.placeholders, *self.unfit}))

    @property
    def category(self) -> bool:
        """Whether rows can be told apart by one of its values."""
        return self.kind == "text" and not self.key and self.clean and self.varies

    @property
    def label(self) -> bool:
        """Whether a question can ask for one of its values."""
        return self.category and self.distinct - len(self.barred) >= OPTIONS

    @property
    def naming(self) -> bool:
        """Whether its values tell nearly every row from the others."""
        return self.label and self.distinct >= UNIQUE * self.present

    @property
    def lacks(self) -> bool:
        """Whether some row has no value."""
        return self.present < self.rows


Profiles = Mapping[str, Mapping[str, Profile]]
"""By table and column."""


def profile(database: Database, *, by_name: bool = False) -> Profiles:
    """Return the statistics of every column.

    Args:
        database: Catalog and rows.
        by_name: Take every number for a quantity unless its name speaks against it, as the bundled pool does.

    Complexity: one pass to count the values of each column.
    """
    keys = _key_columns(database.catalog)
    foreign = {table.name: set[str]() for table in database.catalog.tables}
    for key in database.catalog.foreign_keys:
        foreign[key.child].update(key.child_columns)
    found: dict[str, dict[str, Profile]] = {}
    for table in database.catalog.tables:
        profiles = _profile_table(table, database.tables[table.name], keys[table.name], foreign[table.name])
        around = None if by_name else Surroundings.of(database, table)
        found[table.name] = {item.name: _judged(item, around) for item in profiles}
    if by_name:
        return {name: {item.name: _whole(item) for item in items.values()} for name, items in found.items()}
    return {name: _asked(items, database.tables[name], found) for name, items in found.items()}


def _asked(items: Mapping[str, Profile], rows: pa.Table, tables: Profiles) -> dict[str, Profile]:
    """Return profiles in which columns of bookkeeping have no use, and placeholders are known."""
    kept: dict[str, Profile] = {}
    for name, item in items.items():
        known = kept[name] = replace(item, placeholders=_placeholders(rows.column(name), item))
        repeated = sum(name in columns for columns in tables.values())
        if is_bookkeeping(name) or (item.kind == "moment" and repeated >= REPEATED):
            kept[name] = replace(known, kind="other")
    return kept


def _whole(item: Profile) -> Profile:
    """Return a profile in which one unfit value spoils the column: the rule of the bundled pool."""
    return replace(item, clean=item.clean and not item.unfit, unfit=())


def _placeholders(cells: pa.ChunkedArray, item: Profile) -> tuple[str, ...]:
    if item.kind != "text":
        return ()
    return tuple(sorted(value for value in pc.unique(cells.drop_null()).to_pylist() if is_placeholder(value)))


def _judged(item: Profile, around: Surroundings | None) -> Profile:
    if item.kind != "number":
        return item
    if around is None:
        role: Role = "none" if is_calendar(item.name) else "additive" if adds_up(item.name) else "level"
        return replace(item, judgement=Judgement(role, "by its name"))
    return replace(item, judgement=judge(clues_of(item.name, around, is_key=item.key)))


def _key_columns(catalog: Catalog) -> dict[str, frozenset[str]]:
    """Return the columns of each table that link it to others."""
    found: dict[str, set[str]] = {table.name: set() for table in catalog.tables}
    for key in catalog.foreign_keys:
        found[key.child].update(key.child_columns)
        found[key.parent].update(key.parent_columns)
    return {name: frozenset(columns) for name, columns in found.items()}


def _profile_table(
    table: Table, rows: pa.Table, linking: Collection[str], foreign: Collection[str]
) -> Iterator[Profile]:
    for column in table.columns:
        cells = rows.column(column.name)
        kind = _kind(cells)
        counts = _counts(cells) if kind != "other" else []
        distinct, present = len(counts), sum(counts)
        values = pc.unique(cells.drop_null()).to_pylist() if kind == "text" else []
        unfit = _unfit(values)
        key = column.name in table.primary_key or column.name in linking or is_identifier(column.name)
        yield Profile(
            name=column.name,
            kind=kind,
            key=key or (kind == "number" and _is_counter(cells, distinct, present)),
            rows=rows.num_rows,
            present=present,
            distinct=distinct,
            dominant=max(counts, default=0) / present if present else 1.0,
            clean=kind != "text" or _is_clean(values, unfit),
            unfit=unfit,
            primary=table.primary_key == (column.name,) and column.name not in foreign,
        )


def _kind(cells: pa.ChunkedArray) -> Kind:
    """Return what both interpreters read alike; single floats are shown otherwise than they compare."""
    kind, types = cells.type, pa.types
    if types.is_string(kind) or types.is_large_string(kind):
        return "text"
    if types.is_integer(kind) or types.is_decimal128(kind):
        return "number"
    if types.is_float64(kind):
        return "number" if pc.all(pc.is_finite(cells)).as_py() is not False else "other"
    if types.is_timestamp(kind):
        return "moment" if kind.tz is None and kind.unit != "ns" else "other"
    if types.is_time(kind):
        return "moment" if kind.unit != "ns" else "other"
    return "moment" if types.is_date32(kind) else "other"


def _counts(cells: pa.ChunkedArray) -> list[int]:
    counted = pc.value_counts(cells.drop_null())
    return list(counted.field("counts").to_pylist())


def _is_counter(cells: pa.ChunkedArray, distinct: int, present: int) -> bool:
    """Return whether whole numbers count the rows: all different, without gaps."""
    if not pa.types.is_integer(cells.type) or distinct < present or distinct < SPREAD:
        return False
    ends = pc.min_max(cells).as_py()
    return bool(ends["max"] - ends["min"] + 1 == distinct)


def _unfit(values: Sequence[str]) -> tuple[str, ...]:
    # A reader, and a comparison of answers, would take those of one spelling for one.
    spelled = Counter(map(spelling, values))
    return tuple(
        sorted(
            value
            for value in values
            if not value
            or len(value) > LABEL_LENGTH
            or '"' in value
            or not value.isprintable()
            or spelled[spelling(value)] > 1
        )
    )


def _is_clean(values: Sequence[str], unfit: Collection[str]) -> bool:
    if len(unfit) > max(2, DIRTY * len(values)):
        return False
    gone = set(unfit)
    fit = [value for value in values if value not in gone]
    if sum(len(value.split()) for value in fit) > LABEL_WORDS * max(1, len(fit)):
        return False
    return sum(bool(LETTER.search(value)) and not ISO.match(value) for value in fit) >= len(fit) / 2

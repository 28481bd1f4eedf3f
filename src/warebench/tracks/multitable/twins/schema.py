"""What a twin is: its tables written down once, and one function a table that draws the rows."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from warebench.catalog.model import Catalog, Column, ForeignKey, Table
from warebench.catalog.validate import validate
from warebench.errors import InternalError
from warebench.tracks.multitable.twins.plan import Plan

Mark = Literal["name", "measure", "prose"]
"""What a column is for: what people call the entity (unique), a quantity, free text."""

Columns = Mapping[str, Any]
"""Values by column name, in any order: NumPy arrays (masked where null) or Arrow arrays."""

Maker = Callable[[Plan], Columns]

# "Release Date: DATE?" or "sq_feet: INTEGER? measure"
COLUMN = re.compile(r"(?P<name>.+): (?P<type>[A-Z]+(?:\(\d+,\d\))?)(?P<null>\??)(?: (?P<mark>[a-z]+))?")
# "Airlines(ORIGIN) -> Airports(Code)"
REFERENCE = re.compile(r"(.+)\((.+)\) -> (.+)\((.+)\)")


@dataclass(frozen=True, kw_only=True, slots=True)
class TableSpec:
    """One table and what its columns are for."""

    table: Table
    marks: Mapping[str, Mark] = field(default_factory=dict)
    """Columns that are a name, a measure or prose; the rest are keys, codes and attributes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Twin:
    """A database of the paper that can be made anew from a seed."""

    title: str
    catalog: Catalog
    marks: Mapping[str, Mapping[str, Mark]]
    """Column marks by table."""
    makers: Mapping[str, Maker]
    """The function that draws a table's rows, by table."""
    paper_rows: Mapping[str, int]
    """Rows by table at scale 1.

    TABLE II gives averages only. The seven databases from BIRD have the rows BIRD has; the rows of the other
    three are chosen so that average rows, average columns and cells are those of the paper."""
    scale: float
    """Scale when none is asked for: a database of some ten thousand rows."""


def table(name: str, *, key: str, columns: str) -> TableSpec:
    """Return a table from its columns, one a line: `name: TYPE`, `?` if nullable, then a mark.

    Args:
        name: Of the table.
        key: Columns of the primary key, separated by commas.
        columns: The lines.
    """
    matches = [COLUMN.fullmatch(line.strip()) for line in columns.strip().splitlines()]
    found = [match for match in matches if match]
    marks = {match["name"]: _mark(match["mark"]) for match in found if match["mark"]}
    if len(found) < len(matches):
        raise InternalError(f"table {name}: a column line cannot be read")
    spelled = tuple(Column(name=m["name"], type=m["type"], nullable=bool(m["null"])) for m in found)
    keys = tuple(part.strip() for part in key.split(","))
    return TableSpec(table=Table(name=name, columns=spelled, primary_key=keys), marks=marks)


def _mark(word: str) -> Mark:
    for mark in get_args(Mark):
        if mark == word:
            return mark  # type: ignore[no-any-return]
    raise InternalError(f"no column mark `{word}`")


def declare(
    name: str,
    title: str,
    tables: tuple[tuple[TableSpec, int, Maker], ...],
    references: tuple[str, ...],
    scale: float,
) -> Twin:
    """Return a twin.

    Args:
        name: Of the database, as the paper spells it.
        title: What it is about, a few words.
        tables: Specification, rows at scale 1 and maker of each table.
        references: Foreign keys as `child(column) -> parent(column)`.
        scale: Scale when none is asked for.
    """
    catalog = Catalog(
        name=name,
        tables=tuple(spec.table for spec, _, _ in tables),
        foreign_keys=tuple(_reference(text) for text in references),
        source=f"synthetic twin of TQA-Bench {name}",
    )
    return Twin(
        title=title,
        catalog=validate(catalog),
        marks={spec.table.name: spec.marks for spec, _, _ in tables},
        makers={spec.table.name: maker for spec, _, maker in tables},
        paper_rows={spec.table.name: rows for spec, rows, _ in tables},
        scale=scale,
    )


def _reference(text: str) -> ForeignKey:
    match = REFERENCE.fullmatch(text)
    if not match:
        raise InternalError(f"a foreign key cannot be read: {text}")
    child, column, parent, key = match.groups()
    return ForeignKey(child=child, parent=parent, child_columns=(column,), parent_columns=(key,))

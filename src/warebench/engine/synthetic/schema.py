"""The tables of a synthetic database, written down as text: one column a line, one foreign key a line."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from warebench.catalog.model import Catalog, Column, ForeignKey, Table
from warebench.catalog.validate import validate
from warebench.errors import InternalError

Mark = Literal["name", "measure", "prose"]
"""What a column is for: what people call the entity (unique), a quantity, free text."""

Columns = Mapping[str, Any]
"""Values by column name, in any order: NumPy arrays (masked where null) or Arrow arrays."""

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


def table(name: str, *, key: str, columns: str) -> TableSpec:
    """Return a table from its columns, one a line: `name: TYPE`, `?` if nullable, then a mark.

    Args:
        name: Of the table.
        key: Columns of the primary key, separated by commas; empty for a table without one.
        columns: The lines.
    """
    matches = [COLUMN.fullmatch(line.strip()) for line in columns.strip().splitlines()]
    found = [match for match in matches if match]
    marks = {match["name"]: _mark(match["mark"]) for match in found if match["mark"]}
    if len(found) < len(matches):
        raise InternalError(f"table {name}: a column line cannot be read")
    spelled = tuple(Column(name=m["name"], type=m["type"], nullable=bool(m["null"])) for m in found)
    keys = tuple(part.strip() for part in key.split(",") if part)
    return TableSpec(table=Table(name=name, columns=spelled, primary_key=keys), marks=marks)


def _mark(word: str) -> Mark:
    for mark in get_args(Mark):
        if mark == word:
            return mark  # type: ignore[no-any-return]
    raise InternalError(f"no column mark `{word}`")


def describe(name: str, specs: Sequence[TableSpec], references: Sequence[str], source: str) -> Catalog:
    """Return the catalog of some tables.

    Args:
        name: Of the database.
        specs: The tables, in order.
        references: Foreign keys as `child(column) -> parent(column)`.
        source: Where the database comes from, in words.
    """
    catalog = Catalog(
        name=name,
        tables=tuple(spec.table for spec in specs),
        foreign_keys=tuple(_reference(text) for text in references),
        source=source,
    )
    return validate(catalog)


def _reference(text: str) -> ForeignKey:
    match = REFERENCE.fullmatch(text)
    if not match:
        raise InternalError(f"a foreign key cannot be read: {text}")
    child, column, parent, key = match.groups()
    return ForeignKey(child=child, parent=parent, child_columns=(column,), parent_columns=(key,))

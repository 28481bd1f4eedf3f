"""The tables of a synthetic database, read from text: one column a line, one foreign key a line."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, get_args

from warebench.catalog.model import Catalog, Column, ForeignKey, Table
from warebench.catalog.validate import validate
from warebench.errors import InternalError
from warebench.worlds.synthetic.plan import Plan

Mark = Literal["name", "measure", "prose"]
"""What a column is for: what people call the entity (unique), a quantity, free text."""

Columns = Mapping[str, Any]
"""Values by column name, in any order: NumPy arrays (masked where null) or Arrow arrays."""

Maker = Callable[[Plan], Columns]
"""Draws the rows of a table."""

COLUMN = re.compile(r"(?P<type>[A-Z]+(?:\(\d+,\d\))?)(?P<null>\??)(?: (?P<mark>[a-z]+))?")
"""`DATE?` or `INTEGER? measure`."""

REFERENCE = re.compile(r"(.+)\((.+)\) -> (.+)\((.+)\)")
"""`Airlines(ORIGIN) -> Airports(Code)`."""


def read_table(name: str, key: str, columns: Mapping[str, str]) -> tuple[Table, dict[str, Mark]]:
    """Return a table, and what its columns are for: those without a mark are keys, codes and attributes.

    Args:
        name: Of the table.
        key: Columns of the primary key, separated by commas; empty for a table without one.
        columns: By name: `TYPE`, `?` if nullable, then a mark.

    Raises:
        InternalError: A column cannot be read.
    """
    spelled, marks = [], {}
    for column, text in columns.items():
        match = COLUMN.fullmatch(text)
        if not match:
            raise InternalError(f"table {name}, column {column}: `{text}` cannot be read")
        spelled.append(Column(name=column, type=match["type"], nullable=bool(match["null"])))
        if match["mark"]:
            marks[column] = _mark(match["mark"])
    keys = tuple(part.strip() for part in key.split(",") if part)
    return Table(name=name, columns=tuple(spelled), primary_key=keys), marks


def _mark(word: str) -> Mark:
    for mark in get_args(Mark):
        if mark == word:
            return mark  # type: ignore[no-any-return]
    raise InternalError(f"no column mark `{word}`")


def describe(name: str, tables: Sequence[Table], references: Sequence[str], source: str) -> Catalog:
    """Return the catalog of some tables.

    Args:
        name: Of the database.
        tables: In order.
        references: Foreign keys as `child(column) -> parent(column)`.
        source: Where the database comes from, in words.

    Raises:
        InternalError: A foreign key cannot be read.
    """
    keys = tuple(_reference(text) for text in references)
    return validate(Catalog(name=name, tables=tuple(tables), foreign_keys=keys, source=source))


def _reference(text: str) -> ForeignKey:
    match = REFERENCE.fullmatch(text)
    if not match:
        raise InternalError(f"a foreign key cannot be read: {text}")
    child, column, parent, key = match.groups()
    return ForeignKey(child=child, parent=parent, child_columns=(column,), parent_columns=(key,))

"""What one kind of organisation keeps: tables, columns and questions, read from a text."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Literal, get_args

from warebench.errors import InternalError
from warebench.queries.model import Query
from warebench.queries.template import Parameter
from warebench.tracks.budget.bundled.phrases import read_query
from warebench.tracks.budget.bundled.plural import singular

DOMAINS = (
    "shop",
    "vets",
    "library",
    "college",
    "freight",
    "hotel",
    "bank",
    "airline",
    "museum",
    "power",
    "telecom",
    "staff",
    "league",
    "restaurants",
    "estate",
    "streaming",
)
"""Kinds of organisations, in the order the pool takes them; each is a file of `domains`."""

Kind = Literal["above", "never", "both", "atleast", "perparent"]
"""Shapes of nested questions."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ColumnSpec:
    """A column by its canonical name."""

    name: str
    others: tuple[str, ...] = ()
    """What it may be called instead."""
    recipe: tuple[str, ...]
    """How its values are made, in words."""
    missing: float = 0.0
    """Share of rows without a value."""
    parent: str = ""
    """The table it references."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TableSpec:
    """A table by its canonical name; its first column is its key."""

    name: str
    others: tuple[str, ...] = ()
    rows: int
    columns: tuple[ColumnSpec, ...]

    @property
    def key(self) -> str:
        """Name of the primary key."""
        return self.columns[0].name

    @property
    def references(self) -> tuple[ColumnSpec, ...]:
        """Its foreign keys."""
        return tuple(column for column in self.columns if column.parent)


@dataclass(frozen=True, kw_only=True, slots=True)
class Family:
    """A question about several rows at once, with placeholders."""

    text: str
    query: Query
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class NestedFamily:
    """A question that takes a query within a query."""

    text: str
    kind: Kind
    parts: tuple[str, ...]
    """Tables and columns, by canonical name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Domain:
    """One kind of organisation."""

    name: str
    titles: tuple[tuple[str, str], ...]
    """What such an organisation is called in a question, and how its database is named; `{place}` in both."""
    tables: Mapping[str, TableSpec]
    """By name, parents before children."""
    families: tuple[Family, ...]
    nested: tuple[NestedFamily, ...]


@cache
def find_domain(name: str) -> Domain:
    """Return a domain.

    Raises:
        InternalError: Its text breaks the grammar.
    """
    folder = resources.files("warebench.tracks.budget.bundled") / "domains"
    return read_domain(name, (folder / f"{name}.txt").read_text(encoding="utf-8"))


def read_domain(name: str, text: str) -> Domain:
    """Return the domain of a text.

    A line `@ title = database` says what organisations are called; `table / synonym : rows` opens a table;
    an indented `column / synonym : recipe ?share` or `> parent as role ?share` belongs to it; `? text` is a
    question, and the line after it says what is asked: `= query` or `~ kind of nested query`.
    """
    lines = [line.rstrip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    tables = _tables([line for line in lines if line[0] not in "@?=~"])
    families: list[Family] = []
    nested: list[NestedFamily] = []
    for asked, meant in pairwise(lines):
        if asked[0] != "?":
            continue
        sentence, body = asked[1:].strip(), meant[1:].strip()
        if meant[0] == "=":
            query, parameters = read_query(body, {t.name: _links(t) for t in tables.values()})
            families.append(Family(text=sentence, query=query, parameters=parameters))
        else:
            kind, *parts = body.split()
            nested.append(NestedFamily(text=sentence, kind=_kind(kind), parts=tuple(parts)))
    titles = tuple(_halves(line[1:], "=") for line in lines if line[0] == "@")
    return Domain(name=name, titles=titles, tables=tables, families=tuple(families), nested=tuple(nested))


def _tables(lines: Sequence[str]) -> dict[str, TableSpec]:
    found: dict[str, TableSpec] = {}
    for names, rows, body in _blocks(lines):
        first, *others = names
        key = ColumnSpec(name=f"{singular(first)}_id", recipe=("key",))
        columns = (key, *map(_column, body))
        found[first] = TableSpec(name=first, others=tuple(others), rows=rows, columns=columns)
        for column in columns:
            if column.parent and column.parent not in found:
                raise InternalError(f"{first} references {column.parent}, which does not stand before it")
    return found


def _blocks(lines: Sequence[str]) -> Iterator[tuple[list[str], int, list[str]]]:
    starts = [place for place, line in enumerate(lines) if line[0] != " "]
    for start, end in pairwise([*starts, len(lines)]):
        names, rows = _halves(lines[start], ":")
        yield _spellings(names), int(rows), [line.strip() for line in lines[start + 1 : end]]


def _column(line: str) -> ColumnSpec:
    line, missing = _share(line)
    if line.startswith(">"):
        parent, _, role = line[1:].strip().partition(" as ")
        name = f"{role or singular(parent)}_id"
        return ColumnSpec(name=name, recipe=("ref",), parent=parent, missing=missing)
    names, recipe = _halves(line, ":")
    first, *others = _spellings(names)
    return ColumnSpec(name=first, others=tuple(others), recipe=tuple(recipe.split()), missing=missing)


def _share(line: str) -> tuple[str, float]:
    match = re.fullmatch(r"(.*\S)\s+\?(0\.\d+)", line)
    return (match[1], float(match[2])) if match else (line, 0.0)


def _links(table: TableSpec) -> dict[str, str]:
    """Return the table each foreign key leads to, and the key itself under the empty name."""
    return {"": table.key} | {column.name: column.parent for column in table.references}


def _spellings(text: str) -> list[str]:
    return [part.strip() for part in text.split("/")]


def _halves(line: str, mark: str) -> tuple[str, str]:
    left, found, right = line.partition(mark)
    if not found:
        raise InternalError(f"a line lacks `{mark}`: {line}")
    return left.strip(), right.strip()


def _kind(word: str) -> Kind:
    for kind in get_args(Kind):
        if kind == word:
            return kind  # type: ignore[no-any-return]
    raise InternalError(f"no nested question `{word}`")

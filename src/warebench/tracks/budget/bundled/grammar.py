"""Domains from their texts, one file each."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import get_args

from warebench.errors import InternalError
from warebench.tracks.budget.bundled.domain import (
    ColumnSpec,
    Domain,
    Family,
    Kind,
    NestedFamily,
    TableSpec,
)
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
    an indented `column / synonym : recipe ?share` or `> parent as role ?share` belongs to it. A question
    takes three lines: `? text`, `! text in the words of the schema`, and `= query` or `~ nested query`.
    """
    lines = [line.rstrip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    tables = _tables([line for line in lines if line[0] not in "@?!=~"])
    links = {table.name: _links(table) for table in tables.values()}
    families: list[Family] = []
    nested: list[NestedFamily] = []
    for place, line in enumerate(lines):
        if line[0] != "?":
            continue
        asked, plain, meant = (part[1:].strip() for part in lines[place : place + 3])
        if lines[place + 2][0] == "=":
            query, parameters = read_query(meant, links)
            families.append(Family(text=asked, plain=plain, query=query, parameters=parameters))
        else:
            kind, *parts = meant.split()
            nested.append(NestedFamily(text=asked, plain=plain, kind=_kind(kind), parts=tuple(parts)))
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

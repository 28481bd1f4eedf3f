"""Domains from their texts, one file each."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import get_args

from warebench.errors import BuildError, did_you_mean
from warebench.queries.model import Join
from warebench.queries.notation import Line, read_lines, read_query
from warebench.worlds.organisations.domain import (
    ColumnSpec,
    Domain,
    Family,
    Kind,
    NestedFamily,
    TableSpec,
)
from warebench.worlds.organisations.plural import singular

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
"""Kinds of organisations, in the order the pool takes them; each is a file of `data/organisations`."""


Keys = Mapping[str, Mapping[str, str]]
"""By table: the table each foreign key leads to, and its own key under the empty name."""


@cache
def find_domain(name: str) -> Domain:
    """Return a domain.

    Raises:
        BuildError: Its text breaks the grammar.
    """
    folder = resources.files("warebench.worlds") / "data" / "organisations"
    return read_domain(name, (folder / f"{name}.txt").read_text(encoding="utf-8"))


def read_domain(name: str, text: str) -> Domain:
    """Return the domain of a text.

    A line `@ title = database` says what organisations are called; `table / synonym : rows` opens a table;
    an indented `column / synonym : recipe ?share` or `> parent as role ?share` belongs to it. A question
    takes three lines: `? text`, `! text in the words of the schema`, and `= query` or `~ nested query`.
    Tables of a query are joined in their order, each along the foreign key between it and an earlier one;
    `table:column` names the key where there are several.

    Raises:
        BuildError: A line breaks the grammar.
    """
    lines = read_lines(text, f"{name}.txt")
    tables = _tables([line for line in lines if line.text[0] not in "@?!=~"])
    keys = {table.name: _keys(table) for table in tables.values()}
    families: list[Family] = []
    nested: list[NestedFamily] = []
    for place, line in enumerate(lines):
        if line.text[0] != "?":
            continue
        asked, plain, meant = (part.text[1:].strip() for part in lines[place : place + 3])
        last = lines[place + 2]
        if last.text[0] == "=":
            query, parameters = read_query(meant, lambda words: _link(words, keys), last.where)
            families.append(Family(text=asked, plain=plain, query=query, parameters=parameters))
        else:
            kind, *parts = meant.split()
            nested.append(
                NestedFamily(text=asked, plain=plain, kind=_kind(kind, last.where), parts=tuple(parts))
            )
    titles = tuple(_halves(line, line.text[1:], "=") for line in lines if line.text[0] == "@")
    return Domain(name=name, titles=titles, tables=tables, families=tuple(families), nested=tuple(nested))


def _link(words: Sequence[str], keys: Keys) -> tuple[str, str, tuple[Join, ...]]:
    first, *rest = words
    joined = [first]
    found: list[Join] = []
    for word in rest:
        table, _, column = word.partition(":")
        pair = next((pair for one in joined for pair in _pairs(one, table, column, keys)), None)
        if pair is None:
            raise LookupError(f"no foreign key joins {table} to {', '.join(joined)}")
        found.append(Join(table=table, alias=table, on=(pair,)))
        joined.append(table)
    return first, first, tuple(found)


def _pairs(one: str, other: str, column: str, keys: Keys) -> list[tuple[str, str]]:
    """Return the pairs of columns by which two tables are joined, at most one a foreign key."""
    down = [(f"{one}.{key}", keys[other][""]) for key, parent in keys[one].items() if key and parent == other]
    up = [(f"{one}.{keys[one]['']}", key) for key, parent in keys[other].items() if key and parent == one]
    return [pair for pair in (*down, *up) if not column or column in (pair[0].partition(".")[2], pair[1])]


def _keys(table: TableSpec) -> dict[str, str]:
    return {"": table.key} | {column.name: column.parent for column in table.references}


def _tables(lines: Sequence[Line]) -> dict[str, TableSpec]:
    found: dict[str, TableSpec] = {}
    for line, body in _blocks(lines):
        names, rows = _halves(line, line.text, ":")
        first, *others = _spellings(names)
        key = ColumnSpec(name=f"{singular(first)}_id", recipe=("key",))
        columns = (key, *map(_column, body))
        found[first] = TableSpec(name=first, others=tuple(others), rows=int(rows), columns=columns)
        for column in columns:
            if column.parent and column.parent not in found:
                raise BuildError(
                    f"{first} references {column.parent}, which does not stand before it",
                    where=line.where,
                    fix="write the parent's table above",
                )
    return found


def _blocks(lines: Sequence[Line]) -> Iterator[tuple[Line, Sequence[Line]]]:
    starts = [place for place, line in enumerate(lines) if line.text[0] != " "]
    for start, end in pairwise([*starts, len(lines)]):
        yield lines[start], lines[start + 1 : end]


def _column(line: Line) -> ColumnSpec:
    text, missing = _share(line.text.strip())
    if text.startswith(">"):
        parent, _, role = text[1:].strip().partition(" as ")
        name = f"{role or singular(parent)}_id"
        return ColumnSpec(name=name, recipe=("ref",), parent=parent, missing=missing)
    names, recipe = _halves(line, text, ":")
    first, *others = _spellings(names)
    return ColumnSpec(name=first, others=tuple(others), recipe=tuple(recipe.split()), missing=missing)


def _share(line: str) -> tuple[str, float]:
    match = re.fullmatch(r"(.*\S)\s+\?(0\.\d+)", line)
    return (match[1], float(match[2])) if match else (line, 0.0)


def _spellings(text: str) -> list[str]:
    return [part.strip() for part in text.split("/")]


def _halves(line: Line, text: str, mark: str) -> tuple[str, str]:
    left, found, right = text.partition(mark)
    if not found:
        raise BuildError(
            f"a line lacks `{mark}`: {text.strip()}", where=line.where, fix=f"write LEFT {mark} RIGHT"
        )
    return left.strip(), right.strip()


def _kind(word: str, where: str) -> Kind:
    kinds: tuple[Kind, ...] = get_args(Kind)
    if word not in kinds:
        raise BuildError(f"no nested question `{word}`", where=where, fix=did_you_mean(word, kinds))
    return kinds[kinds.index(word)]

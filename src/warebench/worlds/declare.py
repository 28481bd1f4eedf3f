"""A synthetic database as its file declares it: tables, keys, sizes, words."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import yaml

from warebench.catalog.model import Catalog
from warebench.worlds.synthetic.names import compounds, words
from warebench.worlds.synthetic.plan import check_scale
from warebench.worlds.synthetic.schema import Mark, describe, read_table

LOOKUP = 200
"""Tables of at most that many rows in the paper are code lists: no scale changes them."""

LEAST = 100
"""Rows other tables keep at any scale, enough to sample a prompt of 4,000 tokens from."""

Words = Mapping[str, tuple[str, ...]]
Lists = Mapping[str, tuple[tuple[str, ...], ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class World:
    """A database that can be made anew from a seed."""

    title: str
    """What it is about, a few words."""
    catalog: Catalog
    marks: Mapping[str, Mapping[str, Mark]]
    """Column marks by table."""
    rows: Mapping[str, int]
    """Rows by table at scale 1; empty where `sizes` decides.

    TABLE II of TQA-Bench gives averages only. The seven databases from BIRD have the rows BIRD has; the rows
    of the other three are chosen so that average rows, average columns and cells are those of the paper."""
    sizes: Mapping[str, tuple[int, int]]
    """What decides the rows where they follow from each other: at scale 1, and at any scale at least."""
    all_rows: int
    """Of all tables at scale 1, about."""
    scale: float
    """When none is asked for: a database of some ten thousand rows, or the whole."""
    words: Words
    lists: Lists

    def scaled(self, scale: float) -> dict[str, int]:
        """Return the rows that are made at a scale.

        Code lists of at most 200 rows keep their size, other tables keep at least 100 rows.

        Raises:
            BuildError: The scale is not a positive number, or too large.
        """
        check_scale(scale, self.all_rows)
        tables = {
            table: rows if rows <= LOOKUP else max(LEAST, round(rows * scale))
            for table, rows in self.rows.items()
        }
        return tables | {name: max(least, round(rows * scale)) for name, (rows, least) in self.sizes.items()}


@cache
def declare(name: str) -> World:
    """Return what `data/twins/NAME.yaml` declares.

    Raises:
        InternalError: A column or key of it cannot be read.
    """
    file = resources.files("warebench.worlds") / "data" / "twins" / f"{name}.yaml"
    # The base loader leaves every scalar a text: a word list may hold `No` and `1970s`.
    found: dict[str, Any] = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506
    tables = {
        table: read_table(table, spec.get("key", ""), spec["columns"])
        for table, spec in found["tables"].items()
    }
    rows = {table: int(spec["rows"]) for table, spec in found["tables"].items() if "rows" in spec}
    return World(
        title=found["title"],
        catalog=describe(name, [table for table, _ in tables.values()], found["keys"], found["source"]),
        marks={table: marks for table, (_, marks) in tables.items()},
        rows=rows,
        sizes={key: (int(whole), int(least)) for key, (whole, least) in found.get("sizes", {}).items()},
        all_rows=int(found.get("all_rows", sum(rows.values()))),
        scale=float(found["scale"]),
        words={key: _words(value) for key, value in found.get("words", {}).items()},
        lists={key: _lists(value) for key, value in found.get("lists", {}).items()},
    )


def _words(value: Any) -> tuple[str, ...]:
    """Return words: of a text, of a list, or every start with every end."""
    if isinstance(value, dict):
        return compounds(value["starts"], value["ends"])
    return words(value) if isinstance(value, str) else tuple(value)


def _lists(value: Any) -> tuple[tuple[str, ...], ...]:
    """Return rows of cells: of a text, one row a line with commas between, or of lists."""
    rows = [line.split(",") for line in value.splitlines()] if isinstance(value, str) else value
    return tuple(tuple(cell.strip() for cell in row) for row in rows)

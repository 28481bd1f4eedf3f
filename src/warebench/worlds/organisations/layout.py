"""How one organisation lays out the tables of its domain: what it leaves out, renames, merges and splits."""

import random
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from warebench.worlds.organisations.domain import ColumnSpec, Domain, TableSpec
from warebench.worlds.organisations.naming import SPELLERS, Speller
from warebench.worlds.organisations.plural import singular
from warebench.worlds.organisations.style import Style

MARK = re.compile(r"\[([a-z0-9_.]+)\]")

FEWEST_TABLES = 4
"""Stored tables of a database."""

REST = "+"
"""Ends the canonical name of the part that is split off a table."""

WIDE = 4
"""Columns beside keys from which a table can be split."""

NARROW = 6
"""Columns up to which a table can go into another."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where a canonical column is stored."""

    table: str
    """By its own canonical name; a split-off part is called `table+`."""
    column: str
    """As stored."""
    word: str
    """In snake case and in full."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """Where every canonical column went."""

    domain: Domain
    names: Mapping[str, str]
    """Stored name of each table, by canonical name; of split-off parts too."""
    places: Mapping[str, Mapping[str, Place]]
    """By canonical table and column. Tables and columns that were left out are missing."""
    merged: Mapping[str, str]
    """Tables that went into the one table that references them."""
    words: Mapping[str, str]
    """What each stored table is called, in snake case and in full."""

    def speak(self, text: str) -> str:
        """Return a text with the organisation's words for every `[table]` and `[table.column]`."""
        return MARK.sub(lambda match: self._word(match[1]).replace("_", " "), text)

    def _word(self, mark: str) -> str:
        table, _, column = mark.partition(".")
        return self.places[table][column].word if column else self.words.get(table, table)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Shape:
    """Which tables there are, before their columns are named."""

    kept: Mapping[str, TableSpec]
    merged: Mapping[str, str]
    split: Mapping[str, frozenset[str]]
    """Columns that are split off, by table."""
    words: Mapping[str, str]
    """What each stored table is called, in snake case and plural."""

    def target(self, table: str, column: str) -> str:
        """Return the stored table that a column goes to, by canonical name."""
        return table + REST if column in self.split.get(table, ()) else self.merged.get(table, table)


def draft(domain: Domain, style: Style, rng: random.Random) -> Layout:
    """Return one layout of a domain.

    Args:
        domain: What is kept.
        style: How far it departs.
        rng: Seeded chance.
    """
    speller = SPELLERS[rng.choice(style.conventions)]
    shape = _shape(domain, style, rng)
    linked = {name: bool(shape.kept[name.removesuffix(REST)].references) for name in shape.words}
    return Layout(
        domain=domain,
        names={name: speller.table(word, linked[name]) for name, word in shape.words.items()},
        places=_places(shape, needed_columns(domain), speller, style, rng),
        merged=shape.merged,
        words=shape.words,
    )


def needed_columns(domain: Domain) -> frozenset[str]:
    """Return the columns that questions of a domain read, as `table.column`."""
    plain = (column for family in domain.families for column in family.query.columns)
    nested = (part for family in domain.nested for part in family.parts if "." in part)
    return frozenset((*plain, *nested))


def _shape(domain: Domain, style: Style, rng: random.Random) -> _Shape:
    kept = _keep_tables(domain, style, rng)
    merged = _merge(kept, style, rng)
    split = _split(kept, merged, style, rng)
    words = _table_words(kept, split, style, rng)
    return _Shape(
        kept=kept,
        merged=merged,
        split=split,
        words={name: word for name, word in words.items() if name not in merged},
    )


def _places(
    shape: _Shape, needed: Collection[str], speller: Speller, style: Style, rng: random.Random
) -> dict[str, dict[str, Place]]:
    """Return where the columns of each table go, no name twice in a stored table."""
    places: dict[str, dict[str, Place]] = {name: {} for name in shape.kept}
    taken: dict[str, set[str]] = {name: set() for name in shape.words}
    own_id = rng.random() < style.renamed / 2
    for name in sorted(shape.kept, key=lambda name: name in shape.merged):
        for column in shape.kept[name].columns:
            if not _stays(shape, name, column, needed, rng.random() < style.columns_dropped):
                continue
            target = shape.target(name, column.name)
            word = _column_word(shape, name, column, style, rng)
            if own_id and column.recipe == ("key",):
                word = "id"
            if name in shape.merged or word in taken[target]:
                word = _prefixed(singular(name), word)
            taken[target].add(word)
            places[name][column.name] = Place(table=target, column=speller.column(word), word=word)
    return places


def _stays(shape: _Shape, table: str, column: ColumnSpec, needed: Collection[str], dropped: bool) -> bool:
    if column.recipe == ("key",):
        return table not in shape.merged
    if column.parent:
        return column.parent not in shape.merged
    return f"{table}.{column.name}" in needed or not dropped


def _keep_tables(domain: Domain, style: Style, rng: random.Random) -> dict[str, TableSpec]:
    """Return the tables that stay: all but perhaps one, which no other table references."""
    kept = dict(domain.tables)
    referenced = {column.parent for spec in kept.values() for column in spec.references}
    leaves = [name for name in kept if name not in referenced]
    if len(kept) > FEWEST_TABLES and rng.random() < style.tables_dropped:
        del kept[rng.choice(leaves)]
    return kept


def _merge(kept: Mapping[str, TableSpec], style: Style, rng: random.Random) -> dict[str, str]:
    """Return which tables go into their only child."""
    merged: dict[str, str] = {}
    for name, spec in kept.items():
        links = [(child, c) for child in kept for c in kept[child].references if c.parent == name]
        fits = (
            len(links) == 1
            and not links[0][1].missing
            and not spec.references
            and len(spec.columns) <= NARROW
        )
        if fits and len(kept) - len(merged) > FEWEST_TABLES and rng.random() < style.reshaped:
            merged[name] = links[0][0]
    return merged


def _split(
    kept: Mapping[str, TableSpec], merged: Mapping[str, str], style: Style, rng: random.Random
) -> dict[str, frozenset[str]]:
    """Return the columns that are split off, by table."""
    found: dict[str, frozenset[str]] = {}
    for name, spec in kept.items():
        plain = [column.name for column in spec.columns[1:] if not column.parent]
        if name not in merged and len(plain) >= WIDE and rng.random() < style.reshaped / 2:
            found[name] = frozenset(plain[len(plain) // 2 :])
    return found


def _table_words(
    kept: Mapping[str, TableSpec], split: Collection[str], style: Style, rng: random.Random
) -> dict[str, str]:
    """Return what each table is called, in snake case and plural, no word twice."""
    found: dict[str, str] = {}
    for name, spec in kept.items():
        word = rng.choice(spec.others) if spec.others and rng.random() < style.renamed else name
        found[name] = name if word in found.values() or word in kept else word
        if name in split:
            found[name + REST] = f"{singular(found[name])}_{rng.choice(('details', 'profiles', 'extras'))}"
    return found


def _column_word(shape: _Shape, table: str, column: ColumnSpec, style: Style, rng: random.Random) -> str:
    """Return what a column is called, in snake case; keys follow the names of their tables."""
    if column.recipe == ("key",):
        return f"{singular(shape.words[table])}_id"
    if column.parent:
        usual = column.name == f"{singular(column.parent)}_id"
        return f"{singular(shape.words[column.parent])}_id" if usual else column.name
    return rng.choice(column.others) if column.others and rng.random() < style.renamed else column.name


def _prefixed(prefix: str, word: str) -> str:
    return word if word.startswith(f"{prefix}_") else f"{prefix}_{word}"

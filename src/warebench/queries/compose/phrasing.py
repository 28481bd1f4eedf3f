"""Questions in ordinary words, where the words have one reading; all others keep their exact wording.

A table is called by its noun, a join by the role of its key, a column by its words and its owner. The words
themselves exclude the other readings: what is counted or averaged over is named ("per order"; "entries" where
a row is a pair of things); every step of a path is named ("rental's staff"); two keys to one table are told
apart by their roles; bounds say "at least"; no two columns in reach are called alike.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import assert_never

import msgspec

from warebench.catalog.model import Catalog, ForeignKey, Table
from warebench.queries.compose.naming import plural, singular, words
from warebench.queries.model import (
    Aggregate,
    Correlation,
    Count,
    Filter,
    Mean,
    Query,
    Top,
    Total,
    Value,
)
from warebench.queries.template import Template

PREFIXES = frozenset(("dim", "fct", "fact", "stg", "tbl"))
KEY_WORDS = frozenset(("id", "key", "code", "fk", "sk", "no", "nr", "num", "number"))
PLAIN = re.compile(r"[A-Za-z_ ]+")
"""Names of which the words lose nothing."""
OPEN_ENDED = frozenset(("to", "by", "via", "from", "of", "in", "at", "for", "on"))
NAMES = frozenset(("name", "title", "label"))
_SENTENCE = "where which whose is are the and or not than by as per over among for"
SYNTAX = frozenset(_SENTENCE.split())
"""Words that the sentences themselves are made of."""

GIVEN = "Rows that lack a value used here do not count, whatever other tables hold in its place."


class _Unnamed(Exception):
    """No words with one reading."""


def reword(
    template: Template, catalog: Catalog, *, moments: frozenset[str], lacking: bool, unique: bool
) -> str:
    """Return a template's text in ordinary words, or its exact text where words would have two readings.

    Args:
        template: A composed template.
        catalog: The database's.
        moments: Columns used that are dates or times.
        lacking: Some column used lacks values.
        unique: The values of the column grouped by or counted tell the rows of its table apart.
    """
    try:
        called = _names(template.query, catalog)
        want = template.query.want
        if isinstance(want, Top | Count) and not unique and _is_name(called, want):
            return template.text
        tests = [_test(called, item, moments) for item in template.query.filters]
        plain = [
            test
            for test, item in zip(tests, template.query.filters, strict=True)
            if item.parameter != template.contrast
        ]
        kept = " and ".join(plain)
        text = _compared(called, template, kept) if template.contrast else _asked(called, want, kept)
    except _Unnamed:
        return template.text
    return f"{text} {GIVEN}" if lacking else text


class _Called(msgspec.Struct, frozen=True):
    """What the row and the columns are called."""

    one: str
    many: str
    attributes: Mapping[str, str]
    """Such as "customer's country"."""
    looked_up: Mapping[str, str]
    """Such as "country of the customer"."""

    def attribute(self, column: str) -> str:
        """Return what a column is called, if no other one is called so."""
        found = self.attributes.get(column, "")
        if not found or Counter(self.attributes.values())[found] > 1:
            raise _Unnamed
        return found


def _is_name(called: _Called, want: Top | Count) -> bool:
    column = want.group if isinstance(want, Top) else want.distinct
    return bool(column) and words(column)[-1:] != [] and words(column)[-1] in NAMES


def _names(query: Query, catalog: Catalog) -> _Called:
    tables = {table.name: table for table in catalog.tables}
    root = tables[query.table]
    foreign = {name for key in catalog.foreign_keys if key.child == root.name for name in key.child_columns}
    noun = _noun(root.name)
    if len(root.primary_key) != 1 or root.primary_key[0] in foreign:
        noun += " entry"  # a row is a pair of things: counting rows and counting things differ
    paths: dict[str, list[str]] = {query.alias: []}
    for join in query.joins:
        left = join.on[0][0].partition(".")[0]
        paths[join.alias] = [*paths[left], _role(query.sources[left], join.table, join.on, catalog)]
    attributes: dict[str, str] = {}
    looked_up: dict[str, str] = {}
    for alias, path in paths.items():
        table = tables[query.sources[alias]]
        for column in table.columns:
            own = _phrase(words(column.name)) if PLAIN.fullmatch(column.name) else ""
            if path and own.startswith(path[-1] + " "):  # not "the customer's customer city"
                own = own.removeprefix(path[-1] + " ")
            same = bool(path) and own in (path[-1], _noun_or_none(table))
            steps = [*path] if same else [*path, own]
            if own:
                attributes[f"{alias}.{column.name}"] = "'s ".join(steps)
                looked_up[f"{alias}.{column.name}"] = " of the ".join(reversed(steps))
    return _Called(one=noun, many=_many(noun), attributes=attributes, looked_up=looked_up)


def _noun_or_none(table: Table) -> str:
    try:
        return _noun(table.name)
    except _Unnamed:
        return ""


def _noun(table: str) -> str:
    name = table.rpartition(".")[2]
    found = words(name) if PLAIN.fullmatch(name) else []
    found = found[1:] if len(found) > 1 and found[0] in PREFIXES else found
    phrase = _phrase([*found[:-1], *(singular(word) for word in found[-1:])])
    if not phrase:
        raise _Unnamed
    return phrase


def _many(noun: str) -> str:
    return " ".join([*noun.split()[:-1], plural(noun.split()[-1])])


def _phrase(found: Sequence[str]) -> str:
    """Return words as a phrase; empty if one of them is none."""
    good = all(
        word.isascii() and word.isalpha() and len(word) > 1 and set(word) & set("aeiouy") for word in found
    )
    return " ".join(found) if found and good else ""


def _role(child: str, parent: str, on: Sequence[tuple[str, str]], catalog: Catalog) -> str:
    """Return what the parent is to the child: its noun, or the role that the key's column names."""
    noun = _noun(parent)
    between = [key for key in catalog.foreign_keys if {key.child, key.parent} == {child, parent}]
    if child == parent or any(key.child == parent for key in between):
        raise _Unnamed  # "the store of the staff": where they work, or what they manage
    if len(on) > 1:
        return _only(noun, between)
    column = on[0][0].partition(".")[2]
    stem = words(column) if PLAIN.fullmatch(column) else [""]
    while len(stem) > 1 and stem[-1] in KEY_WORDS:
        stem = stem[:-1]
    if stem[-1:] and stem[-1] in OPEN_ENDED:
        raise _Unnamed
    phrase = _phrase([*stem[:-1], *(singular(word) for word in stem[-1:])])
    if not phrase or phrase in KEY_WORDS or noun.endswith(phrase):
        return _only(noun, between)
    return phrase


def _only(noun: str, between: Sequence[ForeignKey]) -> str:
    if len(between) > 1:
        raise _Unnamed
    return noun


def _test(called: _Called, item: Filter, moments: frozenset[str]) -> str:
    value, moment = f"{{{item.parameter}}}", item.column in moments
    ends = {
        "=": value,
        "<>": f"given but not {value}",
        ">=": f"{value} or later" if moment else f"at least {value}",
        "<=": f"{value} or earlier" if moment else f"at most {value}",
    }
    attribute = called.attribute(item.column)
    verb = "is" if singular(attribute.split()[-1]) == attribute.split()[-1] else "are"
    return f"whose {attribute} {verb} {ends[item.op]}"


def _asked(called: _Called, want: Value | Count | Total | Mean | Correlation | Top, kept: str) -> str:
    which = f"{called.many} {kept}".strip()
    match want:
        case Value(column):
            called.attribute(column)
            return f"What is the {called.looked_up[column]} of the {called.one} {kept}?"
        case Count(""):
            return f"How many {called.many} are there {kept}?"
        case Count(column):
            return f"How many different values does the {called.attribute(column)} take among the {which}?"
        case Total() | Mean():
            return f"What is {_aggregate(called, want)} over all {which}?"
        case Top(group, by, highest):
            extreme = "largest" if highest else "smallest"
            attribute = called.attribute(group)
            if by == Count() and highest:
                return f"Among the {which}, which {attribute} is the most frequent?"
            return f"Among the {which}, for which {attribute} is {_aggregate(called, by)} the {extreme}?"
        case Correlation(x, y):
            pair = f"the {called.attribute(x.column)} and the {called.attribute(y.column)}"
            asked = f"what is the Pearson correlation between {pair}, one pair per {called.one}?"
            return f"Over the {which}, {asked}"
        case _:
            assert_never(want)


def _aggregate(called: _Called, want: Aggregate) -> str:
    match want:
        case Count(""):
            return f"the number of {called.many}"
        case Count():
            raise _Unnamed
        case Total(measure):
            return f"the sum of the {called.attribute(measure.column)}"
        case Mean(measure):
            return f"the average {called.attribute(measure.column)} per {called.one}"
        case _:
            assert_never(want)


def _compared(called: _Called, template: Template, kept: str) -> str:
    want = template.query.want
    if not isinstance(want, Count | Total | Mean):
        raise _Unnamed
    column = next(item.column for item in template.query.filters if item.parameter == template.contrast)
    attribute = called.attribute(column)
    among = f"Among the {called.many} {kept}: " if kept else ""
    if want == Count():
        subject = "how many more have" if among else f"How many more {called.many} have"
        return f"{among}{subject} {{a}} than {{b}} as their {attribute} (negative if fewer)?"
    start = "by how much is" if among else "By how much is"
    first, second = (f"those whose {attribute} is {{{side}}}" for side in "ab")
    if not among:
        first = first.replace("those", f"the {called.many}", 1)
    measured = _aggregate(called, want)
    return f"{among}{start} {measured} larger over {first} than over {second} (negative if smaller)?"
